"""The parts `syntax` and `check`: what a TypeScript program costs before it runs."""
import pathlib
import re
import statistics
import sys
import tempfile

import figures
from peer import Peer, ask_in_turn

HERE = pathlib.Path(__file__).resolve().parent
TRIAGE, REPORT = HERE / "syntax/triage.ts", HERE / "syntax/report.ts"
DECLARATIONS = HERE / "syntax/github.d.ts"
ERASERS = {"esbuild": "esbuild", "oxc-transform": "oxc-transform",
           "ts-blank-space": "ts-blank-space", "typescript": "typescript 5.9.3"}
LARGE_BYTES = 1 << 20
# A JavaScript engine compiles what runs often, and only then is it as fast as it gets.
WARM_ROUNDS = {"30": 400, "300": 80, "large": 3, "check": 30}
TITLES = {"tenon": "tenon, parse and erase", "check": "tenon, tn_program_new", **ERASERS}
SYNTAX_BAR_NS, SYNTAX_BAR_RATE, CHECK_BAR_NS = 30e3, 50e6, 8e6


def open_peers(args):
    """The processes of these parts, by name; none if neither is asked for."""
    peers = {}
    if "syntax" in args.only:
        peers["erase"] = Peer("tenon", [f"{args.build}/bench/erase"], args.clock)
    if "syntax" in args.only or "check" in args.only:
        command = [f"{args.build}/bench/check", args.tsc, str(DECLARATIONS)]
        peers["check"] = Peer("tenon, tn_program_new", command, args.clock)
        names = ERASERS if "syntax" in args.only else ["typescript"]
        for name in names:
            command = [args.node, "--no-warnings", str(HERE / "typescript.mjs"), name, args.modules,
                       str(DECLARATIONS)]
            peers[name] = Peer(ERASERS[name], command, args.clock)
    return peers


# ---- the large file ----

def declared_names(text):
    """What a program declares at its top, so that a copy of it can have its own."""
    found = set(re.findall(r"^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type)"
                           r" (\w+)", text, re.M))
    for names in re.findall(r"^const [\[{]([^\]}]*)[\]}]", text, re.M):
        found |= {name.strip() for name in names.split(",")}
    return found


def write_large(path):
    """The other programs again and again, their names numbered, until it is 1 MB. Imports stand
    once, at the top, as in programs of any size."""
    texts = [(text, re.compile(r"\b(" + "|".join(sorted(declared_names(text))) + r")\b"))
             for text in (TRIAGE.read_text(), REPORT.read_text())]
    with open(path, "w") as out:
        number = 0
        while out.tell() < LARGE_BYTES:
            text, names = texts[number % 2]
            copy = names.sub(lambda match: f"{match[1]}_{number}", text)
            if number >= len(texts):
                copy = re.sub(r"^import .*\n", "", copy, flags=re.M)
            out.write(copy.replace("export default ", f"export const main_{number} = "))
            number += 1


# ---- measuring ----

def check_same(peers, path, folder):
    """What is left must be the same program: printed by one printer, the same text."""
    printed = {}
    for name in ("erase", *ERASERS):
        peers[name].ask("erase-to", 1, f"{path} {folder}/{name}.js")
        peers["esbuild"].ask("print", 1, f"{folder}/{name}.js {folder}/{name}.printed")
        printed[name] = (folder / f"{name}.printed").read_bytes()
    wrong = [name for name, text in printed.items() if text != printed["typescript"]]
    if wrong:
        sys.exit(f"bench: {path.name}: not the program that typescript leaves: {', '.join(wrong)}")


def measure_syntax(peers, args, results):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        large = folder / "large.ts"
        write_large(large)
        for title, path in (("30", TRIAGE), ("300", REPORT), ("large", large)):
            check_same(peers, path, folder)
            results["syntax-bytes"][title] = [path.stat().st_size]
            for one in ERASERS:
                peers[one].ask("erase", WARM_ROUNDS[title], path)
            jobs = [(peers[one], "erase", path) for one in ("erase", *ERASERS)]
            names = ["tenon", *ERASERS]
            if title == "30":
                jobs.insert(1, (peers["check"], "unchecked", path))
                names.insert(1, "check")
            results[f"syntax-{title}"] = dict(zip(names, ask_in_turn(jobs, args)))


def measure_check(peers, args, results):
    tenon, compiler = peers["check"], peers["typescript"]
    tenon.clock = compiler.clock = "wall"  # most of it is the work of another process
    compiler.ask("checked", WARM_ROUNDS["check"], TRIAGE)
    samples = ask_in_turn([(tenon, "checked", TRIAGE), (tenon, "four", TRIAGE),
                           (compiler, "checked", TRIAGE)], args)
    results["check-warm"] = {"tenon": samples[0], "typescript": samples[2]}
    results["check-four"] = {"tenon": samples[1]}
    for _ in range(max(3, args.rounds // 2)):
        for name, peer in (("tenon", tenon), ("typescript", compiler)):
            results["check-first"].setdefault(name, []).append(peer.number("first", 1, TRIAGE))


# ---- showing ----

def verdict(bar, median, limit_ns, factor):
    """As in figures.py: a bar that is missed outright is shown again for this machine."""
    if median > limit_ns and factor:
        limit_ns *= factor
        bar += f", here {figures.time_text(limit_ns)}"
    return f"bar {bar}: " + ("reached" if median <= limit_ns else "MISSED")


def syntax_bar(title, median, size, factor):
    if title == "30":
        return verdict("30 us", median, SYNTAX_BAR_NS, factor)
    return verdict("50 MB/s", median, size / SYNTAX_BAR_RATE * 1e9, factor)


def rows(by_peer, titles, bar, size=0):
    for name, samples in by_peer.items():
        median = statistics.median(samples)
        ratio = "" if name == "tenon" else f"{figures.ratio_of(by_peer['tenon'], samples):.2f} x"
        rate = f"{size / median * 1e3:.3g} MB/s" if size else ""
        yield (f"  {titles.get(name, name):<28} {figures.time_text(median):>10} {rate:>12} "
               f"{ratio:>9}   {bar(median) if name == 'tenon' else ''}").rstrip()


def table(results):
    lines = []
    factor = figures.slowness(results)
    for title, what in (("30", "30 lines"), ("300", "300 lines"), ("large", "a large file")):
        if f"syntax-{title}" in results:
            size = results["syntax-bytes"][title][0]
            lines += ["", f"types out of {what}, {size:,} bytes",
                      *rows(results[f"syntax-{title}"], TITLES,
                            lambda median: syntax_bar(title, median, size, factor), size)]
    titles = {"tenon": "tenon, tn_program_new", "typescript": "typescript 5.9.3, in Node"}
    for case, what in (("warm", "30 lines checked and erased, warm"),
                       ("four", "four such at once, on threads, until the last is done"),
                       ("first", "the first check, the compiler's start included")):
        if f"check-{case}" in results:
            lines += ["", what, *rows(results[f"check-{case}"], titles,
                                      lambda median: verdict("8 ms", median, CHECK_BAR_NS, factor)
                                      if case == "warm" else "")]
    return lines
