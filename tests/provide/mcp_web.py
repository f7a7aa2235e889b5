"""MCP servers over HTTP, one kind for each path, on a port of their own (printed first). What was
asked is kept: GET /log gives it as JSON.

  mcp_web.py"""

import gzip
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

META = "io.modelcontextprotocol/"
log, lock = [], threading.Lock()
sessions = set()
counts = {}
released = {}

TOOLS = [{"name": "t", "inputSchema": {"type": "object"}},
         {"name": "caf\u00e9", "inputSchema": {"type": "object", "properties": {
             "region": {"type": "string", "x-mcp-header": "Region"},
             "n": {"type": "integer", "x-mcp-header": "Number"},
             "deep": {"type": "object", "properties": {
                 "flag": {"type": "boolean", "x-mcp-header": "Flag"}}},
             "plain": {"type": "string"}}}},
         {"name": "bad", "inputSchema": {"type": "object", "properties": {
             "x": {"type": "array", "items": {"type": "string", "x-mcp-header": "X"}}}}},
         {"name": "bad2", "inputSchema": {"type": "object", "properties": {
             "x": {"type": "number", "x-mcp-header": "X"}}}}]


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def count(key):
    with lock:
        counts[key] = counts.get(key, 0) + 1
        return counts[key]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    # ---- answers ----

    def plain(self, status, body=b"", type="application/json", **headers):
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def message(self, body, status=200, **headers):
        self.plain(status, json.dumps(dict({"jsonrpc": "2.0"}, **body)).encode(), **headers)

    def open_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, data):
        data = data.encode() if isinstance(data, str) else data
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def close_stream(self):
        self.piece(b"")

    def event(self, body, extra="", split=0, end="\n"):
        text = json.dumps(dict({"jsonrpc": "2.0"}, **body))
        data = (extra + "data: " + text + "\n\n").replace("\n", end)
        if not split:
            self.piece(data)
        for i in range(0, len(data) if split else 0, split or 1):
            self.piece(data[i:i + split])

    # ---- the protocol ----

    def greet(self, body, session=None):
        reply = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
                 "serverInfo": {"name": "web" + self.path, "version": "3"}}
        self.message({"id": body["id"], "result": reply}, **({"Mcp_Session_Id": session} if session else {}))

    def usual(self, body):
        """The handshake era; calls are left to the caller. True if it was answered here."""
        method = body.get("method")
        if method == "initialize":
            self.greet(body)
        elif method == "tools/list":
            self.message({"id": body["id"], "result": {"tools": TOOLS}})
        elif method is None or "id" not in body:
            self.plain(202)
        elif method == "server/discover":
            self.plain(400, b"Bad Request: no session", "text/plain")
        else:
            return False
        return True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with lock:
            log.append({"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()},
                        "body": body})
        getattr(self, "on_" + self.path.split("/")[1].replace("-", "_"))(body)

    def do_DELETE(self):
        with lock:
            log.append({"path": self.path, "delete": self.headers.get("Mcp-Session-Id")})
            sessions.discard(self.headers.get("Mcp-Session-Id"))
        self.plain(204)

    def do_GET(self):
        if self.path == "/log":
            with lock:
                self.plain(200, json.dumps(log).encode())
            return
        getattr(self, "get_" + self.path.split("/")[1].replace("-", "_"),
                lambda: self.plain(405))()

    # ---- kinds ----

    def on_json(self, body):
        if not self.usual(body):
            self.message({"id": body["id"], "result": text("json")})

    def on_split(self, body):
        """Streams in pieces of one to seven bytes, all ends of lines, comments, several data lines."""
        if self.usual(body):
            return
        token = body["params"]["_meta"]["progressToken"]
        self.open_stream()
        self.event({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1}},
                   extra="\ufeff: hello\nevent: message\nid: 7\nretry: 10\n", split=1, end="\r\n")
        self.piece(":\r\r")
        self.event({"method": "notifications/progress", "params": {"progressToken": token, "progress": 2}},
                   split=3, end="\r")
        self.piece("event: other\ndata: {not for us\n\nunknown: x\n\n")
        self.piece('data: {"jsonrpc":"2.0",\r\ndata:"id":%d,\r\ndata: "result":\r\n' % body["id"])
        self.piece("data: " + json.dumps(text("split \u00e9")) + "}\r\n\r")
        self.piece("\n")
        self.close_stream()

    def on_session(self, body):
        """A session that ends after each second call."""
        session = self.headers.get("Mcp-Session-Id")
        if body.get("method") == "initialize":
            session = "session-%d" % count("session")
            sessions.add(session)
            self.greet(body, session)
        elif body.get("method") == "server/discover":
            self.message({"id": "server-error", "error": {"code": -32600, "message": "Missing session"}}, 400)
        elif session not in sessions:
            self.message({"id": None, "error": {"code": -32001, "message": "Session not found"}}, 404)
        elif not self.usual(body):
            self.message({"id": body["id"], "result": text(session)})
            if count("call of session") % 2 == 0:
                sessions.discard(session)

    def get_session(self):
        """Its own stream: says that the tools changed, then breaks off; then stays."""
        if self.headers.get("Mcp-Session-Id") not in sessions:
            self.plain(404)
            return
        self.open_stream()
        n = count("stream")
        with lock:
            log.append({"stream": n, "last": self.headers.get("Last-Event-ID")})
        self.event({"method": "notifications/tools/list_changed"}, extra="id: e%d\nretry: 50\n" % n)
        if n > 1:
            time.sleep(1)
        self.close_stream()

    def on_needs_key(self, body):
        if self.headers.get("Authorization") != "Bearer sesame-open-99":
            self.plain(401, b"bad key " + self.headers.get("Authorization", "").encode(), "text/plain",
                       WWW_Authenticate="Bearer")
        elif not self.usual(body):
            self.message({"id": body["id"], "error": {
                "code": -32000, "message": "your key " + self.headers["Authorization"] + " has no rights"}})

    def on_forbidden(self, body):
        self.plain(403)

    def on_same(self, body):
        self.plain(307, Location="/json")

    def on_loop(self, body):
        self.plain(308, Location="/loop")

    def on_other(self, body):
        self.plain(307, Location="http://localhost:%d/json?key=hidden" % self.server.server_port)

    def on_html(self, body):
        self.plain(200, b"<html>welcome</html>", "text/html")

    def on_packed(self, body):
        """Compressed though nobody asked for it; and without a word of what it is."""
        answer = {"id": body.get("id"), "result": {"content": [{"type": "text", "text": "packed"}]}}
        if self.usual(body):
            return
        data = json.dumps(dict({"jsonrpc": "2.0"}, **answer)).encode()
        data = gzip.compress(data)
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def on_broken(self, body):
        if not self.usual(body):
            self.plain(500, b'{"detail":"database is down"}')

    def on_busy(self, body):
        if not self.usual(body):
            self.plain(503, b"later", "text/plain")

    def on_cut(self, body):
        """The connection breaks in the middle of an answer: JSON first, then a stream."""
        if self.usual(body):
            return
        if count("cut") == 1:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc"')
        else:
            self.open_stream()
            self.piece(": hello\n\n")
        self.wfile.flush()
        self.close_connection = True

    def on_resumed(self, body):
        """A stream that ends early, and goes on where it is asked to."""
        if self.usual(body):
            return
        with lock:
            released["resumed"] = body["id"]
        self.open_stream()
        self.piece("id: r1\nretry: 50\ndata:\n\n")
        self.close_stream()

    def get_resumed(self):
        if self.headers.get("Last-Event-ID") != "r1":
            self.plain(405)
            return
        self.open_stream()
        self.event({"id": released["resumed"], "result": text("resumed")}, extra="id: r2\n")
        self.close_stream()

    def on_big(self, body):
        if self.usual(body):
            return
        big = {"id": body["id"], "result": text("x" * 20000000)}
        if count("big") == 1:
            self.message(big)
        else:
            self.open_stream()
            self.event(big)
            self.close_stream()

    def on_never(self, body):
        if self.usual(body):
            return
        self.open_stream()
        try:
            for _ in range(100):
                time.sleep(0.05)
                self.piece(": waiting\n\n")
        except OSError:
            with lock:
                log.append({"path": self.path, "left": body["id"]})

    def on_odd(self, body):
        """Answers that are none, one after the other."""
        if self.usual(body):
            return
        n = count("odd")
        if n == 1:
            self.message({"id": 4711, "result": {}})
        elif n == 2:
            self.plain(202)
        elif n == 3:
            self.plain(200, b"{not json")
        elif n == 4:
            self.message({"id": None, "error": {"code": -32700, "message": "cannot read that"}}, 400)
        else:
            self.open_stream()
            self.close_stream()

    def on_modern(self, body):
        """Stateless; wants the headers to be right."""
        meta = body.get("params", {}).get("_meta", {})
        method = body["method"]
        right = self.headers.get("MCP-Protocol-Version") == "2026-07-28" == \
            meta.get(META + "protocolVersion") and self.headers.get("Mcp-Method") == method and \
            "Mcp-Session-Id" not in self.headers
        id = body.get("id")
        if not right:
            self.message({"id": id, "error": {"code": -32020, "message": "header mismatch"}}, 400)
        elif method == "server/discover":
            self.message({"id": id, "result": {
                "resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {"listChanged": True}},
                "_meta": {META + "serverInfo": {"name": "modern", "version": "9"}}}})
        elif method == "tools/list":
            self.message({"id": id, "result": {"resultType": "complete", "tools": TOOLS}})
        elif method == "subscriptions/listen":
            self.open_stream()
            time.sleep(0.2)
            self.event({"method": "notifications/tools/list_changed"})
            self.close_stream()
        elif body["params"]["name"] == "t" and body["params"]["arguments"].get("slow"):
            self.on_never(body)
        elif body["params"]["name"] == "t" and "inputResponses" not in body["params"]:
            self.message({"id": id, "result": {
                "resultType": "input_required", "requestState": "s",
                "inputRequests": {"k": {"method": "elicitation/create", "params": {"message": "?"}}}}})
        else:
            self.message({"id": id, "result": dict(text("modern"), resultType="complete")})


class Server(ThreadingHTTPServer):
    request_queue_size = 200

    def handle_error(self, *_):
        """A client may leave whenever it likes."""


server = Server(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_port, flush=True)
server.serve_forever()
