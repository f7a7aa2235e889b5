"""The journal of the command, and `tenon trace`."""
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unicodedata

from harness import PATIENCE_S, ROOT, skip
from test_mcp import Servers
from test_policy import Packages

sys.path.insert(0, os.path.join(ROOT, "tests", "unit"))
from outcome_schema import Schema  # noqa: E402

RULES = {"rules": [{"deny": "hub.now", "reason": "no clocks"}], "bound": {"hub.*": {"userId": 7}},
         "override": {"hub.send": {"function": "mock.send"}}}
PROGRAM = ("await hub.listIssues({ q: '日本語'.repeat(40) });\n"
           "await Promise.all([1, 2, 3].map(n => hub.send({ n })));\n"
           "const h = hub; try { h['now']() } catch {}\n"
           "throw new Error('at the end');\n")


class Place:
    """A journal of its own, and a policy."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.env = {"XDG_STATE_HOME": os.path.join(self.folder.name, "state")}
        self.file = os.path.join(self.env["XDG_STATE_HOME"], "tenon", "journal.db")
        self.policy = os.path.join(self.folder.name, "policy.json")
        with open(self.policy, "w", encoding="utf-8") as file:
            json.dump(RULES, file)

    def run(self, t, code, *args):
        return t.run("run", "-e", code, *args, env=self.env)

    def trace(self, t, *args):
        return t.run("trace", *args, env=self.env)


def fits(t, what, text):
    with open(os.path.join(ROOT, "docs", "trace.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    faults = Schema(schema).faults(schema, json.loads(text), "$")
    t.equal(what + " fits docs/trace.schema.json", faults, [])


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def test_a_run_is_written_down(t):
    p = Place()
    t.ends("no journal yet", p.trace(t), 2, "", "there is no journal at .*journal.db")
    with Packages(t):
        done = p.run(t, PROGRAM, "--policy", p.policy)
    t.ends("the run", done, 1, "", r"hint: tenon trace \w{6} shows its calls")
    t.equal("the file is its owner's", [stat.S_IMODE(os.stat(path).st_mode) for path in
                                        (p.file, p.file + "-wal", os.path.dirname(p.file))],
            [0o600, 0o600, 0o700])
    text = p.trace(t).out
    lines = text.splitlines()
    t.matches("the run", lines[0], r"^run [0-9a-z]{12}  program.ts  \d{4}-.*Z  failed  [\d.]+ .?s  5 calls$")
    t.equal("why", lines[1], "Error: at the end (line 4)")
    t.matches("what ran", text, r"hub\.send\(\{\"n\": 2\}\).*\n +in its place ran mock\.send\n"
                                r" +handed over: \{\"n\": 2, \"userId\": 7\}")
    t.matches("what did not", text, r"hub\.now\(\) .*⊘.*\n +denied, not made: .*no clocks")
    t.equal("no line is too wide", [line for line in lines if width(line) > 100], [])
    run = json.loads(p.trace(t, "--json").out)
    fits(t, "the run", p.trace(t, "--json").out)
    t.equal("its calls", [(c["name"], c["line"], c["state"], c["made"]) for c in run["calls"]],
            [("hub.listIssues", 1, "answered", True)] + [("hub.send", 2, "answered", True)] * 3 +
            [("hub.now", 3, "denied", False)])
    t.equal("what they were given", [c.get("handedOver") for c in run["calls"][1:]],
            [{"n": n, "userId": 7} for n in (1, 2, 3)] + [None])
    t.equal("what came back", [c.get("result") for c in run["calls"][1:4]], ["mock"] * 3)
    t.equal("of the program", (run["source"], run["language"], run["status"], run["level"],
                               len(run["policySha256"])), (PROGRAM, "typescript", "failed", "normal", 64))


def test_which_run(t):
    p = Place()
    runs = [json.loads(p.run(t, str(n), "--json").out)["run"] for n in range(3)]
    listed = p.trace(t, "--list")
    t.equal("the newest first", [line.split()[0] for line in listed.out.splitlines()], runs[::-1])
    fits(t, "the list", p.trace(t, "--list", "--json").out)
    t.matches("by its beginning", p.trace(t, runs[1][:6]).out, "^run " + runs[1])
    t.matches("the last", p.trace(t).out, "^run " + runs[2])
    t.ends("another", p.trace(t, "uuuuuuuu"), 2, "", 'no run begins with "uuuuuuuu"\n.*--list')
    t.ends("no id at all", p.trace(t, "*"), 2, "", "no run begins")
    t.ends("two", p.trace(t, "a", "b"), 2, "", "more than one run")
    t.ends("two forms", p.trace(t, "--json", "--chrome"), 2, "", "exclude each other")
    t.ends("a list of one", p.trace(t, "--list", "a"), 2, "", "--list is about all runs")
    t.ends("kept to one", p.run(t, "1", "--keep", "1"), 0)
    t.equal("one is left", len(p.trace(t, "--list").out.splitlines()), 1)


def overlaps(events):
    """Events of one line that neither follow each other nor stand inside each other."""
    found = []
    for a in events:
        for b in events:
            begins, ends = b["ts"], b["ts"] + b["dur"]
            if a["ts"] < begins < a["ts"] + a["dur"] < ends:
                found.append((a["name"], b["name"]))
    return found


def test_chrome(t):
    s, p = Servers(), Place()
    code = ("await Promise.all([30, 90, 60].map(ms => my_hub.slow({ ms })));"
            "await my_hub.slow({ ms: 1 }); my_hub.fail().catch(() => 0); 1")
    t.ends("a run", t.run("run", "--mcp", s.file, "-e", code, env=p.env), 0)
    text = p.trace(t, "--chrome").out
    events = json.loads(text)["traceEvents"]
    spans = [e for e in events if e["ph"] == "X"]
    t.equal("all of them", sorted(e["name"] for e in spans),
            ["my_hub.fail"] + ["my_hub.slow"] * 4 + ["program.ts"])
    t.check("whole microseconds", all(isinstance(e[k], int) and e[k] >= 0 for e in spans for k in ("ts", "dur")))
    t.equal("lines", len({e["tid"] for e in spans}), 4, text)
    t.equal("none stands across another", [overlaps([e for e in spans if e["tid"] == tid])
                                           for tid in {e["tid"] for e in spans}], [[]] * 4)
    t.check("side by side", max(e["dur"] for e in spans if e["name"] == "my_hub.slow") >= 90000, text)
    t.equal("lines have names", sorted({e["args"]["name"] for e in events if e["ph"] == "M"}),
            ["calls 1", "calls 2", "calls 3", "program.ts", "the run"])
    bars = [line for line in p.trace(t).out.splitlines() if "my_hub.slow" in line]
    t.check("bars one above the other", len(bars) == 4 and bars[1].count("━") > bars[0].count("━") > 3,
            "\n".join(bars))


def test_terminal(t):
    p = Place()
    with Packages(t):
        p.run(t, PROGRAM, "--policy", p.policy)
        p.run(t, "await hub.send('\\x1b[2J\\u202e\\x07\\n\\nx'); 1")
    shown = t.run_on_terminal("trace", env=p.env)
    t.check("a program's controls are not obeyed", "\x1b[2J" not in shown.out and "\u202e" not in shown.out,
            repr(shown.out))
    t.check("it is in colour", "\x1b[32m" in shown.out, repr(shown.out))
    t.check("unless told otherwise", "\x1b" not in
            t.run_on_terminal("trace", "--color", "never", env=p.env).out)
    t.check("in a pipe if told so", "\x1b[" in p.trace(t, "--color", "always").out)


def test_levels(t):
    p = Place()
    t.ends("nothing is written", p.run(t, "1", "--journal", "memory"), 0)
    t.check("not even a folder", not os.path.exists(p.file))
    t.equal("and nothing said", "run" in json.loads(p.run(t, "1", "--json", "--journal", "memory").out), False)
    other = os.path.join(p.folder.name, "other.db")
    with Packages(t):
        done = p.run(t, "await hub.send(1); throw 1", "--journal", "durable", "--journal-file", other)
    t.ends("another file", done, 1, "", r"hint: tenon trace \w+ --journal-file .*other.db shows")
    run = json.loads(p.trace(t, "--json", "--journal-file", other).out)
    t.equal("durable", (run["level"], len(run["calls"])), ("durable", 1))
    t.ends("what it cannot be", p.run(t, "1", "--journal", "often"), 2, "", "normal durable memory")


def test_what_cannot_be_written(t):
    p = Place()
    diary = os.path.join(p.folder.name, "diary.txt")
    with open(diary, "w", encoding="utf-8") as file:
        file.write("nobody is to write in here\n" * 50)
    done = p.run(t, "7", "--journal-file", diary)
    t.ends("it runs, and says so", done, 0, "7\n", "not written down.*diary.txt: this is not a journal.*\n.*memory")
    t.ends("not if it has to be", p.run(t, "7", "--journal-file", diary, "--journal", "durable"), 2, "",
           "there is no journal to write to.*diary.txt")
    with open(diary, encoding="utf-8") as file:
        t.equal("the file is as it was", file.read(), "nobody is to write in here\n" * 50)
    t.ends("nor is it read", p.trace(t, "--journal-file", diary), 2, "", "not a journal")
    missing = os.path.join(p.folder.name, "none", "journal.db")
    t.ends("no folder", p.run(t, "7", "--journal-file", missing), 0, "7\n", "No such file")
    nowhere = {"HOME": "", "XDG_STATE_HOME": ""}
    t.ends("nowhere", t.run("run", "-e", "7", env=nowhere), 0, "7\n", "neither XDG_STATE_HOME nor HOME")

    p.run(t, "1")

    # a disk of 256 KB
    full = os.path.join(p.folder.name, "full")
    os.mkdir(full)
    small = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=256k none "$0" && exec "$@"', full]
    if subprocess.run([*small, "true"], capture_output=True).returncode != 0:
        skip("a full disk: no tmpfs may be mounted here")
        return
    file = os.path.join(full, "full.db")
    with Packages(t):
        command = [*small, t.command, "run", "--no-check", "--journal-file", file, "-e",
                   "for (let i = 0; i < 9; i++) await hub.send('x'.repeat(60000)); 8"]
        done = subprocess.run(command, capture_output=True, env=t.environment(p.env), text=True)
        t.equal("it runs, and says so", (done.returncode, done.stdout), (0, "8\n"), done.stderr)
        t.matches("with the file", done.stderr, "not all of it could be written to the journal: .*full.db")
        done = subprocess.run([*command, "--journal", "durable"], capture_output=True,
                              env=t.environment(p.env), text=True)
        t.equal("but makes no call that it cannot write down", (done.returncode, done.stdout), (1, ""))
        t.matches("in words", done.stderr, "the call was not made.*journal")


def test_killed(t):
    s, p = Servers(), Place()
    process = t.popen("run", "--mcp", s.file, "-e", "await my_hub.list_all(); await my_hub.slow({ ms: 60000 })",
                      env=p.env)
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and not ('"my_hub.slow"' in p.trace(t, "--json").out):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run = json.loads(p.trace(t, "--json").out)
    t.equal("what was asked is there", (run["status"], [(c["name"], c["state"], c["made"]) for c in run["calls"]]),
            ("unfinished", [("my_hub.list_all", "answered", True), ("my_hub.slow", "open", True)]))
    text = p.trace(t).out
    t.matches("and shown", text, r"unfinished(.|\n)*┄.*\n +not answered")
    process = t.popen("run", "--mcp", s.file, "-e", "await my_hub.slow({ ms: 60000 })", env=p.env)
    while time.monotonic() < until and json.loads(p.trace(t, "--json").out)["run"] == run["run"]:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate()
    t.equal("cancelled", json.loads(p.trace(t, "--json").out)["status"], "cancelled")


def test_many_at_once(t):
    p = Place()
    with Packages(t):
        processes = [t.popen("run", "-e", "for (let i = 0; i < 20; i++) await hub.send(i); 1", env=p.env)
                     for _ in range(8)]
        ends = [process.communicate() + (process.returncode,) for process in processes]
    t.equal("all are well", ends, [(b"1\n", b"", 0)] * 8)
    runs = json.loads(p.trace(t, "--list", "--json").out)["runs"]
    t.equal("and written", [(r["status"], r["callCount"]) for r in runs], [("ok", 20)] * 8)


def test_secrets_are_not_in_it(t):
    p = Place()
    secret = "hush-hush-4711"
    s = Servers(env={"API_KEY": secret, "PATH": os.environ["PATH"]})
    p.run(t, "await my_hub.list_all(); try { await my_hub.die() } catch (e) { console.log(e.message) }",
          "--mcp", s.file)
    p.run(t, "await my_hub.fail()", "--mcp", s.file)
    told = p.run(t, "return my_hub.environment()", "--mcp", s.file)
    t.check("a program is not told", "API_KEY" in told.out and secret not in told.out, told.out)
    files = [os.path.join(p.folder.name, "state", "tenon", name)
             for name in os.listdir(os.path.join(p.folder.name, "state", "tenon"))]
    for path in files:
        with open(path, "rb") as file:
            t.check("no secret in " + path, secret.encode() not in file.read())


def test_mcp_runs_too(t):
    p = Place()
    messages = [{"id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                {"method": "notifications/initialized"},
                {"id": 2, "method": "tools/call", "params": {"name": "run", "arguments": {
                    "code": "await hub.send(5); 6", "language": "javascript"}}}]
    with Packages(t):
        process = t.popen("mcp", env=p.env, stdin=subprocess.PIPE)
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.communicate()
    run = answers[1]["result"]["structuredContent"].get("run", "")
    t.matches("its answer names the run", run, "^[0-9a-z]{12}$", str(answers))
    shown = json.loads(p.trace(t, run, "--json").out)
    t.equal("which is there", [(c["name"], c["arguments"]) for c in shown["calls"]], [("hub.send", [5])])
