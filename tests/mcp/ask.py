#!/usr/bin/env python3
"""Calls that the policy wants to be asked, put to who sits before the client, in both eras.

    ask.py TENON"""
import os
import sys
import time

from common import Client, check, code, finish, hub, modern, read, structured, text

TENON = os.path.abspath(sys.argv[1])
ERASE = "return (await hub.erase({ text: 'all \u00e9' })).text"
FORM = {"elicitation": {}}


def start(name, era, capabilities, *more):
    servers, notes = hub(name)
    client = Client(TENON, "--mcp", servers, "--ask", "hub.erase", "--wall", "3s", *more, era=era,
                    capabilities=capabilities)
    return client, notes


def erased(notes):
    return read(notes).count("erase")


def nobody():
    for era in ("handshake", "modern"):
        for what, capabilities in (("no capability", {}), ("url only", {"elicitation": {"url": {}}}),
                                   ("nonsense", {"elicitation": True})):
            client, notes = start("nobody-%s-%s" % (era, what), era, capabilities)
            got = client.run(ERASE)
            check("%s, %s: refused for good" % (era, what),
                  structured(got).get("status") in ("failed", "denied") and erased(notes) == 0, got)
            check("%s, %s: nothing was asked" % (era, what),
                  not client.all(lambda m: m.get("method") == "elicitation/create"))
            client.end("%s, %s" % (era, what))


def shown():
    """search and describe show functions as programs see them: not what is denied, nor what is bound."""
    client, _ = start("shown", "modern", {}, "--deny", "hub.erase", "--bind", "hub.echo:text=secret")
    found = text(client.tool("search", query="")) + text(client.tool("describe", names="hub.erase hub.echo"))
    check("denied functions are not there", "erase(" not in found and 'no "hub.erase"' in found, found)
    check("nor bound parameters", "echo(" in found and "text" not in found.split("echo(")[1].split(")")[0],
          found)
    check("nor their values", "secret" not in found, found)
    client.end("shown")


# ---- with a handshake ----

def asked(client, count=1):
    """The first so many questions."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        found = client.all(lambda m: m.get("method") == "elicitation/create")
        if len(found) >= count:
            return found
        time.sleep(0.02)
    return client.all(lambda m: m.get("method") == "elicitation/create")


def handshake():
    client, notes = start("handshake", "handshake", {"elicitation": {"form": {}, "url": {}}})
    for number, (what, reply, allowed) in enumerate((
            ("allowed", {"result": {"action": "accept", "content": {"allow": True}}}, True),
            ("not ticked", {"result": {"action": "accept", "content": {"allow": False}}}, False),
            ("without content", {"result": {"action": "accept"}}, False),
            ("a text for a tick", {"result": {"action": "accept", "content": {"allow": "true"}}}, False),
            ("declined", {"result": {"action": "decline"}}, False),
            ("declined and ticked", {"result": {"action": "decline", "content": {"allow": True}}}, False),
            ("cancelled", {"result": {"action": "cancel"}}, False),
            ("nonsense", {"result": 7}, False),
            ("an error", {"error": {"code": -32603, "message": "no"}}, False))):
        before = erased(notes)
        id = client.start(ERASE)
        questions = asked(client, number + 1)
        if not check("asked: " + what, len(questions) == number + 1, questions):
            continue
        question = questions[-1]
        message = question["params"]["message"]
        check("says what is asked", "hub.erase" in message and '"all \u00e9"' in message and
              "line 1" in message, message)
        schema = question["params"]["requestedSchema"]
        check("a form of one tick", schema["type"] == "object" and
              schema["properties"]["allow"]["type"] == "boolean", schema)
        client.send(dict({"id": "ask-" + "0" * 32}, **reply))
        client.send(dict({"id": question["id"][4:]}, **reply))
        check("not answered by another number", client.answer(id, 0.3) is None)
        client.send(dict({"id": question["id"]}, **reply))
        got = client.answer(id)
        check(what, (structured(got).get("status") == "ok") == allowed and
              erased(notes) - before == (1 if allowed else 0), got)
        client.send(dict({"id": question["id"]}, **reply))
    # somebody who thinks for longer than the program may take
    id = client.start(ERASE)
    question = asked(client, 10)[-1]
    time.sleep(4)
    client.send({"id": question["id"], "result": {"action": "accept", "content": {"allow": True}}})
    check("the clock stands while one thinks", structured(client.answer(id)).get("status") == "ok")
    # cancelled while the question is open
    id = client.start(ERASE)
    question = asked(client, 11)[-1]
    client.say("notifications/cancelled", {"requestId": id})
    told = client.wait(lambda m: m.get("method") == "notifications/cancelled", 5)
    check("the question is taken back", told and told["params"]["requestId"] == question["id"], told)
    before = erased(notes)
    client.send({"id": question["id"], "result": {"action": "accept", "content": {"allow": True}}})
    check("too late", client.answer(id, 0.5) is None and erased(notes) == before)
    id = client.start("return (await Promise.all(['a', 'b', 'c'].map(text => hub.erase({ text })))).length")
    three = asked(client, 14)[-3:]
    for question in reversed(three):
        client.send({"id": question["id"], "result": {"action": "accept", "content": {"allow": True}}})
    check("three at once", structured(client.answer(id)).get("value") == 3)
    client.start(ERASE)
    asked(client, 15)
    client.end("a question open at the end")


# ---- stateless ----

def result(answer):
    return (answer or {}).get("result") or {}


def again(client, arguments, first, answers, state=None):
    """The request once more with what was answered; `answers` says it of each question's key."""
    return client.ask("tools/call", {
        "name": "run", "arguments": arguments, "inputResponses": answers,
        "requestState": first["requestState"] if state is None else state})


