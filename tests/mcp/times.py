#!/usr/bin/env python3
"""`tenon mcp` under way: many at once, progress, cancellation, ends of every kind.

    times.py TENON"""
import os
import signal
import subprocess
import sys
import time

from common import HERE, Client, alive, check, file_of, finish, hub, processes_below, read, slow, structured, text

TENON = os.path.abspath(sys.argv[1])
WAITS = "await new Promise(done => setTimeout(() => done(0), %d)); return 'waited'"
COMPUTES = "const end = Date.now() + %d; let n = 0; while (Date.now() < end) n++; return n > 0"


def many():
    client = Client(TENON)
    began = time.monotonic()
    numbers = [client.start("return %d * 2" % i, language="javascript") for i in range(200)]
    numbers += [client.request("ping") for _ in range(50)]
    numbers += [client.request("tools/list") for _ in range(50)]
    answers = [client.answer(n) for n in numbers]
    check("300 at once: all are answered", all(answers), numbers)
    check("300 at once: each its own", all(structured(a).get("value") == i * 2
                                           for i, a in enumerate(answers[:200])))
    check("300 at once: in time", time.monotonic() - began < 15 * slow(), time.monotonic() - began)
    check("each once", len(client.all(lambda m: m.get("id") in numbers)) == 300)
    waiting = [client.start(WAITS % 60000) for _ in range(300)]
    client.ask("ping")
    refused = client.all(lambda m: m.get("id") in waiting)
    check("too many that wait are refused", 20 <= len(refused) <= 60 and
          all("too many" in text(m) for m in refused), len(refused))
    client.end("many")


def progress():
    client = Client(TENON, "--wall", "20s", "--cpu", "20s")
    for what, program, language in (("computes", COMPUTES % 8000, "typescript"),
                                    ("waits", WAITS % 8000, "typescript")):
        began, since = time.monotonic(), len(client.came)
        id = client.start(program, {"progressToken": what}, language=language)
        first = client.wait(lambda m: m.get("method") == "notifications/progress", 10, since)
        check("progress, " + what, first and first["params"]["progressToken"] == what, first)
        check("within ten seconds", time.monotonic() - began < 10)
        got = client.answer(id, since=since)
        check("and the answer, " + what, structured(got).get("status") == "ok", got)
        told = [m["params"]["progress"] for m in client.all(
            lambda m: m.get("method") == "notifications/progress" and
            m["params"]["progressToken"] == what)]
        check("it grows", told == sorted(set(told)), told)
    check("wall", structured(client.run(COMPUTES % 8000, wallMs=1000)).get("status") == "limit")
    count = len(client.all(lambda m: "method" in m))
    client.run(WAITS % 6000)
    check("no token, no progress", len(client.all(lambda m: "method" in m)) == count)
    check("none after the answer", client.came[-1][1].get("method") is None)
    client.end("progress")


def cancellation():
    for era in ("handshake", "modern"):
        client = Client(TENON, "--wall", "60s", "--cpu", "60s", era=era)
        for what, program in (("waits", WAITS % 50000), ("computes", COMPUTES % 50000)):
            id = client.start(program)
            time.sleep(0.5)
            client.say("notifications/cancelled", {"requestId": id, "reason": "enough"})
            check("%s: no answer to what was cancelled, %s" % (era, what), client.answer(id, 1.5) is None)
        before = client.last_id + 1
        client.say("notifications/cancelled", {"requestId": before})
        got = client.run("return 'ran'")
        check(era + ": before it came", structured(got).get("value") == "ran", got)
        client.say("notifications/cancelled", {"requestId": before})
        for id in (before, "unknown", -1, None, 1.5, {}, "x" * 5000):
            client.say("notifications/cancelled", {"requestId": id})
        check(era + ": after, and of no request", structured(client.run("return 1")).get("value") == 1)
        check(era + ": once", len(client.all(lambda m: m.get("id") == before)) == 1)
        queue = [client.start(WAITS % 50000) for _ in range(30)]
        for id in queue:
            client.say("notifications/cancelled", {"requestId": id})
        began = time.monotonic()
        check(era + ": eight places are free again", structured(client.run("return 2")).get("value") == 2)
        check(era + ": soon", time.monotonic() - began < 3 * slow())
        time.sleep(0.2)
        check(era + ": none of thirty is answered",
              not client.all(lambda m: m.get("id") in queue and "method" not in m))
        check(era + ": threads are gone", threads(client) <= 12, threads(client))
        client.end("cancellation, " + era)


