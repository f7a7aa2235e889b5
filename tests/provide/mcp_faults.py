"""What goes wrong with servers, and what comes of it: a clear error that names the server, in time;
others are unaffected, and nothing is left behind.

  mcp_faults.py DRIVER"""

import base64
import os
import signal
import sys
import time

from mcp_common import *

CALL_OK = says("tools/call", {"reply": text("ok")})
NEVER = {"sleepMs": 1}


def fails(drive, what, transcript, code, *words, retryable=None, seconds=8, **options):
    """A call of a server that answers the greeting and then does this."""
    server = drive.add_fake("s." + what.replace(" ", "."), HELLO + transcript, **options)
    drive.catalogue(server)
    begin = time.monotonic()
    got = error_of(drive.call(server, seconds=seconds))
    message = got.get("message", "")
    check(what, got.get("code") == code and all(w in message for w in words) and
          (retryable is None or got.get("retryable") is retryable) and
          ("MCP server \"s." in message), got, round(time.monotonic() - begin, 2))
    return server


def bad_start(drive, what, *words, seconds=6, **options):
    begin = time.monotonic()
    got = drive.catalogue(drive.add(what, **options), seconds)
    message = (got or {}).get("error") or ""
    return check(what, all(w in message for w in words) and "MCP server \"%s\"" % what in message,
                 got, round(time.monotonic() - begin, 2))


def fake(transcript):
    file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
    json.dump({"transcript": transcript}, file)
    file.close()
    return {"command": sys.executable, "arguments": [FAKE, file.name]}


def starts(drive):
    bad_start(drive, "no program", "there is no program nosuchprogram", command="nosuchprogram")
    bad_start(drive, "no path", "there is no program /no/such", command="/no/such")
    bad_start(drive, "not a program", "denied", command="/etc/passwd")
    bad_start(drive, "no folder", "/no/folder", "No such file", command="true", folder="/no/folder")
    bad_start(drive, "exits at once", "exited with status 3", "its last words: cannot find module",
              **fake([says("start", {"stderr": "cannot find module"}, {"exit": 3})]))
    bad_start(drive, "says nothing", "said nothing within 1.0 s", start_ms=1000, command="sleep",
              arguments=["60"])
    bad_start(drive, "garbage only", "it printed \"hello there\"", start_ms=1000,
              **fake([says("start", {"raw": "hello there\n"}, {"sleepMs": 60000})]))
    bad_start(drive, "does not list", "did not list its tools within 1.0 s", start_ms=1000,
              **fake([HELLO[0], says("tools/list", NEVER)]))
    bad_start(drive, "list fails", "error -32603: broken",
              **fake([HELLO[0], says("tools/list", {"error": {"code": -32603, "message": "broken"}})]))
    bad_start(drive, "greeting fails", "error -32000: go away", "initialize",
              **fake([says("initialize", {"error": {"code": -32000, "message": "go away"}})]))
    bad_start(drive, "floods", "what is not of the protocol", seconds=10,
              **fake([says("start", {"flood": {"text": "no protocol\n" * 100, "times": 1000}},
                           {"sleepMs": 60000})]))
    got = drive.call(drive.servers - 1)
    check("a call of a server that cannot be started may be made again",
          error_of(got).get("code") == "unavailable" and error_of(got).get("retryable") is True, got)


def eras(drive):
    server = drive.add_fake("old", [says("server/discover", {"exit": 1})] + HELLO + [CALL_OK])
    got = drive.call(server)
    check("a server that ends itself for the probe is greeted", got and got.get("value") == "ok", got)
    server = drive.add_fake("mute", [says("server/discover", NEVER)] + HELLO + [CALL_OK])
    begin = time.monotonic()
    got = drive.call(server)
    check("silence to the probe means the other era",
          got and got.get("value") == "ok" and time.monotonic() - begin < 5, got)
    server = drive.add_fake("new", MODERN + [says("tools/call", {"echo": True})])
    got = drive.catalogue(server)
    check("the modern era", got and got["revision"] == "2026-07-28" and got["name"] == "modern" and
          got["instructions"] == "be kind" and len(got["tools"]) == 1, got)
    got = (drive.call(server, a=1) or {}).get("value")
    meta = got["params"]["_meta"] if isinstance(got, dict) else {}
    check("every request says the revision and what the client can",
          meta.get(META + "protocolVersion") == "2026-07-28" and
          meta.get(META + "clientCapabilities") == {"elicitation": {"form": {}, "url": {}}} and
          meta.get(META + "clientInfo", {}).get("name") == "tenon" and "progressToken" in meta, got)
    server = drive.add_fake("future", [says("server/discover", {"error": {
        "code": -32022, "message": "no", "data": {"supported": ["2031-01-01"]}}})])
    got = drive.catalogue(server)
    check("none of our revisions", got and "speaks none of the revisions" in (got["error"] or ""), got)
    server = drive.add_fake("both", [says("server/discover", {"reply": {
        "resultType": "complete", "supportedVersions": ["2031-01-01", "2025-11-25"]}})] + HELLO)
    got = drive.catalogue(server)
    check("an older one of several", got and got["revision"] == "2025-06-18", got)


