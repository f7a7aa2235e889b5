"""`tenon run` and `tenon doctor`: what goes where, and with which exit code."""
import json
import os
import resource
import select
import signal
import subprocess
import tempfile
import time

from harness import skip

FOREVER = "for (;;) {}"
WAITING = "await new Promise(done => setTimeout(done, 20000))"


def value(t, code, *options, **how):
    """The value of a program as JSON, whatever it is."""
    result = t.run("run", "-e", code, "--json", *options, **how)
    return json.loads(result.out).get("value") if result.code == 0 else str(result)


# ---- where the program comes from ----------------------------------------------------------------


def test_sources(t):
    for args in (["-e", "6 * 7"], ["-e6 * 7"], ["--eval", "6 * 7"], ["--eval=6 * 7"]):
        t.ends(" ".join(args), t.run("run", *args), 0, out="42\n", err="")
    t.ends("standard input", t.run("run", "-", stdin=b"6 * 7"), 0, out="42\n", err="")
    t.ends("an empty program", t.run("run", "-", stdin=b""), 0, out="", err="")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "deep thought.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write("// é\nconst n = 6;\nthrow new Error('n is ' + n);\n")
        result = t.run("run", path)
        t.ends("a file", result, 1, out="", err="n is 6")
        t.matches("errors name the file and the line", result.err, r"deep thought\.js:3\b")
        t.ends("options after the file", t.run("run", path, "-q", "--wall", "5s"), 1)
        os.chdir(folder)
        os.rename(path, os.path.join(folder, "--json"))
        t.ends("-- ends options", t.run("run", "--", "--json"), 1, err="n is 6")
        t.ends("options before --", t.run("run", "--quiet", "--", "--json"), 1, err="n is 6")
        os.chdir("/")
    fenced = b"Here:\n```js\n6 * 7\n```\n"
    t.ends("code fences", t.run("run", "-", stdin=fenced[6:]), 0, out="42\n")
    t.matches("what -e is called", t.run("run", "-e", "throw new Error('x')").err, r"program\.ts:1")
    t.matches("what stdin is called", t.run("run", "-", stdin=b"throw new Error('x')").err,
              r"program\.ts:1")


def test_stdin_from_a_terminal(t):
    result = t.run_on_terminal("run", "-", stdin=b"6 * 7\n\x04")
    t.matches("it says what it waits for", result.out, "reading the program from the terminal")
    t.matches("and then runs", result.out, r"\b42\r\n")


def test_source_limit(t):
    def program(bytes_wanted):
        return b"1;" + b" " * (bytes_wanted - 4) + b"42"

    t.ends("at the default limit", t.run("run", "-", stdin=program(256 * 1024)), 0, out="42\n")
    past = t.run("run", "-", stdin=program(256 * 1024 + 1))
    t.ends("one past it is refused", past, 3, out="", err=r"262145 bytes long; the limit is 262144")
    t.equal("as an outcome", json.loads(t.run("run", "-", "--json", stdin=program(300000)).out)
            ["status"], "refused")
    t.ends("a larger limit", t.run("run", "--source", "1M", "-", stdin=program(300 * 1024)), 0,
           out="42\n")
    t.ends("a smaller limit", t.run("run", "--source", "100B", "-", stdin=program(101)), 3, out="",
           err="101 bytes long; the limit is 100")
    t.ends("no end of it", t.run("run", "/dev/zero"), 2, out="", err="larger than its limit of 64M")


# ---- what it is given ----------------------------------------------------------------------------


