"""The HTTP client: where requests may go, what goes with them, what comes back.

  http_client.py HTTP-DRIVE"""

import base64
import gzip
import json
import os
import socket
import subprocess
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tally import check, finish  # noqa: E402

seen, lock = [], threading.Lock()
other = [0]  # the port of the second server


def expect(good, what):
    return check(what, good)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, status=200, body=b"", headers=(), length=True):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if length:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def raw(self, data):
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = True

    def redirect(self, to, status=302):
        self.answer(status, b"elsewhere", [("Location", to)])

    def serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        with lock:
            seen.append((self.server.server_port, self.command, self.path,
                         {k.lower(): v for k, v in self.headers.items()}))
        path, _, query = self.path.partition("?")
        here = f"http://127.0.0.1:{self.server.server_port}"
        there = f"http://127.0.0.1:{other[0]}"
        if path == "/echo":
            answer = {"method": self.command, "path": self.path, "body": body.decode("latin-1"),
                      "headers": [[k.lower(), v] for k, v in self.headers.items()]}
            self.answer(200, json.dumps(answer).encode(), [("Content-Type", "application/json")])
        elif path.startswith("/to/"):
            self.redirect({"here": "/echo", "there": there + "/echo", "query": there + "/echo?a=1#f",
                           "loop": "/to/loop", "file": "file:///etc/passwd", "ftp": "ftp://x/",
                           "user": f"http://a:b@127.0.0.1:{self.server.server_port}/echo",
                           "private": "http://127.0.0.2:1/", "metadata": "http://169.254.169.254/",
                           "decimal": f"http://2130706433:{self.server.server_port}/echo",
                           "up": "/v1/../admin", "encoded": "/v1/%2e%2e/admin",
                           "name": f"http://inside.test:{self.server.server_port}/echo",
                           "spaced": "/a b\u00e9"}[path[4:]], int(query) if query.isdigit() else 302)
        elif path.startswith("/chain/"):
            left = int(path[7:])
            self.redirect(f"/chain/{left - 1}" if left else "/echo")
        elif path == "/ignored":
            self.raw(b"HTTP/1.1 302 Found\r\nLocation: /echo\r\n\r\n" + b"x" * 300000)
        elif path == "/nowhere":
            self.answer(302, b"no location")
        elif path == "/slow":
            time.sleep(8)
            self.answer(200, b"late")
        elif path == "/trickle":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            for _ in range(20):
                self.wfile.write(b"x")
                time.sleep(0.2)
        elif path == "/huge":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 33))
            self.end_headers()
            for _ in range(4096):
                self.wfile.write(b"x" * 65536)
        elif path == "/bomb":
            squeeze = zlib.compressobj(9, wbits=31)
            bomb = b"".join(squeeze.compress(bytes(1 << 20)) for _ in range(256)) + squeeze.flush()
            self.answer(200, bomb, [("Content-Encoding", "gzip")])
        elif path == "/gzip":
            self.answer(200, gzip.compress(b"inflated"), [("Content-Encoding", "gzip")])
        elif path == "/notgzip":
            self.answer(200, b"not compressed", [("Content-Encoding", "gzip")])
        elif path == "/short":
            self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        elif path == "/two-lengths":
            self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\nContent-Length: 5\r\n\r\nhello")
        elif path == "/garbage":
            self.raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n")
        elif path == "/closed":
            self.raw(b"")
        elif path == "/long-head":
            self.raw(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 1000)
                                                      for i in range(90)) + b"\r\n")
        elif path == "/early":
            self.raw(b"HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 Fine\r\n"
                     b"X-Late: 2\r\nContent-Length: 2\r\n\r\nok")
        elif path == "/trailers":
            self.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n"
                     b"2\r\nok\r\n0\r\nX-Trailer: 2\r\n\r\n")
        elif path == "/latin":
            self.raw(b"HTTP/1.1 200 Tr\xe8s bien\r\nX-Name: caf\xe9\r\nSet-Cookie: a=1\r\n"
                     b"Set-Cookie: b=2\r\nContent-Length: 0\r\n\r\n")
        elif path == "/leak":
            said = " ".join(f"{k}: {v}" for k, v in self.headers.items()) + " " + self.path
            self.answer(200, said.encode(), [("X-Echo", said)])
        elif path == "/status":
            self.answer(int(query), b"" if query in ("204", "304") else b"body")
        else:
            self.answer(200, self.path.encode())

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = serve


