"""fetch: what --allow-fetch and a policy's "fetch" let a program reach, and what it sees of it."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from test_policy import write


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, dict(self.headers.items()), body))
        status, headers, answer = 200, {"X-Here": "yes"}, None
        if self.path == "/to":
            status, headers["Location"] = 302, "/after"
        elif self.path == "/out":
            status, headers["Location"] = 302, "http://localhost:%d/x" % self.server.server_port
        elif self.path == "/slow":
            self.server.wait.wait(20)
        elif self.path.startswith("/status"):
            status = int(self.path[8:])
        answer = json.dumps({"method": self.command, "path": self.path,
                             "token": self.headers.get("X-Token") or
                             self.headers.get("Authorization"),
                             "type": self.headers.get("Content-Type"),
                             "body": body.decode("latin-1")}).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_PROPFIND = serve


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


class Web:
    def __enter__(self):
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.seen, self.server.wait = [], threading.Event()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = "http://127.0.0.1:%d" % self.server.server_port
        return self

    def __exit__(self, *_):
        self.server.wait.set()
        self.server.shutdown()

    def run(self, t, code, *args, granted=True, **more):
        given = ["--allow-fetch", self.origin] if granted else []
        return t.run("run", *given, *args, "-e", code.replace("ORIGIN", self.origin), **more)


def policy(t, **sections):
    return write(t, "fetch.json", json.dumps(sections))


def test_fetch_absent(t):
    done = t.run("run", "--no-check", "-e", "typeof fetch")
    t.ends("no grant, no fetch", done, 0, out="undefined\n")
    done = t.run("run", "-e", "await fetch('https://a.example/')", types=True)
    if done.code == 3:
        t.ends("and it is said how it would be granted", done, 3,
               err=r"There is no `fetch` here: .*--allow-fetch")
    for url in "a.example", "ftp://a.example", "https://", "https://a.example/?x", "https://u@a.b":
        t.ends("no origin: %s" % url, t.run("run", "--allow-fetch", url, "-e", "1"), 2,
               err="--allow-fetch cannot be")


def test_fetch_works(t):
    with Web() as web:
        done = web.run(t, "const r = await fetch('ORIGIN/a?b=1'); const v = await r.json();\n"
                          "return [r.status, r.ok, r.headers.get('x-here'), r.url, v.method, v.path]")
        t.equal("an answer", json.loads(done.out or "null"),
                [200, True, "yes", web.origin + "/a?b=1", "GET", "/a?b=1"], str(done))
        done = web.run(t, "const r = await fetch('ORIGIN/p', {method: 'POST', body: new "
                          "URLSearchParams({q: 'é'})}); return await r.json()")
        t.equal("a body", [json.loads(done.out or "{}").get(k) for k in ("type", "body")],
                ["application/x-www-form-urlencoded;charset=UTF-8", "q=%C3%A9"], str(done))
        done = web.run(t, "const f = new FormData(); f.append('f', new File([new Uint8Array([0, 255])]"
                          ", 'n.bin')); const r = await fetch(new Request('ORIGIN/p', {method: 'PUT',"
                          " body: f})); const v = await r.json(); return v.body.includes("
                          "'filename=\"n.bin\"') && v.body.includes('\\x00\\xff')")
        t.ends("a form", done, 0, out="true\n")
        done = web.run(t, "const r = await fetch('ORIGIN/to'); return [r.redirected, r.url]")
        t.equal("a redirect", json.loads(done.out or "null"), [True, web.origin + "/after"], str(done))
        done = web.run(t, "const all = await Promise.all([204, 404, 500].map(s => fetch('ORIGIN/status/'"
                          " + s))); return all.map(r => [r.status, r.ok])")
        t.equal("statuses are no errors", json.loads(done.out or "null"),
                [[204, True], [404, False], [500, False]], str(done))
        done = web.run(t, "const c = new AbortController(); setTimeout(() => c.abort(), 100);\n"
                          "try { await fetch('ORIGIN/slow', {signal: c.signal}) }"
                          " catch (e) { return (e as Error).name }")
        t.ends("given up", done, 0, out="AbortError\n")
        t.check("at once", done.seconds < 10)
        done = web.run(t, "await fetch('ORIGIN/slow')", "--wall", "500ms")
        t.ends("a run's time", done, 5)
        t.ends("checked", web.run(t, "const r = await fetch('ORIGIN/'); r.statos", types=True), 3,
               err="TS2551|TS2339")


def test_fetch_refused(t):
    with Web() as web:
        caught = "try { await fetch('%s') } catch (e: any) { return [e.name, e.code, e.message, e.cause.message] }"
        done = web.run(t, caught % "http://127.0.0.2:1/")
        told = json.loads(done.out or "[]")
        t.equal("another origin", told[:2], ["TypeError", "denied"], str(done))
        t.matches("and why", told[2], r"^fetch failed: GET http://127\.0\.0\.2:1 is not granted: "
                  r"granted are http://127\.0\.0\.1:\d+; a policy can grant it")
        done = web.run(t, caught % "ORIGIN/out")
        t.matches("a redirect out", json.loads(done.out or "[0,0,'']")[2], "it was redirected, and")
        t.equal("a denial ends a run as one",
                web.run(t, "await fetch('https://a.example/')").code, 4)
        done = web.run(t, caught % "http://127.0.0.1:1/", "--allow-fetch", "http://127.0.0.1:1")
        t.equal("nobody there", json.loads(done.out or "[]")[:2], ["TypeError", "network"], str(done))
        done = web.run(t, caught % "ORIGIN/x", "--deny", "fetch.*")
        t.matches("denied by a rule", json.loads(done.out or "[0,0,'']")[2],
                  r"fetch failed: fetch\.get is denied by the policy \(rule \"fetch\.\*\"\)")
        before = len(web.server.seen)
        for code in ("import('fetch').then(m => m.get({method: 'GET', url: 'ORIGIN/raw', headers: []}))",
                     "fetch.get({method: 'GET', url: 'ORIGIN/raw', headers: []})",
                     "import {get} from 'fetch'; await get({method: 'GET', url: 'ORIGIN/raw', headers: []})"):
            done = web.run(t, code, "--no-check")
            t.check("no way round it: %s" % code[:30], done.code != 0, str(done))
        t.equal("nothing was sent", len(web.server.seen), before)
        path = policy(t, rules=[{"allow": "x.*"}])
        done = web.run(t, "typeof fetch", "--policy", path, "--no-check", granted=False)
        t.ends("a policy without grants", done, 0, out="undefined\n")


def test_fetch_policy(t):
    with Web() as web:
        path = policy(t, default="deny", fetch=[
            {"origin": web.origin, "path": "/v1/", "methods": ["GET"], "credentials": [
                {"header": "X-Token", "value": "env:FETCH_TOKEN", "prefix": "tok "}]},
            web.origin + "/open/"])
        env = {"FETCH_TOKEN": "s3cr3t-value"}
        done = web.run(t, "const r = await fetch('ORIGIN/v1/a'); return await r.json()", "--policy",
                       path, "--json", granted=False, env=env)
        value = json.loads(done.out or "{}").get("value") or {}
        t.equal("a credential is attached, and not seen", value.get("token"), "tok [secret]",
                str(done))
        t.check("nowhere", b"s3cr3t" not in (done.out + done.err).encode(), str(done))
        t.equal("it was sent", web.server.seen[-1][2].get("X-Token"), "tok s3cr3t-value")
        for url, code in (("/v1/x", 0), ("/open/x", 0), ("/v1", 4), ("/v1/%2e%2e/x", 4), ("/", 4)):
            done = web.run(t, "await fetch('ORIGIN%s'); 1" % url, "--policy", path, granted=False,
                           env=env)
            t.equal("a path: %s" % url, done.code, code, str(done))
        done = web.run(t, "await fetch('ORIGIN/v1/x', {method: 'DELETE'})", "--policy", path,
                       granted=False, env=env)
        t.ends("a method", done, 4, err="other methods are")
        t.ends("a secret that is not there", web.run(t, "1", "--policy", path, granted=False), 2,
               err=r"the secret env:FETCH_TOKEN is not to be had: the variable FETCH_TOKEN is not set")
        t.equal("to check, none is needed",
                t.run("check", "--policy", path, "--checker", "none", "-e", "1").code, 0)
        path = policy(t, fetch=[web.origin], override={"fetch.get": {"value": {"status": 418,
                                                                            "body": {"a": 1}}}},
                      readOnly={"fetch.post": True})
        done = web.run(t, "const r = await fetch('ORIGIN/x'); return [r.status, await r.json()]",
                       "--policy", path, granted=False)
        t.equal("an override answers", json.loads(done.out or "null"), [418, {"a": 1}], str(done))
        path = policy(t, fetch=[web.origin], limits={"fetch.*": {"calls": 2}},
                      rules=[{"deny": "fetch.put", "when": {"url": {"prefix": web.origin + "/x"}}}])
        done = web.run(t, "for (let i = 0; i < 3; i++) await fetch('ORIGIN/x')", "--policy", path,
                       granted=False)
        t.ends("a limit", done, 1, err="called as often as the policy lets a run call it")
        outcome = json.loads(web.run(
            t, "await fetch('ORIGIN/'); await fetch('ORIGIN/', {method: 'POST', body: 'x'}); "
               "await fetch('ORIGIN/', {method: 'PROPFIND'}); "
               "try { await fetch('https://b.example/', {method: 'PUT'}) } catch {} 1", "--json").out)
        t.equal("effects", [(e["name"], e.get("denied", False)) for e in outcome["effects"]],
                [("fetch.post", False), ("fetch.other", False), ("fetch.put", True)])


def test_fetch_is_found(t):
    path = policy(t, default="deny", fetch=[{"origin": "https://a.example", "methods": ["GET"]},
                                            "https://b.example/v1/"])
    for command in ("search", "--policy", path, "fetch"), ("prompt", "--policy", path):
        done = t.run(*command)
        t.ends("%s tells what it reaches" % command[0], done, 0)
        t.matches("in a line", done.out, r"fetch\(url: .*reaches only https://a\.example \(GET\), "
                                         r"https://b\.example/v1/")
    t.check("and nothing without grants", "fetch(" not in t.run("prompt").out)


def test_fetch_policy_faults(t):
    for fetch, fault in (
            ({}, r"\$\.fetch: expected an array"),
            (["a.b"], r"\$\.fetch\[0\]: expected an origin"),
            ([{"path": "/"}], r"\$\.fetch\[0\]: expected an object with an origin"),
            ([{"origin": "https://a.b", "path": "v1"}], r"\.path: expected the beginning of a path"),
            ([{"origin": "https://a.b/x", "path": "/v1"}], "expected"),
            ([{"origin": "https://a.b", "methods": ["get"]}], r"\.methods\[0\]: expected methods in"),
            ([{"origin": "https://a.b", "private": 1}], r"\.private: expected true or false"),
            ([{"origin": "https://a.b", "credentials": [{"header": "X", "value": "s3cr3t"}]}],
             r"\.value: expected where the secret is"),
            ([{"origin": "https://a.b", "credentials": [{"header": "X Y", "value": "env:A"}]}],
             r"\.header: expected its name"),
            ([{"origin": "https://a.b", "credentials": [{"bearer": "env:A", "query": "x"}]}],
             "expected one of header, query, cookie, bearer and basic"),
            ([{"origin": "https://a.b", "credentials": [{"value": "env:A"}]}], "expected one of"),
            ([{"origin": "https://a.b", "scheme": "x"}], "expected one of the members origin")):
        t.ends("no grant: %s" % json.dumps(fetch),
               t.run("run", "--policy", policy(t, fetch=fetch), "-e", "1"), 2, err=fault)
