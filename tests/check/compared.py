"""The check against TypeScript 5.9 (oracle.mjs), for cases that have no recorded answers.

Compared are codes and lines. What only we find in a program that 5.9 finds clean is a false alarm,
unless version 7 by itself, without anything of ours around it, finds it too. Of the rest there are
only figures.

Answers are kept in the cache: one file for each state of the question (compilers, options, our
globals), a line for each text by its hash.

In the environment:
    TS_CASES_EVERY   N: only every Nth case
    TENON_CACHE      where the answers are kept
"""
import collections
import hashlib
import json
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REALM = os.path.join(HERE, "../../src/check/realm.d.ts")
ORACLE = os.path.join(HERE, "oracle.mjs")
FETCH = os.path.join(HERE, "../syntax/fetch")
CHUNK = 100
LARGEST_BYTES = 4 << 20

# Cases that ask for other options than ours; all other directives only choose what is the same.
DIRECTIVES = ("filename allowjs checkjs jsx nolib libfiles experimentaldecorators traceresolution "
              "typeroots").split()
DIRECTIVE = re.compile(r"^\s*//\s*@(\w+)\s*:", re.MULTILINE)
OTHER_FILES = re.compile(r"^\s*///\s*<(reference|amd-)", re.MULTILINE)

# Options of version 7 for its second opinion: those of the check (src/check: compiler, library).
OPTIONS = {
    "strict": True, "target": "esnext", "module": "esnext", "moduleResolution": "bundler",
    "moduleDetection": "force", "types": [], "noEmit": True,
    "lib": ["es2025", "esnext.array", "esnext.collection", "esnext.disposable", "esnext.error",
            "esnext.typedarrays", "esnext.decorators"],
}


# ---- which cases ----

def reason_to_skip(path, text):
    if path.endswith(".d.ts"):
        return "declarations"
    if text is None:
        return "no UTF-8, or too large"
    for name in DIRECTIVE.findall(text):
        if name.lower() in DIRECTIVES or name.lower().startswith("module"):
            return "other options or files: @" + name.lower()
    if OTHER_FILES.search(text):
        return "other files: /// <reference>"
    if re.search(r"\bIntl\s*\.", text):
        return "the engine has no Intl"
    return None


def read(path):
    if os.path.getsize(path) > LARGEST_BYTES:
        return None
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        return None


def paths_below(folder):
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "node_modules" or top == folder)
        yield from (os.path.join(top, name) for name in sorted(names) if name.endswith(".ts"))


def select(folder, skipped):
    """{path: text} of what can be compared."""
    every = max(1, int(os.environ.get("TS_CASES_EVERY") or 1))
    chosen = {}
    for path in list(paths_below(folder))[::every]:
        text = read(path)
        reason = reason_to_skip(path, text)
        if reason:
            skipped[reason].append(path)
        else:
            chosen[path] = text
    return chosen


# ---- what others say ----

