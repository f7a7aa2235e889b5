"""Real servers from npm: several tools of each, over standard input and output in parallel, and one
of them over Streamable HTTP.

  mcp_real.py DRIVER NODE"""

import os
import re
import signal
import shutil
import sys
import tempfile
import time

from mcp_common import *

program, node = sys.argv[1:3]
got = subprocess.run([os.path.join(HERE, "mcp_fetch")], stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE, text=True)
if got.returncode != 0:
    print("skipped: the servers could not be fetched from npm:", got.stderr.strip()[-200:])
    sys.exit(77)
modules = os.path.join(got.stdout.strip().splitlines()[-1], "@modelcontextprotocol")
folder = tempfile.mkdtemp()


def server_of(name):
    return os.path.join(modules, "server-" + name, "dist", "index.js")


def value(drive, server, tool, seconds=10, **arguments):
    answer = drive.call(server, tool, seconds, **arguments) or {"error": "no answer"}
    return answer.get("value", answer.get("error"))


def everything(drive, server, what):
    check(what + " echo", value(drive, server, "echo", message="hi") == "Echo: hi")
    got = value(drive, server, "get-sum", a=2, b=40)
    check(what + " get-sum", "42" in str(got), got)
    got = value(drive, server, "get-structured-content", location="New York")
    check(what + " structured content", set(got) == {"temperature", "conditions", "humidity"}, got)
    got = value(drive, server, "get-tiny-image")
    check(what + " an image as bytes", got[1]["type"] == "image" and
          got[1]["data"]["base64"].startswith("iVBORw0KGgo"), str(got)[:200])
    got = value(drive, server, "get-resource-links", count=3)
    check(what + " links", [p["type"] for p in got] == ["text"] + ["resource_link"] * 3, got)
    got = value(drive, server, "get-resource-reference", resourceType="Blob", resourceId=1)
    check(what + " a resource as bytes", got[1]["type"] == "resource" and
          got[1]["data"]["$type"] == "bytes", got)
    got = value(drive, server, "no-such-tool")
    check(what + " an unknown tool", "no-such-tool" in got["message"], got)
    before = len(drive.events)
    got = value(drive, server, "trigger-long-running-operation", duration=1, steps=4)
    told = [e["progress"] for e in drive.events[before:] if e["event"] == "progress"]
    check(what + " progress", "completed" in got and told == [1, 2, 3, 4], got, told)
    drive.send(op="answer", action="accept", content={"name": "Ada"})
    got = value(drive, server, "trigger-elicitation-request")
    check(what + " elicitation", "Ada" in str(got), got)
    got = value(drive, server, "get-env")
    check(what + " no more of the environment than it needs",
          "stdio" not in what or set(got) <= {"PATH", "LC_CTYPE"}, got)


def stdio():
    drive = Drive(program, elicit=True, log=True)
    names = ["everything", "filesystem", "memory", "sequential-thinking"]
    more = {"everything": ["stdio"], "filesystem": [folder]}
    servers = [drive.add(name, command=node, arguments=[server_of(name)] + more.get(name, []),
                         environment=["MEMORY_FILE_PATH=" + os.path.join(folder, "memory.json")]
                         if name == "memory" else []) for name in names]
    begin = time.monotonic()
    asked = [drive.ask(op="catalogue", server=one) for one in servers]
    for name, one in zip(names, asked):
        got = drive.wait(one, 30)
        check(name + " lists its tools", got and not got["error"] and
              all("inputSchema" in t for t in got["tools"]) and got["revision"] == "2025-11-25", got)
    print("four servers ready after %.1f s" % (time.monotonic() - begin))
    everything(drive, servers[0], "stdio everything")
    files, memory, thinking = servers[1:]
    path = os.path.join(folder, "a \u00e9.txt")
    value(drive, files, "write_file", path=path, content="line\n\u00e9\n")
    got = value(drive, files, "read_text_file", path=path)
    check("filesystem writes and reads", got.get("content") == "line\n\u00e9\n", got)
    got = value(drive, files, "list_directory", path=folder)
    check("filesystem lists", "a \u00e9.txt" in got.get("content", ""), got)
    got = value(drive, files, "read_text_file", path="/etc/passwd")
    check("filesystem refuses", "Access denied" in got.get("message", ""), got)
    got = value(drive, memory, "create_entities", entities=[
        {"name": "Ada", "entityType": "person", "observations": ["writes"]}])
    check("memory makes", got["entities"][0]["name"] == "Ada", got)
    got = value(drive, memory, "read_graph")
    check("memory reads", got["entities"][0]["observations"] == ["writes"], got)
    got = value(drive, memory, "search_nodes", query="nobody")
    check("memory searches", got["entities"] == [], got)
    got = value(drive, thinking, "sequentialthinking", thought="one", nextThoughtNeeded=False,
                thoughtNumber=1, totalThoughts=1)
    check("sequential thinking", got["thoughtNumber"] == 1, got)
    calls = [drive.start_call(servers[0], "echo", message=str(i)) for i in range(300)] + \
            [drive.start_call(memory, "read_graph") for _ in range(50)]
    begin = time.monotonic()
    good = [drive.wait(one) for one in calls]
    check("350 calls at one time", all(one and "value" in one for one in good) and
          [one["value"] for one in good[:300]] == ["Echo: %d" % i for i in range(300)])
    print("350 calls in %.2f s" % (time.monotonic() - begin))
    drive.close("stdio")


def http():
    with socket_of() as unused:
        port = unused.getsockname()[1]
    child = subprocess.Popen([node, server_of("everything"), "streamableHttp"],
                             env=dict(os.environ, PORT=str(port)), stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    try:
        for line in child.stderr:
            if b"listening" in line.lower():
                break
        threading.Thread(target=child.stderr.read, daemon=True).start()
        drive = Drive(program, elicit=True)
        server = drive.add("web", url="http://127.0.0.1:%d/mcp" % port)
        got = drive.catalogue(server)
        check("http lists its tools", got and not got["error"] and len(got["tools"]) > 10, got)
        everything(drive, server, "http everything")
        drive.close("http")
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()


def socket_of():
    import socket
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    return one


stdio()
http()
shutil.rmtree(folder)
finish()
