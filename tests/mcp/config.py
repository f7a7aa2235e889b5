#!/usr/bin/env python3
"""`tenon mcp --config`: tools, prompts and resources that a team publishes as programs; over
standard input and output, and over HTTP where it matters.

    config.py TENON"""
import base64
import json
import os
import subprocess
import sys
import time

from common import Client, check, code, file_of, finish, folder, hub, modern, structured, text
from web import Answer, Door, Session, ask, names, new, request, send

TENON = os.path.abspath(sys.argv[1])
ADD = {"name": "add", "description": "Add.", "title": "Add", "annotations": {"readOnlyHint": True},
       "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
                       "required": ["a", "b"], "additionalProperties": False},
       "outputSchema": {"type": "object", "properties": {"sum": {"type": "number", "maximum": 100}},
                        "required": ["sum"]},
       "program": "add.ts"}
ASK = """const got = await client.ask({ key: 'name', message: 'Who?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } });
return got.action === 'accept' ? 'Hello, ' + got.content.name : got.action"""


def tool(name, code, **more):
    return dict({"name": name, "description": name, "code": code}, **more)


CONFIG = {
    "name": "acme", "title": "Acme", "version": "3.2.1", "instructions": "Ask about Acme.",
    "tools": [
        ADD,
        tool("text", "return 'plain'"),
        tool("nothing", "const a = 1"),
        tool("list", "return [1, 2]"),
        tool("fail", "throw new TypeError('no such thing')"),
        tool("picture", "return [{ type: 'image', data: new Uint8Array([1, 2, 250]), mimeType: 'image/png' },"
             " { type: 'text', text: 'a picture' }]", returns="content"),
        tool("odd", "return JSON.parse('{\"type\": \"odd\"}')", returns="content"),
        tool("wrong", "const n: number = 'x'; return n"),
        tool("slow", "await new Promise(done => setTimeout(done, 60000)); return 1",
             limits={"wallMs": 300}),
        tool("erase", "return (await hub.erase({ text: 'e' })).text"),
        tool("ask", ASK),
        tool("late", "const got = await client.ask({ message: 'Who?', schema: { type: 'object', properties: {} } });"
             "return got.action", limits={"wallMs": 700}),
        tool("twice", "const one = await client.ask({ key: 'k', message: 'a', schema: { type: 'object', "
             "properties: {} } }); const two = await client.ask({ key: 'k', message: 'b', schema: { type: "
             "'object', properties: {} } }); return one.action + two.action"),
        tool("model", "return (await client.sample({ maxTokens: 9, messages: [{ role: 'user', content: "
             "{ type: 'text', text: 'Hi' } }] })).content.text"),
        tool("roots", "return (await client.roots()).map(root => root.uri).join()"),
        tool("can", "return ['elicitation', 'sampling', 'roots'].map(what => client.can(what as 'roots')).join()"),
        tool("needs", "return 'had'", requires={"sampling": {}}),
        tool("touch", "client.changed('acme://now'); return 'touched'"),
        tool("says", "client.progress(1, 4, 'one'); client.progress(0.5); client.progress(3, 4); "
             "client.log('debug', 'd'); client.log('warning', { a: 1 }, 'acme'); return 'said'"),
    ],
    "prompts": [
        {"name": "greet", "description": "Greet.", "arguments": [
            {"name": "who", "required": True, "values": ["Ada", "Alan", "Grace"]}, {"name": "how"}],
         "code": "return `${args.how ?? 'Hello'}, ${args.who}`"},
        {"name": "both", "code": "return [{ role: 'user', content: { type: 'text', text: 'a' } }, "
                                 "{ role: 'assistant', content: { type: 'text', text: 'b' } }]"}],
    "resources": [
        {"uri": "acme://text", "name": "text", "mimeType": "text/plain", "text": "hello"},
        {"uri": "acme://bytes", "name": "bytes", "base64": base64.b64encode(b"\0\1\2").decode()},
        {"uri": "acme://file", "name": "file", "file": "data.txt"},
        {"uri": "acme://now", "name": "now", "mimeType": "application/json", "code": "return { n: 1 }"},
        {"uri": "acme://made", "name": "made", "code": "return new Uint8Array([9, 8])"}],
    "templates": [
        {"uriTemplate": "acme://item/{id}/{+rest}", "name": "item", "values": {"id": ["7", "70"]},
         "code": "return `${args.id}|${args.rest}`"}],
}


