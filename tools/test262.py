#!/usr/bin/env python3
"""Does the contained engine give the verdicts of the native one?  TEST262=DIR tools/test262.py BUILD

Runs the tests of a test262 checkout both in Tenon and in quickjs-ng as it
comes, and lists where the verdicts differ. Whether the engine itself is right
is its authors' business; what must not be is that containment changes it.
Skips, with a line that says so, when TEST262 is not set. See docs/test262.md.

    --only TEXT     tests whose path holds this text (may be given again)
    --every N       each N-th test
    --jobs N        pairs of processes (default: one for each processor)
    --list FILE     write the differences there as well

Exit status: 0 no differences but known ones, 1 others, 2 it could not be done.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import selectors
import subprocess
import sys
import threading

# What neither engine has, or what a realm deliberately lacks: nothing to compare.
SKIPPED_FEATURES = {
    "Temporal", "Atomics", "SharedArrayBuffer", "cross-realm", "IsHTMLDDA", "ShadowRealm",
    "tail-call-optimization", "Atomics.waitAsync", "Atomics.pause", "source-phase-imports",
    "import-defer", "import-text", "import-bytes", "canonical-tz",
}
FOLDERS = ["test/annexB", "test/built-ins", "test/language"]
PATIENCE_S = 120

# What the tests want of their host, as far as both have it.
HOST = """
var print = text => globalThis.tnSaid(String(text));
var $262 = { global: globalThis, gc() {}, agent: {},
             evalScript(text) { return (0, eval)(text); },
             detachArrayBuffer(buffer) { buffer.transfer(); },
             createRealm() { throw new Error('there is one realm'); } };
"""

# Differences that are meant, by path: docs/test262.md says why.
KNOWN = [
    (re.compile(pattern), why) for pattern, why in (
        (r"module-code/.*return", "a program may return"),
    )
]


# ---- a test ----

class Test:
    def __init__(self, root, path):
        self.path = path
        self.text = (root / path).read_text(encoding="utf-8", errors="surrogatepass")
        front = re.search(r"/\*---(.*?)---\*/", self.text, re.S)
        front = front.group(1).replace("\r\n", "\n").replace("\r", "\n") if front else ""
        self.flags = set(words(front, "flags"))
        self.features = set(words(front, "features"))
        self.includes = words(front, "includes")
        self.negative = re.search(r"^negative:.*?^\s+type:\s*(\w+)", front, re.S | re.M)
        self.negative = self.negative.group(1) if self.negative else None

    def reason_to_skip(self):
        skipped = self.features & SKIPPED_FEATURES
        if skipped:
            return sorted(skipped)[0]
        if "_FIXTURE" in self.text:
            return "imports files"
        if self.flags & {"CanBlockIsFalse", "CanBlockIsTrue"}:
            return "blocking"
        return None

    def modes(self):
        if "module" in self.flags:
            return ["module"]
        if self.flags & {"raw", "noStrict"}:
            return ["sloppy"]
        if "onlyStrict" in self.flags:
            return ["strict"]
        return ["sloppy", "strict"]


def words(front, key):
    """A list of the front matter: `key: [a, b]`, or a line for each."""
    found = re.search(rf"^{key}:\s*\[(.*?)\]", front, re.S | re.M)
    if found:
        return [word.strip() for word in found.group(1).split(",") if word.strip()]
    found = re.search(rf"^{key}:[ \t]*\n((?:[ \t]+-.*\n?)+)", front, re.M)
    return re.findall(r"-\s*(\S+)", found.group(1)) if found else []


# ---- its program: the same text for both ----

def quoted(text):
    return json.dumps(text)


def harness_of(root, test):
    if "raw" in test.flags:
        return HOST
    names = ["assert.js", "sta.js"]
    if "async" in test.flags:
        names.append("doneprintHandle.js")
    return HOST + "".join(read_harness(root, name) for name in names + test.includes)


def read_harness(root, name, kept={}):
    """What an eval declares with let, const or class stays inside it: make that a var."""
    if name not in kept:
        text = (root / "harness" / name).read_text(encoding="utf-8") + "\n"
        text = re.sub(r"^(?:let|const)(?=\s)", "var", text, flags=re.M)
        kept[name] = re.sub(r"^class (\w+)", r"var \1 = class \1", text, flags=re.M)
    return kept[name]


def program_of(root, test, mode):
    """Scripts are evaluated as such by an indirect eval, which is global code, sloppy or strict as
    the text says; modules are the program itself, behind a line that sets up the harness."""
    harness = harness_of(root, test)
    start = ("globalThis.tnFinished = new Promise(done => { globalThis.tnSaid = done; });"
             f" (0, eval)({quoted(harness)});")
    wait = "await globalThis.tnFinished" if "async" in test.flags else "'completed'"
    if mode == "module":
        # what a test's last statement comes to must not be a value that cannot cross
        end = "" if test.negative else f"\n;globalThis.tnVerdict = 'verdict:' + {wait};"
        return start + test.text + end
    text = ('"use strict";\n' if mode == "strict" else "") + test.text
    return start + f"""
