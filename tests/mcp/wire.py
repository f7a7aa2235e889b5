#!/usr/bin/env python3
"""`tenon mcp` spoken to by lines, in both eras: what is answered, and what becomes of odd messages.

    wire.py TENON"""
import json
import os
import re
import sys
import time

from common import Client, check, code, finish, hub, modern, processes_below, structured, text

TENON = os.path.abspath(sys.argv[1])
REMOVED = ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
NAMES = ["search", "describe", "run"]


def is_result(message):
    return isinstance((message or {}).get("result"), dict)


# ---- methods ----

def handshake():
    client = Client(TENON)
    hello = client.hello["result"]
    check("version asked for", hello["protocolVersion"] == "2025-11-25", hello)
    check("who it is", hello["serverInfo"]["name"] == "tenon")
    check("capabilities", "tools" in hello["capabilities"] and "resources" in hello["capabilities"])
    check("instructions", "run" in hello["instructions"] and len(hello["instructions"]) < 4000)
    for version, answer in (("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
                            ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"),
                            ("2026-07-28", "2025-11-25"), (7, "2025-11-25"), (None, "2025-11-25")):
        got = client.ask("initialize", {"protocolVersion": version, "capabilities": {}})
        check("version %s" % version, got["result"]["protocolVersion"] == answer, got)
    check("ping", client.ask("ping")["result"] == {})
    tools = client.ask("tools/list")["result"]
    check("tools", [t["name"] for t in tools["tools"]] == NAMES, tools)
    check("no resultType in this era", "resultType" not in tools and "ttlMs" not in tools)
    check("resources", client.ask("resources/list")["result"] == {"resources": []})
    templates = client.ask("resources/templates/list")["result"]["resourceTemplates"]
    check("templates", len(templates) == 1 and "{number}" in templates[0]["uriTemplate"])
    for method in ("prompts/list", "completion/complete", "logging/setLevel", "roots/list", "x", "",
                   "tasks/list", "tools/call/", "subscriptions/listen"):
        check("no method " + method, code(client.ask(method)) == -32601)
    check("discover is of the other era", code(client.ask("server/discover")) == -32602)
    client.end("handshake")


def stateless():
    client = Client(TENON, era="modern")
    found = client.ask("server/discover")["result"]
    check("discover", "2026-07-28" in found["supportedVersions"] and
          found["resultType"] == "complete" and found["ttlMs"] > 0 and
          found["cacheScope"] in ("public", "private") and "instructions" in found, found)
    check("who it is, modern",
          found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "tenon")
    for method in ("tools/list", "resources/list", "resources/templates/list"):
        result = client.ask(method)["result"]
        check(method, result["resultType"] == "complete" and "ttlMs" in result and
              "cacheScope" in result, result)
    for method in REMOVED:
        check("removed: " + method, code(client.ask(method)) == -32601)
    run = client.run("return 6 * 7")
    check("run", run["result"]["resultType"] == "complete" and structured(run)["value"] == 42, run)
    check("no structured member lost", structured(run)["schemaVersion"] == 1)
    versions(client)
    client.end("stateless")


def versions(client):
    key, can = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"

    def ask(meta, method="tools/list"):
        client.last_id += 1
        client.send({"id": client.last_id, "method": method, "params": {"_meta": meta}})
        return client.answer(client.last_id)

    for version in ("2027-01-01", "2025-11-25", "", "2026-07-28 "):
        got = ask(modern(**{key: version}))
        check("version %r" % version, code(got) == -32022 and
              got["error"]["data"]["requested"] == version and
              "2026-07-28" in got["error"]["data"]["supported"], got)
    for version in (20260728, None, {}, ["2026-07-28"], True):
        check("version %r" % (version,), code(ask(modern(**{key: version}))) == -32602)
    for one in (None, [], "x", 1):
        check("capabilities %r" % (one,), code(ask(modern(**{can: one}))) == -32602)
    check("no capabilities", code(ask({key: "2026-07-28"})) == -32602)
    check("no version", code(ask({can: {}})) == -32602)
    check("no _meta, discover", code(ask({}, "server/discover")) == -32602)
    check("removed without capabilities", code(ask({key: "2026-07-28"}, "ping")) == -32602)


# ---- odd lines ----

def odd_lines():
    client = Client(TENON)
    cases = [
        (b"{\n", -32700), (b"nonsense\n", -32700), (b'{"jsonrpc":"2.0","id":1,}\n', -32700),
        (b'{"a":1}{"b":2}\n', -32700), (b'{"a":"\xff\xfe"}\n', -32700),
        (b'{"a":"\x00"}\n', -32700), (b"\x00\n", -32700), (b"\x00" * 5000 + b"\n", -32700),
        (b'{"a":"\xed\xa0\x80"}\n', -32700), (b"[" * 5000 + b"]" * 5000 + b"\n", -32700),
        (b"[]\n", -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32600),
        (b"null\n", -32600), (b"7\n", -32600), (b'"ping"\n', -32600), (b"true\n", -32600),
        (b"{}\n", -32600), (b'{"jsonrpc":"2.0"}\n', -32600),
        (b'{"id":null,"method":"ping","jsonrpc":"2.0"}\n', -32600),
        (b'{"id":1.5,"method":"ping","jsonrpc":"2.0"}\n', -32600),
        (b'{"id":true,"method":"ping","jsonrpc":"2.0"}\n', -32600),
        (b'{"id":{},"method":"ping","jsonrpc":"2.0"}\n', -32600),
        (b'{"id":[1],"method":"ping","jsonrpc":"2.0"}\n', -32600),
    ]
    for line, wanted in cases:
        since = len(client.came)
        client.raw(line)
        got = client.wait(lambda m: "error" in m, since=since)
        check("line %r" % line[:60], code(got) == wanted and got["id"] is None, got)
    with_id = [('{"id":"%s","method":"ping"}', -32600),
               ('{"jsonrpc":"1.0","id":"%s","method":"ping"}', -32600),
               ('{"jsonrpc":"2.0","id":"%s","method":7}', -32600),
               ('{"jsonrpc":"2.0","id":"%s","params":{}}', -32600),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/list","params":[]}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/list","params":"x"}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/call"}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"x"}}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":7}}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"run",'
                '"arguments":[1]}}', -32602),
               ('{"jsonrpc":"2.0","id":"%s","method":"resources/read"}', -32602)]
    for number, (line, wanted) in enumerate(with_id):
        client.raw(line % number + "\n")
        check("line %s" % line, code(client.answer(str(number))) == wanted)
    quiet(client)
    ids(client)
    big(client)
    client.end("odd lines")