def config(**more):
    file_of("add.ts", "const sum = args.a + args.b\nreturn { sum }\n")
    file_of("data.txt", "from a file")
    return file_of("acme.json", "// with a comment\n" + json.dumps(dict(CONFIG, **more)))


def error(answer):
    return (answer.get("error") or {}).get("message", "") if answer else ""


def is_error(answer):
    return ((answer or {}).get("result") or {}).get("isError")


def offers(client):
    hello = client.hello["result"]
    check("who it is", hello["serverInfo"] == {"name": "acme", "title": "Acme", "version": "3.2.1"}, hello)
    check("what it can", set(hello["capabilities"]) == {"tools", "resources", "prompts", "completions",
                                                       "logging"}, hello["capabilities"])
    check("instructions", hello["instructions"].startswith("Ask about Acme.\n\nCompute"), hello)
    tools = {one["name"]: one for one in client.ask("tools/list")["result"]["tools"]}
    check("tools", list(tools)[:4] == ["search", "describe", "run", "add"], list(tools))
    said = {name: ADD[name] for name in ADD if name != "program"}
    check("a tool as it is described, and no more", tools["add"] == said, tools["add"])
    check("one without a schema takes nothing", tools["text"]["inputSchema"]["type"] == "object")
    check("search does not show them what is not theirs",
          "client." not in text(client.tool("search", query="")))


def tools(client):
    call = client.tool
    got = call("add", a=2, b=3)
    check("a typed tool", structured(got) == {"sum": 5} and json.loads(text(got)) == {"sum": 5}, got)
    got = call("add", a="2", b=3)
    check("arguments are checked", is_error(got) and "$.a" in text(got), got)
    check("all of them", is_error(call("add", a=1, b=2, c=3)))
    check("what is missing", is_error(call("add", a=1)))
    got = call("add", a=99, b=2)
    check("so are results", is_error(got) and "outputSchema" in text(got), got)
    check("a text", text(call("text")) == "plain")
    check("nothing", text(call("nothing")) in ("", "null") and not is_error(call("nothing")))
    got = call("list")
    check("a list is text", text(got) == "[1,2]" and "structuredContent" not in got["result"], got)
    got = call("fail")
    check("a failure", is_error(got) and text(got) == "TypeError: no such thing", got)
    got = call("picture")["result"]["content"]
    check("content", got == [{"type": "image", "data": "AQL6", "mimeType": "image/png"},
                             {"type": "text", "text": "a picture"}], got)
    check("what is no content", is_error(call("odd")))
    got = call("wrong")
    check("a program that does not check", is_error(got) and "refused" in text(got), got)
    check("limits of its own", "wall" in text(call("slow")) or is_error(call("slow")))
    check("no such tool", code(call("nope")) == -32602)
    check("functions of packages, as any program", is_error(call("erase")))  # the policy asks
    got = client.run("return client.can('roots')")
    check("a model's program does not know the client", is_error(got), got)
    got = client.run("return client.can('roots')", language="javascript")
    check("nor may it speak to it", is_error(got) and "configuration" in text(got), got)


