"""--mcp: tools of MCP servers as functions of programs."""
import json
import os
import sys
import tempfile

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")


class Servers:
    """A folder with a configuration of one server, and what the server was sent."""

    def __init__(self, text=None, **more):
        self.folder = tempfile.TemporaryDirectory()
        self.log = os.path.join(self.folder.name, "log")
        self.file = os.path.join(self.folder.name, "servers.json")
        server = {"command": sys.executable, "args": [SERVER, self.log], **more}
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text if text is not None else json.dumps({"mcpServers": {"my-hub": server}}))

    def run(self, t, code, *args, **options):
        return t.run("run", "--mcp", self.file, "-e", code, *args, **options)

    def sent(self, method):
        with open(self.log, encoding="utf-8") as log:
            messages = [json.loads(line) for line in log]
        return [m["params"] for m in messages if m.get("method") == method]


def test_tools_are_functions(t):
    s = Servers()
    chain = ("const ids = ['ann', 'bo', 'cecil'];\n"
             "const users = await Promise.all(ids.map(id => my_hub.get_user({ id })));\n"
             "const rows = await my_hub.list_all({ n: users.length });\n"
             "let total = 0; for (const u of users) { await my_hub.delete_({ id: u.id }); total += u.age; }\n"
             "return { total, rows: rows.length };")
    done = s.run(t, chain, types=True)
    t.ends("seven calls in one program", done, 0, out='{"total":10,"rows":3}\n')
    t.equal("the server is sent its own names",
            sorted({c["name"] for c in s.sent("tools/call")}), ["delete", "get-user", "list.all"])
    t.ends("imported", s.run(t, "import { get_user } from 'my_hub'; (await get_user({id: 'xy'})).age"), 0,
           out="2\n")
    effects = json.loads(s.run(t, "await my_hub.get_user({id: 'ab'}); await my_hub.delete_({id: 'ab'}); 1",
                               "--json").out)["effects"]
    t.equal("what only reads is no effect", [e["name"] for e in effects], ["my_hub.delete_"])


def test_arguments(t):
    s = Servers()
    wrong = s.run(t, "return my_hub.get_user({ idd: 'x' })", "--checker", "tsc", types=True)
    t.ends("its type, before anything runs", wrong, 3)
    t.matches("in words", wrong.err, r"TS2353.*has no property `idd`")
    short = s.run(t, "return my_hub.get_user({ id: 'x' })")
    t.ends("its schema, at the call", short, 1)
    t.matches("path, expected and got", short.err, r"my_hub\.get_user: \$\.id must be .*2 characters.*\"x\"")
    t.ends("more than one", s.run(t, "return my_hub.get_user({ id: 'xx' }, 2)"), 1)
    t.ends("not an object", s.run(t, "return my_hub.get_user('xx')"), 1)
    t.equal("none of them was sent", s.sent("tools/call"), [])
    t.ends("without an argument", s.run(t, "(await my_hub.list_all()).length"), 0, out="3\n")


def test_answers(t):
    s = Servers()
    failed = s.run(t, "try { await my_hub.fail() } catch (e) { [e.message, e.code] }")
    t.ends("an error of the tool", failed, 0, out='["it is full","tool_error"]\n')
    dead = s.run(t, "const all = await Promise.allSettled([my_hub.die(), my_hub.list_all({n: 1})]);\n"
                    "all[0].reason.code + ' ' + (await my_hub.list_all({ n: 2 })).length")
    t.ends("a server that ends is started again", dead, 0, out='unavailable 2\n')
    late = s.run(t, "await my_hub.slow({ ms: 20000 })", "--wall", "400ms")
    t.ends("the run's own time ends it", late, 5)
    t.equal("and the server is told", len(s.sent("notifications/cancelled")), 1)


def test_environment(t):
    os.environ["TENON_TEST_SECRET"] = "s3cret"
    s = Servers(env={"TOKEN": "${TENON_TEST_SECRET}", "OTHER": "${NOT_SET_AT_ALL:-instead}"})
    given = json.loads(s.run(t, "await my_hub.environment()").out)
    t.equal("variables are put in", (given["TOKEN"], given["OTHER"]), ("s3cret", "instead"))
    t.check("nothing is inherited", "TENON_TEST_SECRET" not in given, sorted(given))
    t.check("but what a program needs", "PATH" in given, sorted(given))
    unset = Servers(env={"TOKEN": "${NOT_SET_AT_ALL}"}).run(t, "1")
    t.ends("one that is not set", unset, 2)
    t.matches("is named", unset.err, r"my_hub needs the variable NOT_SET_AT_ALL")


def test_configuration(t):
    text = ('{ // by hand\n "servers": { /* two */ "a": {"command": "%s", "args": ["%s",],},\n'
            ' "b": {"command": "/nowhere/at/all"}, "c": {"url": "x", "disabled": true} } }'
            % (sys.executable, SERVER))
    done = Servers(text).run(t, "typeof a.fail + typeof b")
    t.ends("comments, commas, one that cannot start", done, 0, out="functionundefined\n")
    t.matches("is told", done.err, r"tenon: b: .*nowhere")
    for name, bad, why in (("not JSON", '{"servers": ', "is not JSON"), ("no servers", "{}", "has no object"),
                           ("neither", '{"servers": {"a": {}}}', "either"),
                           ("args", '{"servers": {"a": {"command": "x", "args": "y"}}}', "list of texts"),
                           ("twice", '{"servers": {"a-b": {"command": "x"}, "a_b": {"command": "x"}}}',
                            "two servers")):
        wrong = Servers(bad).run(t, "1")
        t.ends(name, wrong, 2)
        t.matches(name + " is said", wrong.err, why)


def test_declarations(t):
    s = Servers()
    told = t.run("describe", "my_hub.get_user", "--mcp", s.file)
    t.ends("describe", told, 0)
    t.check("a description stays in its comment", "*/ evil" not in told.out, told.out)
    t.matches("types of argument and result", told.out,
              r"(?s)function get_user\(input: \{.*id: string.*\): Promise<\{.*age: number")
    found = t.run("search", "one", "user", "--mcp", s.file)
    t.matches("search", found.out, r"my_hub\.get_user\(")
    t.check("a name that is there twice is told", told.err.count("the tool fail twice") == 1, told.err)
    t.matches("without a schema", t.run("describe", "my_hub.no_schema_at_all", "--mcp", s.file).out,
              r"function no_schema_at_all\(input\?: any\): Promise<any>")
    bad = s.run(t, "const r = await my_hub.bad_schema({ a: 'anything', b: 1 }); r.arguments.b",
                "--checker", "tsc", types=True)
    t.ends("a wrong schema costs its field", bad, 0, out="1\n")
    t.matches("and is told", bad.err, r"my_hub\.bad_schema: its input schema is wrong at /properties/a")


def test_policy(t):
    s = Servers()
    denied = s.run(t, "await my_hub.delete_({ id: 'x' })", "--deny", "my_hub.del*", "--no-check")
    t.check("denied", denied.code in (3, 4), denied.code)
    t.check("never sent", not os.path.exists(s.log) or not s.sent("tools/call"), s.log)