class Drive:
    def __init__(self, program, *resolve, **variables):
        self.child = subprocess.Popen([program, *resolve], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, env=dict(os.environ, **variables))
        self.answers, self.last = {}, 0
        self.arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            answer = json.loads(line)
            with self.arrived:
                self.answers[answer["id"]] = answer
                self.arrived.notify_all()

    def send(self, **command):
        self.last += 1
        self.child.stdin.write(json.dumps(dict(command, id=self.last)).encode() + b"\n")
        self.child.stdin.flush()
        return self.last

    def wait(self, number, seconds=30):
        with self.arrived:
            self.arrived.wait_for(lambda: number in self.answers, seconds)
            answer = self.answers.pop(number, {"error": "none", "message": "no answer"})
        if isinstance(answer.get("body"), dict):
            answer["body"] = base64.b64decode(answer["body"]["base64"])
        return answer

    def ask(self, url, grants=None, **more):
        return self.wait(self.send(url=url, grants=grants if grants is not None else self.grants,
                                   **more))

    def origin(self, origin):
        self.child.stdin.write(json.dumps({"origin": origin}).encode() + b"\n")
        self.child.stdin.flush()
        with self.arrived:
            self.arrived.wait_for(lambda: 0 in self.answers, 30)
            return not self.answers.pop(0)["fault"]

    def end(self):
        self.child.stdin.close()
        return self.child.wait(30)