class Answers:
    """Kept from run to run, a file of lines: hash of the text, and the answer as JSON."""

    def __init__(self, *question):
        salt = hashlib.sha256("\0".join(question).encode()).hexdigest()[:24]
        cache = os.environ.get("TENON_CACHE") or os.path.join(
            os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tenon")
        self.path = os.path.join(cache, "oracle", "types-%s.lines" % salt)
        self.known = {}
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        if os.path.exists(self.path):
            os.utime(self.path)  # what nobody asked for in a week is removed
            with open(self.path, encoding="utf-8") as file:
                lines = [line.split(" ", 1) for line in file if line.endswith("\n")]
            self.known = {line[0]: json.loads(line[1]) for line in lines}

    def ask(self, texts, ask_all):
        """An answer for each; `ask_all` is an iterator over those of texts that are new."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts) if key not in self.known}
        if new:
            with open(self.path, "a", encoding="utf-8") as file:
                for key, answer in zip(new, ask_all(list(new.values()))):
                    self.known[key] = answer
                    file.write("%s %s\n" % (key, json.dumps(answer)))
        return [self.known[key] for key in keys], len(new)


def heard(text):
    """As the check hears it: comments do not tell the compiler what not to say (check.c)."""
    return text.replace("@ts-", " ts-")


def contents(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def ask_oracle(node, texts):
    """[[code, line, column, end line, end column]...] for each."""
    modules = subprocess.run([FETCH], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    version = json.loads(contents(os.path.join(modules, "typescript/package.json")))["version"]

    def ask_all(new):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as questions:
            questions.writelines(json.dumps(text) + "\n" for text in new)
            questions.flush()
            questions.seek(0)
            with subprocess.Popen([node, "--stack-size=8000", ORACLE, modules, REALM],
                                  stdin=questions, stdout=subprocess.PIPE, text=True) as process:
                yield from map(json.loads, process.stdout)

    print("TypeScript %s" % version, end="", flush=True)
    answers, asked = Answers(version, contents(ORACLE), contents(REALM)).ask(texts, ask_all)
    print(": %d asked, %d known" % (asked, len(texts) - asked))
    return answers


def ask_seven(compiler, texts):
    """What version 7 finds: [[code, line]...] for each."""
    def ask_all(new):
        with tempfile.TemporaryDirectory() as folder:
            def write(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            write("realm.d.ts", contents(REALM))
            write("tsconfig.json", json.dumps({"compilerOptions": OPTIONS,
                                               "files": ["case.ts", "realm.d.ts"]}))
            for text in new:
                write("case.ts", text)
                said = subprocess.run([compiler, "-p", folder, "--pretty", "false"], check=False,
                                      stdout=subprocess.PIPE, cwd=folder).stdout.decode()
                found = re.findall(r"^case\.ts\((\d+),\d+\): error (TS\d+)", said, re.MULTILINE)
                yield [[code, int(line)] for line, code in found]

    version = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, check=True,
                             text=True).stdout
    return Answers(version, json.dumps(OPTIONS), contents(REALM)).ask(texts, ask_all)[0]


# ---- what we say ----

def ask_probe(probe, compiler, paths):
    """{path: [(code, line)]}; a path that the probe does not survive has None, one that took too
    long the text that says so."""
    done = subprocess.run([probe, compiler, *paths], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        if len(paths) == 1:
            return {paths[0]: None}
        half = len(paths) // 2
        return {**ask_probe(probe, compiler, paths[:half]),
                **ask_probe(probe, compiler, paths[half:])}
    found = {path: [] for path in paths}
    for line in done.stdout.decode("utf-8", "replace").split("\n"):
        parts = line.split("\t")
        if parts[0] not in found:
            continue  # a message of several lines
        if len(parts) < 7:
            found[parts[0]] = parts[1]
        elif isinstance(found[parts[0]], list):
            found[parts[0]].append((parts[1], int(parts[2])))
    return found


# ---- the comparison ----

class Tally:
    def __init__(self):
        self.compared = self.clean = self.same = self.dropped = 0
        self.common = self.missing = self.more = self.silent = 0
        self.alarms = {}  # path: what only we find, in a clean case
        self.fallen = []
        self.different = []  # path, theirs, ours
        self.apart = collections.Counter()
        self.missing_codes = collections.Counter()
        self.more_codes = collections.Counter()

    def add(self, path, theirs, ours):
        """Ours: a list; of it only what a compiler could say."""
        self.apart.update(code for code, _ in ours if not code.startswith("TS"))
        ours = {one for one in ours if one[0].startswith("TS")}
        self.compared += 1
        self.clean += not theirs
        self.same += theirs == ours
        if theirs and theirs != ours:
            self.different.append((path, theirs - ours, ours - theirs))
        self.common += len(theirs & ours)
        self.missing += len(theirs - ours)
        self.silent += bool(theirs) and not ours
        self.missing_codes.update(code for code, _ in theirs - ours)
        if not theirs and ours:
            self.alarms[path] = ours
        elif theirs:
            self.more += len(ours - theirs)
            self.more_codes.update(code for code, _ in ours - theirs)


def compare(chosen, theirs, ours, skipped):
    tally = Tally()
    for path, answer in zip(chosen, theirs):
        if isinstance(answer, dict):
            skipped["5.9 fails: " + answer["error"][:60]].append(path)
            continue
        answer = {("TS%d" % code, line) for code, line, *_ in answer}
        if any(code == "TS1108" for code, _ in answer):
            skipped["a program may return"].append(path)
        elif ours[path] is None:
            tally.fallen.append(path)
        elif isinstance(ours[path], str):
            skipped["the check ends with " + ours[path]].append(path)
        else:
            tally.add(path, answer, ours[path])
    return tally


def drop_versions(compiler, chosen, tally, skipped):
    """What version 7 finds as well is a difference between versions."""
    paths = list(tally.alarms)
    for path, said in zip(paths, ask_seven(compiler, [heard(chosen[path]) for path in paths])):
        if tally.alarms[path] <= {tuple(one) for one in said}:
            codes = ", ".join(sorted({code for code, _ in tally.alarms.pop(path)}))
            tally.dropped += 1
            skipped["version 7 finds it, 5.9 does not: " + codes].append(path)


def most(codes):
    return " ".join("%s:%d" % one for one in codes.most_common(8)) or "none"


def words(findings):
    return " ".join("%s@%d" % one for one in sorted(findings)) or "none"


def tell(folder, tally, skipped, verbose):
    for reason, paths in sorted(skipped.items()):
        names = [os.path.relpath(path, folder) for path in paths]
        shown = names if verbose else names[:3]
        print("skipped, %s: %d (%s%s)" % (reason, len(names), ", ".join(shown),
                                          ", ..." if len(shown) < len(names) else ""))
    if verbose:
        for path, missing, more in tally.different:
            print("%s: missing %s; only ours %s" % (os.path.relpath(path, folder), words(missing),
                                                    words(more)))
    print("%d cases, %d of them clean: all the same %d, dropped for a difference of versions %d" %
          (tally.compared, tally.clean, tally.same, tally.dropped))
    print("findings: %d the same; %d missing (%s), nothing at all in %d cases" %
          (tally.common, tally.missing, most(tally.missing_codes), tally.silent))
    print("    %d only ours, beside theirs (%s); apart, of ours alone: %s" %
          (tally.more, most(tally.more_codes), most(tally.apart)))
    for path in tally.fallen:
        print("FALLS: " + os.path.relpath(path, folder))
    for path, found in sorted(tally.alarms.items()):
        print("false alarm: %s: %s" % (os.path.relpath(path, folder), words(found)))


def run(probe, compiler, node, folder, verbose):
    skipped = collections.defaultdict(list)
    chosen = select(folder, skipped)
    theirs = ask_oracle(node, [heard(text) for text in chosen.values()])
    ours, paths = {}, list(chosen)
    for i in range(0, len(paths), CHUNK):
        ours.update(ask_probe(probe, compiler, paths[i:i + CHUNK]))
    tally = compare(chosen, theirs, ours, skipped)
    drop_versions(compiler, chosen, tally, skipped)
    tell(folder, tally, skipped, verbose)
    failed = len(tally.alarms) + len(tally.fallen)
    passed = tally.compared - tally.dropped - len(tally.alarms)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0
