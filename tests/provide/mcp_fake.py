"""An MCP server on standard input and output that follows a transcript.

A transcript is a list of {on, nth?, match?, do}: for the n-th request or notification of the method
`on` (counted over restarts), whose parameters (`_meta` apart) are `match`, do each of the list:

  reply, error   answer with this result or error       reply_twice  the same, two times
  rawResponse    the rest of an answer's text after its id
  raw            these characters, no line end; {{id}} is the request's id
  notify, progress, request    send a notification, progress for this request, a request of ours
  awaitReplies   wait until so many of our requests were answered, and note the answers
  echo           answer with the request itself, as text    answers: with what was noted, as text
  page           a page of tools/list that is never the last
  environment    the environment, structured
  rawHex         these bytes        flood   {text, times}
  sleepMs, exit, signal, stderr, spawnChild, ignoreSignals, stopReadingStdin, closeStdout

{{pad:N}} stands for N letters, {{nest:N}} for N arrays in each other. "start" is done at first.
A request that is not in the transcript is answered with -32601."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time

with open(sys.argv[1]) as file:
    transcript = json.load(file)["transcript"]
counts_file = sys.argv[1] + ".counts"
counts = {}
if os.path.exists(counts_file):
    with open(counts_file) as file:
        counts = json.load(file)
lock = threading.Lock()
replies = []
replied = threading.Condition()
rest = b""  # read, and not looked at
reading = threading.Event()
reading.set()


def write(data):
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    with lock:
        while data:
            data = data[os.write(1, data):]


def send(message):
    write(json.dumps(dict({"jsonrpc": "2.0"}, **message)) + "\n")


def fill(raw, id):
    raw = raw.replace("{{id}}", json.dumps(id))
    raw = re.sub(r"\{\{pad:(\d+)\}\}", lambda m: "x" * int(m[1]), raw)
    return re.sub(r"\{\{nest:(\d+)\}\}", lambda m: "[" * int(m[1]) + "]" * int(m[1]), raw)


def note_counts():
    with open(counts_file + ".new", "w") as file:
        json.dump(counts, file)
    os.replace(counts_file + ".new", counts_file)


def leave(status):
    """What was sent to us and not looked at counts as well."""
    global rest
    while select.select([0], [], [], 0.2)[0]:
        part = os.read(0, 65536)
        if not part:
            break
        rest += part
    for line in rest.splitlines():
        method = json.loads(line).get("method")
        counts[method] = counts.get(method, 0) + 1
    note_counts()
    os._exit(status)


def act(action, message):
    (what, value), = action.items()
    id = message.get("id")
    if what == "reply":
        send({"id": id, "result": value})
    elif what == "reply_twice":
        send({"id": id, "result": value})
        send({"id": id, "result": value})
    elif what == "error":
        send({"id": id, "error": value})
    elif what == "echo":
        send({"id": id, "result": {"content": [{"type": "text", "text": json.dumps(message)}]}})
    elif what == "answers":
        send({"id": id, "result": {"content": [{"type": "text", "text": json.dumps(replies)}]}})
    elif what == "environment":
        send({"id": id, "result": {"structuredContent": dict(os.environ), "content": []}})
    elif what == "rawResponse":
        write('{"jsonrpc":"2.0","id":%s,%s}\n' % (json.dumps(id), fill(value, id)))
    elif what == "raw":
        write(fill(value, id))
    elif what == "rawHex":
        write(bytes.fromhex(value))
    elif what == "notify":
        send(value)
    elif what == "progress":
        token = message.get("params", {}).get("_meta", {}).get("progressToken")
        send({"method": "notifications/progress", "params": dict({"progressToken": token}, **value)})
    elif what == "request":
        send(value)
    elif what == "awaitReplies":
        with replied:
            replied.wait_for(lambda: len(replies) >= value, 10)
    elif what == "sleepMs":
        time.sleep(value / 1000)
    elif what == "exit":
        leave(value)
    elif what == "signal":
        os.kill(os.getpid(), value)
    elif what == "stderr":
        sys.stderr.write(value if value.endswith("\n") else value + "\n")
        sys.stderr.flush()
    elif what == "flood":
        for _ in range(value["times"]):
            write(value["text"])
    elif what == "spawnChild":
        subprocess.Popen(value.split())
    elif what == "ignoreSignals":
        for name in value:
            signal.signal(getattr(signal, "SIG" + name), signal.SIG_IGN)
    elif what == "stopReadingStdin":
        reading.clear()
    elif what == "page":
        count = counts[message["method"]]
        send({"id": id, "result": {"tools": [{"name": "n%d" % count}], "nextCursor": str(count)}})
    elif what == "closeStdout":
        os.close(1)


def follow(entry, message):
    try:
        for action in entry["do"]:
            act(action, message)
    except BrokenPipeError:
        pass


def entry_for(message):
    method = message["method"]
    params = {k: v for k, v in message.get("params", {}).items() if k != "_meta"}
    counts[method] = counts.get(method, 0) + 1
    if any("nth" in entry for entry in transcript):
        note_counts()
    for entry in transcript:
        if entry["on"] == method and entry.get("nth", counts[method]) == counts[method] and \
                ("match" not in entry or entry["match"] == params):
            return entry
    return None


def take(message):
    if "method" not in message:
        with replied:
            replies.append(message)
            replied.notify_all()
        return
    entry = entry_for(message)
    if entry is None:
        if "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
    elif any("awaitReplies" in a or "sleepMs" in a for a in entry["do"]):
        threading.Thread(target=follow, args=(entry, message), daemon=True).start()
    else:
        follow(entry, message)


def main():
    global rest
    for entry in transcript:
        if entry["on"] == "start":
            follow(entry, {})
    while True:
        if not reading.is_set():
            time.sleep(600)
        part = os.read(0, 65536)
        if not part:
            break
        rest += part
        while b"\n" in rest:
            line, rest = rest.split(b"\n", 1)
            take(json.loads(line))
    for entry in transcript:
        if entry["on"] == "end":
            follow(entry, {})
    note_counts()
    os._exit(0)


main()
