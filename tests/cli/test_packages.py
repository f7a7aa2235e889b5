"""Packages in every way that a program may use them, declared in every way that a host may, with and
without a check of types; and what the command line puts in the place of functions."""
import json
import os

from harness import skip
from test_policy import PACKAGES, Packages, write

FORMS = {
    "namespace": "declare namespace hub { function send(m: {to: string}): Promise<{to: string}>; "
                 "interface Note { id: number } }",
    "module": "declare module 'hub' { export function send(m: {to: string}): Promise<{to: string}>; "
              "export interface Note { id: number } }",
    "constant": "declare const hub: { send(m: {to: string}): Promise<{to: string}> };",
    "both": "declare namespace hub { function send(m: {to: string}): Promise<{to: string}> }\n"
            "declare module 'hub' { export = hub; }",
    "default": "declare const api: { send(m: {to: string}): Promise<{to: string}> };\n"
               "declare module 'hub' { export default api; }",
}
USES = {
    "import {f}": "import { send } from 'hub'; return (await send(%s)).to",
    "import {f as g}": "import { send as s } from 'hub'; return (await s(%s)).to",
    "import *": "import * as h from 'hub'; return (await h.send(%s)).to",
    "import default": "import h from 'hub'; return (await h.send(%s)).to",
    "import {default}": "import { default as h } from 'hub'; return (await h.send(%s)).to",
    "import default and {f}": "import h, { send } from 'hub'; h; return (await send(%s)).to",
    "global": "return (await hub.send(%s)).to",
    "import()": "const h = await import('hub'); return (await h.send(%s)).to",
    "const {f} = import()": "const { send } = await import('hub'); return (await send(%s)).to",
    "alias of the global": "const { send } = hub; return (await send(%s)).to",
}


