"""Transcripts of servers that users met (cases/mcp-*.json), each with what is to come of it.

  mcp_cases.py DRIVER"""

import os
import shutil
import sys
import tempfile
import time

from mcp_common import *

folder = tempfile.mkdtemp()


def case(drive, number, **options):
    """A copy of the transcript: the server counts beside it."""
    name = "mcp-%03d.json" % number
    shutil.copy(os.path.join(HERE, "cases", name), os.path.join(folder, name))
    return drive.add_fake("case%03d" % number, os.path.join(folder, name), **options)


def values(drive, server, count):
    """One call after the other; errors by their message."""
    got = []
    for _ in range(count):
        answer = drive.call(server) or {}
        got.append(answer["value"] if "value" in answer else "E:" + str(error_of(answer).get("message")))
    return got


def results(drive):
    got = values(drive, case(drive, 46), 5)
    check("046 texts", got == [{"a": [1, 2]}, "plain {not json", "007", "one\n{\"two\":2}", None], got)
    got = values(drive, case(drive, 47), 4)
    check("047 structured content wins",
          got == [{"id": 1}, {"id": "1"}, {"id": 3, "more": True}, "sorry"], got)
    server = case(drive, 49)
    got = values(drive, server, 5)
    check("049 isError", got == ["E:no such row", "E:a\nb", "E:{\"code\":42}",
                                 "E:the tool failed and did not say why", "fine?"], got)


def pages(drive):
    got = drive.catalogue(case(drive, 50))
    check("050 pages", got and [t["name"] for t in got["tools"]] == ["a", "b", "c"], got)
    check("050 a cursor that repeats is noted", got and "p4" in str(got["notes"]), got)
    for cursor in ("", None):
        server = drive.add_fake("cursor", [HELLO[0], says("tools/list", {"reply": {
            "tools": [{"name": "a"}], "nextCursor": cursor}})])
        got = drive.catalogue(server)
        check("050 cursor %r" % cursor, got and [t["name"] for t in got["tools"]] == ["a"], got)


def progress(drive):
    server = case(drive, 52, call_ms=1000, call_most_ms=5000)
    got = drive.call(server)
    check("052 progress extends the time", got and got.get("value") == "done", got)
    told = [e["progress"] for e in drive.events if e["event"] == "progress"]
    check("052 what has increased is told", told == [1, 2], told)
    forever = [{"progress": {"progress": n}} if n % 2 else {"sleepMs": 150} for n in range(100)]
    server = drive.add_fake("forever", HELLO + [says("tools/call", *forever)], call_ms=600,
                            call_most_ms=1500)
    begin = time.monotonic()
    got = drive.call(server)
    took = time.monotonic() - begin
    check("052 but not for ever", error_of(got).get("code") == "timeout" and 1.3 < took < 2.5, got, took)


def cancelled(drive):
    server = case(drive, 53)
    drive.catalogue(server)
    drive.start_call(server)
    time.sleep(0.5)
    drive.send(op="cancel")
    told = drive.wait_event("log", 3, text="got cancel")
    check("053 the server is told", told is not None, drive.events[-3:])
    got = drive.call(server)
    check("053 the next call has its own answer", got and got.get("value") == "second", got)
    time.sleep(3)
    got = drive.call(server)
    check("053 late answers are dropped", error_of(got).get("code") == "-32601", got)


def starting(drive):
    slow = case(drive, 55)
    other = drive.add_fake("other", HELLO + [says("tools/call", {"reply": text("ok")})])
    begin = time.monotonic()
    slow_call = drive.start_call(slow)
    got = drive.call(other)
    check("055 others are usable meanwhile",
          got and got.get("value") == "ok" and time.monotonic() - begin < 3, got)
    got = drive.wait(slow_call, 15)
    check("055 a slow start is no failure", got and got.get("value") == "ok", got)
    check("055 what it said meanwhile is told",
          drive.wait_event("log", 1, text="downloading 48 MB") is not None)


