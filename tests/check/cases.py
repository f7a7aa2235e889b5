#!/usr/bin/env python3
"""The check against answers of the real compiler, for a folder of cases.

    cases.py PROBE COMPILER [--node NODE] [FOLDER] [-v]

FOLDER (or TS_CASES) has an `expected.json`, or folders that have one: a list of {file, bindings?,
diagnostics: [{code, line, column, endLine, endColumn}], diagnostics7?}, the last being the answer
of version 7 where it is another one; and `traps` beside it, whose files are all clean. Any other
folder holds cases without recorded answers: then the compiler is asked (compared.py).
Of recorded ones scored are the verdict (clean or not) and, for what is wrong, code and line of the
first diagnostic of the case; how many agree in everything is told as well. Verdicts must all be
right, and 98 % of code and line. Apart stands what differs on purpose (DIFFERENT).
"""
import json
import os
import subprocess
import sys

import compared

# Where our language is another one, and why.
DIFFERENT = {
    "TS1108": "a program may return",
    "TS2550": "the engine has what that library has not",
    "TS2583": "the engine has what that library has not",
}


def load(folder):
    for part in sorted([".", *os.listdir(folder)]):
        path = os.path.join(folder, part, "expected.json")
        if not os.path.exists(path):
            continue
        recorded = json.load(open(path))
        for case in recorded["cases"] if isinstance(recorded, dict) else recorded:
            case["root"] = os.path.join(folder, part)
            yield case
        traps = os.path.join(folder, part, "traps")
        for name in sorted(os.listdir(traps)) if os.path.isdir(traps) else []:
            yield {"root": traps, "file": name, "diagnostics": []}


def command_of(probe, compiler, cases):
    command = [probe, compiler]
    for case in cases:
        command.append("--clear")
        for binding in case.get("bindings", []):
            command += ["--declare", os.path.join(case["root"], binding)]
        command.append(os.path.join(case["root"], case["file"]))
    return command


def run(probe, compiler, cases):
    """What the check finds: {path: [(code, line, column, end line, end column)]}."""
    output = subprocess.run(command_of(probe, compiler, cases), stdout=subprocess.PIPE,
                            check=True).stdout.decode()
    found = {}
    for line in output.splitlines():
        parts = line.split("\t")
        if len(parts) < 7:
            raise SystemExit("cases: " + line)
        found.setdefault(parts[0], []).append((parts[1], *map(int, parts[2:6])))
    return found


def main():
    arguments = [a for a in sys.argv[1:] if a != "-v"]
    verbose = "-v" in sys.argv
    node = "node"
    if "--node" in arguments:
        at = arguments.index("--node")
        node = arguments[at + 1]
        del arguments[at:at + 2]
    probe, compiler = arguments[:2]
    folder = arguments[2] if len(arguments) > 2 else os.environ.get("TS_CASES", "")
    if not folder or not os.path.isdir(folder):
        print("no folder of cases (TS_CASES), skipped\n0 passed, 0 failed")
        return 77
    cases = list(load(folder))
    if not cases:
        return compared.run(probe, compiler, node, folder, verbose)
    found = run(probe, compiler, cases)
    verdicts = places = whole = wrong = apart = 0
    scored = 0
    for case in cases:
        expected = [("TS%d" % d["code"], d["line"], d["column"], d["endLine"], d["endColumn"])
                    for d in case["diagnostics"]]
        got = found.get(os.path.join(case["root"], case["file"]), [])
        if any(code in DIFFERENT for code, *_ in expected):
            apart += 1
            continue
        scored += 1
        good_verdict = bool(expected) == bool(got)
        verdicts += good_verdict
        right = {expected[0][:2]} if expected else set()
        right |= {("TS%d" % d["code"], d["line"]) for d in case.get("diagnostics7", [])[:1]}
        good_place = not expected or bool(right & {g[:2] for g in got})
        wrong += bool(expected)
        places += bool(expected) and good_place
        whole += sorted(expected) == sorted(got)
        if not good_verdict or not good_place or (verbose and sorted(expected) != sorted(got)):
            print("%s\n    expected %s\n    found    %s" % (case["file"], expected, got))
    print("%d cases (%d apart): verdict %d, code and line %d of %d, all the same %d" %
          (scored, apart, verdicts, places, wrong, whole))
    good = verdicts == scored and places >= 0.98 * wrong
    print("%d passed, %d failed" % (verdicts, scored - verdicts + (0 if good else 1)))
    return 0 if good else 1


sys.exit(main())
