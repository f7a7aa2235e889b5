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


def test_forms(t):
    """However a package is reached, its functions are the same, and typed."""
    s = Servers()
    for use in ("import { get_user } from 'my_hub'; const f = get_user;",
                "import { get_user as f } from 'my_hub';",
                "import * as h from 'my_hub'; const f = h.get_user;",
                "import h from 'my_hub'; const f = h.get_user;",
                "import h, { get_user as f } from 'my_hub'; h;",
                "import { default as h } from 'my_hub'; const f = h.get_user;",
                "const { get_user: f } = await import('my_hub');",
                "const f = (await import('my_hub')).get_user;", "const f = my_hub.get_user;"):
        t.ends(use, s.run(t, use + " return (await f({ id: 'xyz' })).age", "--checker", "tsc", types=True),
               0, out="3\n")
        t.ends(use + " wrong", s.run(t, use + " return (await f({ id: 7 })).age", "--checker", "tsc",
                                     types=True), 3, err="TS2322")
    t.ends("a name that is meant", s.run(t, "import { get_usr } from 'my_hub'; get_usr"), 3,
           err='did you mean "get_user"')


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
    caught = s.run(t, "try { await my_hub.delete_({ id: 5 }) } catch {} await my_hub.delete_({ id: 'a' }); 1", "--json")
    t.equal("what reached nobody is no effect", [e["ok"] for e in json.loads(caught.out)["effects"]], [True])


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


def environment(t, s, **env):
    """What the server named my-hub finds in its environment."""
    done = s.run(t, "await my_hub.environment()", env=env)
    return json.loads(done.out) if done.code == 0 and done.out else done.err


def test_variables(t):
    s = Servers(env={
        "A": "${X}-${env:X}-${Y:-y}-${env:Y:-${X}}", "EMPTY": "${Z:-instead}", "F": "${file:secret.txt}",
        "C": "${command:echo from the shell}", "W": "${workspaceFolder}|${workspaceFolderBasename}|${cwd}",
        "H": "${userHome}${pathSeparator}x${/}", "N": 8080, "T": True, "GONE": None,
        "PLAIN": "$X {a} ${", "D": "${CLAUDE_PROJECT_DIR}"})
    with open(os.path.join(s.folder.name, "secret.txt"), "w", encoding="utf-8") as file:
        file.write("from a file\n")
    here = os.path.realpath(s.folder.name)
    got = s.run(t, "await my_hub.environment()", env={"X": "x", "Z": "", "HOME": "/home/ann"}, cwd=here)
    got = json.loads(got.out)
    wanted = {"A": "x-x-y-x", "EMPTY": "instead", "F": "from a file", "C": "from the shell",
              "W": "%s|%s|%s" % (here, os.path.basename(here), here), "H": "/home/ann/x/", "N": "8080", "T": "true",
              "PLAIN": "$X {a} ${", "D": here}
    t.equal("put in", {name: got.get(name) for name in wanted}, wanted)
    t.check("null is none", "GONE" not in got, sorted(got))
    for name, text, why in (
            ("a variable", "${NOT_SET_AT_ALL}", "env of server my_hub needs the variable NOT_SET_AT_ALL, which is not"),
            ("one of an editor", "${config:mcp.key}", r"has \$\{config:mcp.key\}, which means nothing here"),
            ("a file", "${file:/nowhere/x}", "cannot be had: the file /nowhere/x: No such file"),
            ("a command", "${command:exit 3}", 'cannot be had: the command "exit 3": it ended with 3')):
        text = '{ "mcpServers": {\n  "my-hub": { "command": "x",\n  "env": { "A": "1",\n "K": "%s" } } } }' % text
        done = Servers(text).run(t, "1")
        t.ends(name + " that is not there", done, 2, out="")
        t.matches("with its line: " + name, done.err, r"servers\.json:4: .*" + why)


def test_inputs(t):
    inputs = [{"id": "api-key", "type": "promptString", "password": True, "default": "never"},
              {"id": "level", "type": "pickString", "options": ["1", "2"], "default": "2"}]
    hub = {"type": "stdio", "command": sys.executable, "args": [SERVER],
           "env": {"KEY": "${input:api-key}", "LEVEL": "${input:level}"}}
    s = Servers(json.dumps({"inputs": inputs, "servers": {"my-hub": hub}}))
    t.matches("a password that nobody gives", environment(t, s),
              r'asks for the input "api-key", which is not answered\n .*TENON_INPUT_API_KEY')
    got = environment(t, s, TENON_INPUT_API_KEY="k")
    t.equal("answered", (got["KEY"], got["LEVEL"]), ("k", "2"))


