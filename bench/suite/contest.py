"""Runs the contestants: all of a problem take turns, round by round, so that a slow spell of the machine hits all alike."""
import json
import os
import re
import statistics
import subprocess
import sys

import peers

LIMIT_SECONDS = 30
# One that is so far behind the fastest shows it in a few rounds; the others need not wait for it in all of them.
FAR_BEHIND, FEW_ROUNDS = 10, 3


class Wrong(Exception):
    """A program that failed, or gave another result than the others."""


def run(peer, problem, workers, size):
    """One process: its figures, or why there are none. Peers may fail; heist and serial code may not."""
    command = peer.command(problem, workers, size)
    try:
        done = subprocess.run(command, cwd=peers.ROOT, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired as e:
        if peer.role not in ("peer", "floor"):
            raise Wrong(f"{' '.join(command)}: took more than {LIMIT_SECONDS} s") from e
        return f"took more than {LIMIT_SECONDS} s"
    except OSError as e:
        raise Wrong(f"{command[0]}: {e.strerror}") from e
    if done.returncode != 0:
        if peer.role in ("peer", "floor"):
            return f"ended with {done.returncode}: {done.stderr.strip()[:200]}"
        raise Wrong(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()[:500]}")
    return json.loads(done.stdout)


def play(problem, contestants, worker_counts, size, rounds, say):
    """{(peer name, workers): [figures of each round]}, all results being the same."""
    seats = [(c, p) for c in contestants if c.has(problem) for p in worker_counts if c.role != "serial" or p == 1]
    found = {(c.name, p): [] for c, p in seats}
    expected = None
    dropped = set()
    for r in range(rounds):
        if r == FEW_ROUNDS:
            dropped = {(c, p) for c, p in seats if far_behind(found, c, p)}
        for i in range(len(seats)):
            c, p = seats[(i + r) % len(seats)]
            if found[c.name, p] is None or (c, p) in dropped:
                continue
            figures = run(c, problem, p, size)
            if isinstance(figures, str):
                say(f"{problem.name}: {c.name} on {p} {figures}")
                if figures.startswith("took"):
                    found[c.name, p] = None  # the others need not wait for it again
                continue
            if expected is None:
                expected = figures["result"]
            if figures["result"] != expected:
                raise Wrong(f"{problem.name}: {c.name} on {p} found {figures['result']!r}, others {expected!r}")
            found[c.name, p].append(figures)
    return {seat: rounds_of for seat, rounds_of in found.items() if rounds_of}


def far_behind(found, contestant, workers):
    if contestant.role not in ("peer", "floor") or not found[contestant.name, workers]:
        return False
    typical = lambda rounds: statistics.median(f["seconds"] for f in rounds)
    best = min(typical(rounds) for (name, p), rounds in found.items()
               if p == workers and rounds and not name.startswith("serial"))
    return typical(found[contestant.name, workers]) > FAR_BEHIND * best


def instructions(peer, problem, size):
    """Of a whole run on one worker, by callgrind."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *peer.command(problem, 1, size)]
    done = subprocess.run(command, cwd=peers.ROOT, capture_output=True, text=True, timeout=600)
    count = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or count is None:
        raise Wrong(f"{' '.join(command)}: exit {done.returncode}")
    return int(count[1])


def count(problem, contestants):
    """Instructions between the problem's two counted sizes, for those who can run under valgrind. A program runs twice."""
    small, large = problem.counted
    counted = {}
    for c in contestants:
        if c.compiler in ("g++", "clang++-19", "cargo") and c.role != "floor" and c.has(problem):
            counted[c.name] = (instructions(c, problem, large) - instructions(c, problem, small)) / 2
    return counted


def machine():
    with open("/proc/cpuinfo") as info:
        model = next((line.split(":")[1].strip() for line in info if line.startswith("model name")), "unknown processor")
    return {"processor": model, "cores": len(os.sched_getaffinity(0)), "kernel": os.uname().release.split("-")[0],
            "load": os.getloadavg()[0]}


def say(text):
    print(text, file=sys.stderr, flush=True)
