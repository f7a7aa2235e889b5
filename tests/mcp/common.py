"""A client of `tenon mcp` that speaks by lines, and counting. Every wait has a deadline; what did
not come is None."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
import tally  # noqa: E402
from tally import check  # noqa: E402

PATIENCE_S = 30  # a sanitizer's realms are slow, so are busy machines

folder = tempfile.mkdtemp(prefix="tenon-mcp-")


def finish():
    shutil.rmtree(folder, ignore_errors=True)
    tally.finish()


def file_of(name, content):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return path


def hub(name="hub"):
    """A file of servers with the hub in it, and where the hub notes what it was told."""
    notes = os.path.join(folder, name + ".notes")
    servers = {"mcpServers": {"hub": {"command": sys.executable,
                                      "args": [os.path.join(HERE, "hub.py"), notes]}}}
    return file_of(name + ".json", servers), notes


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def modern(capabilities=None, **more):
    return dict({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                 "io.modelcontextprotocol/clientCapabilities": capabilities or {},
                 "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}, **more)


def processes_below(pid):
    """Of a process: its children, theirs, and so on."""
    below = {}
    for one in os.listdir("/proc"):
        if one.isdigit():
            try:
                with open("/proc/%s/stat" % one) as file:
                    below.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(one))
            except OSError:
                pass
    found, left = [], [pid]
    while left:
        children = below.get(left.pop(), [])
        found += children
        left += children
    return found


def alive(pid):
    """There, and not only waiting for somebody to look how it ended."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Client:
    def __init__(self, program, *args, era="handshake", capabilities=None, start=True):
        environment = dict(os.environ)
        environment["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        environment["XDG_STATE_HOME"] = os.path.join(folder, "state")
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=1:exitcode=86")
        self.errors = tempfile.TemporaryFile(dir=folder)
        self.child = subprocess.Popen([program, "mcp", *args], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=self.errors, env=environment)
        self.era, self.capabilities = era, capabilities or {}
        self.last_id = 0
        self.came = []  # (time, message), in order; a line that is no JSON: a text
        self.changed = threading.Condition()
        self.ended = False
        threading.Thread(target=self.listen, daemon=True).start()
        if era == "handshake" and start:
            self.hello = self.ask("initialize", {
                "protocolVersion": "2025-11-25", "capabilities": self.capabilities,
                "clientInfo": {"name": "test", "version": "1"}})
            self.say("notifications/initialized")

    def listen(self):
        for line in self.child.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                message = line.decode("utf-8", "replace")
            with self.changed:
                self.came.append((time.monotonic(), message))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def raw(self, data):
        self.child.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.child.stdin.flush()

    def send(self, message):
        self.raw(json.dumps(dict({"jsonrpc": "2.0"}, **message)) + "\n")

    def say(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def request(self, method, params=None, meta=None, id=None):
        """Send only; the id."""
        params = dict(params or {})
        if self.era == "modern":
            params["_meta"] = modern(self.capabilities, **(meta or {}))
        elif meta:
            params["_meta"] = meta
        if id is None:
            self.last_id += 1
            id = self.last_id
        self.send({"id": id, "method": method, "params": params})
        return id

    def wait(self, wanted, seconds=PATIENCE_S, since=0):
        """The first message for which wanted(message)."""
        end = time.monotonic() + seconds
        with self.changed:
            while True:
                for _, message in self.came[since:]:
                    if isinstance(message, dict) and wanted(message):
                        return message
                left = end - time.monotonic()
                if left <= 0 or self.ended:
                    return None
                self.changed.wait(left)

    def answer(self, id, seconds=PATIENCE_S, since=0):
        return self.wait(lambda m: m.get("id") == id and "method" not in m, seconds, since)

    def ask(self, method, params=None, meta=None):
        return self.answer(self.request(method, params, meta))

    def tool(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def start(self, code, meta=None, **arguments):
        """Begin a program; the request's id."""
        return self.request("tools/call", {"name": "run", "arguments": dict(arguments, code=code)},
                            meta)

    def run(self, code, meta=None, **arguments):
        return self.answer(self.start(code, meta, **arguments))

    def all(self, wanted=lambda m: True):
        with self.changed:
            return [m for _, m in self.came if isinstance(m, dict) and wanted(m)]

    def garbage(self):
        with self.changed:
            return [m for _, m in self.came if not isinstance(m, dict)]

    def close(self, seconds=PATIENCE_S):
        """End its input: the seconds it took to end, or None; and how it ended."""
        below = processes_below(self.child.pid)
        began = time.monotonic()
        try:
            self.child.stdin.close()
        except OSError:
            pass
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return None, "killed"
        took = time.monotonic() - began
        while time.monotonic() - began < 3 and any(map(alive, below)):
            time.sleep(0.02)
        self.left = list(filter(alive, below))
        return took, code

    def end(self, what):
        """Close, and check that all is well."""
        took, code = self.close()
        check(what + ": ends within a second of its input", took is not None and took < 1.0 * slow(),
              took)
        check(what + ": ends well", code == 0, code, self.stderr())
        wrong = re.findall(r"(?<!provide)/(?:mcp|cli)/\w+\.c\S* runtime error.*", self.stderr())
        check(what + ": nothing undefined", not wrong, wrong)
        check(what + ": no process is left", self.left == [] if took is not None else False)
        check(what + ": nothing but messages", self.garbage() == [], self.garbage())

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")


def slow():
    return 5 if os.environ.get("TENON_SLOW") else 1


def text(answer):
    """Of a tool's result."""
    content = ((answer or {}).get("result") or {}).get("content") or []
    return "\n".join(c.get("text", "") for c in content)


def structured(answer):
    return ((answer or {}).get("result") or {}).get("structuredContent") or {}


def code(answer):
    return ((answer or {}).get("error") or {}).get("code")
