"""What is known of results: held against output schemas, learned where there is none; catalogues kept
between starts; `tenon types`."""
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "..", "provide", "mcp_fake.py")
CASE = os.path.join(HERE, "..", "provide", "cases", "mcp-047.json")


def hello(tools, version="1"):
    return [{"on": "initialize", "do": [{"reply": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "fake", "version": version}}}]},
        {"on": "tools/list", "do": [{"reply": {"tools": tools}}]}]


def says(*results):
    """The n-th call has the n-th result."""
    return [{"on": "tools/call", "nth": n + 1, "do": [{"reply": result}]}
            for n, result in enumerate(results)]


def structured(value):
    return {"content": [], "structuredContent": value}


def text(words):
    return {"content": [{"type": "text", "text": words}]}


class Fake:
    """A server that follows a transcript, its configuration, and a cache of its own."""

    def __init__(self, transcript):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "t.json")
        self.file = os.path.join(self.folder.name, "servers.json")
        self.cache = os.path.join(self.folder.name, "cache")
        self.script(transcript)
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"hub": {"command": sys.executable,
                                              "args": [FAKE, self.path]}}}, file)

    def script(self, transcript):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"transcript": transcript}, file)
        if os.path.exists(self.path + ".counts"):
            os.remove(self.path + ".counts")

    def started(self):
        """Has it been, since this was asked last?"""
        try:
            os.remove(self.path + ".counts")
            return True
        except FileNotFoundError:
            return False

    def ask(self, t, command, *args, **how):
        env = {"XDG_CACHE_HOME": self.cache, **how.pop("env", {})}
        return t.run(command, "--mcp", self.file, *args, env=env, **how)

    def run(self, t, code, *args, **how):
        return self.ask(t, "run", "-e", code, *args, **how)


# ---- results that are promised ----

EACH = ("const r = []; for (let i = 0; i < %d; i++) { try { r.push(await hub.t({})); }"
        " catch (e) { r.push([e.name, e.code, e.message, e.retryable]); } } return r;")


def test_result_case_047(t):
    with open(CASE, encoding="utf-8") as file:
        s = Fake(json.load(file)["transcript"])
    done = s.run(t, EACH % 4)
    t.ends("the run goes on", done, 0)
    got = json.loads(done.out)
    t.equal("text that is JSON, and fits", got[0], {"id": 1})
    t.equal("structured content wins; more members are fine", got[2], {"id": 3, "more": True})
    t.equal("what does not fit is an error", [got[1][0], got[1][1], got[1][3]], ["Error", "result", False])
    t.matches("that says where, what and for whom", got[1][2], r'^hub\.t .*\$\.id must be .*number.*"1"')
    t.matches("text where an object was promised is quoted", got[3][2], r'must be .*object.*"sorry"')


PROMISED = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}


