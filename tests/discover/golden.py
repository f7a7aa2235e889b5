#!/usr/bin/env python3
"""Golden answers: each NAME.txt of a folder holds questions about NAME.d.ts, with their answers.

    golden.py PROBE FOLDER [--update]

    $ register hub.send              what is registered; before the questions
    $ search 2000 new issue          a question (probe.c); up to the next one, its answer

Adding a case is adding two files with the questions; --update writes the answers.
"""
import glob
import os
import subprocess
import sys


def split(text):
    """[(question, answer)]"""
    cases = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            cases.append([line[2:], ""])
        else:
            cases[-1][1] += line
    return cases


def ask(probe, declared, questions):
    """The answers, one a question: each ends in its last line."""
    result = subprocess.run([probe, declared], input="".join(questions).encode(),
                            capture_output=True)
    if result.returncode != 0 or result.stderr:
        return ["the probe ended with %d: %s\n" % (result.returncode, result.stderr.decode())]
    answers, text = [], ""
    for line in result.stdout.decode().splitlines(keepends=True):
        text += line
        if line.startswith(("COMPLETE", "PARTIAL")):
            answers.append(text)
            text = ""
    return answers + ([text] if text else [])


def main(arguments):
    probe, folder = arguments[:2]
    update = "--update" in arguments
    passed = failed = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
        with open(path, encoding="utf-8") as file:
            cases = split(file.read())
        answers = ask(probe, path[:-len(".txt")] + ".d.ts", [case[0] for case in cases])
        asked = [case for case in cases if not case[0].startswith("register")]
        if len(answers) != len(asked):
            failed += 1
            print("FAILED: %s: %d answers to %d questions: %s" % (path, len(answers), len(asked),
                                                                  "".join(answers)[-300:]))
            continue
        for case, answer in zip(asked, answers):
            good = case[1] == answer
            passed, failed = passed + good, failed + (not good)
            if not good and not update:
                print("FAILED: %s: %s--- found:\n%s--- wanted:\n%s" % (path, case[0], answer,
                                                                     case[1]))
            case[1] = answer
        if update:
            with open(path, "w", encoding="utf-8") as file:
                file.write("".join("$ " + question + answer for question, answer in cases))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