def quiet(client):
    """What gets no answer at all."""
    since = len(client.came)
    client.raw(b"\n   \r\n\t\n")
    for line in ('{"jsonrpc":"2.0","method":"notifications/initialized"}',
                 '{"jsonrpc":"2.0","method":"ping"}', '{"jsonrpc":"2.0","method":"tools/list"}',
                 '{"jsonrpc":"2.0","method":"x","params":{"_meta":{'
                 '"io.modelcontextprotocol/protocolVersion":"1"}}}',
                 '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
                 '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}',
                 '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
                 '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
                 '{"jsonrpc":"2.0","id":5,"result":{}}', '{"jsonrpc":"2.0","id":"ask-x","result":{}}',
                 '{"jsonrpc":"2.0","id":"ask-","error":{"code":1,"message":"x"}}'):
        client.raw(line + "\n")
    client.ask("ping")
    check("no answer to what asks nothing", len(client.came) == since + 1, client.came[since:])


def ids(client):
    for id in (0, -1, 2 ** 53 - 1, "", "a\"b\\\n\u00e9\U0001f600", "x" * 10000):
        since = len(client.came)
        client.send({"id": id, "method": "ping"})
        got = client.wait(lambda m: "id" in m, since=since)
        check("id %r" % str(id)[:20], got["id"] == id and is_result(got), got)
    since = len(client.came)
    client.raw(b'{"jsonrpc":"2.0","id":7,"method":"ping"}\r\n')
    check("CR LF", is_result(client.answer(7, since=since)))
    since = len(client.came)
    client.start("return 1")
    twice = [client.request("ping", id="same") for _ in range(3)]
    client.ask("ping")
    time.sleep(0.1)
    same = [m for _, m in client.came[since:] if isinstance(m, dict) and m.get("id") == twice[0]]
    check("each of three with one id is answered", len(same) == 3, same)


def big(client):
    program = "return " + json.dumps("\u00e9" * 500000) + ".length"
    got = client.run(program)
    check("a line of a megabyte", structured(got).get("status") in ("ok", "refused"), got)
    got = client.run("return Object.keys(data).length", language="javascript",
                     input={"data": {"k%d" % i: "x" * 90 for i in range(10000)}})
    check("an input of a megabyte", structured(got).get("value") == 10000, got)
    since = len(client.came)
    for piece in range(34):
        client.raw(b"x" * (1 << 20))
    client.raw(b"\n")
    got = client.wait(lambda m: "error" in m, since=since)
    check("a line of 34 MB", code(got) == -32600, got)
    check("and the next one", is_result(client.ask("ping")))
    client.raw(b'{"jsonrpc":"2.0","id":"slow","met')
    time.sleep(0.2)
    client.raw(b'hod":"ping"}\n')
    check("a line in two pieces", is_result(client.answer("slow")))