globalThis.tnVerdict = 'verdict:';
try {{
  (0, eval)({quoted(text)});
  globalThis.tnVerdict += {wait};
}} catch (error) {{
  let name = typeof error;
  try {{ name = error.constructor.name; }} catch {{ }}
  globalThis.tnVerdict += 'threw ' + name;
}}
globalThis.tnVerdict"""


def verdict_of(test, mode, line):
    """Passed or failed, and in what words."""
    if test.negative:
        wanted = {f"threw {test.negative}"}
        if mode == "module" and test.negative == "SyntaxError":
            wanted.add("refused")
        return line in wanted
    if "async" in test.flags:
        return line == "Test262:AsyncTestComplete"
    return line == "completed"


# ---- the two engines ----

class Judge:
    """One of bench/verdict_*: started again when a program brought it down."""

    def __init__(self, command):
        self.command = command
        self.process = None

    def ask(self, text):
        if self.process is None:
            self.process = subprocess.Popen([self.command], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        data = text.encode("utf-8", errors="surrogatepass")
        try:
            self.process.stdin.write(b"%d\n" % len(data) + data)
            self.process.stdin.flush()
            line = self.read_line()
        except BrokenPipeError:
            line = b""
        if line:
            return line.decode("utf-8", errors="replace").rstrip("\n")
        self.process.kill()
        status = self.process.wait()
        self.process = None
        return f"died {status}"

    def read_line(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(PATIENCE_S):
                return b""
        return self.process.stdout.readline()

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


class Pair(threading.local):
    def __init__(self, build):
        self.contained = Judge(f"{build}/bench/verdict_contained")
        self.native = Judge(f"{build}/bench/verdict_native")


def compare(pair, root, path):
    """(skipped reason, [(mode, contained line, native line, same)])"""
    test = Test(root, path)
    reason = test.reason_to_skip()
    if reason:
        return path, reason, []
    results = []
    for mode in test.modes():
        program = program_of(root, test, mode)
        contained, native = pair.contained.ask(program), pair.native.ask(program)
        passed = verdict_of(test, mode, contained), verdict_of(test, mode, native)
        results.append((mode, contained, native, passed[0], passed[1]))
    return path, None, results


# ---- the whole ----

def find_tests(root, args):
    paths = sorted(p.relative_to(root).as_posix() for folder in FOLDERS
                   for p in (root / folder).rglob("*.js") if "_FIXTURE" not in p.name)
    if args.only:
        paths = [p for p in paths if any(text in p for text in args.only)]
    return paths[::args.every]


def known(path):
    return next((why for pattern, why in KNOWN if pattern.search(path)), None)


def read_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list")
    return parser.parse_args()


def run_all(root, args, paths):
    pair = Pair(args.build)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for done, result in enumerate(pool.map(lambda p: compare(pair, root, p), paths), 1):
            if done % 2000 == 0:
                print(f"{done} of {len(paths)}", file=sys.stderr, flush=True)
            yield result


def main():
    args = read_arguments()
    if not os.environ.get("TEST262"):
        print("skipped: TEST262 is not set to a test262 checkout")
        return 0
    root = pathlib.Path(os.environ["TEST262"])
    if not (root / "harness/assert.js").is_file():
        print(f"TEST262={root} is not a test262 checkout (no harness/assert.js)", file=sys.stderr)
        return 2
    same = different = skipped = expected = native_passed = 0
    lines = []
    for path, reason, results in run_all(root, args, find_tests(root, args)):
        skipped += reason is not None
        for mode, contained, native, contained_passed, native_passed_too in results:
            native_passed += native_passed_too
            if contained_passed == native_passed_too:
                same += 1
                continue
            different += 1
            why = known(path)
            expected += why is not None
            lines.append(f"{path} ({mode}): contained {contained!r}, native {native!r}"
                         + (f"   [{why}]" if why else ""))
    print("\n".join(lines))
    if args.list:
        pathlib.Path(args.list).write_text("".join(line + "\n" for line in lines))
    print(f"natively passed {native_passed} of {same + different}; "
          f"of the differences {expected} are known")
    print(f"same {same}, different {different}, skipped {skipped}")
    return 0 if different == expected else 1


if __name__ == "__main__":
    sys.exit(main())