def test_input(t):
    t.equal("names", value(t, "name.toUpperCase() + list.length", "--input",
                           '{"name": "Ada", "list": [1, 2]}'), "ADA2")
    t.equal("from stdin", value(t, "n * 2", "--input", "-", stdin=b'{"n": 21}'), 42)
    t.equal("from stdin, @-", value(t, "n * 2", "--input", "@-", stdin=b'{"n": 21}'), 42)
    t.equal("$type forms", value(t, "n + 1n === 3n && when.getTime()", "--input", json.dumps(
        {"n": {"$type": "bigint", "value": "2"},
         "when": {"$type": "date", "value": "1970-01-01T00:00:01.000Z"}})), 1000)
    t.equal("an empty object", value(t, "1", "--input", "{}"), 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"rows": list(range(50000))}, file)
        t.equal("from a file", value(t, "rows.length", "--input", "@" + path), 50000)
        t.ends("the @ forgotten", t.run("run", "-e", "1", "--input", path), 2, out="",
               err="--input @.*data.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"a": 1,\n "b": tru}')
        t.ends("a file that is not JSON", t.run("run", "-e", "1", "--input", "@" + path), 2, out="",
               err=r"data\.json is not JSON: expected a value.*line 2, column 7")
    t.ends("a missing file", t.run("run", "-e", "1", "--input", "@/no/such"), 2, out="",
           err="cannot read the input from /no/such: No such file")
    for text, where in (("{a: 1}", "a name in double quotes at line 1, column 2"),
                        ("{'a': 1}", "column 2"), ('{"a": \'x\'}', "no.*single.*column 7"),
                        ('{"a" 1}', "a colon"), ('{"a": 1', "a comma or }"), ("", "a value"),
                        ('{"a": 1,}', "a name"), ('{"a": [1 2]}', r"a comma or \]"),
                        ('{"a": 01}', "comma"), ('{"a": 1.}', "a digit"), ('{"a": "x', "closing"),
                        ('{"a": "\\x"}', "an escape"), ("{} {}", "the end"), ("nul", "a value")):
        t.ends("not JSON: " + text, t.run("run", "-e", "1", "--input", text), 2, out="",
               err="--input is not JSON: expected .*" + where)
    for text in ("[1]", "1", "null", '"x"', '{"$type": "bigint", "value": "1"}'):
        t.ends("not an object: " + text, t.run("run", "-e", "1", "--input", text), 2, out="",
               err="not an object\n.*names")
    deep = '{"a": %s}' % ("[" * 999 + "]" * 999)
    t.equal("as deep as it may be", value(t, "typeof a", "--input", deep), "object")
    t.ends("too deep", t.run("run", "-e", "1", "--input", '{"a": %s}' % ("[" * 1000 + "]" * 1000)),
           2, out="", err="at most 1000 levels of nesting")
    for name in ("undefined", "NaN", "Infinity"):
        t.ends("a name of the language: " + name,
               t.run("run", "-e", "1", "--input", json.dumps({name: 1})), 1, out="",
               err="cannot be named " + name)
    t.equal("a name that is no identifier", value(t, "globalThis['x-y']", "--input", '{"x-y": 3}'), 3)


# ---- what comes out ------------------------------------------------------------------------------


def test_person(t):
    cases = (("undefined", ""), ("null", "null\n"), ("42", "42\n"), ("'text'", "text\n"),
             ("'ends in a newline\\n'", "ends in a newline\n"), ("''", "\n"), ("'é✓'", "é✓\n"),
             ("true", "true\n"))
    for code, out in cases:
        t.ends("value of " + code, t.run("run", "-e", code), 0, out=out, err="")
    result = t.run("run", "-e", "({a: [1, 'x'], b: null})")
    t.equal("an object is JSON", json.loads(result.out), {"a": [1, "x"], "b": None})
    result = t.run("run", "-e", "console.log('log'); console.info('info'); console.debug('debug');"
                                "console.warn('warn'); console.error('error'); 'value'")
    t.ends("console", result, 0, out="log\ninfo\ndebug\nvalue\n", err=r"\Awarn\nerror\n\Z")
    result = t.run("run", "-e", "console.log('before'); throw new TypeError('boom')")
    t.ends("an error", result, 1, out="before\n", err="TypeError: boom")
    t.matches("with its place", result.err, r"program\.ts:1:")
    t.matches("and its source", result.err, r"throw new TypeError")
    t.ends("a thrown empty string is a failure", t.run("run", "-e", "throw ''"), 1, out="", err=".")
    t.ends("a module", t.run("run", "-e", "export default 'x'"), 0, out="x\n")
    t.ends("top-level return", t.run("run", "-e", "return await 'x'"), 0, out="x\n")


def test_quiet(t):
    code = "console.log('log'); console.warn('warn'); "
    for option in ("-q", "--quiet"):
        t.ends(option, t.run("run", option, "-e", code + "'value'"), 0, out="value\n", err="")
    t.ends("grouped letters", t.run("run", "-qe", code + "'value'"), 0, out="value\n", err="")
    t.ends("-q with an error", t.run("run", "-q", "-e", code + "throw new Error('boom')"), 1,
           out="", err=r"\A(?!.*warn\n)[^\0]*boom")


def test_json(t):
    noisy = "console.log('log'); console.warn('warn'); console.error('error'); "
    result = t.run("run", "--json", "-e", noisy + "({a: 1})")
    t.ends("--json", result, 0, err="")
    outcome = json.loads(result.out)
    t.equal("status", outcome["status"], "ok")
    t.equal("value", outcome["value"], {"a": 1})
    t.check("schemaVersion", "schemaVersion" in outcome, result)
    t.equal("console is inside", len(outcome["console"]), 3)
    t.equal("one line", result.out.count("\n"), 1)
    for code, status, exit_code in (("throw new Error('boom')", "failed", 1),
                                    ("let let", "refused", 3), (FOREVER, "limit", 5)):
        result = t.run("run", "--json", "--wall", "300ms", "-e", noisy + code)
        t.ends("--json of " + code, result, exit_code, err="")
        t.equal("its status", json.loads(result.out)["status"], status)
    t.ends("--json of undefined parses", t.run("run", "--json", "-e", "undefined"), 0, err="")


def test_agent(t):
    code = "console.log('log'); console.warn('warn'); ({answer: 42})"
    asked = t.run("run", "--agent", "-e", code)
    t.ends("--agent", asked, 0, err="")
    for word in ("42", "log", "warn"):
        t.check("the model sees " + word, word in asked.out, asked)
    t.check("no colour", "\033" not in asked.out, asked)
    person = t.run("run", "-e", code)
    for variable in ("AI_AGENT", "CLAUDECODE", "CURSOR_AGENT"):
        env = {variable: "1"}
        # The usage in it may differ from run to run: compare what is stable.
        t.ends(variable + " turns it on", t.run("run", "-e", code, env=env), 0, err="")
        t.check("as if asked for", t.run("run", "-e", code, env=env).out != person.out)
        t.equal("--no-agent", t.run("run", "--no-agent", "-e", code, env=env).out, person.out)
        t.equal("--quiet", t.run("run", "-q", "-e", "'x'", env=env).out, "x\n")
        json.loads(t.run("run", "--json", "-e", code, env=env).out)
    t.equal("set but empty is not set", t.run("run", "-e", code, env={"AI_AGENT": ""}).out,
            person.out)
    t.matches("a terminal is a person's", t.run_on_terminal(
        "run", "-e", "'plain'", env={"CLAUDECODE": "1"}).out, r"\Aplain\r\n\Z")
    for code, exit_code in (("throw new Error('boom')", 1), ("let let", 3)):
        result = t.run("run", "--agent", "-e", code)
        t.ends("--agent of " + code, result, exit_code, err="")
        t.check("says it on stdout", len(result.out) > 10, result)


def test_tokens(t):
    code = "Array.from({length: 3000}, (_, i) => ({index: i, text: 'row ' + i}))"
    sizes = [len(t.run("run", "--agent", "--tokens", tokens, "-e", code).out)
             for tokens in ("100", "1000", "10000")]
    t.check("a larger budget shows more", sizes[0] < sizes[1] < sizes[2], sizes)
    t.check("a budget is kept", sizes[0] <= 4 * 100 + 100 and sizes[1] <= 4 * 1000 + 100, sizes)


def test_color(t):
    failing = ("run", "-e", "throw new Error('boom')")
    colored = lambda result: "\033[" in result.out + result.err
    t.check("none in a pipe", not colored(t.run(*failing)))
    t.check("--color always", colored(t.run(*failing, "--color", "always")))
    t.check("--color=always", colored(t.run(*failing, "--color=always")))
    t.check("FORCE_COLOR", colored(t.run(*failing, env={"FORCE_COLOR": "1"})))
    t.check("FORCE_COLOR=0", not colored(t.run_on_terminal(*failing, env={"FORCE_COLOR": "0"})))
    t.check("on a terminal", colored(t.run_on_terminal(*failing)))
    t.check("--color never", not colored(t.run_on_terminal(*failing, "--color", "never")))
    t.check("NO_COLOR", not colored(t.run_on_terminal(*failing, env={"NO_COLOR": "1"})))
    t.check("NO_COLOR set but empty", colored(t.run_on_terminal(*failing, env={"NO_COLOR": ""})))
    t.check("NO_COLOR before FORCE_COLOR",
            not colored(t.run(*failing, env={"NO_COLOR": "1", "FORCE_COLOR": "1"})))
    t.check("an option before NO_COLOR",
            colored(t.run(*failing, "--color", "always", env={"NO_COLOR": "1"})))
    t.check("TERM=dumb", not colored(t.run_on_terminal(*failing, env={"TERM": "dumb"})))
    t.check("doctor", colored(t.run("doctor", "--color", "always")))
    t.check("doctor in a pipe", not colored(t.run("doctor")))


def test_terminal_is_not_driven(t):
    """A program cannot retitle the window or fill the clipboard of who runs it."""
    title = "'\\x1b]0;owned\\x07' + '\\x9b2J' + '\\r' + '\\x7f'"
    raw = "\033]0;owned\007\u009b2J\r\177\n"
    t.ends("a pipe gets the bytes", t.run("run", "-e", title), 0, out=raw, err="")
    for code in (title, "console.log(%s)" % title, "console.warn(%s)" % title,
                 "throw new Error(%s)" % title, "throw %s" % title):
        for option in ("--color=always", "--color=never", "--agent"):
            result = t.run_on_terminal("run", option, "-e", code)
            rest = result.raw.replace(b"\r\n", b"")
            for bad in (b"\033]0;owned", b"\033]", b"\007", b"\xc2\x9b", b"\r", b"\177"):
                t.check("not obeyed: %r with %s of %s" % (bad, option, code), bad not in rest, result)


def test_big_output(t):
    result = t.run("run", "-e", "'x'.repeat(900000)")
    t.ends("900,000 characters", result, 0, err="")
    t.check("all of them", result.out == "x" * 900000 + "\n", result)
    result = t.run("run", "--json", "--result", "8M", "-e", "Array(500000).fill(1234)")
    t.equal("half a million numbers", len(json.loads(result.out)["value"]), 500000)
    result = t.run("run", "--output", "64K", "-e",
                   "for (let i = 0; i < 20000; i++) console.log('line ' + i)")
    t.ends("much console", result, 0, err=r"bytes of console output were left out; --output")
    t.check("its head and tail are kept", result.out.startswith("line 0\n") and
            "line 19999\n" in result.out and 32 * 1024 < len(result.out) < 80 * 1024, result)


def test_reader_that_leaves(t):
    for ignored in (False, True):
        process = t.popen("run", "-e", "'x'.repeat(900000)", restore_signals=not ignored)
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        code = process.wait()
        process.stderr.close()
        t.equal("head is no fault (SIGPIPE ignored: %s)" % ignored, (code, err), (0, b""))
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = t.run("run", "-e", "42", stdout=full)
        t.ends("a full disk is", result, 2, err="cannot write to standard output: No space left")
        t.ends("also for doctor", t.run("doctor", stdout=full), 2, err="No space left")
    process = subprocess.run(["sh", "-c", 'exec "$0" run -e 42 >&-', t.command],
                             capture_output=True, env=t.environment({}))
    t.check("a closed stdout too", process.returncode == 2, process)


# ---- how it ends ---------------------------------------------------------------------------------


def test_exit_codes(t):
    cases = (
        (0, [], "1", ""),
        (0, ["--no-check"], "1", ""),
        (1, [], "throw new Error('boom')", "boom"),
        (1, [], "await Promise.reject(new Error('boom'))", "boom"),
        (1, [], "null.x", "TypeError"),
        (3, [], "let let = 1", "SyntaxError|program.ts:1"),
        (3, ["--no-check"], "a b", "program.ts:1"),
        (5, ["--wall", "200ms"], FOREVER, "wall|limit"),
        (5, ["--wall", "200ms"], WAITING, "wall|limit"),
        (5, ["--cpu", "100ms"], FOREVER, "cpu|CPU|limit"),
        (5, ["--memory", "16M"], "const a = []; for (;;) a.push(new Uint8Array(1 << 20))", "memory"),
        (5, ["--result", "1K"], "'x'.repeat(2000)", "result|limit"),
    )
    for code, options, program, err in cases:
        result = t.run("run", *options, "-e", program)
        t.ends("exit code of %s %s" % (" ".join(options), program), result, code,
               err=err if err else "")
        t.check("in time", result.seconds < 15, result)
        if code == 5:
            t.matches("the option is named", result.err, r"hint: %s sets this limit" % options[0])
        if code != 0:
            t.equal("an error leaves stdout alone", result.out, "")
    t.ends("--result at its limit", t.run("run", "--result", "4K", "-e", "'x'.repeat(2000)"), 0)


def test_unavailable(t):
    """No room for a realm, no timers: it is said, not crashed on, and doctor says what to do."""
    with open(t.command, "rb") as file:
        if b"__asan_init" in file.read():
            return skip("AddressSanitizer itself needs more address space")
    for limit, amount in ((resource.RLIMIT_AS, 1 << 30), (resource.RLIMIT_SIGPENDING, 0)):
        def with_little(limit=limit, amount=amount):
            resource.setrlimit(limit, (amount, amount))
        result = t.run("run", "-e", "42", preexec_fn=with_little)
        t.ends("run without what it needs", result, 7, out="", err="`tenon doctor`")
        result = t.run("doctor", preexec_fn=with_little)
        t.ends("doctor of such a machine", result, 7, err="")
        t.matches("what is missing, then how to mend it", result.out,
                  r"(?m)^missing  \S.*\n {12,}\S.*$")
        t.matches("and the verdict", result.out, "cannot run here")
        result = t.run("doctor", "--json", preexec_fn=with_little)
        t.equal("the same as JSON", (result.code, json.loads(result.out)["ok"]), (7, False))


def test_signals(t):
    for name, code in (("SIGINT", 130), ("SIGTERM", 143)):
        for program in (FOREVER, WAITING, "try { %s } catch {} finally { for (;;) {} }" % FOREVER):
            process = t.popen("run", "--wall", "20s", "--cpu", "20s", "-e",
                              "console.log('started');" + program)
            time.sleep(0.5)
            began = time.monotonic()
            process.send_signal(getattr(signal, name))
            out, err = process.communicate(timeout=30)
            what = "%s while in %s" % (name, program)
            t.equal(what, process.returncode, code, err)
            t.check("soon: " + what, time.monotonic() - began < 2)
            t.equal("with an outcome: " + what, out, b"started\n")
            t.check("that says so: " + what, b"ancel" in err, err)
        process = t.popen("run", "--json", "-e", WAITING)
        time.sleep(0.5)
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
        t.equal(name + " with --json", (process.returncode, json.loads(out)["status"], err),
                (code, "cancelled", b""))


def test_second_signal(t):
    """When the first one found the command stuck in writing, the second one kills."""
    process = t.popen("run", "-e", "'x'.repeat(900000)")
    select.select([process.stdout], [], [], 30)
    time.sleep(0.2)  # the run is over, the pipe is full, and nobody reads
    process.send_signal(signal.SIGINT)
    t.equal("killed while writing", process.wait(10), -signal.SIGINT)
    process.stdout.close()
    process.stderr.close()
    process = t.popen("run", "-", stdin=subprocess.PIPE)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    t.equal("killed while reading", process.wait(10), -signal.SIGINT)
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


# ---- the program's world -------------------------------------------------------------------------


def test_world(t):
    now = "new Date().toISOString().slice(0, 19)"
    for text, wanted in (("2026-01-31T12:00:00Z", "2026-01-31T12:00:00"),
                         ("2026-01-31", "2026-01-31T00:00:00"),
                         ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00"),
                         ("2026-01-31T12:00:00-0230", "2026-01-31T14:30:00"),
                         ("1769860800000", "2026-01-31T12:00:00"),
                         ("0", "1970-01-01T00:00:00"), ("1970-01-01", "1970-01-01T00:00:00"),
                         ("1969-12-31T00:00:00Z", "1969-12-31T00:00:00")):
        t.equal("--now " + text, value(t, now, "--now", text), wanted)
    t.equal("milliseconds", value(t, "Date.now() % 1000 >= 125 && Date.now() % 1000 < 1000", "--now",
                                  "2026-01-31T12:00:00.125Z"), True)
    hours = "new Date(0).getHours()"
    t.equal("--zone UTC", value(t, hours, "--zone", "UTC"), 0)
    t.equal("--zone Europe/Paris", value(t, hours, "--zone", "Europe/Paris"), 1)
    t.equal("--zone Asia/Kolkata", value(t, "new Date(0).getMinutes()", "--zone", "Asia/Kolkata"), 30)
    t.equal("--locale", value(t, "1", "--locale", "en-US"), 1)
    dice = "[Math.random(), Math.random()]"
    for seed in ("0", "7", "18446744073709551615"):
        t.equal("--seed " + seed, value(t, dice, "--seed", seed), value(t, dice, "--seed", seed))
    t.check("seeds differ", value(t, dice, "--seed", "1") != value(t, dice, "--seed", "2"))
    t.check("no seed, no repetition", value(t, dice) != value(t, dice))
    for how in ("guard", "checked"):
        t.equal("--bounds " + how, value(t, "[3, 1, 2].sort()", "--bounds", how), [1, 2, 3])
        t.ends("a stop with --bounds " + how,
               t.run("run", "--bounds", how, "--wall", "200ms", "-e", FOREVER), 5)
    t.equal("--calls", value(t, "1", "--calls", "5"), 1)
    t.equal("of one option twice the last counts", value(t, hours, "--zone", "Asia/Tokyo", "--zone",
                                                         "UTC"), 0)


# ---- doctor --------------------------------------------------------------------------------------


def test_doctor(t):
    person = t.run("doctor")
    t.ends("doctor", person, 0, err="")
    t.matches("a table", person.out, r"(?m)^ok +\S")
    t.matches("and a verdict", person.out, r"programs can run on this machine")
    none = t.run("doctor", env={"TENON_TSC": "/bin/cat"})
    t.matches("what is no compiler is none", none.out, r"(?m)^absent +types ")
    machine = t.run("doctor", "--json")
    t.ends("doctor --json", machine, 0, err="")
    report = json.loads(machine.out)
    t.equal("ok", report["ok"], True)
    for check in report["checks"]:
        t.check("each check says what, whether and how",
                isinstance(check["name"], str) and isinstance(check["ok"], bool) and
                (check["ok"] or check["remedy"]), check)
        t.check("each is in the table", check["name"] in person.out, person)