def start(host="127.0.0.1", family=socket.AF_INET):
    class Server(ThreadingHTTPServer):
        address_family = family
        daemon_threads = True

        def handle_error(self, *_):
            pass
    server = Server((host, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def header(answer, name):
    return [v for k, v in answer.get("headers", []) if k == name]


def sent(port, path):
    with lock:
        return [s for s in seen if s[0] == port and s[2].split("?")[0] == path]


def plain(drive, here):
    answer = drive.ask(here + "/echo?x=%20y", method="POST", body="hello",
                       headers=[["X-A", "1"], ["Content-Type", "text/plain"], ["X-Empty", ""]])
    said = json.loads(answer["body"])
    expect(answer["status"] == 200 and answer["error"] is None and not answer["redirected"]
          and answer["url"] == here + "/echo?x=%20y", "a request is answered")
    headers = dict(map(tuple, said["headers"]))
    expect(said["method"] == "POST" and said["body"] == "hello" and headers["x-a"] == "1"
          and headers["x-empty"] == "" and headers["content-type"] == "text/plain"
          and headers["content-length"] == "5" and "expect" not in headers, "and sent as asked")
    said = json.loads(drive.ask(here + "/echo", method="POST")["body"])
    expect(dict(map(tuple, said["headers"])).get("content-length") == "0"
          and "content-type" not in dict(map(tuple, said["headers"])), "a POST of nothing")
    said = json.loads(drive.ask(here + "/echo", method="DELETE")["body"])
    expect(said["method"] == "DELETE", "DELETE")
    answer = drive.ask(here + "/x", method="HEAD")
    expect(answer["status"] == 200 and answer["body"] == b"", "HEAD")
    for status in (204, 304, 404, 500):
        expect(drive.ask(f"{here}/status?{status}")["status"] == status, f"status {status}")
    answer = drive.ask(here + "/latin")
    expect(header(answer, "x-name") == ["caf\u00e9"] and header(answer, "set-cookie") ==
          ["a=1", "b=2"], "headers are bytes; several of one name stay several")
    answer = drive.ask(here + "/early")
    expect(answer["status"] == 200 and answer["statusText"] == "Fine"
          and not header(answer, "x-early") and header(answer, "x-late") == ["2"],
          "what goes before the answer is not it")
    answer = drive.ask(here + "/trailers")
    expect(answer["body"] == b"ok" and not header(answer, "x-trailer"), "trailers are no headers")
    expect(drive.ask(here + "/gzip")["body"] == b"inflated", "gzip is taken off")
    expect(drive.ask(here + "/gzip", headers=[["accept-encoding", "gzip"]])["body"][:2]
          == b"\x1f\x8b", "unless the request names what it takes")
    expect(json.loads(drive.ask(here + "/echo", headers=[["X-L", "caf\u00e9"]])["body"])
          ["headers"][-1][1] == "caf\u00e9", "characters of a header are bytes")


def refused_requests(drive, here):
    for what, more in {
            "a line break in a value": {"headers": [["X-A", "1\r\nX-B: 2"]]},
            "a NUL or control in a value": {"headers": [["X-A", "a\x01b"]]},
            "a wide character in a value": {"headers": [["X-A", "\u20ac"]]},
            "a space in a name": {"headers": [["X A", "1"]]},
            "a line break in a name": {"headers": [["X\r\nA", "1"]]},
            "no name": {"headers": [["", "1"]]},
            "Host": {"headers": [["Host", "inside.test"]]},
            "Transfer-Encoding": {"headers": [["transfer-encoding", "chunked"]]},
            "Connection": {"headers": [["Connection", "x"]]},
            "a line break in a method": {"method": "GET / HTTP/1.1\r\nX: 1"},
            "CONNECT": {"method": "CONNECT"}, "TRACE": {"method": "trace"}}.items():
        answer = drive.ask(here + "/echo", **more)
        expect(answer["error"] == "arguments", f"refused: {what}: {answer['message']}")
    for url in ("", "echo", "/echo", "http://", "file:///etc/passwd", "ftp://127.0.0.1/",
                "gopher://127.0.0.1/", "dict://127.0.0.1/", "data:text/plain,x",
                here.replace("127", "a:b@127") + "/", here + "/a b", here + "/caf\u00e9",
                here + "\\@evil.test/", here + "/\r\nX: 1", "http://127.0.0.1:99999/",
                "http://[::1%25lo]/", "http://a%00b/"):
        answer = drive.ask(url)
        expect(answer["error"] in ("arguments", "denied"), f"no URL: {url!r}: {answer['message']}")


def origins(drive, here, there):
    port = here.rsplit(":", 1)[1]
    only = [{"origin": here}]
    for url in (there + "/x", f"https://127.0.0.1:{port}/", f"http://127.0.0.2:{port}/",
                f"http://localhost:{port}/", f"http://127.0.0.1.:{port}/", "http://127.0.0.1/",
                f"http://127.0.0.1.evil.test:{port}/", f"http://[::ffff:127.0.0.1]:{port}/"):
        answer = drive.ask(url, only)
        expect(answer["error"] == "denied", f"another origin: {url}: {answer['message']}")
    answer = drive.ask(there + "/x", only, missing="--allow-fetch grants it")
    expect(here in answer["message"] and there in answer["message"]
          and answer["message"].endswith("--allow-fetch grants it"), "it says what is granted")
    expect(drive.ask(here + "/x", [])["error"] == "denied", "no grant, no request")
    for spelled in ("2130706433", "0x7f000001", "0177.0.0.1", "127.1"):
        answer = drive.ask(f"http://{spelled}:{port}/x", only)
        expect(answer["error"] in ("denied", "network", None)
              and (answer["error"] or answer["url"].startswith(here)),
              f"{spelled} is 127.0.0.1 or nothing: {answer['error']}")
        answer = drive.ask(f"http://{spelled}:{port}/x", [{"origin": "http://*:" + port}])
        expect(answer["error"] in ("denied", "network"), f"{spelled} is no name of a public host")
    good = ["https://a.b", "http://127.0.0.1:8080", "http://[::1]", "https://*.a.b", "https://*",
            "HTTPS://A.b/", "http://localhost:1"]
    bad = ["a.b", "https://", "https://a.b/c", "ftp://a.b", "https://a.b:0", "https://a.b:70000",
           "https://*a.b", "https://a.*.b", "https://u@a.b", "https://a..b", "https://.a", "http://1",
           "http://0x7f.1", "http://127.1", "http://[::1", "http://[1.2.3.4]", "https://a b",
           "https://*.", "https://a.b:", "*"]
    for origin in good:
        expect(drive.origin(origin), f"an origin: {origin}")
    for origin in bad:
        expect(not drive.origin(origin), f"no origin: {origin}")


def paths(drive, here):
    under = [{"origin": here, "path": "/v1/"}]
    for path in ("/v1/", "/v1/a", "/v1/a/../b", "/v1/%61", "/v1/a%20b?../x"):
        expect(drive.ask(here + path, under)["error"] is None, f"granted: {path}")
    for path in ("/", "/v1", "/v10/", "/V1/", "//v1/", "/v1/../admin", "/v1/%2e%2e/admin",
                 "/v1/.%2E/admin", "/v1/..%2fadmin", "/v1/%2e%2e%2fadmin", "/v1/a%2f..%2f..%2fadmin",
                 "/v1/%252e%252e/admin", "/v1/%25252e%25252e%25252fadmin", "/v1/..;/admin",
                 "/v1/..%5cadmin", "/v1/%5c..%5cadmin", "/v1/..;a=1/admin", "/%76%31/../admin"):
        answer = drive.ask(here + path, under)
        expect(answer["error"] == "denied", f"not granted: {path}")
    exact = [{"origin": here, "path": "/v1"}]
    expect(drive.ask(here + "/v1", exact)["error"] is None
          and drive.ask(here + "/v1/a", exact)["error"] is None
          and drive.ask(here + "/v1?x", exact)["error"] is None
          and drive.ask(here + "/v10", exact)["error"] == "denied", "whole segments count")
    reads = [{"origin": here, "methods": ["GET", "HEAD"]}]
    expect(drive.ask(here + "/x", reads)["error"] is None
          and drive.ask(here + "/x", reads, method="POST")["error"] == "denied"
          and drive.ask(here + "/x", reads, method="get")["error"] == "denied",
          "other methods are not granted")


def redirects(drive, here, there):
    both = [{"origin": here}, {"origin": there}]
    answer = drive.ask(here + "/to/here")
    expect(answer["redirected"] and answer["url"] == here + "/echo", "a redirect is followed")
    answer = drive.ask(here + "/to/query", both)
    expect(answer["url"] == there + "/echo?a=1", "to another origin that is granted")
    answer = drive.ask(here + "/to/there", [{"origin": here}])
    expect(answer["error"] == "denied" and answer["message"].startswith("it was redirected"),
          "and to no other")
    for where in ("file", "ftp", "user"):
        answer = drive.ask(here + "/to/" + where)
        expect(answer["error"] == "redirect", f"no redirect to {where}: {answer['message']}")
    anywhere = [{"origin": "http://*" + here[len("http://127.0.0.1"):]}, {"origin": here},
                {"origin": "http://*"}, {"origin": "http://*:1"}]
    for where in ("private", "metadata", "name"):
        answer = drive.ask(here + "/to/" + where, anywhere[1:] + anywhere[:1])
        expect(answer["error"] == "denied", f"no redirect to {where}: {answer['message']}")
    for where in ("up", "encoded"):
        answer = drive.ask(here + "/to/" + where, [{"origin": here, "path": "/to/"},
                                                   {"origin": here, "path": "/v1/"}])
        expect(answer["error"] == "denied", f"no redirect out of the path: {where}")
    expect(drive.ask(here + "/to/loop")["error"] == "redirect", "a loop ends")
    expect(drive.ask(here + "/chain/19")["error"] is None
          and drive.ask(here + "/chain/20")["error"] == "redirect", "20 redirects, and no more")
    answer = drive.ask(here + "/to/here", redirect="error")
    expect(answer["error"] == "redirect", "none, where none is wanted")
    answer = drive.ask(here + "/to/there", redirect="manual")
    expect(answer["status"] == 302 and header(answer, "location") == [there + "/echo"]
          and not answer["redirected"] and answer["body"] == b"elsewhere", "seen, where asked for")
    expect(drive.ask(here + "/nowhere")["status"] == 302, "without a location it is an answer")
    expect(drive.ask(here + "/ignored")["error"] is None, "a redirect's body is nobody's")
    expect(drive.ask(here + "/to/spaced")["body"] == b"/a%20b%E9", "a location as servers write it")
    for status, method, becomes in ((301, "POST", "GET"), (302, "POST", "GET"), (303, "PUT", "GET"),
                                    (303, "HEAD", "HEAD"), (307, "POST", "POST"),
                                    (308, "PUT", "PUT"), (301, "PUT", "PUT"), (302, "GET", "GET")):
        drive.ask(f"{here}/to/here?{status}", method=method, body="b" if method[0] == "P" else None,
                  headers=[["Content-Type", "text/x"]])
        last = sent(int(here.rsplit(":", 1)[1]), "/echo")[-1]
        kept = last[3].get("content-length") == "1"
        expect(last[1] == becomes and kept == (method[0] == "P" and becomes == method)
              and (not (method != becomes) or "content-type" not in last[3]),
              f"{status} makes of {method} a {becomes}")


def credentials(drive, here, there):
    token, pair = "s3cr3t-t0k3n/+", "ann:pass-word"
    own = [{"origin": here, "credentials": [
        {"kind": "header", "name": "Authorization", "prefix": "Bearer ", "value": token},
        {"kind": "query", "name": "key", "value": "query secret&"},
        {"kind": "cookie", "name": "sid", "value": "c00kie-value"}]}]
    answer = drive.ask(here + "/echo?key=mine&a=1&key", own,
                       headers=[["authorization", "mine"], ["Cookie", "x=1"]])
    last = sent(int(here.rsplit(":", 1)[1]), "/echo")[-1]
    expect(last[3]["authorization"] == "Bearer " + token and last[3]["cookie"] ==
          "x=1; sid=c00kie-value" and last[2] == "/echo?a=1&key=query%20secret%26",
          "credentials of the grant go along")
    expect(answer["url"] == here + "/echo?key=mine&a=1&key", "the program sees its own URL")
    answer = drive.ask(here + "/leak", own)
    told = answer["body"].decode() + json.dumps(answer["headers"])
    expect("s3cr3t" not in told and "secret%26" not in told and "c00kie-value" not in told
          and "Bearer [secret]" in told, "what a server echoes of them is taken out")
    basic = [{"origin": here, "credentials": [{"kind": "basic", "value": pair}]}]
    answer = drive.ask(here + "/leak", basic)
    encoded = base64.b64encode(pair.encode()).decode()
    expect(sent(int(here.rsplit(":", 1)[1]), "/leak")[-1][3]["authorization"] == "Basic " + encoded
          and encoded not in answer["body"].decode() and "Basic [secret]" in
          answer["body"].decode(), "basic authentication, and its base64 taken out")
    both = own + [{"origin": there, "credentials": [
        {"kind": "header", "name": "X-Key", "value": "the-other-one"}]}]
    drive.ask(here + "/to/there", both, headers=[["X-Mine", "1"], ["Cookie", "mine=1"]])
    last = sent(other[0], "/echo")[-1][3]
    expect("authorization" not in last and "cookie" not in last and last["x-key"] == "the-other-one"
          and last["x-mine"] == "1", "at another origin they are decided anew")
    drive.ask(here + "/to/there", [{"origin": here}, {"origin": there}],
              headers=[["Authorization", "mine"], ["Cookie", "mine=1"], ["X-Mine", "1"]])
    last = sent(other[0], "/echo")[-1][3]
    expect("authorization" not in last and "cookie" not in last and last["x-mine"] == "1",
          "the program's own do not cross")
    missing = [{"origin": here, "credentials": [
        {"kind": "header", "name": "X-Key", "reference": "env:KEY"}]}]
    answer = drive.ask(here + "/echo", missing)
    expect(answer["error"] == "unavailable" and "env:KEY" in answer["message"],
          "a secret that is not to be had is told by its reference")
    narrow = [{"origin": here, "path": "/leak", "credentials": own[0]["credentials"]},
              {"origin": here}]
    drive.ask(here + "/echo?n", narrow)
    expect("authorization" not in sent(int(here.rsplit(":", 1)[1]), "/echo")[-1][3],
          "and go where their grant goes")


def addresses(drive, program, here):
    port = here.rsplit(":", 1)[1]
    private = ["127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
               "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.8",
               "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]",
               "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]",
               "[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:7f00:1::1]", "[2001:db8::1]",
               "[::127.0.0.1]", "[fec0::1]", "[100::1]", "[3fff::1]",
               "[2600::5efe:7f00:1]", "[2600::200:5efe:a00:1]"]
    names = [f"n{i}.test" for i in range(len(private))]
    rebound = Drive(program, *(f"{n}:{port}:{a}" for n, a in zip(names, private)),
                    f"mixed.test:{port}:10.255.255.1,127.0.0.1",
                    f"mine.test:{port}:127.0.0.1", f"meta.test:{port}:169.254.169.254",
                    f"localhost:{port}:10.0.0.1", f"localhost.:{port}:127.0.0.1")
    grants = [{"origin": "http://*:" + port}, {"origin": "http://*"}]
    before = len(seen)
    for name, address in zip(names, private):
        answer = rebound.ask(f"http://{name}:{port}/x", grants)
        expect(answer["error"] == "denied" and "public internet" in answer["message"],
              f"a name at {address}: {answer['message']}")
        answer = rebound.ask(f"http://{address}/x", grants)
        expect(answer["error"] == "denied", f"the address {address}: {answer['message']}")
    expect(rebound.ask(f"http://mixed.test:{port}/", grants)["error"] == "denied", "of several, any")
    expect(len(seen) == before, "nothing was sent to any of them")
    granted = [{"origin": f"http://mine.test:{port}", "private": True},
               {"origin": f"http://meta.test:{port}", "private": True}]
    expect(rebound.ask(f"http://mine.test:{port}/x", granted)["error"] is None,
          "private addresses, where they are granted")
    expect(rebound.ask(f"http://meta.test:{port}/x", granted)["error"] == "denied",
          "but the addresses where clouds keep credentials")
    expect(rebound.ask(f"http://mine.test:{port}/x", [{"origin": f"http://mine.test:{port}"}])
          ["error"] == "denied", "a connection that other grants opened is not used")
    expect(rebound.ask(f"http://localhost:{port}/", [{"origin": f"http://localhost:{port}"}])
          ["error"] == "denied", "a localhost that is elsewhere")
    expect(rebound.ask(f"http://localhost.:{port}/", [{"origin": f"http://localhost:{port}"}])
          ["error"] == "denied", "localhost. is another name")
    expect(rebound.end() == 0, "ended well")
    try:
        six = start("::1", socket.AF_INET6)
    except OSError:
        return
    for granted, asked in (("[::1]", "[::1]"), ("[0:0:0::1]", "[::1]"), ("localhost", "localhost")):
        answer = drive.ask(f"http://{asked}:{six}/x", [{"origin": f"http://{granted}:{six}"}])
        expect(answer["error"] is None, f"{asked}, granted by name: {answer['message']}")


def troubles(drive, here):
    began = time.monotonic()
    answer = drive.ask(here + "/slow", timeoutMs=300)
    expect(answer["error"] == "timeout" and answer["retryable"] and time.monotonic() - began < 7,
          "too slow")
    expect(drive.ask(here + "/trickle", timeoutMs=700)["error"] == "timeout", "drop by drop")
    expect(drive.ask(here + "/huge", bodyMost=100000)["error"] == "limit", "too long")
    expect(drive.ask(here + "/huge")["error"] == "limit", "too long, by default")
    answer = drive.ask(here + "/bomb")
    expect(answer["error"] == "limit" and "decoded" in answer["message"], "a bomb")
    answer = drive.ask(here + "/echo", bodyMost=10)
    expect(answer["error"] == "limit", "one past the limit")
    expect(drive.ask(here + "/12345678", bodyMost=9)["error"] is None
          and drive.ask(here + "/123456789", bodyMost=9)["error"] == "limit", "at the limit, past it")
    for path in ("/short", "/two-lengths", "/garbage", "/closed", "/notgzip"):
        answer = drive.ask(here + path)
        expect(answer["error"] == "network", f"{path}: {answer['message']}")
    expect(drive.ask(here + "/long-head")["error"] in ("limit", "network"), "headers without end")
    quiet = socket.socket()
    quiet.bind(("127.0.0.1", 0))
    closed = f"http://127.0.0.1:{quiet.getsockname()[1]}"
    quiet.close()
    answer = drive.ask(closed + "/", [{"origin": closed}])
    expect(answer["error"] == "network" and closed in answer["message"], "nobody there")
    answer = drive.ask("http://nothing.invalid/", [{"origin": "http://nothing.invalid"}])
    expect(answer["error"] in ("network", "timeout"), f"no such host: {answer['message']}")
    number = drive.send(url=here + "/slow", grants=drive.grants, number=77)
    time.sleep(0.3)
    drive.send(abort=77)
    answer = drive.wait(number)
    expect(answer["error"] == "cancelled", "given up")
    many = [drive.send(url=f"{here}/{i}", grants=drive.grants) for i in range(40)]
    answers = [drive.wait(number) for number in many]
    expect([a.get("body") for a in answers] == [b"/%d" % i for i in range(40)],
          "40 at once, of which 8 run")


def main():
    program = sys.argv[1]
    here = f"http://127.0.0.1:{start()}"
    other[0] = start()
    there = f"http://127.0.0.1:{other[0]}"
    # neither a proxy nor a netrc of the environment is looked at
    drive = Drive(program, "inside.test:%s:127.0.0.1" % here.rsplit(":", 1)[1], http_proxy="http://127.0.0.1:1", HTTP_PROXY="http://127.0.0.1:1",
                  ALL_PROXY="http://127.0.0.1:1", HOME="/nonexistent",
                  **({"ASAN_OPTIONS": os.environ["ASAN_OPTIONS"]} if "ASAN_OPTIONS" in os.environ
                     else {}))
    drive.grants = [{"origin": here}]
    plain(drive, here)
    refused_requests(drive, here)
    origins(drive, here, there)
    paths(drive, here)
    redirects(drive, here, there)
    credentials(drive, here, there)
    addresses(drive, program, here)
    troubles(drive, here)
    before = len(sent(int(here.rsplit(":", 1)[1]), "/slow"))
    drive.send(url=here + "/slow", grants=drive.grants)  # still open at the end
    while len(sent(int(here.rsplit(":", 1)[1]), "/slow")) == before:
        time.sleep(0.01)
    expect(drive.end() == 0, "ends well, with a request open")
    finish()


main()