def others(client):
    got = client.ask("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}})["result"]
    check("a prompt", got == {"description": "Greet.", "messages": [
        {"role": "user", "content": {"type": "text", "text": "Hello, Ada"}}]}, got)
    got = client.ask("prompts/get", {"name": "both"})["result"]["messages"]
    check("messages", [one["role"] for one in got] == ["user", "assistant"], got)
    listed = client.ask("prompts/list")["result"]["prompts"]
    check("prompts", listed[0]["arguments"] == [{"name": "who", "required": True}, {"name": "how"}], listed)
    check("an argument is missing", code(client.ask("prompts/get", {"name": "greet"})) == -32602)
    check("an argument is no text", code(client.ask("prompts/get", {
        "name": "greet", "arguments": {"who": 1}})) == -32602)
    check("no such prompt", code(client.ask("prompts/get", {"name": "x"})) == -32602)

    def read(uri):
        answer = client.ask("resources/read", {"uri": uri})
        return answer["result"]["contents"][0] if "result" in answer else answer
    check("a text", read("acme://text") == {"uri": "acme://text", "mimeType": "text/plain", "text": "hello"})
    check("bytes", read("acme://bytes")["blob"] == "AAEC")
    check("a file", read("acme://file")["text"] == "from a file")
    file_of("data.txt", "changed")
    check("read anew", read("acme://file")["text"] == "changed")
    check("a program's value", json.loads(read("acme://now")["text"]) == {"n": 1})
    check("a program's bytes", read("acme://made")["blob"] == "CQg=")
    got = read("acme://item/7%20x/a/b")
    check("a template", got.get("text") == "7 x|a/b" and got["uri"] == "acme://item/7%20x/a/b", got)
    got = read("acme://item/7")
    check("no such resource", code(got) == -32602 and got["error"]["data"]["uri"] == "acme://item/7", got)
    listed = [one["uri"] for one in client.ask("resources/list")["result"]["resources"]]
    check("resources", listed[:5] == [one["uri"] for one in CONFIG["resources"]], listed)
    got = client.ask("resources/templates/list")["result"]["resourceTemplates"]
    check("templates", [one["name"] for one in got] == ["value", "item"] and "values" not in got[1], got)

    def complete(ref, name, value):
        answer = client.ask("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}})
        return answer["result"]["completion"] if "result" in answer else answer
    check("completions", complete({"type": "ref/prompt", "name": "greet"}, "who", "a") ==
          {"values": ["Ada", "Alan"], "total": 2, "hasMore": False})
    check("of a template", complete({"type": "ref/resource", "uri": "acme://item/{id}/{+rest}"}, "id", "7")[
        "values"] == ["7", "70"])
    check("none", complete({"type": "ref/prompt", "name": "greet"}, "how", "")["values"] == [])
    check("of nothing", code(complete({"type": "ref/prompt", "name": "x"}, "who", "")) == -32602)


def told(client):
    got = client.ask("tools/call", {"name": "says", "arguments": {}}, {"progressToken": 7})
    progress = [m["params"] for m in client.all(lambda m: m.get("method") == "notifications/progress")]
    check("progress, never backwards", progress == [
        {"progressToken": 7, "progress": 1, "total": 4, "message": "one"},
        {"progressToken": 7, "progress": 3, "total": 4}], progress)
    logs = [m["params"] for m in client.all(lambda m: m.get("method") == "notifications/message")]
    check("log messages from a level on", logs == [{"level": "warning", "data": {"a": 1}, "logger": "acme"}],
          logs)
    check("a level", client.ask("logging/setLevel", {"level": "error"}).get("result") == {})
    check("no level", code(client.ask("logging/setLevel", {"level": "loud"})) == -32602)
    client.tool("says")
    check("then less", len(client.all(lambda m: m.get("method") == "notifications/message")) == 1)
    check("watched", client.ask("resources/subscribe", {"uri": "acme://now"}).get("result") == {})
    check("not what is not there", code(client.ask("resources/subscribe", {"uri": "acme://x"})) == -32602)
    client.tool("touch")
    wanted = lambda m: m.get("method") == "notifications/resources/updated"  # noqa: E731
    check("told of changes", (client.wait(wanted) or {}).get("params") == {"uri": "acme://now"})
    client.ask("resources/unsubscribe", {"uri": "acme://now"})
    client.tool("touch")
    time.sleep(0.3)
    check("and no more", len(client.all(wanted)) == 1)
    check("who cannot be asked", is_error(client.tool("ask")) and is_error(client.tool("roots")))
    check("can nothing", text(client.tool("can")) == "false,false,false")
    check("a tool that needs more", is_error(client.tool("needs")))


def demand(client, tool, answer, **more):
    """Call a tool that asks, and answer what it asks."""
    before = len(client.came)
    id = client.request("tools/call", {"name": tool, "arguments": {}})
    asked = client.wait(lambda m: "method" in m and "id" in m, since=before)
    if asked:
        client.send(dict({"id": asked["id"]}, **answer))
    return asked, client.answer(id)


def handshake(servers, path):
    can = {"elicitation": {}, "sampling": {}, "roots": {}}
    client = Client(TENON, "--config", path, "--mcp", servers, "--ask", "hub.erase", capabilities=can)
    check("can all", text(client.tool("can")) == "true,true,true")
    asked, got = demand(client, "ask", {"result": {"action": "accept", "content": {"name": "Ada"}}})
    check("asks", asked["method"] == "elicitation/create" and text(got) == "Hello, Ada", asked, got)
    asked, got = demand(client, "ask", {"result": {"action": "decline"}})
    check("declined", text(got) == "decline", got)
    asked, got = demand(client, "ask", {"result": {"action": "perhaps"}})
    check("no answer", is_error(got), got)
    asked, got = demand(client, "model", {"result": {"role": "assistant", "model": "m", "content": {
        "type": "text", "text": "Ho"}}})
    check("asks the model", asked["method"] == "sampling/createMessage" and asked["params"]["maxTokens"] == 9
          and text(got) == "Ho", asked, got)
    asked, got = demand(client, "roots", {"result": {"roots": [{"uri": "file:///a"}, {"uri": "file:///b"}]}})
    check("asks for roots", text(got) == "file:///a,file:///b", asked, got)
    asked, got = demand(client, "model", {"error": {"code": -1, "message": "not today"}})
    check("an error of the client", is_error(got) and "not today" in text(got), got)
    before = len(client.came)
    id = client.request("tools/call", {"name": "late", "arguments": {}})
    asked = client.wait(lambda m: "method" in m and "id" in m, since=before)
    time.sleep(1.5)
    client.send({"id": asked["id"], "result": {"action": "cancel"}})
    got = client.answer(id)
    check("time to think is nobody's limit", text(got) == "cancel", got)
    asked, got = demand(client, "erase", {"result": {"action": "accept", "content": {"allow": True}}})
    check("the policy asks too", "hub.erase" in asked["params"]["message"] and text(got) == "e", asked, got)
    client.end("handshake")


def stateless(servers, path):
    door = Door(TENON, "--config", path, "--mcp", servers)
    can = {"elicitation": {}}

    def call(tool, capabilities=can, meta=None, **more):
        return new(door, "tools/call", dict({"name": tool, "arguments": {}}, **more), capabilities, meta)
    first = call("ask").last["result"]
    check("asks under its key", list(first["inputRequests"]) == ["name"] and
          first["inputRequests"]["name"]["params"]["message"] == "Who?", first)
    said = {"name": {"action": "accept", "content": {"name": "Ada"}}, "more": {"action": "accept"}}
    got = call("ask", inputResponses=said, requestState=first["requestState"])
    check("goes on", text(got.last) == "Hello, Ada", got.last)
    got = call("ask", inputResponses=said)
    check("what it will be asked may be said at once", text(got.last) == "Hello, Ada", got.last)
    got = call("ask", inputResponses={"name": 5}).last["result"]
    check("what is no answer is asked again", got["resultType"] == "input_required", got)
    got = call("ask", inputResponses={"name": 5}, requestState=got["requestState"]).last["result"]
    check("and again", got["resultType"] == "input_required", got)
    got = call("twice", inputResponses={"k": {"action": "cancel"}}).last["result"]
    check("once for each key", got["resultType"] == "input_required" and
          got["inputRequests"]["k"]["params"]["message"] == "b", got)
    got = call("text", requestState="no")
    check("a state of nothing", code(got.last) == -32602, got.last)
    got = call("needs")
    check("needs more of the client", got.status == 400 and code(got.last) == -32021 and
          got.last["error"]["data"]["requiredCapabilities"] == {"sampling": {}}, got.last)
    check("and has it", text(call("needs", {"sampling": {}}).last) == "had")
    got = call("says", meta={"io.modelcontextprotocol/logLevel": "debug", "progressToken": "p"})
    check("log where it is asked for", [m.get("method") for m in got.all[:-1]] ==
          ["notifications/progress"] * 2 + ["notifications/message"] * 2, got.all)
    check("and not else", len(call("says").all) == 1)
    listens(door)
    streams(door)
    took, ended = door.end()
    check("ends", ended == 0, took, ended, door.stderr()[-2000:])
    said = door.stderr()
    check("what is wrong with a program is said at the start", "wrong, line 1: TS2322" in said and
          said.count("\n") == 2, said)


def listens(door):
    message = request("subscriptions/listen", {"notifications": {
        "resourceSubscriptions": ["acme://now"], "toolsListChanged": True}}, id="w")
    with send(door, body=message, **names(message)) as connection:
        events = (event for event in Answer(connection).events() if event)
        first = next(events)
        check("listening is acknowledged", first["method"] == "notifications/subscriptions/acknowledged" and
              first["params"]["notifications"] == {"resourceSubscriptions": ["acme://now"]}, first)
        new(door, "tools/call", {"name": "touch", "arguments": {}})
        told = next(events)
        check("and told", told["method"] == "notifications/resources/updated" and told["params"] == {
            "uri": "acme://now", "_meta": {"io.modelcontextprotocol/subscriptionId": "w"}}, told)


def streams(door):
    session = Session(door)
    with send(door, "GET", Mcp_Session_Id=session.id, Accept="text/event-stream") as connection:
        events = (event for event in Answer(connection).events() if event)
        session.ask("resources/subscribe", {"uri": "acme://now"})
        session.ask("tools/call", {"name": "touch", "arguments": {}})
        check("a session is told in its stream", next(events)["params"] == {"uri": "acme://now"})
        check("until it ends", ask(door, "DELETE", Mcp_Session_Id=session.id).status == 204 and
              list(events) == [])


def refused():
    one = CONFIG["tools"][1]
    for what, content, words in (
            ("no object", [], "an object"), ("a member nobody knows", {"tool": []}, '"tool"'),
            ("tools that are none", {"tools": {}}, "tools must be a list"),
            ("no name", {"tools": [{"code": "1"}]}, "tools[0]: name is missing"),
            ("a name that is none", {"tools": [dict(one, name="a b")]}, "letters"),
            ("one of ours", {"tools": [dict(one, name="run")]}, "builtin"),
            ("two", {"tools": [one, one]}, "tools[1]: there are two"),
            ("no program", {"tools": [{"name": "a"}]}, "program"),
            ("two programs", {"tools": [dict(one, program="x.ts")]}, "both"),
            ("one that is not there", {"tools": [{"name": "a", "program": "nope.ts"}]}, "nope.ts"),
            ("a schema of no object", {"tools": [dict(one, inputSchema={"type": "string"})]}, "object"),
            ("a limit", {"tools": [dict(one, limits={"wallMs": 0})]}, "above 0"),
            ("a resource of nothing", {"resources": [{"uri": "a:b", "name": "x"}]}, "one of"),
            ("a template without a name", {"templates": [{"uriTemplate": "a:b", "name": "x", "code": "1"}]},
             "{name}"),
            ("no JSON", "{", "not JSON")):
        path = file_of("bad.json", content)
        done = subprocess.run([TENON, "mcp", "--config", path], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        check("refused: " + what, done.returncode == 2 and words in done.stderr, done.stderr)
    path = file_of("alone.json", {"builtin": False, "tools": [one]})
    client = Client(TENON, "--config", path)
    check("its own tools alone", [t["name"] for t in client.ask("tools/list")["result"]["tools"]] == ["text"])
    check("the others are not there", code(client.tool("run", code="1")) == -32602)
    client.end("alone")


def main():
    servers, _ = hub()
    path = config()
    client = Client(TENON, "--config", path, "--mcp", servers, "--ask", "hub.erase")
    for part in (offers, tools, others, told):
        part(client)
    client.end("no questions")
    handshake(servers, path)
    stateless(servers, path)
    refused()
    finish()


main()