def crash(drive):
    server = case(drive, 56)
    drive.catalogue(server)
    begin = time.monotonic()
    calls = [drive.start_call(server) for _ in range(3)]
    got = [error_of(drive.wait(one, 5)) for one in calls]
    took = time.monotonic() - begin
    check("056 all fail at once", took < 2 and all(one.get("code") == "unavailable" for one in got),
          got, took)
    check("056 the message says what happened",
          all("case056" in one.get("message", "") and "101" in one["message"] and
              "panic: nil map" in one["message"] for one in got), got)
    check("056 it may have happened", all(one.get("retryable") is False for one in got), got)
    again = drive.call(server)
    check("056 started again", again and again.get("value") == "again", again)


def versions(drive):
    got = drive.catalogue(case(drive, 58))
    check("058 an old revision", got and got["error"] is None and got["tools"] == [] and
          got["revision"] == "2024-11-05", got)
    for version in ("1999-01-01", None, 7):
        server = drive.add_fake("odd", [says("initialize", {"reply": {
            "protocolVersion": version, "capabilities": {}}})])
        got = drive.catalogue(server)
        check("058 version %r" % version, got and "\"odd\"" in (got["error"] or "") and
              "protocol version" in got["error"], got)


def requests(drive):
    server = case(drive, 59)
    got = drive.call(server)
    check("059 requests of the server do not make it wait", got and got.get("value") == "ok", got)
    transcript = HELLO + [says("tools/call", {"request": {"id": "s1", "method": "ping"}},
                               {"request": {"id": 1, "method": "roots/list"}}, {"awaitReplies": 2},
                               {"answers": True})]
    got = drive.call(drive.add_fake("asks", transcript))
    got = got and got.get("value")
    check("059 ping is answered, the rest not known",
          isinstance(got, list) and got[0] == {"jsonrpc": "2.0", "id": "s1", "result": {}} and
          got[1]["id"] == 1 and got[1]["error"]["code"] == -32601, got)


def texts(drive):
    server = case(drive, 61)
    got = values(drive, server, 9)
    big = {"id": {"$type": "bigint", "value": "9007199254740993"}}
    check("061 digits are kept", got[0] == big and
          got[1]["id"] == {"$type": "bigint", "value": "12345678901234567890123"}, got[:2])
    check("061 the last of one name stands", got[2] == {"a": 2, "__proto__": {"x": 1}}, got[2])
    check("061 lone surrogates, NUL", "wtf8Base64" in str(got[3]) and got[4] == {"s": "\0end"}, got[3:5])
    check("061 too large a number is infinite, as in JSON.parse",
          got[5] == {"n": {"$type": "number", "value": "Infinity"},
                     "m": {"$type": "number", "value": "-0"}}, got[5])
    check("061 NaN is no JSON", "not JSON" in str(got[6]), got[6])
    check("061 too deep", "nested too deep" in str(got[7]), got[7])
    check("061 too long", "20000" in str(got[8]) and str(got[8]).startswith("E:"), str(got[8])[:200])
    got = drive.call(server)
    check("061 the connection lives", error_of(got).get("code") == "-32601", got)


def stuck(program):
    drive = Drive(program, log=True)
    server = case(drive, 62)
    server_environment = "TENON_TEST=%d" % drive.child.pid
    drive.send(op="add", server=server, name="stuck", command=sys.executable,
               arguments=[FAKE, os.path.join(folder, "mcp-062.json")],
               environment=[server_environment])
    got = drive.call(server)
    check("062 answered", got and got.get("value") == "ok", got)
    padding = "x" * 10000
    calls = [drive.start_call(server, x=i, padding=padding) for i in range(2000)]
    last = drive.wait(calls[-1], 20)
    check("062 a queue has an end", error_of(last).get("code") == "unavailable" and
          error_of(last).get("retryable") is True, last)
    check("062 its child is there", len(children_of(drive.child.pid)) >= 2)
    begin = time.monotonic()
    freed = drive.free()
    took = time.monotonic() - begin
    check("062 ended within five seconds", freed is not None and took < 5, took)
    drive.close("062")


def main():
    drive = Drive(sys.argv[1], log=True)
    for part in (results, pages, progress, cancelled, starting, crash, versions, requests, texts):
        part(drive)
        if os.environ.get("TIMES"): print(part.__name__, time.monotonic(), flush=True)
    drive.close("transcripts")
    stuck(sys.argv[1])
    shutil.rmtree(folder)
    finish()


main()
