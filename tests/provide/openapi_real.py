"""A real service's document from npm, more than a thousand operations: imported, searched, checked
against, and a program run against a local server that is made from it.

  openapi_real.py TENON"""
import re
import resource
import time

from openapi_common import *

METHODS = ("get", "put", "post", "delete", "patch", "head", "options")

fetched = subprocess.run([os.path.join(HERE, "openapi_fetch")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
if fetched.returncode != 0:
    print("skipped: the document could not be fetched from npm:", fetched.stderr.strip()[-200:])
    sys.exit(77)
path = fetched.stdout.strip().splitlines()[-1]
with open(path, encoding="utf-8") as file:
    github = json.load(file)
operations = [(method, template, item[method]) for template, item in github["paths"].items() for method in METHODS if method in item]


# ---- the server: every path and answer is the document's ----

templates = [(method.upper(), re.compile("^" + re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(template)) + "$"), template, operation)
             for method, template, operation in operations]


def follow(node):
    while "$ref" in node:
        at = github
        for word in node["$ref"][2:].split("/"):
            at = at[word.replace("~1", "/").replace("~0", "~")]
        node = at
    return node


def example_of(operation):
    """The first good answer: its status, and the example that the document gives."""
    for status, answer in operation["responses"].items():
        if status[0] != "2":
            continue
        media = follow(answer).get("content", {}).get("application/json")
        if not media:
            return int(status), None
        examples = list(media.get("examples", {}).values())
        return int(status), follow(examples[0])["value"] if examples else media.get("example", {})
    return 204, None


class Github(Server):
    def __init__(self):
        super().__init__()
        self.answers = self
        self.unknown = []

    def get(self, path, _):
        return self.respond

    def respond(self, request):
        path, _, query = request["path"].partition("?")
        found = [entry for entry in templates if entry[0] == request["method"] and entry[1].match(path)]
        if not found:
            self.unknown.append(request["path"])
            return 404, {}, {"message": "Not Found"}
        _, _, template, operation = min(found, key=lambda entry: entry[2].count("{"))
        if "/missing/" in path:
            return 404, {}, {"message": "Not Found", "documentation_url": "https://docs.example"}
        status, example = example_of(operation)
        if template == "/repos/{owner}/{repo}/issues" and request["method"] == "GET":
            words = dict(word.split("=") for word in query.split("&"))
            first = (int(words["page"]) - 1) * int(words["per_page"])
            example = [dict(example[0], number=n, title="issue %d" % n) for n in range(first, min(first + int(words["per_page"]), 250))]
        return (status, {}, example) if example is not None else (status, {}, b"")


server = Github()
folder = Folder()
config = folder.write("services.json", {"openapi": {"github": {"document": path, "server": server.url,
                                                              "headers": {"Authorization": "Bearer ${TOKEN}"}}}})
env = {"TOKEN": "t0ken-of-the-test"}


def test_import():
    began = time.monotonic()
    code, out, err = run("search", "--mcp", config, "--tokens", "20", env=env)
    seconds = time.monotonic() - began
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    check("every operation is a function", len(operations) >= 500 and "github (%d)" % len(operations) in out, out[:200], len(operations))
    check("nothing is left out, and no schema is wrong", err == "", err)
    check("in little time and memory", seconds < 10 and (megabytes < 500 or "asan" in os.environ.get("ASAN_OPTIONS", "")), seconds, megabytes)
    print("%d operations: started, searched and ended in %.2f s, %.0f MB at most" % (len(operations), seconds, megabytes))


def test_names():
    value = program("return Object.keys(github)", "--mcp", config, env=env)
    check("one name for each", isinstance(value, list) and len(set(value)) == len(operations), len(value))
    check("operationIds in words", {"issues_list_for_repo", "repos_get", "meta_root"} <= set(value))


def test_search_and_describe():
    code, out, err = run("search", "create", "an", "issue", "--mcp", config, env=env)
    check("what is searched is found first", "github.issues_create(" in "\n".join(out.splitlines()[:4]), out[:600])
    code, out, err = run("describe", "github.issues_create", "--mcp", config, env=env)
    check("its declaration", re.search(r"function issues_create\(input: \{.*owner: string;.*repo: string;.*body: \{.*title:", out, re.S), out[:800])


def test_check():
    good = "const found = await github.issues_list_for_repo({ owner: 'a', repo: 'b', per_page: 100 }); return found.map(issue => issue.title)"
    began = time.monotonic()
    code, out, err = run("check", "-e", good, "--mcp", config, env=env)
    seconds = time.monotonic() - began
    check("a program that fits", code == 0, out, err)
    for bad, wanted in (("owner: 'a'", "repo"), ("owner: 1, repo: 'b'", "TS2322"), ("owner: 'a', repo: 'b', state: 'opened'", "TS2"),
                        ("owner: 'a', repo: 'b', per_pag: 1", "per_page")):
        code, out, err = run("check", "-e", "await github.issues_list_for_repo({ %s })" % bad, "--mcp", config, env=env)
        check("one that does not: " + bad, code == 3 and wanted in out + err, code, out, err)
    print("a check against them, the compiler's start included: %.2f s" % seconds)


PROGRAM = """
const where = { owner: "acme", repo: "site" };
const issues = [];
for (let page = 1; ; page++) {
  const some = await github.issues_list_for_repo({ ...where, state: "open", per_page: 100, page });
  issues.push(...some);
  if (some.length < 100) break;
}
const comments = await Promise.all(issues.slice(0, 20).map(issue =>
  github.issues_list_comments({ ...where, issue_number: issue.number })));
const made = await github.issues_create({ ...where, body: { title: `${issues.length} are open`, labels: ["report"] } });
await github.issues_add_labels({ ...where, issue_number: made.number, body: { labels: ["seen"] } });
const lost = await github.repos_get({ owner: "missing", repo: "x" }).catch((error: any) => [error.code, error.message]);
const gone = await github.repos_delete(where);
return { count: issues.length, last: issues.at(-1)!.title, comments: comments.flat().length, made: typeof made.number, lost, gone: gone === undefined };
"""


def test_program():
    code, out, err = run("run", "--json", "-e", PROGRAM, "--mcp", config, env=env)
    outcome = json.loads(out) if out else {}
    value = outcome.get("value")
    if not check("a program in types, checked and run", outcome.get("status") == "ok", out[:1500], err):
        return
    check("pages are followed", value["count"] == 250 and value["last"] == "issue 249", value)
    check("in parallel", value["comments"] >= 20 and value["made"] == "number", value)
    check("failures and nothing", value["gone"] and value["lost"][0] == "HTTP_404" and "Not Found" in value["lost"][1], value)
    check("what changed something is listed", [one["name"] for one in outcome["effects"]] ==
          ["github.issues_create", "github.issues_add_labels", "github.repos_delete"], outcome["effects"])
    requests = server.take()
    check("each request is one of the document's", not server.unknown and len(requests) == 3 + 20 + 4, server.unknown, len(requests))
    check("with the host's credentials, which nobody sees", all(one["headers"].get("authorization") == "Bearer t0ken-of-the-test"
          for one in requests) and "t0ken" not in out + err)
    check("the body as it was said", any(one["method"] == "POST" and json.loads(one["body"]) == {"title": "250 are open", "labels": ["report"]}
                                         for one in requests))


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
finish()
