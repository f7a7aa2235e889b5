"""`tenon mcp import`: the servers that other clients are set up with."""
import json
import os
import stat
import sys
import tempfile

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")
KEY = "sk-0123456789abcdef"

CODEX = """model = "x"
[mcp_servers.docs] # of Codex
command = "npx"
args = ["-y", "docs-server"]
env = { "DOCS_LEVEL" = "2" }
env_vars = ["DOCS_TOKEN"]
startup_timeout_sec = 20
tool_timeout_sec = 45.5
[mcp_servers.figma]
url = "https://mcp.example.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us-east-1" }
env_http_headers = { "X-Team" = "TEAM" }
[mcp_servers.off]
command = "off"
enabled = false
"""


class Home:
    """A home folder with a project in it, and files of clients in both."""

    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory()
        self.home = os.path.realpath(self.folder.name)
        self.project = os.path.join(self.home, "work", "app")
        os.makedirs(self.project)
        self.to = os.path.join(self.home, "servers.json")
        for path, content in files.items():
            place = os.path.join(self.home, path.replace("PROJECT", "work/app"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                text = content if isinstance(content, str) else json.dumps(content)
                file.write(text.replace("@HOME", self.home))

    def run(self, t, *args, cwd=None, **env):
        return t.run("mcp", "import", *args, cwd=cwd or self.project,
                     env={"HOME": self.home, "XDG_CONFIG_HOME": "", "CODEX_HOME": self.home + "/.codex",
                          **env})

    def imported(self, t, *args, **how):
        """What is printed, and what is said."""
        done = self.run(t, *args, **how)
        t.ends("import " + " ".join(args), done, 0)
        return json.loads(done.out)["mcpServers"] if done.out else None, done.err


def every_client():
    return Home({
        "PROJECT/.mcp.json": '{ // the project\'s\n"mcpServers": {"db": {"command": "./db.sh", "args": ["${DB_URL}"],},} }',
        ".claude.json": {"numStartups": 3, "mcpServers": {"user": {"type": "http", "url": "https://u.example/mcp"}},
                         "projects": {"@HOME/work/app": {"mcpServers": {"local": {"command": "local"}}},
                                      "@HOME/work/ap": {"mcpServers": {"not-this": {"command": "x"}}}}},
        ".config/Claude/claude_desktop_config.json": {"mcpServers": {"desk": {"command": "desk", "env": {"A": "b"}}}},
        ".cursor/mcp.json": {"mcpServers": {"cur": {"url": "https://c.example/mcp",
                                                    "headers": {"X-Key": "${env:CUR_KEY}"}}}},
        "PROJECT/.cursor/mcp.json": {"mcpServers": {"cur-here": {"command": "c", "envFile": ".env",
                                                                 "args": ["${workspaceFolder}/x"]}}},
        "PROJECT/.vscode/mcp.json": {"inputs": [{"id": "api-key", "type": "promptString", "password": True}],
                                     "servers": {"code": {"type": "stdio", "command": "code-server",
                                                          "env": {"API": "${input:api-key}"}}}},
        ".config/Code/User/mcp.json": {"servers": {"code-user": {"command": "cu"}}},
        ".config/Code/User/settings.json": '{"a": 1, "mcp": {"servers": {"code-old": {"command": "co"}}}, }',
        ".codex/config.toml": CODEX,
        ".codeium/windsurf/mcp_config.json": {"mcpServers": {"surf": {"serverUrl": "https://w.example/mcp"}}},
        ".gemini/settings.json": {"mcpServers": {"gem": {"command": "g", "timeout": 30000,
                                                         "env": {"TOKEN": "$GEM_TOKEN"}}}},
        ".copilot/mcp-config.json": {"mcpServers": {"cop": {"command": "cop"}}},
    })


def test_import_every_client(t):
    h = every_client()
    listed = h.run(t, "--list")
    t.ends("listed", listed, 0, err="")
    t.equal("by client", sorted({line.split()[0] for line in listed.out.splitlines()}),
            ["claude-code", "claude-desktop", "codex", "copilot", "cursor", "gemini", "vscode", "windsurf"])
    got, err = h.imported(t)
    t.equal("all of them", sorted(got), sorted(
        ["db", "user", "local", "desk", "cur", "cur-here", "code", "code-user", "code-old", "docs", "figma", "off",
         "surf", "gem", "cop"]))
    t.equal("a project's runs in its folder", got["db"],
            {"command": "./db.sh", "args": ["${DB_URL}"], "cwd": h.project})
    t.equal("the user's belongs to none", got["cur"]["headers"], {"X-Key": "${env:CUR_KEY}"})
    t.equal("folders become paths", (got["cur-here"]["args"], got["cur-here"]["envFile"]),
            ([h.project + "/x"], h.project + "/.env"))
    t.equal("what an editor would ask", got["code"]["env"], {"API": "${API_KEY}"})
    t.matches("is told", err, r'server code: env asked for the input "api-key": set API_KEY')
    t.equal("Gemini's variables", got["gem"]["env"], {"TOKEN": "${GEM_TOKEN}"})
    t.equal("Codex: a program", got["docs"],
            {"command": "npx", "args": ["-y", "docs-server"], "startup_timeout_sec": 20, "tool_timeout_sec": 45.5,
             "env": {"DOCS_LEVEL": "2", "DOCS_TOKEN": "${DOCS_TOKEN:-}"}})
    t.equal("Codex: an address", got["figma"],
            {"url": "https://mcp.example.com/mcp", "headers": {
                "X-Region": "us-east-1", "Authorization": "Bearer ${FIGMA_TOKEN}", "X-Team": "${TEAM}"}})
    t.equal("one client", sorted(h.imported(t, "cursor", "windsurf")[0]), ["cur", "cur-here", "surf"])
    t.equal("elsewhere", sorted(h.imported(t, "claude-code", "vscode", cwd=h.home)[0]),
            ["code-old", "code-user", "user"])
    t.equal("a file", sorted(h.imported(t, h.home + "/.codex/config.toml")[0]), ["docs", "figma", "off"])


def test_import_merges(t):
    h = every_client()
    t.ends("into a new file", h.run(t, "vscode", "--to", h.to), 0, out="", err="3 servers added, 0 there")
    t.equal("of its owner", stat.S_IMODE(os.stat(h.to).st_mode), 0o600)
    t.ends("again", h.run(t, "vscode", "--to", h.to), 0, out="", err="0 servers added, 3 there")
    with open(h.to, encoding="utf-8") as file:
        whole = json.load(file)
    whole["mcpServers"]["gem"] = {"command": "mine"}
    whole["mine"] = [1]
    with open(h.to, "w", encoding="utf-8") as file:
        json.dump(whole, file)
    t.ends("a name that is taken", h.run(t, "gemini", "--to", h.to), 0, out="", err="server gem is gem_2")
    with open(h.to, encoding="utf-8") as file:
        now = json.load(file)
    t.equal("nothing is overwritten", (now["mcpServers"]["gem"], now["mine"], now["mcpServers"]["gem_2"]["command"]),
            ({"command": "mine"}, [1], "g"))
    t.ends("unless it is wished", h.run(t, "gemini", "--to", h.to, "--force"), 0, out="")
    with open(h.to, encoding="utf-8") as file:
        t.equal("replaced", json.load(file)["mcpServers"]["gem"]["command"], "g")
    same = Home({"a.json": {"mcpServers": {"x-y": {"command": "1"}, "x.y": {"command": "2"}, "x_y": {"command": "3"}}},
                 "b.json": {"mcpServers": {"x-y": {"command": "1"}}}})
    got, err = same.imported(t, "../../a.json", "../../b.json")
    t.equal("one package for each", {k: v["command"] for k, v in got.items()},
            {"x-y": "1", "x.y_2": "2", "x_y_3": "3"})
    with open(h.to, "w", encoding="utf-8") as file:
        file.write('{ // mine\n "mcpServers": {} }')
    t.ends("comments are not lost", h.run(t, "gemini", "--to", h.to), 2, out="", err="has comments")


def test_import_secrets(t):
    h = Home({".cursor/mcp.json": {"mcpServers": {
        "git-hub": {"command": "x", "args": ["--api-key", KEY, "--token=" + KEY, "plain"],
                    "env": {"GITHUB_TOKEN": KEY, "LEVEL": "verbose-logging", "KEY_FILE": "/home/ann/key.pem",
                            "OTHER_KEY": "${OTHER}"}},
        "web": {"url": "https://w.example/mcp", "headers": {"Authorization": "Bearer " + KEY}}}}})
    got, err = h.imported(t)
    t.equal("carried as they are", (got["git-hub"]["env"]["GITHUB_TOKEN"], got["web"]["headers"]),
            (KEY, {"Authorization": "Bearer " + KEY}))
    t.equal("and told", sorted(line.split(": ", 2)[2] for line in err.splitlines()), [
        "server git-hub: --api-key holds what looks like a secret",
        "server git-hub: --token holds what looks like a secret",
        "server git-hub: env GITHUB_TOKEN holds what looks like a secret",
        "server web: headers Authorization holds what looks like a secret"])
    t.check("not what they are", KEY not in err, err)
    got, err = h.imported(t, "--references")
    t.equal("or by reference", got["git-hub"]["args"],
            ["--api-key", "${GIT_HUB_API_KEY}", "--token=${GIT_HUB_TOKEN}", "plain"])
    t.equal("variables, headers", (got["git-hub"]["env"], got["web"]["headers"]),
            ({"GITHUB_TOKEN": "${GITHUB_TOKEN}", "LEVEL": "verbose-logging", "KEY_FILE": "/home/ann/key.pem",
              "OTHER_KEY": "${OTHER}"}, {"Authorization": "Bearer ${WEB_AUTHORIZATION}"}))
    t.check("nothing of it is left", KEY not in json.dumps(got) + err, err)


def test_import_leaves_out(t):
    h = Home({".cursor/mcp.json": {"mcpServers": {"tenon": {"command": "/opt/bin/tenon", "args": ["mcp", "--mcp", "x"]},
                                                  "hub": {"command": sys.executable, "args": [SERVER]}}}})
    got, err = h.imported(t)
    t.equal("not itself", list(got), ["hub"])
    t.matches("with a word", err, r"server tenon is left out: it is tenon itself")
    h.run(t, "--to", h.to)
    t.ends("what was imported runs", t.run("run", "--mcp", h.to, "-e", "(await hub.get_user({ id: 'bo' })).age"), 0,
           out="2\n", err="lists the tool fail twice")


def test_import_faults(t):
    h = Home({".cursor/mcp.json": "{ nothing", "empty.json": {"mcpServers": {}}, "x.toml": "a = ", "ok.json": {
        "mcpServers": {"a": {"command": "a"}}}})
    for args, why in ((["emacs"], "unknown client \"emacs\""), (["windsurf"], "has no MCP servers"),
                      (["cursor"], "is not JSON"), (["../../empty.json"], "has no MCP servers"),
                      (["../../nowhere.json"], "No such file"), (["../../x.toml"], "x.toml: "),
                      (["../../ok.json", "--to", "/nowhere/x.json"], "cannot write"), ([], "no client here")):
        done = h.run(t, *args)
        t.ends("import " + " ".join(args), done, 2, out="")
        t.matches("is said: " + why, done.err, why)
    t.ends("without python3", h.run(t, "../../x.toml", PATH="/nowhere"), 2, out="", err="python3 .* is needed")
    t.ends("only of import", t.run("mcp", "--to", "x"), 2, out="", err="has no option --to")
    for args in (("mcp", "import", "-h"), ("help", "mcp", "import"), ("mcp", "import", "--help")):
        t.ends("help", t.run(*args), 0, err="")
