"""`.mcp.json` and `tenon trust`: nothing of a cloned folder is started until somebody looked at it."""
import json
import os
import stat
import sys
import tempfile

from test_policy import in_terminal

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")


class Home:
    """A home folder with a project in it, whose .mcp.json names one server."""

    def __init__(self, **more):
        self.folder = tempfile.TemporaryDirectory()
        self.home = os.path.realpath(self.folder.name)
        self.project = self.made("work/project")
        self.file = os.path.join(self.project, ".mcp.json")
        self.log = os.path.join(self.home, "log")
        self.write(**more)

    def made(self, *path):
        folder = os.path.join(self.home, *path)
        os.makedirs(folder, exist_ok=True)
        return folder

    def write(self, text=None, **more):
        server = {"command": sys.executable, "args": [SERVER, self.log], **more}
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text if text is not None else json.dumps({"mcpServers": {"hub": server}}))

    def env(self, **more):
        return {"HOME": self.home, "XDG_STATE_HOME": "", **more}

    def run(self, t, *args, cwd=None, **env):
        return t.run(*args, cwd=cwd or self.project, env=self.env(**env))

    def kind(self, t, cwd=None, **env):
        """What `hub` is to a program there, and what is said on stderr."""
        done = self.run(t, "run", "-e", "typeof hub", cwd=cwd, **env)
        return done.out.strip(), done.err

    def trust(self, t, *args):
        return self.run(t, "trust", "--yes", *args)

    @property
    def list(self):
        return os.path.join(self.home, ".local/state/tenon/trust")

    def started(self):
        return os.path.exists(self.log)


def test_trust_before_anything(t):
    h = Home()
    kind, err = h.kind(t)
    t.equal("not trusted: not there", kind, "undefined")
    t.matches("one line says so", err, r"\Atenon: \S+/\.mcp\.json is not trusted; no server .*\n\Z")
    for args in (["search", "user"], ["describe", "hub"], ["prompt"], ["check", "-e", "1"]):
        h.run(t, *args)
    t.check("nothing was started by any command", not h.started())
    h.run(t, "trust")
    t.check("nor by looking at it", not h.started() and not os.path.exists(h.list))
    t.ends("trusted", h.trust(t), 0, err="")
    t.equal("and there", h.kind(t)[0], "object")
    t.ends("called", h.run(t, "run", "-e", "(await hub.get_user({ id: 'ann' })).age"), 0, out="3\n")
    t.equal("private", [stat.S_IMODE(os.stat(p).st_mode) for p in (h.list, os.path.dirname(h.list))],
            [0o600, 0o700])
    t.ends("--no-mcp", h.run(t, "run", "--no-mcp", "-e", "typeof hub"), 0, out="undefined\n", err="")


def test_trust_is_of_one_content(t):
    h = Home()
    h.trust(t)
    h.write(env={"MORE": "1"})
    kind, err = h.kind(t)
    t.equal("changed: not there", kind, "undefined")
    t.matches("and said", err, "has changed since it was trusted")
    t.matches("in the list too", h.run(t, "trust", "--list").out, r"\Achanged  \S+/\.mcp\.json\n\Z")
    t.ends("looked at again", h.trust(t), 0)
    t.equal("there again", h.kind(t)[0], "object")
    t.matches("again without --yes", h.run(t, "trust").out, "is trusted already")
    t.ends("taken back", h.run(t, "trust", "--revoke"), 0, err="")
    t.equal("gone", h.kind(t)[0], "undefined")
    t.ends("nothing to take back", h.run(t, "trust", "--revoke"), 2, out="", err="is not trusted")
    h.trust(t)
    os.remove(h.file)
    t.matches("removed", h.run(t, "trust", "--list").out, r"\Agone  ")
    t.ends("taken back by name", h.run(t, "trust", "--revoke", h.file), 0)
    t.ends("an empty list", h.run(t, "trust", "--list"), 0, out="", err="")


def test_trust_is_of_one_place(t):
    h = Home()
    h.trust(t)
    other = Home()
    link = os.path.join(h.made("work/evil"), ".mcp.json")
    os.symlink(other.file, link)
    kind, err = h.kind(t, cwd=os.path.dirname(link))
    t.equal("a link to another file is that file", (kind, other.file in err or link in err),
            ("undefined", True))
    os.rename(h.file, h.file + ".old")
    os.symlink(other.file, h.file)
    t.equal("a link in the place of the trusted one", h.kind(t)[0], "undefined")
    os.remove(h.file)
    os.symlink(h.file + ".old", h.file)
    t.equal("the same content elsewhere", h.kind(t)[0], "undefined")
    os.remove(h.file)
    os.rename(h.file + ".old", h.file)
    os.symlink(h.file, os.path.join(h.made("work/friend"), ".mcp.json"))
    t.equal("a link to the trusted one", h.kind(t, cwd=h.made("work/friend"))[0], "object")
    t.check("nothing else ever ran", not other.started())