def calls(drive):
    fails(drive, "never", [says("tools/call", NEVER)], "timeout", "gave no answer to t within 0.5 s",
          call_ms=500, retryable=False)
    fails(drive, "signal", [says("tools/call", {"signal": 11})], "unavailable", "signal 11",
          retryable=False)
    fails(drive, "closed", [says("tools/call", {"closeStdout": True}, {"sleepMs": 9000})],
          "unavailable", "closed its standard output", retryable=False)
    server = fails(drive, "twice", [says("tools/call", {"error": {"code": -1, "message": "m"}},
                                         {"error": {"code": -2, "message": "m"}}, nth=1), CALL_OK],
                   "-1", "error -1: m")
    check("a second answer is dropped", (drive.call(server) or {}).get("value") == "ok")
    fails(drive, "unknown id", [says("tools/call", {"raw": '{"jsonrpc":"2.0","id":99,"result":{}}\n'})],
          "timeout", "sent an answer to what was not asked", call_ms=500)
    fails(drive, "id as other text", [says("tools/call", {"raw": '{"jsonrpc":"2.0","id":"3x","result":{}}\n'})],
          "timeout", "what was not asked", call_ms=500)
    server = drive.add_fake("text id", HELLO + [says("tools/call", {"raw": (
        '{"jsonrpc":"2.0","id":"{{id}}","result":{"content":[{"type":"text","text":"ok"}]}}\n')})])
    check("an id sent back as text", (drive.call(server) or {}).get("value") == "ok")
    fails(drive, "null id", [says("tools/call", {"raw": (
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"unread"}}\n')})],
          "-32700", "error -32700: unread")
    fails(drive, "result a text", [says("tools/call", {"reply": "yes"})], "protocol", "no object")
    fails(drive, "content a text", [says("tools/call", {"reply": {"content": "yes"}})], "protocol",
          "no list")
    fails(drive, "neither", [says("tools/call", {"raw": '{"jsonrpc":"2.0","id":{{id}}}\n'})],
          "protocol", "neither a result nor an error")
    fails(drive, "a result type", [says("tools/call", {"reply": {"resultType": "task"}})], "protocol",
          "\"task\"")
    # {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"\xff"}]}}
    raw = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\xff"}]}}\n'
    answers = b"".join(raw % n for n in range(3, 7))
    server = fails(drive, "bad utf-8", [says("tools/call", {"rawHex": answers.hex()}, nth=1), CALL_OK],
                   "protocol", "not JSON in UTF-8")
    check("after bad utf-8 it goes on", (drive.call(server) or {}).get("value") == "ok")
    server = drive.add_fake("batch", HELLO + [says("tools/call", {"raw": (
        '[{"jsonrpc":"2.0","method":"notifications/progress","params":{}},{"jsonrpc":"2.0",'
        '"id":{{id}},"result":{"content":[]}}]\n')})])
    got = drive.call(server)
    check("several messages in one array", got and got.get("value", 1) is None, got)
    server = drive.add_fake("chatty", HELLO + [says("tools/call", {"raw": "warning: x\n\n  \n[1\n"},
                                                    {"reply": text("ok")})])
    check("garbage between messages is passed over", (drive.call(server) or {}).get("value") == "ok")


def sizes(drive):
    begin = time.monotonic()
    fails(drive, "100 MB line", [says("tools/call", {"raw": "{{pad:100000000}}"}, nth=1), CALL_OK],
          "unavailable", "more than 67108864 bytes", seconds=30)
    other = drive.add_fake("beside", HELLO + [CALL_OK])
    check("others are unaffected by it", (drive.call(other) or {}).get("value") == "ok")
    got = drive.call(drive.servers - 2)
    check("and it is started again", (got or {}).get("value") == "ok", got)
    server = drive.add_fake("endless", [HELLO[0], says("tools/list", {"page": True})])
    got = drive.catalogue(server)
    check("pages without end have an end", got and len(got["tools"]) == 1000 and
          "more than is read" in str(got["notes"]), str(got)[:200])
    got = drive.catalogue(drive.add_fake("same", [HELLO[0], says("tools/list", {"reply": {
        "tools": [{"name": "a"}, {"name": "a"}, {}, 7, {"name": "b"}]}})]))
    check("what is no tool, or listed twice, is noted", got and
          [t["name"] for t in got["tools"]] == ["a", "b"] and len(got["notes"]) == 3, got)


def arguments(drive):
    server = drive.add_fake("args", HELLO + [says("tools/call", {"echo": True})])
    nan = {"$type": "number", "value": "NaN"}
    got = error_of(drive.call(server, a={"b": [1, nan]}))
    check("what JSON cannot hold is refused, with its path", got.get("code") == "arguments" and
          "a.b[1] is NaN" in got.get("message", ""), got)
    got = (drive.call(server, d={"$type": "date", "value": "2026-01-02T03:04:05.006Z"},
                      n={"$type": "bigint", "value": "-123456789012345678901234567890"},
                      b={"$type": "bytes", "base64": "AP8="}, u={"$type": "undefined"},
                      s={"$type": "set", "values": [1]}, e=1e300, q="\"\\\n\u0001\u00e9") or {}).get("value")
    sent = got["params"]["arguments"] if isinstance(got, dict) else {}
    check("dates, big integers, bytes, sets are sent as JSON", sent == {
        "d": "2026-01-02T03:04:05.006Z", "b": "AP8=", "s": [1], "e": 1e300, "q": "\"\\\n\u0001\u00e9",
        "n": {"$type": "bigint", "value": "-123456789012345678901234567890"}}, sent)
    png = base64.b64encode(b"\x89PNG").decode()
    server = drive.add_fake("parts", HELLO + [says("tools/call", {"reply": {"content": [
        {"type": "image", "mimeType": "image/png", "data": png},
        {"type": "resource", "resource": {"uri": "a:b", "blob": png}},
        {"type": "resource_link", "uri": "a:c", "name": "c"}, {"type": "text", "text": "t"}]}}, nth=1),
        says("tools/call", {"reply": {"content": [{"type": "audio", "mimeType": "a", "data": png}]}},
             nth=2), says("tools/call", {"reply": {"content": [
                 {"type": "text", "text": "{\"a\":1}"}, {"type": "text", "text": "[2]"}]}}, nth=3)])
    data = {"$type": "bytes", "base64": png}
    got = (drive.call(server) or {}).get("value")
    check("parts", got == [{"type": "image", "mimeType": "image/png", "data": data},
                           {"type": "resource", "uri": "a:b", "data": data},
                           {"type": "resource_link", "uri": "a:c", "name": "c"},
                           {"type": "text", "text": "t"}], got)
    got = (drive.call(server) or {}).get("value")
    check("one part", got == {"type": "audio", "mimeType": "a", "data": data}, got)
    got = (drive.call(server) or {}).get("value")
    check("several texts of JSON", got == [{"a": 1}, [2]], got)
    evil = {"$type": "date", "value": "2026-01-01T00:00:00.000Z"}
    server = drive.add_fake("evil", HELLO + [says("tools/call", {"reply": {
        "content": [], "structuredContent": evil}})])
    got = (drive.call(server) or {}).get("value")
    check("a server cannot make a date by spelling", got == {"$type": "object",
          "entries": [["$type", "date"], ["value", evil["value"]]]}, got)


def life(drive):
    server = drive.add_fake("dies", HELLO + [says("tools/call", {"reply": text("1")}, {"exit": 0})])
    values = []
    begin = time.monotonic()
    while time.monotonic() - begin < 2.5:
        got = drive.call(server)
        values.append((got or {}).get("value"))
    good = [one for one in values if one == "1"]
    check("one that died is started again by the next call", len(good) >= 3, values)
    check("not without a pause", len(good) <= 6, len(good))
    server = drive.add_fake("changes", [HELLO[0], says("tools/list", {"reply": {"tools": [
        {"name": "a"}]}}, nth=1), says("tools/list", {"reply": {"tools": [{"name": "b"}]}}),
        says("tools/call", {"notify": {"method": "notifications/tools/list_changed"}},
             {"reply": text("ok")})])
    first = drive.catalogue(server)
    drive.call(server)
    told = drive.wait_event("changed", 3, server="changes")
    second = drive.catalogue(server)
    check("changed tools are told and listed anew", told and first["tools"][0]["name"] == "a" and
          second["tools"][0]["name"] == "b", second)
    begin = time.monotonic()
    slow = [drive.add_fake("slow%d" % i, [says("start", {"sleepMs": 1000})] + HELLO) for i in range(8)]
    asked = [drive.ask(op="catalogue", server=one) for one in slow]
    good = [drive.wait(one, 10) for one in asked]
    took = time.monotonic() - begin
    check("servers start in parallel", all(one and not one["error"] for one in good) and took < 4, took)


def secrets(drive):
    server = drive.add_fake("secret", HELLO + [says("tools/call", {
        "stderr": "key is hush-hush-123"}, {"exit": 1}, nth=1), says("tools/call", {"error": {
            "code": -1, "message": "bad key hush-hush-123"}}, nth=2), says("tools/call", {
                "reply": {"isError": True, "content": [{"type": "text", "text": "hush-hush-123?"}]}},
            nth=3), says("tools/call", {"environment": True})], environment=["KEY=hush-hush-123"])
    got = [error_of(drive.call(server)).get("message", "") for _ in range(3)]
    check("secrets are not in messages", all("[secret]" in one and "hush" not in one for one in got), got)
    got = (drive.call(server) or {}).get("value") or {}
    names = set(got) - {"LC_CTYPE"}  # python sets that one itself
    check("the environment is what is given and little else, without its secrets",
          names == {"KEY", "PATH"} and got["KEY"] == "[secret]", (names, got))


def questions(drive):
    form = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {
        "name": {"type": "string"}}}}
    drive.send(op="answer", action="accept", content={"name": "Ada"})
    server = drive.add_fake("asks", HELLO + [says("tools/call", {"request": {
        "id": "q", "method": "elicitation/create", "params": form}}, {"awaitReplies": 1},
        {"answers": True})], call_ms=700)
    got = (drive.call(server) or {}).get("value")
    check("a question is answered", isinstance(got, list) and got[0]["id"] == "q" and
          got[0]["result"] == {"action": "accept", "content": {"name": "Ada"}}, got)
    asked = drive.wait_event("elicit", 1, server="asks")
    check("with what was asked", asked and asked["params"] == form, asked)
    drive.send(op="answer", action="hold", content={})
    slow = drive.add_fake("holds", HELLO + [says("tools/call", {"request": {
        "id": "q", "method": "elicitation/create", "params": form}}, {"awaitReplies": 1},
        {"answers": True})], call_ms=700)
    one = drive.start_call(slow)
    time.sleep(2)
    check("who is asked may take its time", drive.wait(one, 0.1) is None)
    drive.send(op="answer", action="decline", content={})
    got = (drive.wait(one) or {}).get("value")
    check("and decline", isinstance(got, list) and got[0]["result"] == {"action": "decline"}, got)

    rounds = MODERN + [
        says("tools/call", {"reply": {"resultType": "input_required", "requestState": "st\u00e9",
                                      "inputRequests": {"k": {"method": "elicitation/create",
                                                              "params": form}}}}, nth=1),
        says("tools/call", {"echo": True})]
    drive.send(op="answer", action="accept", content={"name": "Bob"})
    server = drive.add_fake("rounds", rounds)
    got = (drive.call(server, x=1) or {}).get("value")
    params = got["params"] if isinstance(got, dict) else {}
    check("a call is sent again with the answers",
          params.get("requestState") == "st\u00e9" and params.get("arguments") == {"x": 1} and
          params.get("inputResponses") == {"k": {"action": "accept", "content": {"name": "Bob"}}}, got)
    again = {"reply": {"resultType": "input_required", "requestState": "x"}}
    server = drive.add_fake("rounds2", MODERN + [says("tools/call", again)])
    got = error_of(drive.call(server))
    check("but not for ever", got.get("code") == "protocol" and "more input" in got.get("message", ""), got)
    server = drive.add_fake("rounds3", MODERN + [says("tools/call", {"reply": {
        "resultType": "input_required", "inputRequests": {"k": {"method": "sampling/createMessage",
                                                                "params": {}}}}})])
    got = error_of(drive.call(server))
    check("nor for what was not offered", "not offered" in got.get("message", ""), got)

    drive.send(op="answer", action="hold", content={})
    server = drive.add_fake("dropped", MODERN[:1] + MODERN[1:] + rounds[3:4])
    drive.start_call(server)
    check("asked", drive.wait_event("elicit", 5, server="dropped") is not None)
    drive.send(op="cancel")
    drive.send(op="answer", action="accept", content={})