def test_env_file(t):
    s = Servers(envFile="x.env", env={"B": "mine"})
    with open(os.path.join(s.folder.name, "x.env"), "w", encoding="utf-8") as file:
        file.write("# a comment\nA=1 # one\nexport B='two'\nC=\"a b # c\"\n\n  D = \nnothing\nE=x=y\r\n")
    got = s.run(t, "await my_hub.environment()", cwd=s.folder.name)
    got = json.loads(got.out)
    t.equal("lines", {name: got.get(name) for name in "ABCDE"},
            {"A": "1", "B": "mine", "C": "a b # c", "D": "", "E": "x=y"})
    t.matches("not there", s.run(t, "1", cwd="/").err, r"envFile of server my_hub: the file .*x\.env: No such")


def test_kinds(t):
    hub = {"command": sys.executable, "args": [SERVER]}
    text = json.dumps({"mcpServers": {
        "a": {"type": "sse", "url": "https://x.example/sse"}, "b": {**hub, "enabled": False},
        "c": {**hub, "disabledTools": ["fail"], "timeout": 5}, "d": {**hub, "tool_timeout_sec": 0.2}}})
    done = Servers(text).run(t, "let n = 'fine'; try { await d.slow({ ms: 5000 }) } catch (e) { n = e.code }\n"
                                "typeof a + typeof b + typeof c + n + typeof await c.slow({ ms: 300 })")
    t.ends("kinds and times", done, 0, out="undefinedundefinedobjecttimeoutstring\n")
    for what in (r"server a is left out: it is of the old kind", r"disabledTools of server c is not heeded; --deny"):
        t.matches("told: " + what, done.err, what)
    for entry, why in (({"type": "http", "command": "x"}, "either"), ({"type": "stdio", "url": "http://x"}, "either"),
                       ({"command": "x", "url": "http://x"}, "either"), ({"command": 7, "args": {}}, "list of texts"),
                       ({"command": ["x"]}, "command of server a must be text"), ({"command": ""}, "name of a program"), ("x", "must be an object"),
                       ({"command": "x", "env": []}, "object of texts"), ({"command": "x", "env": {"A": []}}, "of texts"),
                       ({"command": "x", "timeout": "5s"}, "a number"), ({"command": "x", "cwd": 1.5}, None),
                       ({"url": "http://x", "headers": {"A": "x\ny"}}, "line breaks")):
        done = Servers(json.dumps({"mcpServers": {"a": entry}})).run(t, "1")
        if why:
            t.ends("refused: %s" % entry, done, 2, out="")
            t.matches("said", done.err, r"servers\.json:1: .*" + why)


def test_secrets_stay(t):
    """What was put in is in no error of a server, in no outcome."""
    secret = "s3cret-0123456789"
    s = Servers(json.dumps({"mcpServers": {
        "dies": {"command": "/bin/sh", "args": ["-c", "echo $K >&2; exit 1"], "env": {"K": "${K}"}},
        "web": {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer ${K}"}},
        "bad": {"url": "http://${K}.invalid:x/", "headers": {"K": "${K}"}}}}))
    done = s.run(t, "typeof web", "--json", env={"K": secret})
    t.ends("none of them is there", done, 0)
    t.check("each is told", all(("tenon: %s:" % name) in done.err for name in ("dies", "web", "bad")), done.err)
    t.check("and not the secret", secret not in done.out + done.err.split("tenon: bad")[0], done.err)


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


def test_names_of_every_kind(t):
    s = Servers()
    done = s.run(t, "import { 日本 } from 'my_hub';\n"
                    "return [(await 日本({ a: 1 })).name, (await my_hub.__proto___()).name]")
    t.ends("letters of any script, a name with a meaning", done, 0, out='["日本","__proto__"]\n')
    said = t.run("describe", "my_hub.日本", "--mcp", s.file).out
    t.check("what is enforced of the whole argument is said",
            'Its argument: minProperties 1. Its result: "what came *\\/ of it"; maxProperties 9.' in said, said)
    t.ends("and policies name it", s.run(t, "await my_hub.日本({ a: 1 })", "--deny", "my_hub.日*", "--no-check"), 3)


def test_policy(t):
    s = Servers()
    denied = s.run(t, "await my_hub.delete_({ id: 'x' })", "--deny", "my_hub.del*", "--no-check")
    t.check("denied", denied.code in (3, 4), denied.code)
    t.check("never sent", not os.path.exists(s.log) or not s.sent("tools/call"), s.log)
