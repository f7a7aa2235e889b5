"""The MCP client and servers behind URLs (mcp_web.py has their kinds).

  mcp_http.py DRIVER"""

import os
import signal
import socket
import sys
import time
import urllib.request

from mcp_common import *

web = subprocess.Popen([sys.executable, os.path.join(HERE, "mcp_web.py")], stdout=subprocess.PIPE)
base = "http://127.0.0.1:%d" % int(web.stdout.readline())


def log(path):
    with urllib.request.urlopen(base + "/log") as answer:
        return [one for one in json.load(answer) if one.get("path") == path]


def add(drive, kind, **options):
    return drive.add(kind, url=base + "/" + kind, **options)


def until(what, seconds=5):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


def fails(drive, server, what, code, *words, retryable=None, **arguments):
    got = error_of(drive.call(server, **arguments))
    message = got.get("message", "")
    check(what, got.get("code") == code and all(w in message for w in words) and
          (retryable is None or got.get("retryable") is retryable) and "MCP server \"" in message, got)
    return message


def answers(drive):
    server = add(drive, "json")
    got = drive.catalogue(server)
    check("the handshake over HTTP", got and not got["error"] and got["name"] == "web/json" and
          got["revision"] == "2025-11-25" and len(got["tools"]) == 4, got)
    got = drive.call(server)
    check("an answer in JSON", got and got.get("value") == "json", got)
    sent = log("/json")
    check("headers", all(one["headers"]["accept"] == "application/json, text/event-stream" and
                         one["headers"]["content-type"] == "application/json" for one in sent) and
          "mcp-protocol-version" not in [o for o in sent if o["body"]["method"] == "initialize"][0]["headers"]
          and sent[-1]["headers"]["mcp-protocol-version"] == "2025-11-25" and
          sent[0]["headers"]["mcp-protocol-version"] == "2026-07-28" and
          "expect" not in sent[-1]["headers"], sent)
    got = drive.call(add(drive, "split"))
    check("a stream in pieces", got and got.get("value") == "split \u00e9", got)
    check("its progress", [e["progress"] for e in drive.events if e["event"] == "progress"] == [1, 2])
    got = drive.call(add(drive, "resumed"))
    check("a stream that goes on later", got and got.get("value") == "resumed", got)
    got = drive.call(add(drive, "packed"))
    check("an answer that is compressed, of no type", got and got.get("value") == "packed", got)
    check("none was asked for", log("/packed")[-1]["headers"]["accept-encoding"] == "identity")
    many = [drive.start_call(server) for _ in range(200)]
    got = [(drive.wait(one) or {}).get("value") for one in many]
    check("200 calls at one time", got == ["json"] * 200, got)


def sessions(drive):
    server = add(drive, "session")
    got = [(drive.call(server) or {}).get("value") for _ in range(5)]
    check("a session that is over is begun anew", got == ["session-1"] * 2 + ["session-2"] * 2 +
          ["session-3"], got)
    check("its own stream tells of changes",
          drive.wait_event("changed", 3, server="session") is not None)


def refused(drive):
    server = add(drive, "needs-key", headers=["Authorization: Bearer wrong-key-1234"])
    got = drive.catalogue(server)
    check("401 is named, the key is not", "needs credentials" in (got["error"] or "") and
          "401" in got["error"] and "wrong-key" not in got["error"], got)
    fails(drive, server, "and by a call", "unavailable", "401")
    server = add(drive, "needs-key", headers=["Authorization: Bearer sesame-open-99"])
    message = fails(drive, server, "a server's error without the key", "-32000", "[secret]")
    check("indeed", "sesame" not in message, message)
    got = drive.catalogue(add(drive, "forbidden"))
    check("403", "403" in (got["error"] or "") and "credentials" in got["error"], got)
    got = drive.call(add(drive, "same"))
    check("a redirect to the same origin", got and got.get("value") == "json", got)
    got = drive.catalogue(add(drive, "other"))
    check("to another one", "another origin (http://localhost" in (got["error"] or "") and
          "hidden" not in got["error"], got)
    got = drive.catalogue(add(drive, "loop"))
    check("without end", "redirects without end" in (got["error"] or ""), got)
    got = drive.catalogue(add(drive, "html"))
    check("a web page", "content of type text/html, which is no message" in (got["error"] or ""), got)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    server = drive.add("closed", url="http://127.0.0.1:%d/" % port)
    fails(drive, server, "nobody listens", "unavailable", "cannot be reached", retryable=True)
    got = drive.catalogue(drive.add("noscheme", url="file:///etc/passwd"))
    check("no URL of HTTP", "none of http or https" in (got["error"] or ""), got)


