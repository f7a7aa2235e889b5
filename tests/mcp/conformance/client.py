#!/usr/bin/env python3
"""What the conformance tool starts as the client under test: our MCP client by its driver.

    client.py DRIVER URL

Lists the tools, and calls what the scenario names (MCP_CONFORMANCE_CONTEXT), or every tool there is
with arguments made from its schema. What it is asked, it accepts, leaving out what has defaults."""
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "provide"))
from mcp_common import Drive  # noqa: E402

EXAMPLES = {"number": 5, "integer": 3, "string": "x", "boolean": True, "array": [], "object": {}}


def example(schema):
    """Arguments with everything that is required."""
    properties = schema.get("properties") or {}
    return {name: EXAMPLES.get((properties.get(name) or {}).get("type"))
            for name in schema.get("required") or []}


def main():
    driver, url = sys.argv[1], sys.argv[2]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    drive = Drive(driver, elicit=True)
    drive.send(op="answer", action="accept",
               content={} if "defaults" in os.environ.get("MCP_CONFORMANCE_SCENARIO", "") else
               {"confirmed": True})
    server = drive.add("tested", url=url)
    listed = drive.catalogue(server) or {}
    if listed.get("error") or "tools" not in listed:
        print("no tools:", listed, file=sys.stderr)
    calls = context.get("toolCalls") or [
        {"name": tool["name"], "arguments": example(tool.get("inputSchema") or {})}
        for tool in listed.get("tools") or []]
    # together: what belongs to one call must not come along with another
    for id in [drive.ask(op="call", server=server, tool=call["name"], arguments=call["arguments"])
               for call in calls]:
        print(json.dumps(drive.wait(id, 20)), file=sys.stderr)
    drive.free()
    drive.child.stdin.close()
    sys.exit(drive.child.wait(10))


main()