def stateless():
    client, notes = start("stateless", "modern", FORM)
    for what, reply, allowed in (
            ("allowed", {"action": "accept", "content": {"allow": True}}, True),
            ("not ticked", {"action": "accept", "content": {"allow": False}}, False),
            ("declined", {"action": "decline"}, False), ("nonsense", 7, False)):
        before = erased(notes)
        first = result(client.run(ERASE))
        if not check("input is required: " + what, first.get("resultType") == "input_required" and
                     len(first["inputRequests"]) == 1 and "requestState" in first, first):
            continue
        key, question = list(first["inputRequests"].items())[0]
        check("an elicitation", question["method"] == "elicitation/create" and
              "hub.erase" in question["params"]["message"], question)
        for wrong, arguments, state in (("other arguments", {"code": ERASE + " "}, None),
                                        ("other state", {"code": ERASE}, "0" * 32),
                                        ("no state", {"code": ERASE}, ""),
                                        ("a state of another kind", {"code": ERASE}, 7)):
            got = again(client, arguments, first, {key: reply}, state)
            check(wrong + " is refused", code(got) == -32602 and erased(notes) == before, got)
        got = again(client, {"code": ERASE}, first, {key: reply})
        check("stateless, " + what, (structured(got).get("status") == "ok") == allowed and
              result(got).get("resultType") == "complete" and
              erased(notes) - before == (1 if allowed else 0), got)
        check("a state is good once", code(again(client, {"code": ERASE}, first, {key: reply})) == -32602)
    several(client, notes)
    client.end("stateless")


def several(client, notes):
    yes = {"action": "accept", "content": {"allow": True}}
    program = {"code": "const all = await Promise.all(['a', 'b'].map(text => hub.erase({ text })));"
                       "return all.length + (await hub.erase({ text: 'c' })).text"}
    first = result(client.run(program["code"]))
    check("two questions at once", len(first.get("inputRequests", {})) == 2, first)
    second = result(again(client, program, first, {}))
    check("without answers: asked again", second.get("resultType") == "input_required" and
          second["inputRequests"].keys() == first["inputRequests"].keys(), second)
    one, two = second["inputRequests"]
    third = result(again(client, program, second, {one: yes, "unknown": yes}))
    check("one answer: the other is asked again", list(third.get("inputRequests", {})) == [two], third)
    time.sleep(4)
    fourth = result(again(client, program, third, {two: yes}))
    check("the next round", fourth.get("resultType") == "input_required" and
          list(fourth["inputRequests"])[0] not in (one, two), fourth)
    last = list(fourth["inputRequests"])[0]
    got = again(client, program, fourth, {last: yes})
    check("three rounds", structured(got).get("value") == "2c", got)
    # ten that nobody comes back for take no place of others
    for _ in range(10):
        client.run(ERASE)
    check("forgotten ones are in nobody's way", structured(client.run("return 1")).get("value") == 1)
    # given up by the program while the client has the question
    given_up = {"code": "return await Promise.race([hub.erase({ text: 'x' }).then(one => one.text), "
                        "new Promise<string>(done => setTimeout(() => done('gave up'), 300))])"}
    first = result(client.run(given_up["code"]))
    if first.get("resultType") == "input_required":
        time.sleep(0.5)
        got = again(client, given_up, first, {list(first["inputRequests"])[0]: yes})
        check("an answer that comes late", structured(got).get("status") in ("ok", "failed"), got)
    got = client.ask("tools/call", {"name": "search", "arguments": {"query": "erase"},
                                    "requestState": "x"})
    check("state for what never asks", "result" in got or "error" in got)


nobody()
shown()
handshake()
stateless()
finish()
