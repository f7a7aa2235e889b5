"""What a program may call: --policy, --allow, --deny, --ask, on a command that has packages."""
import json
import os
import pty
import re
import select
import signal
import time

from harness import PATIENCE_S, Result, skip

PACKAGES = os.environ.get("TENON_WITH_PACKAGES")


class Packages:
    """The suite with the other command in it."""

    def __init__(self, suite):
        self.suite = suite

    def __enter__(self):
        self.command, self.suite.command = self.suite.command, PACKAGES
        return self.suite

    def __exit__(self, *what):
        self.suite.command = self.command


def in_terminal(t, *args, replies=(), env=None, then=None):
    """Run with a terminal that is the process's own; each reply is typed after a question."""
    began = time.monotonic()
    pid, ours = pty.fork()
    if pid == 0:
        os.environ.clear()
        os.environ.update(t.environment(env))
        os.execv(t.command, [t.command, *args])
    output, replies = b"", list(replies)
    asked = 0
    while time.monotonic() - began < PATIENCE_S:
        if not select.select([ours], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
        if output.count(b"[y/N]") > asked:
            asked += 1
            time.sleep(0.05)
            if then is not None:
                then(pid, ours)
            elif replies:
                os.write(ours, replies.pop(0))
    _, status = os.waitpid(pid, 0)
    os.close(ours)
    return Result(args, os.waitstatus_to_exitcode(status), output, b"", time.monotonic() - began)


def write(t, name, text):
    path = os.path.join(t.environment({}).get("TMPDIR", "/tmp"), "tenon-%d-%s" % (os.getpid(), name))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


JS = "run", "-e"


def test_policy_patterns(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        # what is not certain before the run: the function is called by another name
        send = "const f = hub.send; (await f({a: 1})).a"
        t.ends("nothing said: all is allowed", t.run("run", "-e", send), 0, out="1\n")
        t.ends("--deny", t.run("run", "--deny", "hub.send", "-e", send), 4, out="",
               err=r"hub\.send is denied by the policy \(rule \"hub\.send\"\)")
        t.ends("--deny of others", t.run("run", "--deny", "mock.*", "-e", send), 0, out="1\n")
        t.ends("--allow", t.run("run", "--allow", "hub.s*", "-e", send), 0, out="1\n")
        t.ends("--allow: and no others", t.run("run", "--allow", "hub.list*", "-e", send), 4,
               err=r"rule \"default\"")
        t.ends("deny beats allow", t.run("run", "--allow", "*", "--deny", "hub.send", "-e", send), 4)
        t.ends("given again", t.run("run", "--deny", "x.y", "--deny", "hub.*", "-e", send), 4)
        t.ends("it can be caught", t.run("run", "--deny", "hub.*", "-e",
                                         "const f = hub.now; try { f() } catch (e) { e.code }"),
               0, out="denied\n")
        t.ends("no terminal", t.run("run", "--ask", "hub.*", "-e", send, start_new_session=True), 4,
               err="nobody here to ask")
        for pattern in "", "hub", "hub.", "a b", "hub-x.y":
            t.ends("no pattern: %r" % pattern, t.run("run", "--deny", pattern, "-e", "1"), 2,
                   err=r"^tenon: --deny cannot be \"%s\"\n  Name a function" % pattern)


def test_policy_findings(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        found = t.run("run", "--deny", "hub.send", "-e", "\nawait hub.send({})")
        t.ends("refused before it runs", found, 3, out="",
               err=r"program\.ts:2:7: error TN1301: hub\.send is denied by the policy")
        found = t.run("check", "--deny", "hub.*", "--json", "-e",
                      "import {send as s} from 'hub';\ns({})")
        t.equal("check says it too", found.code, 3)
        findings = json.loads(found.out)["files"][0]["findings"]
        t.equal("at the call", [(f["code"], f["line"], f["column"]) for f in findings],
                [("TN1301", 2, 1)])
        t.ends("a condition is not certain",
               t.run("check", "--policy", write(t, "c.json", json.dumps(
                   {"rules": [{"deny": "hub.send", "when": {"a": 1}}]})), "--checker", "none",
                   "-e", "hub.send({})"), 0)


def test_policy_file(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        path = write(t, "p.json", json.dumps({
            "default": "deny", "rules": [{"allow": "hub.*", "when": {"repo": {"prefix": "acme/"}}}],
            "bound": {"hub.send": {"userId": 7}}, "override": {"hub.now": {"value": "then"}}}))
        t.ends("conditions", t.run("run", "--policy", path, "-e",
                                   "(await hub.send({repo: 'acme/x'})).userId"), 0, out="7\n")
        t.ends("that do not hold", t.run("run", "--policy", path, "-e",
                                         "await hub.send({repo: 'other/x'})"), 4, err="default")
        t.ends("bound", t.run("run", "--policy", path, "-e",
                              "await hub.send({repo: 'acme/x', userId: 8})"), 4,
               err=r"the host fixes the parameter \"userId\": leave it out")
        t.ends("patterns are added", t.run("run", "--policy", path, "--allow", "hub.now", "-e",
                                           "hub.now()"), 0, out="then\n")
        t.ends("the file's default stays", t.run("run", "--policy", path, "--allow", "hub.now", "-e",
                                                 "const f = mock.send; f()"), 4)
        outcome = json.loads(t.run("run", "--policy", path, "--json", "--allow", "hub.now", "-e",
                                   "hub.now(); const f = mock.send; try { await f() } catch {} 1").out)
        t.equal("effects", [(e["name"], e.get("ran"), e.get("denied", False))
                            for e in outcome["effects"]],
                [("hub.now", "a value", False), ("mock.send", None, True)])
        t.ends("no such function",
               t.run("run", "--policy", write(t, "o.json", json.dumps(
                   {"override": {"hub.send": {"function": "mock.none"}}})), "-e", "1"), 2,
               err="in the place of another that is not there")
        t.ends("no policy", t.run("run", "--policy", write(t, "f.json", '{"rules": [{"deny": 7}]}'),
                                  "-e", "1"), 2,
               err=r"\$\.rules\[0\]\.deny: expected a pattern .*, got 7\n  docs/policy\.md")
        t.ends("no JSON", t.run("run", "--policy", write(t, "f.json", '{"rules": [}'), "-e", "1"), 2,
               err="is not JSON: expected .* at line 1, column 12")
        t.ends("no file", t.run("run", "--policy", "/nowhere/p.json", "-e", "1"), 2,
               err="/nowhere/p.json")
        t.ends("twice", t.run("run", "--policy", path, "--policy", path, "-e", "1"), 2,
               err="--policy is given twice")


DECLARED = """declare namespace hub {
  /** Send it. */
  function send(args: {
    /** Whose. */
    userId: number;
    to: string, org?: string
  }): Promise<{to: string}>;
  function listIssues(args: Query): Promise<Query>;
  function now(args: ({userId: number; org?: string} & {x?: 1}) | {org: string}): string;
}
declare module "hub" {
  export const send: typeof hub.send;
  export const listIssues: (args: Query & {a: 1}) => Promise<{a: 1}>;
}
interface Query { userId: number; repo: string }
"""


def test_policy_bound_types(t):
    """A parameter that the host fixes is gone from the types too."""
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        declared = write(t, "hub.d.ts", DECLARED)
        policy = write(t, "b.json", json.dumps({"bound": {"hub.*": {"userId": 7, "org": "a"}}}))

        def run(code):
            return t.run("run", "--checker", "tsc", "--policy", policy, "--declare", declared, "-e",
                         code, types=True)
        if "cannot be started" in t.run("run", "--checker", "tsc", "-e", "1", types=True).err:
            return skip("no compiler")
        t.ends("left out of a literal type", run("return (await hub.send({to: 'x'})).to"), 0, out="x\n")
        t.ends("of a named one", run("return (await hub.listIssues({repo: 'a'})).repo"), 0, out="a\n")
        t.ends("all that was required is gone: no argument", run("hub.now()"), 0, out="now\n")
        t.ends("of an import",
               run("import {listIssues} from 'hub'; return (await listIssues({repo: '', a: 1})).a"),
               0, out="1\n")
        t.ends("what is left is required", run("await hub.send({})"), 3, err="TS2741.*`to`")
        for code in "hub.send({to: 'x', userId: 1})", "hub.send({to: 'x', org: 'b'})", \
                    "hub.listIssues({repo: 'a', userId: 1})":
            t.ends("passed: " + code, run(code), 3, err="TS2353")


def test_policy_asks(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        code = "\n(await hub.send({to: 'ann', text: '\\x1b[2J'})).to"
        args = "run", "--no-check", "--ask", "hub.*", "-e", code
        yes = in_terminal(t, *args, replies=[b"y\n"])
        t.equal("yes", yes.code, 0, yes)
        t.matches("what is asked", yes.out, r"tenon: program\.ts:2 wants to call hub\.send with\r\n"
                  r'  \{"to":"ann","text":"[^\x1b]*"\}\r\nAllow it\? \[y/N\] ')
        t.matches("and the value comes", yes.out, r"ann\r\n$")
        t.equal("yes, in full", in_terminal(t, *args, replies=[b"YES\n"]).code, 0)
        for reply in b"n\n", b"\n", b"yess\n", b"yes please\n", b"\x04", b"y" * 100 + b"\n":
            no = in_terminal(t, *args, replies=[reply])
            t.equal("no: %r" % reply, no.code, 4, no)
            t.matches("and says so", no.out, "hub.send was refused")
        twice = in_terminal(t, "run", "--no-check", "--ask", "hub.*", "-e",
                            "await hub.send({}); hub.now() + 1", replies=[b"y\n", b"y\n"])
        t.equal("each call is asked about", (twice.code, twice.out.count("[y/N]")), (0, 2), twice)
        slow = in_terminal(t, "run", "--no-check", "--wall", "300ms", "--ask", "hub.*", "-e",
                           "await hub.send({}); 5",
                           then=lambda pid, ours: (time.sleep(1), os.write(ours, b"y\n")))
        t.equal("thinking does not count", slow.code, 0, slow)
        redirected = in_terminal(t, *args[:-1], "await hub.send({a: 1}); 1", replies=[b"y\n"])
        t.equal("whatever stdin is", redirected.code, 0)


def test_policy_interrupted(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        args = "run", "--no-check", "--ask", "hub.*", "-e", "await hub.send({a: 1})"
        cut = in_terminal(t, *args, then=lambda pid, ours: os.write(ours, b"\x03"))
        t.equal("Ctrl-C while a question is open", cut.code, 130, cut)
        t.check("at once", cut.seconds < 10, cut)
        cut = in_terminal(t, *args, then=lambda pid, ours: os.kill(pid, signal.SIGTERM))
        t.equal("SIGTERM", cut.code, 143, cut)
        t.check("nothing was called", not re.search(r'"a"\s*:\s*1\}\r\n\{', cut.out), cut)


def test_policy_schema(t):
    """The examples of docs/policy.md are policies, and the schema is well formed."""
    from harness import ROOT
    with open(os.path.join(ROOT, "docs", "policy.md"), encoding="utf-8") as file:
        text = file.read()
    example = re.search(r"```json\n(.*?)```", text, re.S).group(1)
    path = write(t, "example.json", example.replace("mock.send", "hub.list"))
    t.ends("the example is read", t.run("check", "--policy", path, "-e", "1"), 0)
    with open(os.path.join(ROOT, "docs", "policy.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    t.equal("the schema has the members of the example",
            set(json.loads(example)) - set(schema["properties"]), set())
