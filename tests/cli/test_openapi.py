"""Services on the command line: --openapi, --credential, and "openapi" in a file of servers."""
import http.server
import json
import os
import tempfile
import threading

OPERATION = {"operationId": "hello", "responses": {"200": {"description": "", "content": {
    "application/json": {"schema": {"type": "object", "properties": {"authorization": {"type": "string"}, "n": {"type": "number"}}}}}}}}


class Service:
    """A server that answers with what it was asked, and a document of it."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"n": 1, "authorization": (self.headers.get("authorization") or "none")[:6],
                                   "odd": self.headers.get("x-odd")}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.folder = tempfile.TemporaryDirectory()
        self.url = "http://127.0.0.1:%d" % self.http.server_port
        self.document = self.write("hub.json", {
            "openapi": "3.1.0", "servers": [{"url": self.url}], "paths": {"/hello": {"get": OPERATION}},
            "components": {"securitySchemes": {"tok": {"type": "http", "scheme": "bearer"}}}, "security": [{"tok": []}]})

    def write(self, name, value):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return path


def test_openapi_names(t):
    s = Service()
    named = t.run("run", "-e", "(await api.hello()).n", "--openapi", "api=" + s.document)
    t.ends("a name for it", named, 0, "1\n", "")
    t.ends("the file's name otherwise", t.run("run", "-e", "(await hub.hello()).n", "--openapi", s.document), 0, "1\n", "")
    both = t.run("run", "-e", "(await a.hello()).n + (await b.hello()).n", "--openapi", "a=" + s.document, "--openapi", "b=" + s.document)
    t.ends("two of one document", both, 0, "2\n", "")
    t.ends("but not of one name", t.run("run", "-e", "1", "--openapi", "a=" + s.document, "--openapi", "a=" + s.document), 2, "",
           "there are two packages a")
    t.ends("no name at all", t.run("run", "-e", "1", "--openapi", "="), 2, "", "does not say what to call it")
    t.ends("as a module", t.run("run", "-e", "import { hello } from 'api'; (await hello()).n", "--openapi", "api=" + s.document), 0, "1\n", "")


def test_openapi_commands(t):
    s = Service()
    where = ("--openapi", "api=" + s.document)
    t.matches("search", t.run("search", "hello", *where).out, r"api\.hello\(input\?: \{\}\): Promise<")
    t.matches("describe", t.run("describe", "api.hello", *where).out, "GET /hello")
    t.matches("prompt", t.run("prompt", *where).out, "api")
    checked = t.run("check", "-e", "(await api.hello()).nope", *where)
    if os.environ.get("TENON_TSC"):
        t.ends("check", checked, 3)
        t.matches("what is not there", checked.out + checked.err, "TS2339")
    t.ends("a document that cannot be had leaves the rest", t.run("run", "-e", "(await api.hello()).n", *where, "--openapi", "x=/nonexistent.yaml"),
           0, "1\n", "^tenon: x: its document /nonexistent.yaml: No such file")
    denied = t.run("run", "-e", "await api.hello()", *where, "--deny", "api.*")
    t.check("policy holds for it", denied.code != 0 and "denied" in denied.out + denied.err, denied)


def test_openapi_credentials(t):
    s = Service()
    code = "(await api.hello()).authorization"
    where = ("--openapi", "api=" + s.document)
    t.ends("none", t.run("run", "-e", code, *where), 0, "none\n", "")
    given = t.run("run", "-e", code, *where, "--credential", "tok=env:TOK", env={"TOK": "s3cret"})
    t.ends("from the environment", given, 0, "Bearer\n", "")
    t.ends("with the package's name", t.run("run", "-e", code, *where, "--openapi", "b=" + s.document, "--credential", "api.tok=env:TOK",
                                           env={"TOK": "s3cret"}), 0, "Bearer\n", "")
    t.ends("of several, one must say which", t.run("run", "-e", code, *where, "--openapi", "b=" + s.document, "--credential", "tok=env:TOK",
                                                   env={"TOK": "s3cret"}), 2, "", "for no package")
    told = t.run("run", "-e", code, *where, "--credential", "tok=s3cret")
    t.ends("the secret itself is not for a command line", told, 2, "", "env:NAME")
    t.check("and is not repeated", "s3cret" not in told.err, told)
    t.ends("one that is not set", t.run("run", "-e", code, *where, "--credential", "tok=env:NOT_SET_HERE"), 2, "", "NOT_SET_HERE is not set")
    t.ends("a scheme that is not there", t.run("run", "-e", code, *where, "--credential", "tokk=env:HOME"), 0, "none\n",
           'no security scheme "tokk".*one that it has is tok')


def test_openapi_file(t):
    s = Service()
    file = s.write("servers.json", """{ // comments are fine
        "openapi": {"api": {"document": "%s", "server": "${WHERE}", "headers": {"X-Odd": "${ODD:-even}"},
                    "credentials": {"tok": "${env:TOK}"}, "timeout": 20}, "off": {"document": "/nonexistent", "disabled": true}}}""" % s.document)
    done = t.run("run", "-e", "const got = await api.hello(); [got.authorization, got.odd]", "--mcp", file,
                 env={"WHERE": s.url, "TOK": "s3cret", "ODD": "s3cret-odd"})
    t.ends("all that can be said in a file", done, 0)
    t.check("headers are as secret as credentials", "Bearer" in done.out and "s3cret" not in done.out, done)
    for entry, wanted in (({}, "document of server api must be"), ({"document": 7, "server": []}, "server of server api must be"), (7, "must be an object"),
                          ({"document": "x", "credentials": []}, "credentials of server api")):
        wrong = t.run("run", "-e", "1", "--mcp", s.write("w.json", {"openapi": {"api": entry}}))
        t.ends("wrong: %s" % entry, wrong, 2, "", wanted)
    t.ends("no object", t.run("run", "-e", "1", "--mcp", s.write("w.json", {"openapi": []})), 2, "", "must be an object of services")
    t.ends("nothing at all", t.run("run", "-e", "1", "--mcp", s.write("w.json", {})), 2, "", '"openapi"')