def test_result_kinds(t):
    tools = [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": PROMISED}]
    s = Fake(hello(tools) + says(structured({"n": 0}), structured({"n": 1.5}), structured({}),
                                 {"content": [], "isError": True}, {"content": []},
                                 text('{"n": 7}'), text("[1]")))
    got = json.loads(s.run(t, EACH % 7).out)
    t.equal("which ones are errors", [one[1] if isinstance(one, list) else one for one in got],
            ["result", "result", "result", "tool_error", "result", {"n": 7}, "result"])
    s.script(hello(tools) + says(structured({"n": 0})))
    effects = json.loads(s.run(t, "await hub.t({}).catch(() => 0)", "--json").out)["effects"]
    t.equal("the record shows that it failed", [(e["ok"], "minimum" in e["error"] or "at least" in e["error"])
                                                for e in effects], [(False, True)])
    s.script(hello([{"name": "t", "outputSchema": {"type": "object", "properties": {
        "n": {"$ref": "#/nowhere"}, "m": {"type": "number"}}}}]) +
        says(structured({"n": "any", "m": 1}), structured({"n": 1, "m": "x"})))
    got = json.loads(s.run(t, EACH % 2, "--fresh").out)
    t.equal("a wrong schema costs its field, no more", [got[0], got[1][1]], [{"n": "any", "m": 1}, "result"])


# ---- catalogues that are kept ----

def tool(name, required=(), **properties):
    return {"name": name, "inputSchema": {"type": "object", "properties": properties,
                                          "required": list(required)}}


TEXT = {"type": "string"}
NUMBER = {"type": "number"}
TWO = [tool("t", ["a", "b"], a=TEXT, b=TEXT), tool("other")]
CALLS = says(text("one"), text("two"), text("three"))
CALL = "await hub.t({a: 'x', b: 'y'})"


def test_kept_no_start(t):
    s = Fake(hello(TWO) + CALLS)
    t.ends("the first time", s.run(t, "typeof hub.t"), 0, out="function\n")
    t.check("it was started", s.started())
    for command, *args in (("run", "-e", "typeof hub.t"), ("check", "-e", "return hub.t"), ("search", "other"),
                           ("describe", "hub.t"), ("prompt",), ("types", "hub"), ("types", "hub", "--json")):
        done = s.ask(t, command, *args)
        t.check("%s does not start it" % command, done.code == 0 and not s.started(), done)
        if command != "run":
            t.check("%s knows it" % command, "other" in done.out or command == "check" or
                    "function t" in done.out, done)
    t.ends("its first call does", s.run(t, CALL), 0, out="one\n")
    t.check("so it was", s.started())
    t.ends("--fresh asks it", s.run(t, "1", "--fresh"), 0)
    t.check("so it did", s.started())
    path = os.path.join(s.cache, "tenon", "packages.db")
    t.equal("nobody else may read it", [oct(os.stat(p).st_mode & 0o777) for p in (path, os.path.dirname(path))],
            ["0o600", "0o700"])


def failure(done):
    return json.loads(done.out).get("error") or {}


def test_kept_changed(t):
    s = Fake(hello(TWO) + CALLS)
    s.run(t, "1")
    s.script(hello([tool("t", ["b", "a"], b=TEXT, a=TEXT), tool("other")], "2") + CALLS)
    t.ends("another order is no change", s.run(t, CALL), 0, out="one\n")
    s.script(hello([tool("t", ["a", "b", "c"], a=TEXT, b=TEXT, c=NUMBER), tool("other")], "3") + CALLS)
    s.ask(t, "run", "-e", "1")
    changed = s.run(t, CALL, "--json")
    error = failure(changed)
    t.equal("a changed tool", (error.get("code"), error.get("retryable")), ("changed", True), changed)
    t.matches("in words", error.get("message", ""), r'"hub" has changed its tool t .*version 2 then, 3 now')
    refused = s.run(t, CALL, "--checker", "tsc", types=True)
    t.ends("the next check knows", refused, 3)
    t.matches("what is missing", refused.err, r"c")
    t.ends("and the call is made", s.run(t, "await hub.t({a: 'x', b: 'y', c: 1})"), 0)
    s.script(hello([tool("other")], "4") + CALLS)
    gone = s.run(t, "const r = []; for (const f of [() => hub.t({a: 'x', b: 'y', c: 1}), hub.other]) "
                    "try { r.push(await f()) } catch (e) { r.push(e.code) } r")
    t.ends("one that is gone, beside one that is there", gone, 0, out='["changed","one"]\n')
    t.ends("then it is known", s.run(t, "typeof hub.t"), 0, out="undefined\n")


def test_kept_list_changed(t):
    s = Fake(hello(TWO)[:1] + [
        {"on": "tools/list", "nth": 1, "do": [{"reply": {"tools": TWO}}]},
        {"on": "tools/list", "nth": 2, "do": [{"reply": {"tools": TWO + [tool("later")]}}]},
        {"on": "tools/call", "do": [{"notify": {"method": "notifications/tools/list_changed"}},
                                    {"sleepMs": 3500}, {"reply": text("done")}]}])
    t.ends("a server tells of a change", s.run(t, CALL), 0, out="done\n")
    s.started()
    t.ends("and the next start knows", s.run(t, "typeof hub.later"), 0, out="function\n")
    t.check("without asking", not s.started())


def modern(ttl):
    return [{"on": "server/discover", "do": [{"reply": {
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "2"}}}}]},
        {"on": "tools/list", "do": [{"reply": {"resultType": "complete", "cacheScope": "public", **ttl,
                                               "tools": [tool("t")]}}]},
        {"on": "x", "nth": 1, "do": []}]