# ---- tools ----

def arguments():
    client = Client(TENON)
    for name, given, said in (
            ("run", {}, "code"), ("run", {"code": 7}, "code"), ("run", {"code": None}, "code"),
            ("run", {"code": "1", "lang": "x"}, "lang"),
            ("run", {"code": "1", "language": "python"}, "language"),
            ("run", {"code": "1", "language": 1}, "language"),
            ("run", {"code": "1", "input": []}, "input"),
            ("run", {"code": "1", "expect": 3}, "expect"),
            ("run", {"code": "1", "expect": "a\0b"}, "expect"),
            ("run", {"code": "1", "wallMs": 0}, "wallMs"),
            ("run", {"code": "1", "wallMs": -5}, "wallMs"),
            ("run", {"code": "1", "wallMs": "5"}, "wallMs"),
            ("run", {"code": "1", "tokens": 1.5}, "tokens"),
            ("search", {}, "query"), ("search", {"query": []}, "query"),
            ("describe", {}, "names"), ("describe", {"name": "x"}, "names")):
        got = client.tool(name, **given)
        check("%s %s" % (name, given), got["result"].get("isError") is True and
              "`%s`" % said in text(got), got)
    got = client.run("1 + 1", expect=None, input=None, language=None)
    check("null is absent", structured(got).get("value") == 2, got)
    check("search without packages", "COMPLETE" in text(client.tool("search", query="anything")))
    check("search for nothing", "COMPLETE" in text(client.tool("search", query="")))
    got = client.tool("describe", names="nobody.knows")
    check("describe without packages", text(got) != "" and not got["result"].get("isError"), got)
    got = client.tool("search", query="a\0b" + "x" * 5000)
    check("odd words", is_result(got), got)
    client.end("arguments")


def outcomes():
    client = Client(TENON, "--wall", "20s", "--calls", "50")
    for what, program, more, wanted in (
            ("ok", "return {a: [1, 2n, undefined, new Date(0)]}", {}, "ok"),
            ("last expression", "40 + 2", {}, "ok"),
            ("type error", "const n: number = 'x'; return n", {}, "refused"),
            ("syntax", "return (", {}, "refused"),
            ("thrown", "throw new TypeError('no such thing')", {}, "failed"),
            ("thrown oddly", "throw {toString() { throw 1 }}", {}, "failed"),
            ("wall", "await new Promise(() => setTimeout(() => 0, 100000))", {"wallMs": 300}, "limit"),
            ("wall computing", "for (;;) {}", {"wallMs": 300}, "limit"),
            ("memory", "const a: number[][] = []; for (;;) a.push(new Array(100000).fill(1))", {},
             "limit"),
            ("empty", "", {}, "ok"),
            ("input", "return n + list.length", {"input": {"n": 1, "list": [1, 2]}}, "ok"),
            ("input of another type", "return n.length", {"input": {"n": 1}}, "refused"),
            ("expect met", "return {a: 1}", {"expect": "{a: number}"}, "ok"),
            ("expect missed", "return {a: 'x'}", {"expect": "{a: number}"}, "refused"),
            ("javascript", "const n = 'x'; return n * 2", {"language": "javascript"}, "ok"),
            ("types in javascript", "const n: number = 1", {"language": "javascript"}, "refused"),
            ("fences", "```ts\nreturn 5\n```", {}, "ok")):
        got = client.run(program, **more)
        check("outcome: " + what, structured(got).get("status") == wanted and
              got["result"]["isError"] == (wanted != "ok") and
              "status: " + wanted in text(got), got)
    got = client.run("throw new TypeError('no such thing')")
    check("errors name their line", "no such thing" in text(got) and "line 1" in text(got), got)
    got = client.run("console.log('caf\u00e9 \U0001f600'); return '\\ud800'")
    check("console and half a character", "caf\u00e9 \U0001f600" in text(got) and is_result(got), got)
    client.end("outcomes")


