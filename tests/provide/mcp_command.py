"""Real servers from npm, driven by programs (programs/*.ts) that `tenon run --mcp` checks and runs: those
of the reference servers, and one of the SDK's second line over standard input and output and over HTTP.

  mcp_command.py TENON NODE"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
tenon, node = sys.argv[1:3]
passed = failed = 0


def check(what, good, *shown):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAILED:", what, *[str(one)[:2000] for one in shown])


def fetched():
    got = subprocess.run([os.path.join(HERE, "mcp_fetch")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if got.returncode != 0:
        print("skipped: the servers could not be fetched from npm:", got.stderr.strip()[-200:])
        sys.exit(77)
    return got.stdout.strip().splitlines()[-1]


modules = fetched()
folder = os.path.realpath(tempfile.mkdtemp())
files = os.path.join(folder, "files")
os.mkdir(files)
V2 = os.path.join(HERE, "mcp_servers", "v2.mjs")


def reference(name, *arguments, **more):
    index = os.path.join(modules, "@modelcontextprotocol", "server-" + name, "dist", "index.js")
    return {"command": node, "args": [index, *arguments], **more}


def configured(name, servers):
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"mcpServers": servers}, file)
    return path


def run(name, servers, *arguments):
    """The outcome of programs/NAME.ts, checked by the compiler where there is one."""
    program = os.path.join(HERE, "programs", name + ".ts")
    began = time.monotonic()
    done = subprocess.run([tenon, "run", program, "--mcp", configured(name, servers), "--json", "--wall", "60s",
                           "--cpu", "30s", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    outcome = json.loads(done.stdout) if done.stdout else {"status": "none", "error": done.stderr}
    check(name + " runs", outcome["status"] == "ok", json.dumps(outcome)[:3000], done.stderr)
    calls = outcome.get("usage", {}).get("calls", 0)
    print("%s: %s, %s calls, %.1f s" % (name, outcome["status"], calls, time.monotonic() - began))
    check(name + " chains calls", calls >= 5, calls)
    return outcome.get("value")


def typed(servers, code, answers, name="asked"):
    """All that a terminal showed while the program ran; each answer is a pattern and what is typed then."""
    pid, ours = pty.fork()
    if pid == 0:
        os.execv(tenon, [tenon, "run", "--no-check", "-e", code, "--mcp", configured(name, servers), "--wall", "60s"])
    shown, began, answers, seen = "", time.monotonic(), list(answers), 0
    while time.monotonic() - began < 60:
        if not select.select([ours], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        found = re.search(answers[0][0], shown[seen:]) if answers else None
        if found:
            seen = len(shown)
            time.sleep(0.05)
            os.write(ours, (answers.pop(0)[1] + "\n").encode())
    os.waitpid(pid, 0)
    os.close(ours)
    check("everything was asked", not answers, answers, shown)
    return shown


def equal(what, found, wanted):
    check(what, found == wanted, "found", json.dumps(found), "wanted", json.dumps(wanted))


equal("everything", run("everything", {"everything": reference("everything", "stdio")}), {
    "sums": [40, 41, 42], "echoes": ["Echo: a", "Echo: b", "Echo: c", "Echo: d"], "warm": 3, "refused": "Error",
    "links": 3, "noted": "string", "long": True, "png": True, "blob": True})

equal("filesystem", run("files", {"files": reference("filesystem", files)},
                        "--input", json.dumps({"folder": files})), {
    "count": 8, "long": ["n%d.txt" % i for i in range(4, 8)], "denied": "Access denied", "first": "row 4", "moved": 4,
    "media": "resource"})
check("and the files are there", sorted(os.listdir(os.path.join(files, "long"))) == ["n%d.txt" % i for i in range(4, 8)],
      os.listdir(files))

graph = os.path.join(folder, "memory.jsonl")
equal("memory", run("memory", {"memory": reference("memory", env={"MEMORY_FILE_PATH": graph})}), {
    "found": [["Ada", "Bob"], ["Tea"], []], "opened": 2, "left": ["Ada:1", "Tea:3"], "relations": 1})

equal("sequential thinking", run("thinking", {"thinking": reference("sequential-thinking")}), {
    "seen": [1, 2, 3, 4], "branches": ["b"], "history": 8})

answers = [("asks: Please provide inputs", "Ada"), (r"check: .*\(yes or no\)", "y"), (r"firstLine: .*stormy night", ""),
           ("email", "ada@example.org"), ("homepage", ""), ("birthdate", "1815-12-10"), (r"integer: .*\[42\]", "7")]
shown = typed({"everything": reference("everything", "stdio")},
              "JSON.stringify(await everything.trigger_elicitation_request())",
              answers + [(r"\] $", "")] * 6 + [(r"Send this to the server\? \[y/N\] $", "yes")])
for what in ("Name: Ada", "Agreed to terms: true", "Email: ada@example.org", "Favorite Integer: 7", "stormy night",
             "Monica"):
    check("everything is told " + what, what in shown, shown)

child = subprocess.Popen([node, V2, modules, "http"], stdout=subprocess.PIPE, text=True)
try:
    port = int(child.stdout.readline())
    servers = {"stock": {"command": node, "args": [V2, modules, "stdio"], "timeout": 1000},
               "web": {"type": "http", "url": "http://127.0.0.1:%d/mcp" % port}}
    one = {"parts": 5, "short": 3, "bytes": ["image 70", "audio 16", "resource 4"], "counted": "counted 3",
           "missing": "tool_error: no part bolt-2"}
    equal("the SDK's second line", run("stock", servers), [one, one])

    # What a server asks a person, in both eras and by both ways, and what it may be answered.
    order = "try { JSON.stringify(await %s.order({ name: 'nut', count: 3 })) } catch (e) { e.code + ': ' + e.message }"
    note = [(r"asks: Order 3 of nut\?\n +confirm \(yes or no\) $", "perhaps"), (r"none of .* answered.\n.*confirm.* $", "yes"),
            (r"note \[nothing\] $", "soon")]
    for hub in servers:
        shown = typed(servers, order % hub, [*note, (r"Send this to the server\? \[y/N\] $", "y")])
        check(hub + ": answered", '{"name":"nut","count":3,"note":"soon"}' in shown, shown)
        shown = typed(servers, order % hub, [*note, (r"Send this to the server\? \[y/N\] $", "n")])
        check(hub + ": refused", "tool_error: not ordered" in shown, shown)
    done = subprocess.run([tenon, "run", "--no-check", "-e", order % "stock", "--mcp", configured("alone", servers)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True)
    check("nobody can be asked", done.stdout == "tool_error: not ordered\n" and
          "asks a person, and nobody can be asked" in done.stderr, done)
finally:
    child.send_signal(signal.SIGTERM)
    child.wait(10)

shutil.rmtree(folder)
print("%d passed, %d failed" % (passed, failed))
sys.exit(1 if failed else 0)
