#!/usr/bin/env python3
"""`tenon mcp --http` spoken to by sockets: what is let in, what is answered in both eras, and what
becomes of clients that leave, dawdle, flood or talk nonsense.

    http.py TENON"""
import base64
import json
import os
import re
import signal
import socket
import struct
import sys
import time

from common import check, code, file_of, finish, hub, modern, processes_below, read, slow, \
    structured, text
from web import Answer, Door, Session, ask, bytes_of, names, new, program, request, send, \
    side_by_side, within

TENON = os.path.abspath(sys.argv[1])
REMOVED = ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
ASK = {"elicitation": {}}
YES = {"action": "accept", "content": {"allow": True}}


def value(answer):
    return structured(answer.last).get("value")


# ---- who comes in ----

def gates(door):
    discover = request("server/discover")
    head = names(discover)

    def get_in(**headers):
        return ask(door, body=discover, **dict(head, **headers))

    check("this machine is let in", get_in().status == 200)
    for host in ("localhost", "localhost:%d" % door.port, "[::1]:7", "127.0.0.1"):
        check("host " + host, get_in(Host=host).status == 200)
    for host in ("evil.example.com", "127.0.0.1.evil.example.com", "localhost.evil.example.com:80",
                 "localhost:80evil", "", "127.0.0.1:80@evil.example.com"):
        check("host not let in: " + host, get_in(Host=host).status in (400, 403), host)
    for origin in ("http://localhost:6274", "http://127.0.0.1", "https://[::1]:1",
                   "https://pages.example.org"):
        got = get_in(Origin=origin)
        check("origin " + origin, got.status == 200 and
              got.headers.get("access-control-allow-origin") == origin, got.headers)
    for origin in ("http://evil.example.com", "null", "http://localhost.evil.example.com",
                   "https://pages.example.org.evil.example.com", "file://", "localhost"):
        check("origin not let in: " + origin, get_in(Origin=origin).status == 403)
    asked = ask(door, "OPTIONS", Origin="https://pages.example.org",
                Access_Control_Request_Method="POST")
    check("a page asks first", asked.status == 204 and
          "mcp-method" in asked.headers.get("access-control-allow-headers", "").lower())
    check("another page does not", ask(door, "OPTIONS", Origin="http://evil.example.com").status == 403)
    check("another path", ask(door, body=discover, path="/", **head).status == 404)
    check("a path under it", ask(door, body=discover, path="/mcp/x", **head).status == 404)
    for method in ("GET", "DELETE", "PUT", "PATCH", "HEAD"):
        got = ask(door, method, MCP_Protocol_Version="2026-07-28")
        check(method + " is not for messages", got.status == 405 and "POST" in got.headers["allow"])
    check("a type that a form can send", get_in(Content_Type="text/plain").status == 415)
    check("no type", get_in(Content_Type=None).status == 415)
    check("nothing that it takes", get_in(Accept="text/html").status == 406)
    check("JSON alone", get_in(Accept="application/json").status == 200)
    got = get_in(Accept="text/event-stream")
    check("events alone", got.headers.get("content-type") == "text/event-stream" and
          "result" in got.last, got.headers)


def tokens():
    secret = "correct-horse-battery-staple"
    door = Door(TENON, "--token", "env:DOOR", "--origin", "https://pages.example.org", DOOR=secret)
    message = request("server/discover")
    head = names(message)
    for given in (None, "Bearer", "Bearer ", "Bearer " + secret[:-1], "Bearer " + secret + "x",
                  "Basic " + secret, secret, "Bearer " + secret.upper()):
        got = ask(door, body=message, Authorization=given, **head)
        check("token %s" % given, got.status == 401 and
              got.headers.get("www-authenticate", "").startswith("Bearer"), got.status)
    for given in ("Bearer " + secret, "bearer  " + secret):
        check("the token", ask(door, body=message, Authorization=given, **head).status == 200)
    check("a page asks without the token",
          ask(door, "OPTIONS", Origin="https://pages.example.org").status == 204)
    check("a session ends with the token only", ask(door, "DELETE", Mcp_Session_Id="x").status == 401)
    with open("/proc/%d/cmdline" % door.child.pid, "rb") as file:
        check("the token is not on the command line", secret.encode() not in file.read())
    took, ended = door.end(signal.SIGINT)
    check("SIGINT ends it", ended == 0 and took < 2 * slow(), took, ended, door.stderr())
    check("and nothing tells the token", secret not in door.stderr())


