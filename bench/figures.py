"""What is measured without asking an engine, and how all of it is shown."""
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile
import time

BARS = {
    ("fresh-text-program", "tenon"): (30e3, "30 us"),
    ("fresh-compiled-program", "tenon"): (12e3, "12 us"),
    ("calls-sync", "tenon"): (2e3, "2 us"), ("memory-pss", "tenon"): (1 << 20, "1 MiB"),
    ("size", "tenon"): (4e6, "4 MB"),
}
# What native quickjs-ng takes for a fresh realm from text on the machine the bars were set for. A bar
# in time is that machine's: elsewhere it counts times what native takes here, over this.
REFERENCE_NS = 90e3
IN_TIME = ("fresh-text-program", "fresh-compiled-program", "calls-sync")
SPEED_BAR = 1.5
STOP_BAR_NS = 150e6


def machine():
    model = ""
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release()}


# ---- size and start ----

def stripped_bytes(path):
    with tempfile.NamedTemporaryFile() as copy:
        shutil.copyfile(path, copy.name)
        subprocess.run(["strip", copy.name], check=True)
        return os.path.getsize(copy.name)


def size_and_start(args, results):
    build = pathlib.Path(args.build)
    command = build / "cli/tenon"
    library = next((p for p in sorted(build.glob("src/libtenon.so*"))
                    if p.is_file() and not p.is_symlink()), None)
    results["size"]["tenon"] = [stripped_bytes(command)]
    if library:
        results["size-library"]["tenon"] = [stripped_bytes(library)]
    starts = {"tenon": [str(command), "run", "-e", "1"], "node": [args.node, "-e", "1"],
              "true": ["/bin/true"]}
    for _ in range(args.rounds + 1):
        for name, line in starts.items():
            begin = time.perf_counter_ns()
            subprocess.run(line, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
            results["start"].setdefault(name, []).append(time.perf_counter_ns() - begin)
    for samples in results["start"].values():
        samples.pop(0)


# ---- showing ----

def time_text(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.0f} ns"


def size_text(number):
    return f"{number / 1e6:.2f} MB" if number >= 1e6 else f"{number / 1024:.0f} KiB"


def rate_text(number):
    return f"{number:,.0f}/s"


def ratio_of(tenon, other):
    """The median of the rounds' own ratios: each compares neighbours in time."""
    if len(tenon) == len(other):
        return statistics.median(b / a for a, b in zip(tenon, other))
    return statistics.median(other) / statistics.median(tenon)


def slowness(results):
    """How much longer this machine takes than that of the bars; None if it was not measured."""
    samples = results.get("fresh-text-program", {}).get("native")
    return statistics.median(samples) / REFERENCE_NS if samples else None


def bar_text(results, case, name, median):
    bar = BARS.get((case, name))
    if not bar:
        return ""
    factor = slowness(results)
    if median <= bar[0] or case not in IN_TIME or not factor:
        return f"bar {bar[1]}: " + ("reached" if median <= bar[0] else "MISSED")
    return (f"bar {bar[1]}, here {time_text(bar[0] * factor)}: "
            + ("reached" if median <= bar[0] * factor else "MISSED"))


def rows(results, case, titles, show):
    by_peer = results.get(case, {})
    for name, samples in by_peer.items():
        median = statistics.median(samples)
        ratio = "" if name == "tenon" or "tenon" not in by_peer else \
            f"{ratio_of(by_peer['tenon'], samples):.2f} x"
        yield (f"  {titles.get(name, name):<22} {show(median):>12} {ratio:>10}   "
               f"{bar_text(results, case, name, median)}").rstrip()


def section(lines, title, results, case, titles, show=time_text):
    if results.get(case):
        lines += ["", title, *rows(results, case, titles, show)]


def speed_rows(results, names):
    for name in names:
        pair = results.get(f"speed-{name}")
        if not pair:
            continue
        ratio = statistics.median(t / n for t, n in zip(pair["tenon"], pair["native"]))
        verdict = "" if ratio <= SPEED_BAR else "   MISSED"
        yield (f"  {name:<22} {time_text(statistics.median(pair['tenon'])):>12} "
               f"{time_text(statistics.median(pair['native'])):>12} {ratio:>8.2f} x{verdict}")


def stop_rows(results, names):
    for name in names:
        samples = results.get(f"stop-{name}", {}).get("tenon")
        if samples:
            verdict = "reached" if max(samples) <= STOP_BAR_NS else "MISSED"
            yield (f"  {name:<26} {time_text(statistics.median(samples)):>10} median, "
                   f"{time_text(max(samples))} at most   bar 150 ms: {verdict}")


def search_table(results, queries):
    lines = []
    for query in queries:
        section(lines, f"a search among 1,000 functions: {query}", results, f"search-{query}", {})
    section(lines, "the first search, which reads the declarations", results, "search-first", {})
    return lines


def table(results, titles, stops, speeds):
    lines = ["medians of rounds taken in turn; the ratio is that of the row to tenon"]
    if slowness(results):
        lines += [f"this machine takes {slowness(results):.1f} times as long as that of the bars, by "
                  f"native quickjs-ng: there {time_text(REFERENCE_NS)} for a fresh realm from text"]
    for program, what in (("program", "10 lines"), ("loops", "10 lines with loops of 20")):
        section(lines, f"fresh realm, {what}, dropped; from text", results,
                f"fresh-text-{program}", titles)
        section(lines, "the same, compiled before", results, f"fresh-compiled-{program}", titles)
    shown = list(speed_rows(results, speeds))
    if shown:
        lines += ["", f"engine: tenon, native quickjs-ng, tenon / native (bar {SPEED_BAR} x)", *shown]
    section(lines, "one host call, a small object back", results, "calls-sync", titles)
    section(lines, "the same, awaited", results, "calls-async", titles)
    section(lines, "one host call, journal normal", results, "calls-normal", titles)
    section(lines, "one host call, journal durable", results, "calls-durable", titles)
    section(lines, "realms a second, one thread (compiled before; native: from text)", results,
            "threads-1", titles, rate_text)
    section(lines, "realms a second, two threads", results, "threads-2", titles, rate_text)
    section(lines, "memory of an idle realm, resident (pages of the image count each time)", results, "memory-rss", titles, size_text)
    section(lines, "memory of an idle realm, its share", results, "memory-pss", titles, size_text)
    shown = list(stop_rows(results, stops))
    if shown:
        lines += ["", "time past the deadline", *shown]
    section(lines, "command with the library inside, stripped", results, "size", titles, size_text)
    section(lines, "shared library, stripped", results, "size-library", titles, size_text)
    section(lines, "process: tenon run -e 1", results, "start", titles)
    return "\n".join(lines)
