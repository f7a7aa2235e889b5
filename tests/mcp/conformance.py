#!/usr/bin/env python3
"""The official conformance tool: for `tenon mcp --http` with a configuration of what it asks for,
and for our MCP client; revisions 2026-07-28 and 2025-11-25. Every scored scenario is to pass but
those in conformance/baseline.txt.

    conformance.py TENON DRIVER NODE      the tool is fetched by ./fetch"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from common import HERE, check, finish
from web import Door

TENON, DRIVER, NODE = (os.path.abspath(path) for path in sys.argv[1:4])
REVISIONS = ("2026-07-28", "2025-11-25")
FOLDER = os.path.join(HERE, "conformance")
PATIENCE_S = 300


def fetched():
    got = subprocess.run([os.path.join(HERE, "fetch"), "conformance/tool"], capture_output=True, text=True)
    if got.returncode != 0:
        print("npm cannot be reached, or gave nothing:", got.stderr[-500:])
        sys.exit(77)
    return os.path.join(got.stdout.strip(), "@modelcontextprotocol", "conformance")


def scored(tool, revision, leg):
    """The names under `server:` or `client:` of a revision's requirements."""
    with open(os.path.join(tool, "requirements", revision + ".yaml"), encoding="utf-8") as file:
        names, inside = [], False
        for line in file:
            if re.match(r"\w", line):
                inside = line.startswith(leg + ":")
            elif inside and line.strip().startswith("- "):
                names.append(line.strip()[2:])
        return names


def baseline():
    """Scenarios that are not expected to pass: "LEG NAME  reason"; a name may end in *."""
    with open(os.path.join(FOLDER, "baseline.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return [(line[0], line[1]) for line in lines]


def excepted(exceptions, leg, name):
    return any(leg == of and (name == one or one.endswith("*") and name.startswith(one[:-1]))
               for of, one in exceptions)


def run(tool, *args):
    done = subprocess.run([NODE, os.path.join(tool, "dist", "index.js"), *args], capture_output=True,
                          text=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def server(tool, revision, exceptions):
    door = Door(TENON, "--config", os.path.join(FOLDER, "server.json"))
    if not check("listens", door.url, door.stderr()):
        return
    _, said = run(tool, "server", "--url", door.url, "--requirements", revision)
    passed = set(re.findall(r"^✓ (\S+):", said, re.M))
    for name in scored(tool, revision, "server"):
        if not excepted(exceptions, "server", name):
            check("server, %s: %s" % (revision, name), name in passed, said[-3000:])
    took, ended = door.end()
    check("the server ends well", ended == 0, took, ended, door.stderr()[-2000:])
    check("nothing is wrong with its programs", door.stderr().count("\n") == 1, door.stderr())


def client(tool, revision, name):
    command = "%s %s %s" % (sys.executable, os.path.join(FOLDER, "client.py"), DRIVER)
    return run(tool, "client", "--command", command, "--scenario", name, "--spec-version", revision,
               "--timeout", "120000")


def clients(tool, exceptions):
    with ThreadPoolExecutor(2) as pool:
        running = [(revision, name, pool.submit(client, tool, revision, name))
                   for revision in REVISIONS for name in scored(tool, revision, "client")
                   if not excepted(exceptions, "client", name)]
        for revision, name, result in running:
            code, said = result.result()
            check("client, %s: %s" % (revision, name), code == 0 and "OVERALL: PASSED" in said,
                  said[-3000:])


def main():
    tool, exceptions = fetched(), baseline()
    for revision in REVISIONS:
        server(tool, revision, exceptions)
    clients(tool, exceptions)
    finish()


main()