def refused_starts():
    path = file_of("short", "short\n")
    for what, args, words in (
            ("everyone without a token", ["--http", "0.0.0.0:0"], "no token"),
            ("no port", ["--http", "127.0.0.1"], "no address"),
            ("a port too large", ["--http", "127.0.0.1:65536"], "no address"),
            ("an address of others", ["--http", "192.0.2.1:0", "--token", "env:PATH"], "--http"),
            ("six without brackets", ["--http", "::1:80"], "no address"),
            ("a token itself", ["--http", "0", "--token", "abcdefghijklmnopqrst"], "no token itself"),
            ("a short one", ["--http", "0", "--token", "file:" + path], "16 characters"),
            ("one that is not there", ["--http", "0", "--token", "env:NOT_SET_AT_ALL"], "NOT_SET"),
            ("a token for nothing", ["--token", "env:PATH"], "--http only"),
            ("an origin for nothing", ["--origin", "http://x"], "--http only")):
        door = Door(TENON, *args[2:], address=args[1]) if args[0] == "--http" else None
        if door is None:
            import subprocess
            done = subprocess.run([TENON, "mcp", *args], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True)
            said, status = done.stderr, done.returncode
        else:
            said, status = door.stderr(), door.child.wait(20)
        check("not started: " + what, status == 2 and words in said, status, said)
    first = Door(TENON)
    second = Door(TENON, address="127.0.0.1:%d" % first.port)
    check("an address that is taken", second.child.wait(20) == 2 and "in use" in second.stderr(),
          second.stderr())
    first.end()
    six = Door(TENON, address="[::1]:0")
    if six.url:
        check("version 6", new(six, "server/discover").status == 200)
    six.end()


# ---- the newer era ----

