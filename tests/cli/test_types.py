"""What is known of results: held against output schemas, learned where there is none; catalogues kept
between starts; `tenon types`."""
import json
import os
import sys
import tempfile

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
    got = json.loads(s.run(t, EACH % 2).out)
    t.equal("a wrong schema costs its field, no more", [got[0], got[1][1]], [{"n": "any", "m": 1}, "result"])
