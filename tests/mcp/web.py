"""`tenon mcp --http` as a process, and requests to it by sockets: nothing between the test and the
bytes."""
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

from common import folder, modern

PATIENCE_S = 30
JSON = "application/json"
BOTH = "application/json, text/event-stream"


class Door:
    def __init__(self, program, *args, address="127.0.0.1:0", **environment):
        self.errors = tempfile.TemporaryFile(dir=folder)
        env = dict(os.environ, **environment)
        env.setdefault("ASAN_OPTIONS", "detect_leaks=1:exitcode=86")
        self.child = subprocess.Popen([program, "mcp", "--http", address, *args], env=env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=self.errors)
        self.url = None
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.child.poll() is None and not self.url:
            found = re.search(r"listening on (http://(\S+):(\d+)/mcp)", self.stderr())
            if found:
                self.url, self.host, self.port = found[1], found[2], int(found[3])
            time.sleep(0.02)

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def threads(self):
        with open("/proc/%d/status" % self.child.pid) as file:
            return int(re.search(r"Threads:\s+(\d+)", file.read())[1])

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.child.pid))

    def end(self, number=signal.SIGTERM):
        """The seconds it took, and how it ended."""
        began = time.monotonic()
        self.child.send_signal(number)
        try:
            code = self.child.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.child.kill()
            return None, "killed"
        return time.monotonic() - began, code

    def connect(self):
        one = socket.create_connection((self.host.strip("[]"), self.port), PATIENCE_S)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return one


class Answer:
    """Read from a socket as it comes."""

    def __init__(self, connection, rest=b""):
        self.connection, self.buffer = connection, rest
        head = self.until(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0] else 0
        self.headers = dict((name.strip().lower(), value.strip())
                            for name, _, value in (line.partition(":") for line in lines[1:]))
        self.over = False

    def more(self):
        piece = self.connection.recv(65536)
        if not piece:
            raise EOFError
        self.buffer += piece

    def until(self, mark):
        while mark not in self.buffer:
            try:
                self.more()
            except (EOFError, ConnectionError):
                break
        text, _, self.buffer = self.buffer.partition(mark)
        return text

    def exactly(self, length):
        while len(self.buffer) < length:
            self.more()
        text, self.buffer = self.buffer[:length], self.buffer[length:]
        return text

    def piece(self):
        """The next chunk; b"" at the end."""
        size = int(self.until(b"\r\n") or b"0", 16)
        text = self.exactly(size)
        self.until(b"\r\n")
        self.over = size == 0
        return text

    def body(self):
        if "chunked" in self.headers.get("transfer-encoding", ""):
            text = b""
            while not self.over:
                text += self.piece()
            return text
        return self.exactly(int(self.headers.get("content-length", 0)))

    def events(self):
        """Messages of a stream, one at a time; None for a comment."""
        text = b""
        while not self.over:
            text += self.piece()
            while b"\n\n" in text:
                event, _, text = text.partition(b"\n\n")
                data = [line[6:] for line in event.split(b"\n") if line.startswith(b"data: ")]
                yield json.loads(b"\n".join(data)) if data else None

    def messages(self):
        """All of them, of a stream or of plain JSON."""
        if self.headers.get("content-type") == "text/event-stream":
            return [message for message in self.events() if message]
        text = self.body()
        return [json.loads(text)] if text else []


def bytes_of(door, method, headers, body=b"", path="/mcp"):
    lines = ["%s %s HTTP/1.1" % (method, path)]
    if "Host" not in headers:
        lines.append("Host: %s:%d" % (door.host, door.port))
    lines += ["%s: %s" % pair for pair in headers.items() if pair[1] is not None]
    if method == "POST" and "Content-Length" not in headers and "Transfer-Encoding" not in headers:
        lines.append("Content-Length: %d" % len(body))
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def send(door, method="POST", body=b"", connection=None, path="/mcp", **headers):
    """Send one request; its connection."""
    given = {"Content-Type": JSON, "Accept": BOTH} if method == "POST" else {}
    given.update((name.replace("_", "-"), value) for name, value in headers.items())
    connection = connection or door.connect()
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    connection.sendall(bytes_of(door, method, given, body, path))
    return connection


def ask(door, method="POST", body=b"", path="/mcp", **headers):
    """One request and its answer, with its messages; the connection is closed."""
    with send(door, method, body, path=path, **headers) as connection:
        answer = Answer(connection)
        answer.text = b""
        try:
            if answer.headers.get("content-type") in (JSON, "text/event-stream"):
                answer.all = answer.messages()
            else:
                answer.all, answer.text = [], answer.body()
        except EOFError:
            answer.all = []
        answer.last = answer.all[-1] if answer.all else {}
        return answer


def names(message):
    """The headers that go with a message of the newer era."""
    params = message.get("params") or {}
    given = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": message["method"]}
    if message["method"] in ("tools/call", "prompts/get"):
        given["Mcp_Name"] = params.get("name")
    if message["method"] == "resources/read":
        given["Mcp_Name"] = params.get("uri")
    return given


def request(method, params=None, id=1, capabilities=None, **meta):
    return {"jsonrpc": "2.0", "id": id, "method": method,
            "params": dict(params or {}, _meta=modern(capabilities, **meta))}


def new(door, method, params=None, capabilities=None, meta=None, **headers):
    """A request of the newer era."""
    message = request(method, params, capabilities=capabilities, **(meta or {}))
    return ask(door, body=message, **dict(names(message), **headers))


def program(code, **more):
    return {"name": "run", "arguments": dict({"code": code}, **more)}


class Session:
    """A client of the older era."""

    def __init__(self, door, capabilities=None, version="2025-11-25"):
        self.door, self.last = door, 0
        self.hello = ask(door, body={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": capabilities or {},
            "clientInfo": {"name": "test", "version": "1"}}})
        self.id = self.hello.headers.get("mcp-session-id")
        self.say("notifications/initialized")

    def say(self, method, params=None):
        return ask(self.door, body={"jsonrpc": "2.0", "method": method, "params": params or {}},
                   Mcp_Session_Id=self.id)

    def message(self, method, params=None):
        self.last += 1
        return {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}}

    def ask(self, method, params=None, **headers):
        return ask(self.door, body=self.message(method, params), Mcp_Session_Id=self.id, **headers)

    def start(self, method, params=None):
        return send(self.door, body=self.message(method, params), Mcp_Session_Id=self.id)

    def reply(self, id, result):
        return ask(self.door, body={"jsonrpc": "2.0", "id": id, "result": result},
                   Mcp_Session_Id=self.id)


def within(seconds, wanted):
    """Wait until it is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if wanted():
            return True
        time.sleep(0.05)
    return wanted()


def side_by_side(count, work):
    """Do it in so many threads; the results."""
    results = [None] * count

    def one(index):
        try:
            results[index] = work(index)
        except (OSError, EOFError, ValueError) as error:
            results[index] = error

    threads = [threading.Thread(target=one, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