def nobody(program):
    form = {"method": "elicitation/create", "params": {"message": "?"}}
    drive = Drive(program)
    server = drive.add_fake("asks", MODERN + [
        says("tools/call", {"reply": {"resultType": "input_required", "inputRequests": {"k": form}}},
             nth=1), says("tools/call", {"echo": True})])
    got = (drive.call(server) or {}).get("value")
    check("where nobody can be asked it is declined", isinstance(got, dict) and
          got["params"]["inputResponses"] == {"k": {"action": "decline"}} and
          got["params"]["_meta"][META + "clientCapabilities"] == {}, got)
    drive.close("nobody")
    drive = Drive(program, elicit=True)
    drive.send(op="answer", action="hold", content={})
    server = drive.add_fake("asks", HELLO + [says("tools/call", dict(request=dict(form, id=1)))])
    drive.start_call(server)
    drive.wait_event("elicit", 5)
    check("freed while somebody is asked", drive.free() is not None)
    drive.send(op="answer", action="accept", content={})
    drive.close("asked for ever")


def leaks(program):
    """Descriptors and threads after many starts and ends; what libuv keeps for the process (two
    descriptors, since the first loop) does not count."""
    drive = Drive(program)
    drive.free()
    drive.send(op="client", environment=["PATH=" + os.environ["PATH"]])
    warm = drive.add_fake("warm", HELLO)
    drive.catalogue(warm)
    drive.free()
    base = drive.state()
    mark = "TENON_TEST=%d" % drive.child.pid
    for turn in range(3):
        drive.send(op="client", environment=["PATH=" + os.environ["PATH"]])
        drive.servers = 0
        dying = drive.add_fake("dying", HELLO + [says("tools/call", {"exit": 1})], environment=[mark])
        child = drive.add_fake("child", HELLO + [says("tools/call", {"spawnChild": "sleep 600"},
                               {"reply": text("ok")})], environment=[mark])
        none = drive.add("none", command="nosuchprogram")
        wanted = [drive.ask(op="catalogue", server=none), drive.start_call(dying),
                  drive.start_call(child)]
        for one in wanted:
            check("answered in turn %d" % turn, drive.wait(one, 10) is not None)
        drive.start_call(dying)
        check("freed in turn %d" % turn, drive.free() is not None)
        time.sleep(0.2)  # what was killed takes a moment to go
        check("nothing is left in turn %d" % turn, not children_of(drive.child.pid))
        now = drive.state()
        check("descriptors and threads in turn %d" % turn, now and
              now["descriptors"] == base["descriptors"] and now["threads"] == base["threads"], base, now)
    drive.send(op="client", environment=["PATH=" + os.environ["PATH"]])
    drive.servers = 0
    server = drive.add_fake("parent", HELLO + [CALL_OK])
    drive.call(server)
    got = drive.wait(drive.ask(op="fork"), 8)
    check("a forked child is refused and does not hang", got and got["child"] == 7, got)
    check("and the parent goes on", (drive.call(server) or {}).get("value") == "ok")
    drive.close("leaks")

    drive = Drive(program)
    mark = "TENON_TEST=%d" % drive.child.pid
    drive.catalogue(drive.add_fake("orphan", HELLO + [says("end", {"sleepMs": 60000})],
                                   environment=[mark]))
    check("it runs", children_of(drive.child.pid))
    os.kill(drive.child.pid, signal.SIGKILL)
    drive.child.wait()
    time.sleep(0.3)
    check("a host that is killed takes its servers along", not children_of(drive.child.pid))