def test_kept_time_to_live(t):
    for name, ttl, again in (("zero", {"ttlMs": 0}, True), ("an hour", {"ttlMs": 3600000}, False),
                             ("none", {}, False)):
        s = Fake(modern(ttl))
        t.ends(name, s.run(t, "typeof hub.t"), 0, out="function\n")
        s.started()
        t.ends(name + ", again", s.run(t, "typeof hub.t"), 0, out="function\n")
        t.equal("a time to live of " + name, s.started(), again)


def test_kept_file(t):
    s = Fake(hello(TWO) + says(*[text("one")] * 9))
    path = os.path.join(s.cache, "tenon", "packages.db")
    os.environ["TENON_TEST_SECRET"] = "s3cret-in-no-file"
    with open(s.file, encoding="utf-8") as file:
        servers = json.load(file)
    servers["mcpServers"]["hub"]["env"] = {"TOKEN": "${TENON_TEST_SECRET}"}
    servers["mcpServers"]["hub"]["args"].append("--key=${TENON_TEST_SECRET}")
    with open(s.file, "w", encoding="utf-8") as file:
        json.dump(servers, file)
    t.ends("with secrets", s.run(t, CALL), 0)
    with open(path, "rb") as file:
        t.check("none is in the file", b"s3cret" not in file.read())
    for name, content in (("no database", b"rubbish " * 4000), ("half of one", None), ("empty", b"")):
        with open(path, "rb") as file:
            half = file.read()[:6000]
        with open(path, "wb") as file:
            file.write(half if content is None else content)
        t.ends("a file that is " + name, s.run(t, CALL), 0, out="one\n", err="")
        s.started()
        t.ends("is begun anew, " + name, s.run(t, "1"), 0)
        t.check("and used, " + name, not s.started())
    os.chmod(path, 0o644)
    t.ends("one that others read is done without", s.run(t, CALL), 0, out="one\n", err="")
    os.remove(path)
    os.symlink("/dev/null", path)
    t.ends("so is a link", s.run(t, CALL), 0, out="one\n", err="")
    t.ends("no place at all", s.run(t, CALL, env={"XDG_CACHE_HOME": "/proc/nowhere"}), 0, out="one\n")


# ---- types that were learned ----

def learned(s, t, name="hub.t"):
    about = json.loads(s.ask(t, "types", "hub", "--json").out)[0]
    return [f for f in about["functions"] if f["name"] == name][0], about["declaration"]


LIST = [{"name": "t", "inputSchema": {"type": "object"}}]


def test_learned_shape(t):
    results = [{"items": [{"id": 1, "title": "x", "tags": []}], "next": None},
               {"items": [{"id": "2", "title": None}], "next": "secret-value", "more": {"2026-01-01": 5}},
               {"items": [], "more": {"a@example.org": 7}}]
    s = Fake(hello(LIST) + says(*[text(json.dumps(r)) for r in results]))
    t.equal("nothing is known", learned(s, t)[0]["result"], "any")
    t.ends("three results", s.run(t, "for (let i = 0; i < 3; i++) await hub.t({})"), 0)
    about, declaration = learned(s, t)
    t.equal("are counted", (about["result"], about["results"]), ("learned", 3))
    wanted = ("Promise<Learned<{ items: Array<{ id: number | string; title: string | null; tags?: Array<any> }>; "
              "next?: string | null; more?: Record<string, number> }>>")
    wanted = wanted.replace("number | string", "string | number")
    t.check("and joined", wanted in declaration, declaration)
    t.check("and said to be learned", "learned from 3 results" in declaration, declaration)
    with open(os.path.join(s.cache, "tenon", "packages.db"), "rb") as file:
        kept = file.read()
    t.check("no value is kept, and no name that is data",
            not any(x in kept for x in (b"secret-value", b"example.org", b"2026-01-01")))
    s.script(hello(LIST) + says(*[text("plain words")] * 2))
    t.matches("shown to a model", s.ask(t, "search", "t").out, r"hub\.t\(.*Learned<\{ items: Array")
    loose = "const r = await hub.t({}); r.items.map(x => x.nothing.like.it); r.other?.(1); return 1"
    checked = s.ask(t, "check", "-e", loose, "--checker", "tsc")
    t.check("and any to the check", checked.code == 0 and "error" not in checked.err + checked.out, checked)
    s.run(t, "await hub.t({})")
    t.matches("another kind comes to it", learned(s, t)[1], r"Record<string, number> } \| string>>")
    s.script(hello(LIST, "2") + says(text("[1]")))
    s.run(t, "1", "--fresh")
    t.equal("a new version begins anew", learned(s, t)[0]["result"], "any")
    s.run(t, "await hub.t({})")
    t.matches("with its own", learned(s, t)[1], r"Learned<Array<number>>>")