def test_packages_forms(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        typed = "cannot be started" not in t.run("run", "--checker", "tsc", "-e", "1", types=True).err
        for form, text in FORMS.items():
            path = write(t, "form.d.ts", text)
            for use, code in USES.items():
                if form == "default" and use not in ("global", "import default", "import {default}"):
                    continue  # only what is exported can be named
                what = "%s, declared as %s" % (use, form)
                good, bad = code % "{to: 'ann'}", code % "{to: 7} as any"
                t.ends(what, t.run("run", "--no-check", "--declare", path, "-e", good), 0, out="ann\n")
                t.ends(what + ": held against it at the call",
                       t.run("run", "--no-check", "--declare", path, "-e", bad), 1,
                       err=r"hub\.send: m\.to must be string, and is the number 7; it takes \(m: \{to: "
                           r"string\}\)")
                if not typed:
                    continue
                run = lambda one: t.run("run", "--checker", "tsc", "--declare", path, "-e", one,
                                        types=True)
                t.ends(what + ", checked", run(good), 0, out="ann\n")
                t.ends(what + ", wrong", run(code % "{to: 7}"), 3, err="TS2322")
        if typed:
            for form in "namespace", "module":
                path = write(t, "form.d.ts", FORMS[form])
                t.ends("types of a package declared as " + form,
                       t.run("run", "--checker", "tsc", "--declare", path, "-e",
                             "import type { Note } from 'hub'; const n: Note = { id: 'x' }", types=True),
                       3, err="TS2322")


def test_packages_undeclared(t):
    """What nobody declared takes and gives anything, and is there in every form."""
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        if "cannot be started" in t.run("run", "--checker", "tsc", "-e", "1", types=True).err:
            return skip("no compiler")
        for use, code in USES.items():
            t.ends(use, t.run("run", "--checker", "tsc", "-e", code % "{to: 'ann', x: 1}", types=True), 0,
                   out="ann\n")
        for code, said in (("import { sned } from 'hub'; sned", "did you mean \"send\""),
                           ("hub.sned()", "TS2339"), ("import * as h from 'hub'; h.sned", "TS2339"),
                           ("import { x } from 'hbu'; x", "hbu"),
                           ("const n: number = await hub.send(1); n.nothing", "TS2339")):
            t.ends(code, t.run("run", "--checker", "tsc", "-e", code, types=True), 3, err=said)
        half = write(t, "half.d.ts", "declare namespace hub { function send(m: {to: string}): void }")
        t.ends("what its host left out of a package's declaration stays out",
               t.run("run", "--checker", "tsc", "--declare", half, "-e", "hub.now()", types=True), 3,
               err="TS2339")
        t.ends("and the others are there",
               t.run("run", "--checker", "tsc", "--declare", half, "-e", "await mock.send(1)", types=True),
               0, out="mock\n")


def test_packages_override(t):
    if not PACKAGES:
        return skip("no command with packages")
    send = "await hub.send({to: 'ann'} as any)"
    with Packages(t):
        def run(*options, code=send):
            return t.run("run", "--no-check", *options, "-e", code)
        t.ends("another function", run("--override", "hub.send=mock.send"), 0, out="mock\n", err="")
        t.ends("a value", run("--override", "hub.*=value:[1,{\"a\":null}]"), 0,
               out='[1,{"a":null}]\n')
        t.ends("a denial", run("--override", "hub.s*=deny", code="const f = hub.send; await f(1)"), 4,
               err=r'hub\.send is denied by the policy \(override "hub\.s\*"\)')
        t.ends("with a reason, before it runs", run("--override", "hub.send=deny:on Mondays: no"), 3,
               err=r"TN1301.*: on Mondays: no")
        t.ends("the more specific one counts",
               run("--override", "hub.*=deny", "--override", "hub.send=value:1"), 0, out="1\n")
        file = write(t, "o.json", json.dumps({"override": {"hub.send": {"value": "file"}}}))
        t.ends("before the file", run("--policy", file, "--override", "hub.send=value:\"line\""), 0,
               out="line\n")
        t.ends("beside it", run("--policy", file, "--override", "hub.now=value:0"), 0, out="file\n")
        for text in "hub.send", "=x.y", "hub.send=", "hub.send=value:{":
            t.ends("no override: " + text, run("--override", text), 2, err="--override .*\n  As --override")
        for text in "hub=x.y", "hub.send=mock", "hub.send=mock.*":
            t.ends("no function: " + text, run("--override", text), 2, err=r"--override .*expected")
        gone = run("--override", "hub.send=mock.sned")
        t.ends("a function that is not there", gone, 2,
               err=r'no function "mock\.sned" to run in its place: did you mean "mock\.send"\?')


def test_packages_bind(t):
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        def run(code, *options):
            return t.run("run", "--no-check", *options, "-e", code)
        t.ends("added", run("await hub.send({to: 'a'} as any)", "--bind", "hub.*:userId=7", "--bind",
                            "hub.send:org=acme inc", "--bind", "hub.send:on={\"a\":[true]}"), 0,
               out='{"to":"a","userId":7,"org":"acme inc","on":{"a":[true]}}\n')
        t.ends("not passed", run("await hub.send({userId: 8} as any)", "--bind", "hub.*:userId=7"), 4,
               err='the host fixes the parameter "userId"')
        declared = write(t, "bound.d.ts", "declare namespace hub { function send(m: {to: string; "
                                          "userId: string}): Promise<any>; }")
        wrong = run("await hub.send({to: 'a'} as any)", "--bind", "hub.*:userId=7", "--declare", declared)
        t.ends("of a wrong type", wrong, 1, err="what the host adds to its argument does not fit")
        t.check("and nothing is told of it", "7" not in wrong.err.split("\n")[0] and "userId" not in wrong.err,
                wrong.err)
        wrong = run("await hub.send({to: 1} as any)", "--bind", "hub.*:userId=x", "--declare", declared)
        t.ends("the program's own", wrong, 1, err="m\\.to must be string, and is the number 1")
        t.check("without what is bound", "userId" not in wrong.err, wrong.err)
        for text in "x", "hub.send", "hub.send:", "hub.send:a", "hub.send:=1", ":a=1":
            t.ends("no parameter: " + text, run("1", "--bind", text), 2, err="--bind cannot be")
        t.ends("no JSON", run("1", "--bind", "hub.send:a={"), 2, err="no JSON")
        t.ends("no pattern", run("1", "--bind", "hub:a=1"), 2, err="expected a function of a package")


def test_packages_shown(t):
    """search, describe and prompt show what a program under the policy sees."""
    if not PACKAGES:
        return skip("no command with packages")
    with Packages(t):
        declared = write(t, "shown.d.ts", """declare namespace hub {
  /** Send a note. */
  function send(m: {to: string; /** whose */ userId: number}): Promise<any>;
  function listIssues(q: {repo: string}): Promise<any>;
}""")
        found = t.run("search", "--declare", declared, "--deny", "hub.list*", "--bind", "hub.*:userId=7")
        t.ends("search", found, 0, err="")
        t.check("without what is denied and bound", "listIssues" not in found.out and
                "userId" not in found.out and "hub.send(m: {to: string" in found.out, found.out)
        found = t.run("describe", "hub", "--declare", declared, "--allow", "hub.list*")
        t.check("describe", "listIssues" in found.out and "send" not in found.out, found.out)
        found = t.run("prompt", "--declare", declared, "--override", "hub.send=deny")
        t.check("prompt", "listIssues" in found.out and "hub.send" not in found.out, found.out)
        found = t.run("search", "send", "--declare", declared, "--deny", "*")
        t.ends("nothing", found, 0, out="// nothing can be called here: no function was added or declared\n"
                                        "COMPLETE\n")
        slip = t.run("search", "send", "--declare", declared, "--deny", "hub.snd")
        t.ends("slips are told", slip, 0,
               err='policy: deny "hub.snd" fits no function: did you mean "hub.send"\\?')
        for command in ("run", "check"):
            t.matches("and by " + command,
                      t.run(command, "--deny", "hub.snd", "--checker", "none", "-e", "1").err,
                      'policy: deny "hub.snd" fits no function')