def rows(door):
    """Every row of the table of statuses."""
    meta = modern()
    version, capabilities = ("io.modelcontextprotocol/" + name
                             for name in ("protocolVersion", "clientCapabilities"))
    head = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "server/discover"}

    def case(what, status, wanted, params=None, method="server/discover", id=7, **headers):
        body = {"jsonrpc": "2.0", "id": id, "method": method,
                "params": {"_meta": meta} if params is None else params}
        got = ask(door, body=body, **dict(head, **headers))
        check(what, got.status == status and code(got.last) == wanted and got.last.get("id") == id,
              got.status, got.last)
        return got

    case("all is well", 200, None)
    case("clientInfo is not needed", 200, None, {"_meta": {k: v for k, v in meta.items()
                                                           if "Info" not in k}})
    case("no _meta", 400, -32602, {})
    case("no version", 400, -32602, {"_meta": {capabilities: {}}})
    case("no capabilities", 400, -32602, {"_meta": {version: "2026-07-28"}})
    case("no version header", 400, -32020, MCP_Protocol_Version=None)
    case("another version header", 400, -32020, MCP_Protocol_Version="2025-11-25")
    case("another version in the message", 400, -32020, {"_meta": dict(meta, **{version: "v9"})})
    got = case("a version that is not spoken", 400, -32022, {"_meta": dict(meta, **{version: "v9"})},
               MCP_Protocol_Version="v9")
    check("it says which are", got.last["error"]["data"]["requested"] == "v9" and
          "2026-07-28" in got.last["error"]["data"]["supported"])
    case("no method header", 400, -32020, Mcp_Method=None)
    case("another method header", 400, -32020, Mcp_Method="tools/list")
    case("no such method", 404, -32601, method="no/such", Mcp_Method="no/such")
    for method in REMOVED:
        case("removed: " + method, 404, -32601, method=method, Mcp_Method=method)
    call = {"name": "search", "arguments": {"query": "x"}, "_meta": meta}
    case("no name header", 400, -32020, call, method="tools/call", Mcp_Method="tools/call")
    case("another name header", 400, -32020, call, method="tools/call", Mcp_Method="tools/call",
         Mcp_Name="run")
    for name in ("search", "=?base64?c2VhcmNo?="):
        case("the name as " + name, 200, None, call, method="tools/call", Mcp_Method="tools/call",
             Mcp_Name=name)
    for name in ("=?base64?cnVu?=", "=?base64?!!!?=", "=?base64??=", "=?base64?=", "=?base64?c2VhcmNo"):
        case("not the name as " + name, 400, -32020, call, method="tools/call",
             Mcp_Method="tools/call", Mcp_Name=name)
    case("no such tool", 200, -32602, {"name": "nope", "_meta": meta}, method="tools/call",
         Mcp_Method="tools/call", Mcp_Name="nope")
    case("no such resource", 200, -32602, {"uri": "tenon://run/9/value", "_meta": meta},
         method="resources/read", Mcp_Method="resources/read", Mcp_Name="tenon://run/9/value")
    got = ask(door, body={"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
        "requestId": 1, "_meta": meta}}, MCP_Protocol_Version="2026-07-28",
        Mcp_Method="notifications/cancelled")
    check("a notification", got.status == 202 and got.text == b"" and not got.all, got.status)
    for what, body in (("no JSON", b"{"), ("no object", b"[]"), ("a batch", b"[{}]"), ("a text", b'"x"'),
                       ("no version of JSON-RPC", b'{"id":1,"method":"ping"}'),
                       ("no method", b'{"jsonrpc":"2.0","id":1}'),
                       ("an id that is none", b'{"jsonrpc":"2.0","id":null,"method":"ping"}')):
        got = ask(door, body=body, **head)
        check("%s is not a message" % what, got.status == 400 and code(got.last) in (-32600, -32700),
              got.status, got.last)
    check("nothing at all", ask(door, body=b"", **head).status == 400)
    check("blanks", ask(door, body=b" \n ", **head).status in (202, 400))


def streams(door):
    """Quick answers are JSON; slow ones become a stream; news make one at once."""
    quick = new(door, "tools/call", program("return 42"))
    check("a quick answer is JSON", quick.headers["content-type"] == "application/json" and
          value(quick) == 42, quick.headers)
    late = "await new Promise(done => setTimeout(done, 900)); return 1"
    got = new(door, "tools/call", program(late))
    check("a slow one is a stream", got.headers["content-type"] == "text/event-stream" and
          got.headers.get("x-accel-buffering") == "no" and
          "no-store" in got.headers.get("cache-control", "") and value(got) == 1, got.headers)
    got = new(door, "tools/call", program(late), Accept="application/json")
    check("who takes JSON alone waits for it", got.headers["content-type"] == "application/json" and
          value(got) == 1, got.headers)
    told = new(door, "tools/call", program("await new Promise(done => setTimeout(done, 7000)); return 2"),
               meta={"progressToken": "p"})
    told_of = [m["params"] for m in told.all if m.get("method") == "notifications/progress"]
    check("progress comes in the stream", len(told_of) >= 1 and told_of[0]["progressToken"] == "p" and
          value(told) == 2, told.all)
    check("nothing after the answer", "result" in told.all[-1])
    with send(door, body=request("tools/call", program("await new Promise(done => setTimeout(done, "
              "11000)); return 3")), **names(request("tools/call", program("")))) as connection:
        events = list(Answer(connection).events())
        check("comments keep it alive", events.count(None) >= 2 and structured(events[-1])["value"] == 3,
              events)


