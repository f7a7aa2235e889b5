"""A small MCP server on standard input and output, for what stands behind `tenon mcp`."""
import json
import sys
import threading
import time

lock = threading.Lock()
cancelled = set()

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
MS = {"type": "object", "properties": {"ms": {"type": "number"}}, "required": ["ms"]}
TOOLS = [
    {"name": "echo", "description": "Give the text back.", "inputSchema": TEXT,
     "outputSchema": TEXT, "annotations": {"readOnlyHint": True}},
    {"name": "erase", "description": "Erase something for good.", "inputSchema": TEXT,
     "outputSchema": TEXT, "annotations": {"destructiveHint": True}},
    {"name": "sleep", "description": "Wait so long.", "inputSchema": MS},
    {"name": "fail", "description": "Always an error.", "inputSchema": TEXT},
]


def send(message):
    with lock:
        sys.stdout.write(json.dumps(dict({"jsonrpc": "2.0"}, **message)) + "\n")
        sys.stdout.flush()


def note(text):
    if len(sys.argv) > 1:
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            file.write(text + "\n")


def call(id, name, arguments):
    note("%s %s" % (name, json.dumps(arguments, sort_keys=True)))
    if name == "sleep":
        end = time.monotonic() + arguments["ms"] / 1000
        while time.monotonic() < end and id not in cancelled:
            time.sleep(0.02)
        if id in cancelled:
            note("cancelled")
            return
    failed = name == "fail"
    result = {"content": [{"type": "text", "text": arguments.get("text", "slept")}]}
    if name in ("echo", "erase"):
        result["structuredContent"] = {"text": arguments["text"]}
    send({"id": id, "result": dict(result, isError=failed)})


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params", {})
        if method == "initialize":
            send({"id": message["id"], "result": {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "hub", "version": "1"}}})
        elif method == "tools/list":
            send({"id": message["id"], "result": {"tools": TOOLS}})
        elif method == "tools/call":
            threading.Thread(target=call, daemon=True, args=(
                message["id"], params["name"], params.get("arguments", {}))).start()
        elif method == "notifications/cancelled":
            cancelled.add(params["requestId"])
        elif "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
    note("ended")


main()