def test_trust_looks_upwards(t):
    h = Home()
    h.trust(t)
    deep = h.made("work/project/a/b")
    t.equal("from below", h.kind(t, cwd=deep)[0], "object")
    t.ends("its servers run beside it", h.run(t, "run", "-e", "(await hub.environment()).cwd", cwd=deep), 0,
           out=h.project + "\n")
    h.made("work/project/a/.git")
    t.equal("not past a repository", h.kind(t, cwd=deep), ("undefined", ""))
    t.equal("not past the home folder", h.kind(t, cwd=deep, HOME=h.made("work/project/a")),
            ("undefined", ""))
    for folder in (deep, h.home):
        t.ends("nothing to trust", h.run(t, "trust", cwd=folder), 2, out="", err="there is no .mcp.json")
    named = os.path.join(h.home, "named.json")
    with open(named, "w", encoding="utf-8") as file:
        file.write('{"servers": {}}')
    done = h.run(t, "run", "--mcp", named, "-e", "typeof hub")
    t.ends("a file that is named stands for all", done, 0, out="undefined\n", err="")


def test_trust_of_owners(t):
    h = Home()
    h.trust(t)
    os.chmod(h.file, 0o666)
    kind, err = h.kind(t)
    t.equal("everybody's file", kind, "undefined")
    t.matches("and why", err, r"left aside: everybody may write to it")
    t.ends("cannot be trusted", h.trust(t), 2, out="", err="everybody may write to it")
    os.chmod(h.file, 0o644)
    t.equal("mended", h.kind(t)[0], "object")
    if os.geteuid() == 0:
        os.chown(h.file, 12345, 12345)
        t.matches("somebody else's file", h.kind(t)[1], "left aside: it belongs to somebody else")
        os.chown(h.file, 0, 0)
    os.chmod(h.list, 0o666)
    kind, err = h.kind(t)
    t.equal("a list that others could write", kind, "undefined")
    t.matches("is told", err, "others may write to it")
    os.remove(h.list)
    os.symlink("/dev/null", h.list)
    t.equal("a list that is a link", h.kind(t)[0], "undefined")
    os.remove(h.list)
    os.remove(h.file)
    os.mkfifo(h.file)
    t.matches("a pipe", h.kind(t)[1], "left aside: it is not a plain file")


def test_trust_shows(t):
    h = Home()
    h.write("""{ "mcpServers": {
      "a": { "command": "node", "args": ["./s.js", "--api-key", "sk-1234567890", "--token=abcdefghij", "x y",
             "--key=$(curl evil)", "\\u001b[2Jclear", "\\u202egpj"], "cwd": "sub",
             "env": { "GITHUB_TOKEN": "ghp_0123456789", "NODE_OPTIONS": "--require ./evil.js",
                      "A": "${A_NAME} ${env:B_NAME:-x}" }, "envFile": "secret.env" },
      "b": { "type": "http", "url": "https://ann:pass1234@example.org/mcp?key=k1234567",
             "headers": { "Authorization": "Bearer literal-secret" } },
      "tenon": { "command": "/usr/bin/tenon", "args": ["mcp"] } } }""")
    shown = h.run(t, "trust")
    t.ends("without a terminal nobody is asked", shown, 2, err="--yes")
    for what in ("./s.js", "'x y'", "'--key=$(curl evil)'", "NODE_OPTIONS=--require ./evil.js", "GITHUB_TOKEN",
                 "A_NAME (not set)", "B_NAME", "secret.env", "sub", "Authorization", "tenon itself",
                 "@example.org/mcp?", "\\x1b", "\\xe2"):
        t.check("shown: " + what, what in shown.out, shown.out)
    for what in ("sk-1234567890", "abcdefghij", "ghp_0123456789", "literal-secret", "pass1234", "k1234567",
                 "\x1b", "\u202e"):
        t.check("not shown: " + what, what not in shown.out, shown.out)
    asked = in_terminal(t, "trust", h.file, env=h.env(), replies=[b"n\n"])
    t.check("no at a terminal", asked.code == 1 and "is not trusted" in asked.out and not os.path.exists(h.list), asked)
    asked = in_terminal(t, "trust", h.file, env=h.env(), replies=[b"yes\n"])
    t.check("yes at a terminal", asked.code == 0 and "is trusted, as it is now" in asked.out, asked)
    t.ends("taken back", h.run(t, "trust", "--revoke"), 0)
    for text, why in (("{", "is not JSON"), ("{}", "has no object"), ('{"mcpServers": []}', "has no object")):
        h.write(text)
        t.ends("not to be trusted: " + text, h.trust(t), 2, err=why)
    t.ends("no such file", h.trust(t, "nowhere.json"), 2, out="", err="No such file")
    t.ends("two files", h.run(t, "trust", "a", "b"), 2, out="", err="one file at a time")


def test_trusted_faults(t):
    """What is wrong in a file that nobody named costs the server, not the run."""
    h = Home()
    good = json.dumps({"command": sys.executable, "args": [SERVER, h.log]})
    h.write('{ "mcpServers": { "hub": %s,\n "lacks": { "command": "x", "env": { "T": "${NOT_SET_HERE}" } },\n'
            ' "self": { "command": "tenon", "args": ["mcp"] } } }' % good)
    h.trust(t)
    done = h.run(t, "run", "-e", "typeof hub + typeof lacks + typeof self")
    t.ends("the others are there", done, 0, out="objectundefinedundefined\n")
    t.matches("told with its line", done.err, r"\.mcp\.json:2: env of server lacks needs the variable NOT_SET_HERE")
    deep = h.run(t, "run", "-e", "1", TENON_DEPTH="3")
    t.ends("no tenon in tenon without end", deep, 2, out="", err="started by itself")
