"""What the tests of services share: the command, a server that records, documents in files."""
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
from tally import check, finish  # noqa: E402,F401

tenon = os.path.abspath(sys.argv[1])


class Server:
    """Records requests; answers by path as `answers` says: (status, headers, body)."""

    def __init__(self, answers=None):
        recorded = self.requests = []
        self.answers = answers if answers is not None else {}
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("content-length") or 0)
                body = self.rfile.read(length)
                recorded.append({"method": self.command, "path": self.path, "body": body,
                                 "headers": {k.lower(): v for k, v in self.headers.items()}})
                found = server.answers.get(self.path.split("?")[0], (204, {}, b""))
                if callable(found):
                    found = found(recorded[-1])
                status, headers, body = found
                if isinstance(body, (dict, list)):
                    headers = {"Content-Type": "application/json", **headers}
                    body = json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = answer

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.http.server_port
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def take(self):
        """What came since, emptied."""
        taken = self.requests[:]
        del self.requests[:]
        return taken


class Folder:
    """Documents in files: {"name": text or value}."""

    def __init__(self, **files):
        self.held = tempfile.TemporaryDirectory()
        self.path = self.held.name
        for name, content in files.items():
            self.write(name, content)

    def write(self, name, content):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            if not isinstance(content, (str, bytes)):
                content = json.dumps(content)
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def __getitem__(self, name):
        return os.path.join(self.path, name)


def run(*args, env=None, seconds=60):
    done = subprocess.run([tenon, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=seconds,
                          env={**os.environ, "XDG_CACHE_HOME": "/nonexistent", **(env or {})})
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def program(code, *args, **how):
    """The value of a program, or (code, stderr) where it did not end well. Types are not checked."""
    status, out, err = run("run", "--no-check", "-q", "-e", code, *args, **how)
    try:
        return json.loads(out) if status == 0 else (status, err)
    except json.JSONDecodeError:
        return out.rstrip("\n")


def document(paths, version="3.1.0", **more):
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": paths, **more}


def described(path, *args, name="api"):
    """The declarations of all functions."""
    status, out, err = run("describe", name, "--tokens", "60000", "--openapi", name + "=" + path, *args)
    return out if status == 0 else "exit %d: %s" % (status, err)


def problems(path, *args, name="api"):
    """What is said of a document on stderr."""
    return run("search", "--openapi", name + "=" + path, *args)[2]
