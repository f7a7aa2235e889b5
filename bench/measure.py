#!/usr/bin/env python3
"""Measure Tenon and its peers side by side and print ratios.

usage: measure.py --build DIR --node NODE --modules DIR --tsc FILE [--json FILE]
                  [--rounds N] [--target MS] [--clock wall|cpu] [--only PART[,PART...]]

Every engine is a process that does what a line tells it and answers with the
nanoseconds it took (server.h). They are asked in turn, round after round, and
the medians over the rounds are compared, so a machine that is slow for a while
is slow for all of them. Nothing here passes or fails.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys

from peer import Peer, ask_in_turn, settle
import figures
import front
import tools

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, LOOPS = HERE / "program.js", HERE / "loops.js"
SPEED = ["calls", "strings", "regexp", "json", "collections", "floats", "typed"]
PARTS = ["fresh", "speed", "calls", "threads", "memory", "stop", "size", "syntax", "check", "search", "mcp"]
RUNNING = {"fresh", "speed", "calls", "threads", "memory", "stop"}
SEARCHES = ["list issues", "get", "send a mesage to all users of the workspace", "github"]
NEVER_ENDING = {
    "a loop": "for (;;) ;",
    "a loop in a getter": "const o = { get a() { for (;;) ; } }; JSON.stringify(o)",
    "a native that never asks": "(7n ** 370000n).toString()",
}


def open_peers(args):
    """The processes that run programs, by name; none if no part that runs any is asked for."""
    if not RUNNING.intersection(args.only):
        return {}
    node = [args.node, "--no-warnings", str(HERE / "peers.mjs")]
    peers = {
        "tenon": Peer("tenon", [f"{args.build}/bench/contained"], args.clock),
        "native": Peer("native quickjs-ng", [f"{args.build}/bench/native"], args.clock),
    }
    for name, title in (("monty", "@pydantic/monty"), ("quickjs-emscripten", "quickjs-emscripten"),
                        ("node-vm", "node:vm"), ("run", "npm run")):
        if "fresh" in args.only or (name == "quickjs-emscripten" and "calls" in args.only):
            peers[name] = Peer(title, [*node, name, args.modules], args.clock)
    return peers


def for_peer(name, program):
    return program.with_suffix(".py") if name == "monty" else program


def check_answers(peers, program):
    """All must give the same value; otherwise they are not doing the same work."""
    answers = {name: json.loads(peer.ask("check", 1, for_peer(name, program)))
               for name, peer in peers.items()}
    wrong = [name for name, value in answers.items() if value != answers["native"]]
    if wrong:
        sys.exit("bench: other answers than native: "
                 + "; ".join(f"{name}: {answers[name]}" for name in wrong))


def measure_fresh(peers, args, results):
    compiling = [name for name in ("tenon", "native", "monty", "node-vm") if name in peers]
    inside = [name for name in compiling if name != "node-vm"]
    for case, program, names in (("fresh-text", PROGRAM, list(peers)),
                                 ("fresh-compiled", PROGRAM, compiling),
                                 ("fresh-text", LOOPS, inside), ("fresh-compiled", LOOPS, inside)):
        jobs = [(peers[name], case, for_peer(name, program)) for name in names]
        results[f"{case}-{program.stem}"] = dict(zip(names, ask_in_turn(jobs, args)))


def measure_speed(peers, args, results):
    pair = [peers["tenon"], peers["native"]]
    for name in SPEED:
        path = HERE / "speed" / f"{name}.js"
        values = [peer.ask("check", 1, path) for peer in pair]
        if values[0] != values[1]:
            sys.exit(f"bench: {name}: tenon answers {values[0]}, native {values[1]}")
        samples = ask_in_turn([(peer, "speed", path) for peer in pair], args)
        results[f"speed-{name}"] = dict(zip(("tenon", "native"), samples))


def measure_calls(peers, args, results):
    count = 100000
    for case, names in (("calls-sync", ("tenon", "native", "quickjs-emscripten")),
                        ("calls-async", ("tenon",)), ("calls-normal", ("tenon",)),
                        ("calls-durable", ("tenon",))):
        for _ in range(max(3, args.rounds // 2)):
            for name in names:
                n = count if case == "calls-sync" and name != "quickjs-emscripten" else count // 10
                n = n // 50 if case == "calls-durable" else n
                results[case].setdefault(name, []).append(peers[name].number(case, n) / n)


def measure_threads(peers, args, results):
    counts = {name: settle(peers[name], "threads-1", PROGRAM, args.target_ns)
              for name in ("tenon", "native")}
    for _ in range(args.rounds):
        for name, count in counts.items():
            for case in ("threads-1", "threads-2"):
                took = peers[name].pair(case, 2 * count, PROGRAM)[0]
                results[case].setdefault(name, []).append(2 * count / took * 1e9)


def measure_memory(peers, results):
    count = 200
    for _ in range(3):
        rss, pss = peers["tenon"].pair("memory", count, PROGRAM)
        results["memory-rss"].setdefault("tenon", []).append(rss / count)
        results["memory-pss"].setdefault("tenon", []).append(pss / count)


def measure_search(args, results):
    """Of a thousand functions; what is asked, and how long the first one takes."""
    peer = Peer("tenon", [f"{args.build}/bench/search"], args.clock)
    samples = ask_in_turn([(peer, "search", query) for query in SEARCHES], args)
    for query, kept in zip(SEARCHES, samples):
        results[f"search-{query}"]["tenon"] = kept
    for _ in range(3):
        results["search-first"].setdefault("tenon", []).append(peer.number("first", 1, "issue"))
    peer.close()


def measure_stop(peers, args, results):
    for title, text in NEVER_ENDING.items():
        case = f"stop-{title}"
        for _ in range(max(3, args.rounds)):
            results[case].setdefault("tenon", []).append(peers["tenon"].number("stop", 1, text))


class Results(dict):
    def __missing__(self, key):
        self[key] = {}
        return self[key]


def read_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--node", required=True)
    parser.add_argument("--modules", required=True)
    parser.add_argument("--tsc", required=True, help="TypeScript's own compiler, for `check`")
    parser.add_argument("--servers", help="modules of the MCP servers, for `mcp`")
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--target", type=float, default=40, help="milliseconds of one batch")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="cpu: time of the processor, steadier on a busy machine")
    parser.add_argument("--only", default=",".join(PARTS))
    args = parser.parse_args()
    args.only = args.only.split(",")
    unknown = [part for part in args.only if part not in PARTS]
    if unknown:
        sys.exit(f"bench: no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    args.target_ns = args.target * 1e6
    return args


def main():
    args = read_arguments()
    peers, fronts, results = open_peers(args), front.open_peers(args), Results()
    servers, counted = tools.open_peers(args), {}
    for program in (PROGRAM, LOOPS) if peers else ():
        check_answers(peers, program)
    steps = {
        "fresh": lambda: measure_fresh(peers, args, results),
        "speed": lambda: measure_speed(peers, args, results),
        "calls": lambda: measure_calls(peers, args, results),
        "threads": lambda: measure_threads(peers, args, results),
        "memory": lambda: measure_memory(peers, results),
        "stop": lambda: measure_stop(peers, args, results),
        "size": lambda: figures.size_and_start(args, results),
        "syntax": lambda: front.measure_syntax(fronts, args, results),
        "check": lambda: front.measure_check(fronts, args, results),
        "search": lambda: measure_search(args, results),
        "mcp": lambda: counted.update(tools.measure(servers, args, results)),
    }
    for part in PARTS:
        if part in args.only:
            print(f"measuring {part}", file=sys.stderr, flush=True)
            steps[part]()
    titles = {name: peer.title for name, peer in peers.items()}
    for peer in (*peers.values(), *fronts.values(), *servers.values()):
        peer.close()
    print(f"time: {args.clock}; load of the machine: {os.getloadavg()[0]:.1f} "
          f"on {os.cpu_count()} processors")
    print(figures.table(results, titles, list(NEVER_ENDING), SPEED))
    print("\n".join(front.table(results)))
    print("\n".join(figures.search_table(results, SEARCHES)))
    print("\n".join(tools.table(results, counted)))
    if args.json:
        document = {"machine": figures.machine(), "rounds": args.rounds, "clock": args.clock,
                    "load": os.getloadavg(), "results": results, "tokens": counted,
                    "medians": {case: {name: statistics.median(samples)
                                       for name, samples in by_peer.items()}
                                for case, by_peer in results.items()}}
        pathlib.Path(args.json).write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