def long_values():
    client = Client(TENON)
    # each character of three or four bytes: a cut inside one would be seen
    program = "return Array.from({length: 20000}, (_, i) => 'v' + i + '\u20ac\U0001f600')"
    got = client.run(program)
    whole = json.dumps(["v%d\u20ac\U0001f600" % i for i in range(20000)], ensure_ascii=False,
                       separators=(",", ":"))
    uri = structured(got).get("valueUri")
    check("kept", structured(got)["status"] == "ok" and uri and "value" not in structured(got), got)
    check("its length", structured(got).get("valueBytes") == len(whole.encode()))
    check("the text says where", uri in text(got))
    check("within budget", len(text(got).encode()) < 16500 and len(json.dumps(got, ensure_ascii=False).encode()) < 20000)
    listed = client.ask("resources/list")["result"]["resources"]
    check("listed", [r["uri"] for r in listed] == [uri] and listed[0]["size"] == len(whole.encode()))
    at, pieces = 0, []
    for _ in range(1000):
        size = 9999 if at else 5001
        read = client.ask("resources/read", {"uri": "%s?from=%d&bytes=%d" % (uri, at, size)})
        piece = read["result"]["contents"][0]["text"]
        if not piece:
            break
        pieces.append(piece)
        at += len(piece.encode())
    check("paged through", "".join(pieces) == whole, len("".join(pieces)), len(whole))
    first = client.ask("resources/read", {"uri": uri})["result"]["contents"][0]
    check("whole", first["text"] == whole and first["mimeType"] == "application/json")
    for size in range(1, 30):
        read = client.ask("resources/read", {"uri": "%s?from=%d&bytes=%d" % (uri, size, size)})
        check("a piece of %d" % size,
              read["result"]["contents"][0]["text"].encode("utf-8") in whole.encode())
    for wrong in (uri + "x", "tenon://run/999/value", "tenon://run/0/value", "file:///etc/passwd", "",
                  uri + "?from=-1", uri + "?x=1", "tenon://run/%s/value" % ("1" * 300),
                  "tenon://run/-1/value", uri + "?from=99999999999999999999"):
        got = client.ask("resources/read", {"uri": wrong})
        check("no resource %s" % wrong[:40], code(got) == -32602 or
              got["result"]["contents"][0]["text"] == "", got)
    got = client.run("console.log('y'.repeat(100000)); return { n: 1 }")
    check("a short value beside much console", structured(got).get("value") == {"n": 1} and
          "valueUri" not in structured(got), got)
    got = client.run("return 'x'.repeat(3000)", tokens=200)
    check("a budget of its own", structured(got).get("valueUri") and
          len(json.dumps(got)) < 2500, got)
    for i in range(33):
        client.run("return 'y'.repeat(2000)", language="javascript", tokens=100)
    check("the oldest goes", code(client.ask("resources/read", {"uri": uri})) == -32602)
    check("32 are kept", len(client.ask("resources/list")["result"]["resources"]) == 32)
    client.end("long values")


def packages():
    servers, notes = hub("packages")
    client = Client(TENON, "--mcp", servers)
    check("in the instructions", "hub" in client.hello["result"]["instructions"])
    found = text(client.tool("search", query="give the text back"))
    check("search", "hub.echo(" in found and re.search(r"^(COMPLETE|PARTIAL)", found, re.M), found)
    check("describe", "echo(" in text(client.tool("describe", names="hub.echo")))
    check("describe all", "erase" in text(client.tool("describe", names="hub")))
    got = client.run("""
        const all = await Promise.all(["a", "b", "c"].map(text => hub.echo({ text })));
        let joined = "";
        for (const one of all) joined += (await hub.echo({ text: one.text + "!" })).text;
        return joined""")
    check("six calls", structured(got).get("value") == "a!b!c!" and
          len(structured(got).get("effects", [])) in (0, 6), got)
    got = client.run("await hub.fail({ text: 'broken' })")
    check("an error of a tool", structured(got).get("status") == "failed" and "broken" in text(got),
          got)
    got = client.run("return await hub.echo({ txt: 1 })")
    check("a wrong argument", structured(got).get("status") == "refused", got)
    running = client.start("await hub.sleep({ ms: 20000 })")
    for _ in range(100):
        if "sleep" in open(notes).read():
            break
        time.sleep(0.1)
    client.say("notifications/cancelled", {"requestId": running})
    for _ in range(50):
        if "cancelled" in open(notes).read():
            break
        time.sleep(0.1)
    check("a cancelled run cancels its calls", "cancelled" in open(notes).read())
    client.start("await hub.sleep({ ms: 20000 })")
    time.sleep(0.5)
    check("the server is there", len(processes_below(client.child.pid)) > 0)
    client.end("packages")


handshake()
stateless()
odd_lines()
arguments()
outcomes()
long_values()
packages()
finish()
