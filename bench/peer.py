"""A measured engine: a process that is told what to do, line by line (server.h)."""
import subprocess
import sys


class Peer:
    """`clock` chooses between the two times of an answer: "wall" or "cpu"."""

    def __init__(self, title, command, clock="wall"):
        self.title = title
        self.clock = clock
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, case, count, argument=""):
        """Do it `count` times; the answer's line."""
        self.process.stdin.write(f"{case} {count} {argument}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: {self.title} ended at '{case} {argument}' "
                     f"(status {self.process.wait()})")
        return line.strip()

    def pair(self, case, count, argument=""):
        first, second = self.ask(case, count, argument).split()
        return float(first), float(second)

    def number(self, case, count, argument=""):
        return self.pair(case, count, argument)[self.clock == "cpu"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def settle(peer, case, argument, target_ns):
    """Warm up; how often to do it for a batch of about the wanted length."""
    count, took = 1, peer.number(case, 1, argument)
    while took < target_ns:
        count = max(count + 1, min(count * 8, int(count * target_ns / max(took, 1)) + 1))
        took = peer.number(case, count, argument)
    return count


def ask_in_turn(jobs, args):
    """For each job (peer, case, argument) its nanoseconds for one, a sample a round. The rounds go
    through all jobs, so that whatever else the machine does meets all of them."""
    counts = [settle(peer, case, argument, args.target_ns) for peer, case, argument in jobs]
    samples = [[] for _ in jobs]
    for _ in range(args.rounds):
        for (peer, case, argument), count, kept in zip(jobs, counts, samples):
            kept.append(peer.number(case, count, argument) / count)
    return samples
