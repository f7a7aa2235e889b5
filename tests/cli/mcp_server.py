"""A small MCP server for the tests: names of every kind, schemas right and wrong, slow, failing,
dying. Speaks the handshake only; every message it gets is kept in the file it is given."""
import json
import os
import sys
import threading
import time

TEXT = {"type": "string"}
TOOLS = [
    {"name": "get-user", "description": "One user. */ evil()", "annotations": {"readOnlyHint": True},
     "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "minLength": 2}},
                     "required": ["id"], "additionalProperties": False},
     "outputSchema": {"type": "object", "properties": {"id": TEXT, "age": {"type": "integer"}},
                      "required": ["id", "age"]}},
    {"name": "delete", "inputSchema": {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}},
    {"name": "list.all", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    {"name": "bad_schema", "inputSchema": {"type": "object", "properties": {
        "a": {"$ref": "#/nowhere"}, "b": {"type": "number"}}}},
    {"name": "fail", "inputSchema": {"type": "object"}},
    {"name": "slow", "inputSchema": {"type": "object", "properties": {"ms": {"type": "number"}}}},
    {"name": "die", "inputSchema": {"type": "object"}},
    {"name": "fail", "inputSchema": {"type": "object", "properties": {"again": TEXT}}},
    {"name": "", "inputSchema": {"type": "object"}},
    {"name": "no schema at all"},
    {"name": "environment", "inputSchema": {"type": "object"}},
    {"name": "\u65e5\u672c", "inputSchema": {"type": "object", "minProperties": 1},
     "outputSchema": {"type": "object", "description": "what came */ of it", "maxProperties": 9}},
    {"name": "__proto__", "inputSchema": {"type": "object"}},
]
lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def text(value):
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]}


def call(name, arguments):
    if name == "get-user":
        user = {"id": arguments["id"], "age": len(arguments["id"])}
        return {**text(user), "structuredContent": user}
    if name == "list.all":
        return text([{"n": i} for i in range(arguments.get("n", 3))])
    if name == "fail":
        return {**text("it is full"), "isError": True}
    if name == "slow":
        time.sleep(arguments.get("ms", 0) / 1000)
        return text("slept")
    if name == "die":
        os._exit(3)
    if name == "environment":
        return text({**os.environ, "cwd": os.getcwd()})
    return text({"name": name, "arguments": arguments})


def answer(message):
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "small", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": TOOLS}
    elif method == "tools/call":
        result = call(params["name"], params.get("arguments", {}))
    else:
        send({"id": message["id"], "error": {"code": -32601, "message": "no"}})
        return
    send({"id": message["id"], "result": result})


for line in sys.stdin:
    if len(sys.argv) > 1:
        with open(sys.argv[1], "a", encoding="utf-8") as log:
            log.write(line)
    message = json.loads(line)
    if "id" in message and "method" in message:
        threading.Thread(target=answer, args=(message,), daemon=True).start()