def refusals(program):
    """Memory refused at one place after the other: an error or an answer, never silence."""
    drive = Drive(program)
    drive.free()
    form = {"method": "elicitation/create", "params": {"message": "?"}}
    transcripts = [HELLO + [CALL_OK], MODERN + [says("tools/call", {"reply": {
        "resultType": "input_required", "inputRequests": {"k": form}}}, match={"name": "t",
        "arguments": {"a": "b"}}), CALL_OK]]
    silent, answered = [], 0
    for n in range(1, 150):
        drive.send(op="client", refuse=n, elicit=True, log=True)
        drive.servers = 0
        server = drive.add_fake("refused", transcripts[n % 2], start_ms=4000, call_ms=1500)
        got = drive.call(server, seconds=9, a="b")
        if got is None:
            silent.append(n)
        answered += "value" in (got or {})
        if drive.free() is None:
            silent.append("free %d" % n)
            break
    check("memory refused", not silent and answered > 60, silent, answered)
    drive.close("refusals")


def main():
    program = sys.argv[1]
    drive = Drive(program, log=True, elicit=True)
    for part in (starts, eras, calls, sizes, arguments, life, secrets, questions):
        part(drive)
        if os.environ.get("TIMES"):
            print(part.__name__, round(time.monotonic(), 1), flush=True)
    drive.close("faults")
    nobody(program)
    leaks(program)
    refusals(program)
    finish()


main()
