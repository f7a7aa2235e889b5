"""What the tests of the MCP client share: the driver as a child, servers made of transcripts, and
counting. Each script's last line is "N passed, N failed"."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
from tally import check, finish  # noqa: E402

FAKE = os.path.join(HERE, "mcp_fake.py")


class Drive:
    """The driver. Every wait has a deadline; what did not come is None."""

    def __init__(self, program, **options):
        environment = dict(os.environ)
        environment.setdefault("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0")
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=environment)
        self.answers, self.events, self.last = {}, [], 1000
        self.arrived = threading.Condition()
        self.errors = []
        self.threads = [threading.Thread(target=self._read), threading.Thread(target=self._hear)]
        for thread in self.threads:
            thread.start()
        options.setdefault("environment", ["PATH=" + os.environ.get("PATH", "/usr/bin:/bin")])
        self.send(op="client", **options)
        self.servers = 0

    def _read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            with self.arrived:
                if "id" in message:
                    self.answers[message["id"]] = message
                else:
                    self.events.append(message)
                self.arrived.notify_all()

    def _hear(self):
        for line in self.child.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def send(self, **command):
        self.child.stdin.write(json.dumps(command).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, **command):
        self.last += 1
        self.send(id=self.last, **command)
        return self.last

    def wait(self, id, seconds=10):
        end = time.monotonic() + seconds
        with self.arrived:
            while id not in self.answers and time.monotonic() < end:
                self.arrived.wait(max(0.01, end - time.monotonic()))
            return self.answers.get(id)

    def wait_event(self, name, seconds=10, **wanted):
        end = time.monotonic() + seconds
        with self.arrived:
            while True:
                for event in self.events:
                    if event.get("event") == name and wanted.items() <= event.items():
                        return event
                if time.monotonic() >= end:
                    return None
                self.arrived.wait(max(0.01, end - time.monotonic()))

    def add(self, name, **options):
        self.send(op="add", server=self.servers, name=name, **options)
        self.servers += 1
        return self.servers - 1

    def add_fake(self, name, transcript, folder=None, **options):
        """A server that follows a transcript (a list of {on, do}, or a file of one)."""
        if not isinstance(transcript, str):
            file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
            json.dump({"transcript": transcript}, file)
            file.close()
            transcript = file.name
        return self.add(name, command=sys.executable, arguments=[FAKE, transcript], **options)

    def catalogue(self, server, seconds=35):
        return self.wait(self.ask(op="catalogue", server=server), seconds)

    def start_call(self, server, tool="t", **arguments):
        return self.ask(op="call", server=server, tool=tool, arguments=arguments)

    def call(self, server, tool="t", seconds=10, **arguments):
        return self.wait(self.start_call(server, tool, **arguments), seconds)

    def state(self):
        return self.wait(self.ask(op="state"))

    def free(self, seconds=8):
        return self.wait(self.ask(op="free"), seconds)

    def close(self, what):
        """Let it end by itself: all its memory freed, no sanitizer's report, no child left."""
        self.child.stdin.close()
        try:
            status = self.child.wait(15)
        except subprocess.TimeoutExpired:
            self.child.kill()
            status = "it hung"
        for thread in self.threads:
            thread.join(5)
        check(what + ": the driver ends well", status == 0, status, "".join(self.errors)[-3000:])
        left = children_of(self.child.pid)
        check(what + ": no process is left", not left, left)


def children_of(pid):
    """Processes whose session was begun by a child of this one are known by their environment."""
    found = []
    for one in os.listdir("/proc"):
        if not one.isdigit():
            continue
        try:
            with open("/proc/%s/environ" % one, "rb") as file:
                if ("TENON_TEST=%d" % pid).encode() in file.read():
                    found.append(one)
        except OSError:
            pass
    return found


def error_of(answer):
    return (answer or {}).get("error") or {}


HELLO = [
    {"on": "initialize", "do": [{"reply": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "fake", "version": "1"}}}]},
    {"on": "tools/list", "do": [{"reply": {"tools": [
        {"name": "t", "inputSchema": {"type": "object"}}]}}]},
]
META = "io.modelcontextprotocol/"
MODERN = [
    {"on": "server/discover", "do": [{"reply": {
        "resultType": "complete", "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": True}}, "instructions": "be kind",
        "_meta": {META + "serverInfo": {"name": "modern", "version": "2"}}}}]},
    {"on": "tools/list", "do": [{"reply": {
        "resultType": "complete", "ttlMs": 1000, "cacheScope": "public",
        "tools": [{"name": "t", "inputSchema": {"type": "object"}}]}}]},
    {"on": "subscriptions/listen", "do": [{"notify": {
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": {META + "subscriptionId": 0}}}}]},
]


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def says(method, *actions, **more):
    return dict({"on": method, "do": list(actions)}, **more)