def threads(client):
    return len(os.listdir("/proc/%d/task" % client.child.pid))


def ends():
    for what, program in (("waits", WAITS % 50000), ("computes", COMPUTES % 50000)):
        client = Client(TENON, "--wall", "60s", "--cpu", "60s")
        for _ in range(12):
            client.start(program)
        time.sleep(0.6)
        client.end("end in mid-run, " + what)
    client = Client(TENON)
    for _ in range(100):
        client.start("const n: number = 1; return n")
    client.end("end with a hundred to be checked")
    client = Client(TENON)
    client.raw('{"jsonrpc":"2.0","id":"last","method":"ping"}')
    client.child.stdin.close()
    check("a last line without an end", client.answer("last") is not None)
    client.end("end without a line's end")
    client = Client(TENON, start=False)
    client.end("nothing said at all")
    client = Client(TENON, start=False)
    client.raw('{"jsonrpc":"2.0","id":1,"met')
    client.end("end in a message")
    servers, notes = hub("ends")
    client = Client(TENON, "--mcp", servers)
    client.start("await Promise.all([hub.sleep({ ms: 50000 }), hub.sleep({ ms: 50000 })])")
    time.sleep(0.6)
    client.end("end while a server is at work")
    check("the server was told", "ended" in read(notes) or "cancelled" in read(notes), read(notes))


def closed_output():
    client = Client(TENON, start=False)
    process = subprocess.Popen([TENON, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    try:
        status = process.wait(2)
    except subprocess.TimeoutExpired:
        status = "still there"
        process.kill()
    check("who closes its output has gone", status != "still there" and status >= 0, status)
    client.end("another one")
    # nobody reads, and then nobody writes either
    process = subprocess.Popen([TENON, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    process.stdin.write(line * 100)
    process.stdin.flush()
    time.sleep(0.3)
    process.stdin.close()
    try:
        status = process.wait(3)
    except subprocess.TimeoutExpired:
        status = "still there"
        process.kill()
    check("a full pipe that nobody reads", status not in (0, "still there"), status)
    process.stdout.close()
    process = subprocess.run([TENON, "mcp"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, timeout=20, check=False)
    check("no input", process.returncode == 0, process.stderr)
    with open("/dev/full", "wb") as full:
        process = subprocess.run([TENON, "mcp"], input=line, stdout=full, stderr=subprocess.PIPE,
                                 timeout=20, check=False)
    check("a full disk", process.returncode > 0, process.stderr)


def slow_servers():
    """One that never says anything: clients are greeted meanwhile, and can go."""
    silent = file_of("silent.json", {"mcpServers": {"silent": {"command": "sleep", "args": ["1000"]}}})
    began = time.monotonic()
    client = Client(TENON, "--mcp", silent)
    check("greeted within ten seconds", client.hello and time.monotonic() - began < 8, client.hello)
    check("it says so", "being opened" in client.hello["result"]["instructions"])
    check("ping meanwhile", client.ask("ping") is not None)
    tools = client.ask("tools/list")
    check("tools meanwhile", tools and len(tools["result"]["tools"]) == 3)
    id, stopped = client.start("return 1"), client.start("return 2")
    found = client.request("tools/call", {"name": "search", "arguments": {"query": ""}})
    client.say("notifications/cancelled", {"requestId": stopped})
    check("what needs the packages waits", client.answer(id, 1) is None)
    client.end("end while a server is awaited")
    late = file_of("late.json", {"mcpServers": {"hub": {
        "command": "sh", "args": ["-c", "sleep 6; exec python3 %s" % os.path.join(HERE, "hub.py")]}}})
    client = Client(TENON, "--mcp", late)
    id = client.start("return (await hub.echo({ text: 'late' })).text")
    found = client.request("tools/call", {"name": "search", "arguments": {"query": "echo"}})
    check("a server that is late: found", "hub.echo" in text(client.answer(found)))
    check("and called", structured(client.answer(id)).get("value") == "late")
    client.end("a late server")


def signals():
    for number in (signal.SIGTERM, signal.SIGINT):
        client = Client(TENON, "--mcp", hub("signals")[0])
        client.start("await hub.sleep({ ms: 50000 })")
        time.sleep(0.5)
        below = processes_below(client.child.pid)
        client.child.send_signal(number)
        client.child.wait(3)
        time.sleep(1)
        left = list(filter(alive, below))
        check("%s leaves no process" % number.name, below and not left, below, left)


many()
progress()
cancellation()
ends()
closed_output()
slow_servers()
signals()
finish()