def leaves(door, notes):
    """Closing the stream is the cancel."""
    long = "await hub.sleep({ ms: 60000 }); return 1"
    for what, late in (("before its stream begins", 0.1), ("in its stream", 1.2)):
        before = read(notes).count("cancelled")
        for abrupt in (False, True):
            message = request("tools/call", program(long))
            one = send(door, body=message, **names(message))
            time.sleep(late * slow())
            if abrupt:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
        check("a client that leaves %s ends its run" % what,
              within(4 * slow(), lambda: read(notes).count("cancelled") >= before + 2), read(notes))
    loop = request("tools/call", program("for (;;);"))
    one = send(door, body=loop, **names(loop))
    time.sleep(0.5)
    busy = cpu_of(door)
    one.close()
    time.sleep(1.0 * slow())
    after = cpu_of(door)
    time.sleep(0.5)
    check("one that computes stops too", cpu_of(door) - after < 0.25 or after - busy < 0.1,
          busy, after, cpu_of(door))
    check("its connections are given back", within(5 * slow(), lambda: door.threads() < 30),
          door.threads())


def cpu_of(door):
    with open("/proc/%d/stat" % door.child.pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def questions(door, notes):
    erase = "return (await hub.erase({ text: 'x' })).text"
    first = new(door, "tools/call", program(erase), ASK)
    asked = first.last["result"]
    check("a question is an answer", first.status == 200 and asked["resultType"] == "input_required",
          first.last)
    key = list(asked["inputRequests"])[0]
    more = {"inputResponses": {key: YES}, "requestState": asked["requestState"]}
    other = new(door, "tools/call", dict(program(erase + " "), **more), ASK)
    check("not for another program", code(other.last) == -32602, other.last)
    wrong = new(door, "tools/call", dict(program(erase), **dict(more, requestState="x" * 32)), ASK)
    check("not with another state", code(wrong.last) == -32602, wrong.last)
    got = new(door, "tools/call", dict(program(erase), **more), ASK)
    check("answered and done", value(got) == "x", got.last)
    again = new(door, "tools/call", dict(program(erase), **more), ASK)
    check("once", code(again.last) == -32602, again.last)

    mine, other = Session(door, ASK), Session(door, ASK)
    with mine.start("tools/call", program(erase)) as connection:
        events = Answer(connection).events()
        demand = next(m for m in events if m and m.get("method") == "elicitation/create")
        check("a question comes in the stream", "hub.erase" in demand["params"]["message"], demand)
        check("an answer of another session is none", other.reply(demand["id"], YES).status == 202)
        check("answers are taken", mine.reply(demand["id"], YES).status == 202)
        done = next(m for m in events if m and "result" in m)
        check("and the program goes on", structured(done).get("value") == "x", done)
    check("it was asked for", read(notes).count("erase") >= 2)
    nobody = Session(door)
    got = nobody.ask("tools/call", program(erase))
    check("who cannot be asked is refused", structured(got.last).get("status") != "ok", got.last)


# ---- the older era ----

def sessions(door, notes):
    one = Session(door)
    check("a session has a name", re.fullmatch(r"[0-9a-f]{32}", one.id or "") and
          one.hello.last["result"]["protocolVersion"] == "2025-11-25", one.hello.headers)
    check("another has another", Session(door).id != one.id)
    check("a notification is accepted", one.say("notifications/initialized").status == 202)
    check("tools", len(one.ask("tools/list").last["result"]["tools"]) == 3)
    check("ping", one.ask("ping").last.get("result") == {})
    got = one.ask("no/such")
    check("no such method is JSON-RPC's matter", got.status == 200 and code(got.last) == -32601)
    got = ask(door, body=one.message("ping"))
    check("without its name", got.status == 400, got.status)
    got = ask(door, body=one.message("ping"), Mcp_Session_Id="0" * 32)
    check("with another name", got.status == 404, got.status)
    check("a version", one.ask("ping", MCP_Protocol_Version="2025-06-18").status == 200)
    check("a version that is not spoken", one.ask("ping", MCP_Protocol_Version="1999-01-01").status == 400)
    with send(door, "GET", Mcp_Session_Id=one.id, Accept="text/event-stream") as connection:
        stream = Answer(connection)
        check("GET is a stream of its own", stream.status == 200 and
              stream.headers["content-type"] == "text/event-stream" and next(stream.events()) is None)
        with send(door, "GET", Mcp_Session_Id=one.id, Accept="text/event-stream") as other:
            check("the next one takes its place", Answer(other).status == 200 and
                  list(stream.events()) == [])
    check("GET without a session", ask(door, "GET", Accept="text/event-stream").status == 405)
    check("GET with another", ask(door, "GET", Mcp_Session_Id="0" * 32, Accept="text/event-stream"
                                  ).status == 404)
    for version in ("2025-06-18", "2025-03-26"):
        old = Session(door, version=version)
        check("speaks " + version, old.hello.last["result"]["protocolVersion"] == version)

    # leaving is not cancelling; saying so is
    before = read(notes).count("sleep")
    connection = one.start("tools/call", program("await hub.sleep({ ms: 1500 }); await hub.echo({ text: "
                                                 "'went on' }); return 1"))
    within(10 * slow(), lambda: read(notes).count("sleep") > before)
    connection.close()
    check("a run goes on without its connection",
          within(8 * slow(), lambda: "went on" in read(notes)), read(notes))
    cancelled = read(notes).count("cancelled")
    connection = one.start("tools/call", program("await hub.sleep({ ms: 60000 }); return 1"))
    id = one.last
    time.sleep(0.7 * slow())
    other = Session(door)
    other.say("notifications/cancelled", {"requestId": id})
    time.sleep(0.5)
    check("another session cannot cancel it", read(notes).count("cancelled") == cancelled)
    one.say("notifications/cancelled", {"requestId": id})
    check("it can", within(4 * slow(), lambda: read(notes).count("cancelled") > cancelled), read(notes))
    connection.close()
    connection = one.start("tools/call", program("await hub.sleep({ ms: 60000 }); return 1"))
    time.sleep(0.7 * slow())
    check("DELETE ends it", ask(door, "DELETE", Mcp_Session_Id=one.id).status == 204)
    check("with what it began", within(4 * slow(), lambda: read(notes).count("cancelled") > cancelled + 1),
          read(notes))
    connection.close()
    check("it is over", one.ask("ping").status == 404)
    check("once", ask(door, "DELETE", Mcp_Session_Id=one.id).status == 404)
    for _ in range(300):
        last = Session(door)
    check("old sessions make room", last.ask("ping").status == 200 and other.ask("ping").status == 404)


# ---- bad manners ----

def one_after_another(door):
    """Many requests on one connection, also sent before the answers are read."""
    discover = request("server/discover")
    head = {name.replace("_", "-"): text for name, text in names(discover).items()}
    head.update({"Content-Type": "application/json", "Accept": "application/json"})
    whole = bytes_of(door, "POST", head, json.dumps(discover).encode())
    with door.connect() as connection:
        connection.sendall(whole * 5)
        rest, statuses = b"", []
        for _ in range(5):
            answer = Answer(connection, rest)
            answer.body()
            rest = answer.buffer
            statuses.append(answer.status)
        check("pipelined", statuses == [200] * 5, statuses)
    with door.connect() as connection:
        for byte in whole:
            connection.sendall(bytes([byte]))
        check("byte by byte", Answer(connection).status == 200)
    body = json.dumps(discover).encode()
    head["Transfer-Encoding"] = "chunked"
    with door.connect() as connection:
        connection.sendall(bytes_of(door, "POST", head) + b"".join(
            b"%x\r\n%s\r\n" % (len(body[i:i + 7]), body[i:i + 7]) for i in range(0, len(body), 7)) +
            b"0\r\n\r\n")
        check("in chunks", Answer(connection).status == 200)


def garbage(door):
    for what, sent in (("nothing", b""), ("noise", bytes(range(256)) * 40), ("no HTTP", b"hello\r\n\r\n"),
                       ("a bad version", b"POST /mcp HTTP/9.9\r\n\r\n"), ("TLS", b"\x16\x03\x01\x02\x00\x01"),
                       ("a bad length", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"),
                       ("two lengths", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n"
                        b"Content-Length: 2\r\n\r\n{}"),
                       ("a bad chunk", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        b"application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
                       ("half a request", b"POST /mcp HTTP/1.1\r\nHost: loc")):
        with door.connect() as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(10)
            try:
                first = connection.recv(100)
            except OSError:
                first = b""
            check(what + ": no more than an error", first == b"" or b" 4" in first[:12] or
                  b" 5" in first[:12], first)
    check("it goes on", new(door, "server/discover").status == 200)


def too_much(door):
    huge = b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"' + b"x" * (9 << 20) + b'"}'
    with door.connect() as connection:
        connection.sendall(bytes_of(door, "POST", {"Content-Type": "application/json",
                                                   "Content-Length": str(len(huge))}))
        check("a message too long, by what it says", Answer(connection).status == 413)
    with door.connect() as connection:
        connection.sendall(bytes_of(door, "POST", {"Content-Type": "application/json", "Transfer-Encoding":
                                                   "chunked"}))
        try:
            for i in range(0, len(huge), 1 << 20):
                piece = huge[i:i + (1 << 20)]
                connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            connection.sendall(b"0\r\n\r\n")
            check("a message too long, as it comes", Answer(connection).status == 413)
        except ConnectionError:
            check("a message too long, as it comes", True)
    with door.connect() as connection:
        try:
            connection.sendall(bytes_of(door, "POST", {"X": "y" * (1 << 20)}))
            status = Answer(connection).status
        except (ConnectionError, EOFError):
            status = 0
        check("headers too long", status in (0, 400, 413, 431), status)
    deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 200000 + b"]" * 200000 + b"}"
    check("too deep", ask(door, body=deep).status == 400)
    check("it goes on after that", new(door, "server/discover").status == 200)


def many(door):
    before = door.threads(), door.descriptors()
    answers = side_by_side(60, lambda i: new(door, "tools/call", program("return %d" % i)))
    check("sixty at once", [value(a) if hasattr(a, "last") else a for a in answers] == list(range(60)),
          [a for a in answers if not hasattr(a, "last")])
    idle = [door.connect() for _ in range(150)]
    check("a hundred that say nothing take no place from others for long",
          within(20 * slow(), lambda: new(door, "server/discover").status == 200))
    for one in idle:
        one.close()
    check("threads and descriptors are given back", within(10 * slow(), lambda:
          door.threads() <= before[0] + 6 and door.descriptors() <= before[1] + 6),
          before, door.threads(), door.descriptors())


def dawdle(door):
    """One byte of a header now and then: closed all the same, and in nobody's way. (Half a minute.)"""
    slow_one = door.connect()
    slow_one.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ")
    slow_one.settimeout(1)
    began = time.monotonic()
    while time.monotonic() - began < 40:
        try:
            slow_one.sendall(b"x")
            if slow_one.recv(1) == b"":
                break
        except socket.timeout:
            continue
        except OSError:
            break
    took = time.monotonic() - began
    check("who dawdles is closed", 20 < took < 39, took)


def whole():
    servers, notes = hub()
    door = Door(TENON, "--mcp", servers, "--ask", "hub.erase", "--origin", "https://pages.example.org")
    if not check("listens", door.url, door.stderr()):
        return
    for part in (gates, rows, streams, one_after_another, garbage, too_much, many):
        part(door)
    leaves(door, notes)
    questions(door, notes)
    sessions(door, notes)
    if "--dawdle" in sys.argv:
        dawdle(door)
    message = request("tools/call", program("for (;;) await hub.sleep({ ms: 50 })"))
    running = [send(door, body=message, **names(message)) for _ in range(5)]
    time.sleep(0.8)
    below = processes_below(door.child.pid)
    took, ended = door.end()
    check("SIGTERM ends it with programs at work", ended == 0 and took is not None and took < 2 * slow(),
          took, ended, door.stderr()[-3000:])
    check("and its servers", within(3, lambda: not any(os.path.exists("/proc/%d" % pid) for pid in below)))
    check("nothing on its output", door.child.stdout.read() == b"")
    wrong = re.findall(r"(?<!provide)/(?:mcp|cli)/\w+\.c\S* runtime error.*", door.stderr())
    check("nothing undefined", not wrong, wrong)
    for one in running:
        one.close()


tokens()
refused_starts()
whole()
finish()
