"""The part `mcp`: tools of servers, beside the SDK's own clients; and what passes through a model."""
import json
import pathlib
import subprocess
import sys

import figures
from peer import Peer, ask_in_turn

HERE = pathlib.Path(__file__).resolve().parent
TITLES = {"tenon": "tenon, from a program", "sdk1": "SDK 1.32.2, client", "sdk2": "SDK 2.4.0, client",
          "inside": "a function in the process"}
CALLS = {"one": "one call after the other", "flight": "32 calls in flight"}
SEARCHES = ["list issues", "get", "send a mesage to all users of the workspace", "create a webhook"]
figures.BARS.update({(f"mcp-search-{query}", "tenon"): (5e6, "5 ms") for query in SEARCHES})


def everything(args):
    return f"{args.servers}/@modelcontextprotocol/server-everything/dist/index.js"


def open_peers(args):
    """The processes of this part; none if it is not asked for."""
    if "mcp" not in args.only:
        return {}
    catalogue = str(HERE / "catalogue.mjs")
    peers = {"tenon": Peer("tenon", [f"{args.build}/bench/mcp", args.node, everything(args), catalogue,
                                     args.servers], args.clock)}
    for name in ("sdk1", "sdk2"):
        peers[name] = Peer(TITLES[name], [args.node, "--no-warnings", str(HERE / "clients.mjs"), name,
                                          args.modules, everything(args), catalogue, args.servers],
                           args.clock)
    return peers


def count_tokens(args):
    command = [args.node, "--no-warnings", str(HERE / "tokens.mjs"), f"{args.build}/cli/tenon",
               args.modules, args.servers]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: tokens.mjs ended with {done.returncode}")
    return json.loads(done.stdout)


def measure(peers, args, results):
    for case in CALLS:
        jobs = [(peer, case, "") for peer in peers.values()]
        results[f"mcp-{case}"] = dict(zip(peers, ask_in_turn(jobs, args)))
    tenon = peers["tenon"]
    results["mcp-one"]["inside"] = ask_in_turn([(tenon, "inside", "")], args)[0]
    for _ in range(max(3, args.rounds // 2)):
        for name, peer in peers.items():
            results["mcp-load"].setdefault(name, []).append(peer.number("load", 1))
        results["mcp-load-search"].setdefault("tenon", []).append(tenon.number("load", 1, "issue"))
    samples = ask_in_turn([(tenon, "search", query) for query in SEARCHES], args)
    for query, kept in zip(SEARCHES, samples):
        results[f"mcp-search-{query}"]["tenon"] = kept
    return count_tokens(args)


# ---- showing ----

def token_table(counted):
    raw, ours, work = counted["raw"], counted["tenon"], counted["work"]
    total = {key: sum(row[key] for row in raw.values()) for key in ("tools", "bytes", "tokens")}
    yield from ("", f"what a model is sent ({counted['tokenizer']}): tools, bytes, tokens")
    for name, row in (*raw.items(), ("all five", total), ("tenon mcp in their place", ours["tools"])):
        yield f"  {name:<34} {row['tools']:>4} {row['bytes']:>8,} {row['tokens']:>8,}"
    for name in ("instructions", "search", "search, another", "describe"):
        yield f"  {'  ' + name:<34}      {ours[name]['bytes']:>8,} {ours[name]['tokens']:>8,}"
    yield from ("", "errors counted in 40 logs, a report written: round trips, bytes, tokens through the model")
    for name, row in work.items():
        yield f"  {name:<34} {row['trips']:>4} {row['bytes']:>8,} {row['tokens']:>8,}"


def table(results, counted):
    if not counted:
        return []
    lines = []
    for case, title in CALLS.items():
        figures.section(lines, f"a tool of a server over stdio, {title} (each)", results, f"mcp-{case}", TITLES)
    figures.section(lines, "a server of 1,000 tools: from its start until its tools are known", results,
                    "mcp-load", TITLES)
    figures.section(lines, "the same, and the first search", results, "mcp-load-search", TITLES)
    for query in SEARCHES:
        figures.section(lines, f"a search among them: {query}", results, f"mcp-search-{query}", {})
    return lines + list(token_table(counted))
