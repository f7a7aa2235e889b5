"""Running the command and counting checks; the tests themselves are in the test_*.py beside it."""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What would change what the command prints; each test sets what it needs.
CLEARED = ("AI_AGENT", "CLAUDECODE", "CURSOR_AGENT", "GEMINI_CLI", "CODEX_SANDBOX",
           "OPENCODE_CLIENT", "AUGMENT_AGENT", "NO_COLOR", "FORCE_COLOR", "TZ")

# A sanitizer's realms are slower, so are busy machines: only what must never be met is bounded.
PATIENCE_S = 60


class Result:
    def __init__(self, args, code, out, err, seconds):
        self.args, self.code, self.seconds = args, code, seconds
        self.raw = out
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")

    def __str__(self):
        def short(text):
            return repr(text if len(text) < 600 else text[:300] + " ... " + text[-200:])
        return "tenon %s\n      exit %s, %.2f s\n      stdout %s\n      stderr %s" % (
            " ".join(self.args), self.code, self.seconds, short(self.out), short(self.err))


class Suite:
    def __init__(self, command):
        self.command = os.path.abspath(command)
        self.passed = self.failed = 0
        self.cache = tempfile.TemporaryDirectory()  # what is kept between starts
        self.state = tempfile.TemporaryDirectory()  # where runs are written down

    # ---- running ----

    def environment(self, more):
        env = {k: v for k, v in os.environ.items() if k not in CLEARED}
        env["TERM"] = "xterm-256color"
        env["XDG_CACHE_HOME"] = self.cache.name
        env["XDG_STATE_HOME"] = self.state.name
        env.update(more or {})
        return env

    def popen(self, *args, env=None, types=False, **how):
        """Programs here are mostly JavaScript in a hurry: their types are looked at if asked."""
        if args[:1] == ("run",) and not types:
            args = ("run", "--no-check", *args[1:])
        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        how.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([self.command, *args], env=self.environment(env), **how)

    def run(self, *args, stdin=None, env=None, **how):
        """Run it to its end with pipes all around."""
        began = time.monotonic()
        how["stdin"] = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        process = self.popen(*args, env=env, **how)
        try:
            out, err = process.communicate(stdin, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err += b"\n(the test lost patience)"
        return Result(args, process.returncode, out or b"", err or b"", time.monotonic() - began)

    def run_on_terminal(self, *args, stdin=None, env=None):
        """Run it with one terminal for all three streams, as a person would; all is in .out."""
        began = time.monotonic()
        ours, theirs = pty.openpty()
        process = self.popen(*args, env=env, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        if stdin is not None:
            os.write(ours, stdin)
        output = b""
        while time.monotonic() - began < PATIENCE_S:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(ours, 65536)
            except OSError:  # EIO: the other side is closed
                break
            if not piece:
                break
            output += piece
        code = process.wait(PATIENCE_S)
        os.close(ours)
        return Result(args, code, output, b"", time.monotonic() - began)

    # ---- checking ----

    def check(self, what, good, detail=""):
        if good:
            self.passed += 1
            return
        self.failed += 1
        print("FAILED: %s\n      %s" % (what, detail))

    def equal(self, what, found, wanted, detail=""):
        self.check(what, found == wanted, "found %r, wanted %r\n      %s" % (found, wanted, detail))

    def matches(self, what, text, pattern, detail=""):
        self.check(what, re.search(pattern, text) is not None,
                   "no %r in %r\n      %s" % (pattern, text[:600], detail))

    def ends(self, what, result, code, out=None, err=None):
        """The exit code, and if given the exact stdout and a pattern for stderr ("" for nothing)."""
        good = result.code == code
        good = good and (out is None or result.out == out)
        good = good and (err is None or (result.err == "" if err == "" else
                                         re.search(err, result.err) is not None))
        self.check(what, good, "wanted exit %s, stdout %r, stderr %r\n      %s" %
                   (code, out, err, result))

    # ---- all of them ----

    def run_all(self, tests):
        for test in tests:
            try:
                test(self)
            except Exception as error:  # a test that breaks is a failure, and not the last one
                self.failed += 1
                print("FAILED: %s broke: %s: %s" % (test.__name__, type(error).__name__, error))
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed or not self.passed else 0


def tests_of(module):
    return [value for name, value in vars(module).items() if name.startswith("test_")
            and callable(value)]


def skip(why):
    print("not tested here: " + why, file=sys.stderr)