def test_learned_tables(t):
    people = [{"by_name": {name: {"age": 1} for name in names}} for names in
              (("ann", "bob", "cid"), ("dora", "eve", "fay"), ("gus", "hal", "ivy"), ("jo", "kim", "lou"))]
    many = {"k%s" % "".join(chr(97 + int(d)) for d in str(n)): n for n in range(100)}
    s = Fake(hello(LIST) + says(*[text(json.dumps(r)) for r in people + [{"many": many}]]))
    s.run(t, "for (let i = 0; i < 5; i++) await hub.t({})")
    t.matches("names that vary are data", learned(s, t)[1],
              r"\{ by_name\?: Record<string, \{ age: number }>; many\?: Record<string, number> }")
    s = Fake(hello(LIST) + says(text(json.dumps({"a": [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]], "x*/y\n": 1}))))
    s.run(t, "await hub.t({})")
    t.check("what is odd or deep is any", "*/y" not in learned(s, t)[1], learned(s, t)[1])


def test_learned_together(t):
    s = Fake(hello(LIST) + [{"on": "tools/call", "do": [{"reply": text('{"n": 1}')}]}])
    s.run(t, "1")
    args = ("run", "--mcp", s.file, "-e", "for (let i = 0; i < 3; i++) await hub.t({})")
    all = [t.popen(*args, env={"XDG_CACHE_HOME": s.cache}) for _ in range(5)]
    t.equal("five at a time", [p.communicate() and p.returncode for p in all], [0] * 5)
    t.equal("lose nothing", learned(s, t)[0]["results"], 15)


def test_types(t):
    s = Fake(hello([{"name": "t", "outputSchema": PROMISED}, tool("wrong", a={"$ref": "#/nowhere"})]))
    told = s.ask(t, "types", "hub")
    t.ends("types", told, 0, err="")
    for what, pattern in (("the server", r"^hub: server fake, version 1, protocol 2025-06-18 \(handshake\); asked"),
                          ("a declaration", r"function t\(input\?: any\): Promise<\{"),
                          ("what is checked", r"hub\.t +any +checked\n +hub\.wrong +checked +any\n"),
                          ("problems", r"Problems:\n  hub\.wrong: its input schema is wrong at /properties/a")):
        t.matches(what, told.out, pattern)
    t.matches("and how old it is", s.ask(t, "types").out, r"its list is kept, from less than a minute ago")
    t.matches("another package", s.ask(t, "types", "hup").out, r"there is no \"hup\"")


# ---- members that no result had ----

ROWS = {"items": [{"id": 1, "title": "x", "user": {"name": "ann"}}], "total": 1}
SAID = [  # what is said of each: the name, and the one that was meant
    ("(await hub.t({})).totl", "totl", "total"),
    ("const r = await hub.t({}); return r.items[0].titel", "titel", "title"),
    ("const { items } = await hub.t({}); return items.map(row => row.user.namee)", "namee", "name"),
    ("const { itemz } = await hub.t({}); return itemz", "itemz", "items"),
    ("for (const { titel } of (await hub.t({})).items) console.log(titel)", "titel", "title"),
    ("import { t as list } from 'hub'; const [a] = await Promise.all([list({})]); return a['items'].filter(x => x.idd)",
     "idd", "id"),
    ("const r = await hub.t({}); return r.items.find(x => x.id === 1).colour", "colour", None),
    ("const rows = (await hub.t({})).items; return rows.sort((a, b) => a.weight - b.weight)[0]", "weight", None),
]
UNSAID = [
    "const r = await hub.t({}); return r.total + r.items[0].title + r.items.length",
    "const r = await hub.t({}); return r.next ?? 'none'",
    "const r = await hub.t({}); if (r.next) return r.next.page; return 0",
    "const r = await hub.t({}); return r.next?.page",
    "const r = await hub.t({}); return r.error === undefined ? r.total : r.error",
    "const r = await hub.t({}); return 'next' in r && r.next",
    "const { next = 1 } = await hub.t({}); return next",
    "const r = await hub.t({}); for (const i of r.items) i.size = 1; return r.items.map(i => i.size)",
    "const rows = (await hub.t({})).items.map(i => ({ ...i, big: true })); return rows.filter(r => r.big)",
    "const rows = (await hub.t({})).items.map(i => i.title); return rows[0].whatever",
    "let r = await hub.t({}); r = { other: 1 }; return r.other",
    "const f = (r: any) => r.nothing; return f(await hub.t({}))",
    "const r = await hub.t({}); { const r = { x: { y: 1 } }; return r.x } ",
    "const r = await hub.t({}); return r.toString() + r.items.toString()",
    "const r = (await hub.t({})) as { extra: number }; return r.extra",
    "const hub2 = { t: async (x: any) => ({ z: 1 }) }; return (await hub2.t({})).z",
    "const r = await hub.t({}); const key = 'a' + 1; r[key] = 1; return r.a1",
]