def faults(drive):
    server = add(drive, "broken")
    fails(drive, server, "HTTP 500", "protocol", "HTTP 500", "database is down", retryable=False)
    fails(drive, add(drive, "busy"), "HTTP 503", "unavailable", "HTTP 503: later", retryable=True)
    server = add(drive, "cut")
    fails(drive, server, "JSON that breaks off", "unavailable", "broke off its answer to t", retryable=False)
    fails(drive, server, "a stream that breaks off", "protocol", "before the result", retryable=False)
    server = add(drive, "big")
    fails(drive, server, "20 MB of JSON", "limit", "16777216 bytes", retryable=False)
    fails(drive, server, "20 MB in a stream", "limit", "16777216 bytes", retryable=False)
    server = add(drive, "odd")
    fails(drive, server, "another id", "protocol", "does not answer t")
    fails(drive, server, "202 for a request", "protocol", "HTTP 202 and no content")
    fails(drive, server, "not JSON", "protocol", "not JSON")
    fails(drive, server, "an error without an id", "-32700", "cannot read that")
    fails(drive, server, "an empty stream", "protocol", "before the result")
    server = add(drive, "never", call_ms=400)
    fails(drive, server, "never", "timeout", "within 0.4 s", retryable=False)
    told = until(lambda: "notifications/cancelled" in str(log("/never")[-1]) or
                 "notifications/cancelled" in str(log("/never")[-2]))
    check("the server is told", told, log("/never"))


def modern(drive):
    server = add(drive, "modern", call_ms=5000)
    got = drive.catalogue(server)
    check("stateless", got and not got["error"] and got["name"] == "modern" and
          [t["name"] for t in got["tools"]] == ["t", "caf\u00e9"], got)
    check("tools that mirror wrongly are left out, and noted", got and len(got["notes"]) == 2, got)
    check("a subscription tells of changes", drive.wait_event("changed", 3, server="modern") is not None)
    got = drive.call(server)
    check("input is asked and sent", got and got.get("value") == "modern", got)
    got = drive.call(server, "caf\u00e9", region="d\u00fcsseldorf ", n=42, deep={"flag": False}, plain="x")
    headers = log("/modern")[-1]["headers"]
    check("mirrored arguments", got and got.get("value") == "modern" and
          headers.get("mcp-name") == "=?base64?Y2Fmw6k=?=" and
          headers.get("mcp-param-region") == "=?base64?ZMO8c3NlbGRvcmYg?=" and
          headers.get("mcp-param-number") == "42" and headers.get("mcp-param-flag") == "false" and
          "mcp-param-plain" not in headers, headers)
    drive.start_call(server, slow=True)
    until(lambda: "slow" in str(log("/modern")[-1]))
    drive.send(op="cancel")
    left = until(lambda: [one for one in log("/modern") if "left" in one]) or []
    told = [one for one in log("/modern") if one.get("body", {}).get("method") == "notifications/cancelled"]
    check("a run that ends closes the stream and says no more", len(left) == 1 and not told, left, told)


def leaks(program):
    drive = Drive(program)
    drive.free()
    for turn in range(4):
        drive.send(op="client")
        drive.servers = 0
        server = add(drive, "session")
        check("a call, %d" % turn, "value" in (drive.call(server) or {}))
        never = add(drive, "never")
        drive.catalogue(never)
        drive.start_call(never)
        time.sleep(0.2)
        check("freed with an open stream and call, %d" % turn, drive.free(4) is not None)
        now = drive.state()
        if turn == 1:
            first = now  # after what the libraries keep for the process
        check("descriptors and threads, %d" % turn, turn == 0 or (
            now["descriptors"] == first["descriptors"] and now["threads"] == first["threads"]), now)
    ended = [one for one in log("/session") if "delete" in one]
    check("sessions are ended", len(ended) >= 4, ended)
    drive.close("leaks")


def main():
    program = sys.argv[1]
    try:
        drive = Drive(program, elicit=True)
        for part in (answers, sessions, refused, faults, modern):
            part(drive)
            if os.environ.get("TIMES"):
                print(part.__name__, round(time.monotonic(), 1), flush=True)
        drive.close("http")
        leaks(program)
    finally:
        os.kill(web.pid, signal.SIGTERM)
        web.wait()
    finish()


main()
