#!/usr/bin/env python3
"""Do our declarations say what a realm has? Both ways.

    realm.py PROBE COMPILER TENON SOURCE_OF_DECLARATIONS

Every global and member that a program finds must be declared, old names that nobody should use
apart; every one that realm.d.ts declares must be found.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# Found and not declared, on purpose.
OLD = re.compile(
    r"^(eval|Function\.prototype\.(caller|arguments)|.*\.__(proto|defineGetter|defineSetter|lookupGetter|"
    r"lookupSetter)__|Date\.prototype\.(getYear|setYear|toGMTString)|RegExp\.prototype\.compile|"
    r"RegExp\.(\$.*|input|last.*|leftContext|rightContext)|globalThis|undefined)$")


def found_names(tenon, folder):
    """What stands in the world of a program."""
    run = subprocess.run([tenon, "run", "--json", os.path.join(folder, "realm.js")],
                         stdout=subprocess.PIPE, check=False)
    return json.loads(run.stdout)["value"]


def undeclared(probe, compiler, names):
    """Which of them the check does not know."""
    with tempfile.NamedTemporaryFile("w", suffix=".ts") as file:
        file.write("".join("void %s;\n" % name for name in names))
        file.flush()
        output = subprocess.run([probe, compiler, file.name], stdout=subprocess.PIPE,
                                check=True).stdout.decode()
    lines = [line.split("\t") for line in output.splitlines()]
    return [names[int(parts[2]) - 1] + " (%s)" % parts[1] for parts in lines
            if parts[1] in ("TS2304", "TS2339", "TS2550", "TS2551", "TS2552", "TS2583", "TS2584",
                            "TS2708")]


def declared_names(text):
    """`Name`, `Name.member` and `Name.prototype.member`, as realm.d.ts has them."""
    names, around = [], None
    values = set(re.findall(r"^declare (?:var|function) (\w+)", text, re.M))
    for line in text.split("\n"):
        top = re.match(r"(?:declare var (\w+): \{|declare (?:var|function) (\w+)|"
                       r"(?:interface|type) (\w+))", line)
        member = re.match(r"    (?:readonly )?(?:static )?(\w+)[?(<:]", line)
        if top:
            value, other, interface = top.groups()
            if value or other:
                names.append(value or other)
            around = value + "." if value else None
            if interface and interface.endswith("Constructor"):
                around = interface[:-len("Constructor")] + "."
            elif interface == "IteratorObject":
                around = "Iterator.prototype."
            elif interface in ("Console", "JSON", "Math"):
                around = {"Console": "console."}.get(interface, interface + ".")
            elif interface and (interface in values or interface == "ArrayBuffer"):
                around = interface + ".prototype."
        elif line.startswith("}"):
            around = None
        elif member and around and member.group(1) not in ("new", "prototype"):
            names.append(around + member.group(1))
    return names


def main():
    probe, compiler, tenon, declarations = sys.argv[1:5]
    found = found_names(tenon, os.path.dirname(os.path.abspath(__file__)))
    names = [name for name in found if not OLD.match(name)]
    canary = "URL.prototype.canary"
    missing = undeclared(probe, compiler, names + [canary])
    if not any(name.startswith(canary) for name in missing):
        raise SystemExit("the canary was not found: nothing was checked")
    missing = [name for name in missing if not name.startswith(canary)]
    declared = declared_names(open(declarations, encoding="utf-8").read())
    extra = [name for name in declared if name not in set(found)]
    for name in missing:
        print("a realm has %s, which is not declared" % name)
    for name in extra:
        print("declared is %s, which a realm has not" % name)
    wrong = len(missing) + len(extra)
    print("%d passed, %d failed" % (len(names) + len(declared) - wrong, wrong))
    return 1 if wrong else 0


sys.exit(main())
