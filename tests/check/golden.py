#!/usr/bin/env python3
"""Golden findings: each file of a folder says in its last lines what the check finds in it.

    golden.py PROBE COMPILER FOLDER [--update]

    //? --expect "string[]"                 options of the probe, in the first line
    //! TS2339 2:9-2:14 message             at the end: what is found, and nothing else
    //= value number                        the shape that was asked for with --value

Codes, places and words are compared. Adding a case is adding a file, and --update writes its end.
"""
import glob
import os
import shlex
import subprocess
import sys
import tempfile


def options_of(path, text):
    first = text.split("\n", 1)[0]
    options = shlex.split(first[3:]) if first.startswith("//?") else []
    folder = os.path.dirname(path)
    return [os.path.join(folder, option) if option.startswith("bindings/") else option
            for option in options]


def lines_of(output):
    """What the probe found, as the lines that stand in files: {path: [line]}."""
    found = {}
    for line in output.splitlines():
        path, *parts = line.split("\t")
        if parts[0] == "value":
            text = "//= value " + parts[1]
        elif len(parts) < 6:
            text = "//! " + " ".join(parts)
        else:
            text = "//! %s %s:%s-%s:%s %s" % tuple(parts[:6])
            text += "".join("  [%s]" % part for part in parts[6:])
        found.setdefault(path, []).append(text)
    return found


def body_and_expected(text):
    lines = text.rstrip("\n").split("\n")
    end = len(lines)
    while end > 0 and lines[end - 1].startswith(("//!", "//=")):
        end -= 1
    return lines[:end], lines[end:]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(probe, compiler, paths):
    """What is found in each, without the lines that say what should be: {name: [line]}."""
    with tempfile.TemporaryDirectory() as folder:
        command = [probe, compiler]
        for path in paths:
            text = read(path)
            copy = os.path.join(folder, os.path.basename(path))
            with open(copy, "w", encoding="utf-8") as file:
                file.write("\n".join(body_and_expected(text)[0]) + "\n")
            command += ["--clear", *options_of(path, text), copy]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        found = lines_of(done.stdout.decode("utf-8"))
        return {os.path.basename(path): lines for path, lines in found.items()}


def main():
    update = "--update" in sys.argv
    probe, compiler, folder = [a for a in sys.argv[1:] if a != "--update"]
    paths = sorted(glob.glob(os.path.join(folder, "*.ts")))
    found = run(probe, compiler, paths)
    passed = failed = 0
    for path in paths:
        body, expected = body_and_expected(read(path))
        got = [line.replace(folder + "/", "") for line in found.get(os.path.basename(path), [])]
        if update:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(body + got) + "\n")
        if got == expected or update:
            passed += 1
            continue
        failed += 1
        print(os.path.basename(path))
        for line in expected:
            print("    %s %s" % ("=" if line in got else "-", line))
        for line in got:
            if line not in expected:
                print("    + " + line)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