def test_unseen(t):
    s = Fake(hello(LIST) + says(*[text(json.dumps(ROWS))] * 9))
    s.run(t, "await hub.t({})")
    one = s.ask(t, "check", "-e", "(await hub.t({})).totl", "--json")
    t.check("one result says little", "TN1203" not in one.out, one)
    s.run(t, "await hub.t({}); await hub.t({})")
    for code, name, meant in SAID:
        done = s.ask(t, "check", "-e", code, "--json", "--checker", "tsc")
        found = json.loads(done.out)["files"][0]["findings"]
        t.equal("said of " + code, [(f["code"], f["severity"], f.get("didYouMean")) for f in found],
                [("TN1203", "warning" if meant else "info", meant)], done)
        t.check("about the name in " + code, found and ("`%s` was in none of the 3 results of hub.t" % name)
                in found[0]["message"], found)
    for code in UNSAID:
        done = s.ask(t, "check", "-e", code, "--json", "--checker", "tsc")
        t.equal("nothing is said of " + code, json.loads(done.out)["files"][0]["findings"], [], done)
    s.script(hello(LIST) + says(*[text(json.dumps(ROWS))] * 9))
    ran = s.run(t, "const r = await hub.t({}); return [r.totl, r.total]", types=True)
    t.ends("and it runs", ran, 0)


# ---- a server that goes on while others change ----

class Client:
    """Speaks to `tenon mcp` by lines."""

    def __init__(self, s, t):
        self.process = t.popen("mcp", "--mcp", s.file, "--checker", "none", env={"XDG_CACHE_HOME": s.cache},
                               stdin=subprocess.PIPE)
        self.last = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"})

    def ask(self, method, **params):
        self.last += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method,
                                             "params": params}).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last:
                return answer.get("result")

    def tool(self, name, **arguments):
        return json.dumps(self.ask("tools/call", name=name, arguments=arguments))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.read()
        code = self.process.wait(30)
        self.process.stderr.close()
        return code


def test_kept_by_a_server(t):
    s = Fake(hello(TWO) + CALLS)
    s.run(t, "1")
    s.script(hello(TWO + [tool("later")], "2") + says(*[text("hello")] * 9))
    client = Client(s, t)
    begun, found = time.monotonic(), False
    while not found and time.monotonic() - begun < 20:
        found = "hub.later" in client.tool("search", query="")
    t.check("what changed is there after a while", found)
    t.matches("and can be called", client.tool("run", code="return await hub.later({})"), "hello")
    t.equal("it ends well", client.close(), 0)
    s.script(hello(TWO)[:1] + [
        {"on": "tools/list", "nth": 1, "do": [{"reply": {"tools": TWO}}]},
        {"on": "tools/list", "do": [{"reply": {"tools": TWO + [tool("told")]}}]},
        {"on": "tools/call", "do": [{"notify": {"method": "notifications/tools/list_changed"}},
                                    {"reply": text("done")}]}])
    client = Client(s, t)
    t.matches("a call after which the list is another", client.tool("run", code="return await hub.other({})"), "done")
    begun, found = time.monotonic(), False
    while not found and time.monotonic() - begun < 30:
        found = "hub.told" in client.tool("search", query="")
        time.sleep(0.2)
    t.check("it is there after a while", found)
    t.equal("it ends well, again", client.close(), 0)
