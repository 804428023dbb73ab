"""The suite: every problem by heist and by every peer, side by side.

python3 bench/suite [--mode full|quick|smoke] [--rounds N] [PROBLEM FOLDER…]

The programs are built by script/bench, which is what to call. Writes README.md and plots into docs/evidence/benchmarks, and every figure into build/benchmarks/suite.json;
--mode quick, which takes smaller sizes and fewer rounds, and a part of the problems, into build/benchmarks. --mode smoke runs everything once, small,
and writes nothing."""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys

import contest
import figures
import page
import peers
import plot
from problems import PROBLEMS

ROUNDS = {"full": 9, "quick": 3, "smoke": 1}
OUT = {"full": "docs/evidence/benchmarks", "quick": "build/benchmarks"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=ROUNDS, default="full")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--out", help="another folder to write into")
    parser.add_argument("--no-build", action="store_true", help="Rust, Java and Go programs are there already")
    parser.add_argument("folders", nargs="*")
    wanted = parser.parse_args()
    unknown = set(wanted.folders) - {p.folder for p in PROBLEMS}
    if unknown:
        sys.exit(f"bench/suite: no problem {', '.join(sorted(unknown))}")
    return wanted


def plots(results, contestants, workers, out):
    """Times and memory of all against the better of the two heists."""
    heists = [c.name for c in contestants if c.role == "heist"]
    drawn = []
    for measure, file, what in (("seconds", "time", "time"), ("peak_kib", "memory", "peak memory")):
        for p in workers if measure == "seconds" else workers[-1:]:
            rows = {}
            for problem, found in results.items():
                own = [figures.median(found[h, p], measure) for h in heists if (h, p) in found]
                if own:
                    rows[problem.name] = {c.name: figures.median(found[c.name, p], measure) / min(own) for c in contestants
                                          if (c.name, p) in found}
            title = f"{what.capitalize()} on {p} worker{'s' if p > 1 else ''}, as a multiple of heist's"
            subtitle = "1: the better of heist by g++ and by clang. To the right: dearer."
            svg = plot.dots(title, subtitle, rows, [c.name for c in contestants])
            (out / f"{file}_{p}.svg").write_text(svg)
            drawn.append((f"{file}_{p}.svg", title))
    return drawn


def as_json(run):
    rounds = [{"problem": p.name, "size": run["sizes"][p.name], "contestant": name, "workers": workers, "rounds": found}
              for p, all_found in run["results"].items() for (name, workers), found in all_found.items()]
    return {"date": run["date"], "commit": run["commit"], "machine": run["machine"], "versions": run["versions"],
            "flags": peers.FLAGS, "runs": rounds, "instructions": {p.name: c for p, c in run["counts"].items()},
            "targets": [vars(v) for v in run["verdicts"]]}


def main():
    os.chdir(peers.ROOT)
    wanted = parse()
    problems = [p for p in PROBLEMS if not wanted.folders or p.folder in wanted.folders]
    contestants = [c for c in peers.PEERS if peers.at_hand(c)]
    for c in peers.PEERS:
        if c not in contestants:
            contest.say(f"bench/suite: no {c.compiler}, so no {c.name}")
    if not wanted.no_build:
        peers.build(problems)
    machine = contest.machine()
    workers = [1, machine["cores"]] if machine["cores"] > 1 else [1]
    rounds = wanted.rounds or ROUNDS[wanted.mode]
    results, counts, sizes = {}, {}, {}
    for problem in problems:
        sizes[problem.name] = problem.size(wanted.mode)
        contest.say(f"== {problem.name}, {sizes[problem.name]}")
        results[problem] = contest.play(problem, contestants, workers, sizes[problem.name], rounds, contest.say)
        if problem.counted and wanted.mode != "smoke":
            counts[problem] = contest.count(problem, contestants)
    if wanted.mode == "smoke":
        return
    # The page in the docs is of all problems, or of none.
    out = pathlib.Path(wanted.out or (OUT[wanted.mode] if len(problems) == len(PROBLEMS) else OUT["quick"]))
    out.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    run = {"date": datetime.date.today().isoformat(), "commit": commit or "unknown", "machine": machine,
           "versions": peers.versions(), "rounds": rounds, "workers": workers, "contestants": contestants, "results": results,
           "counts": counts, "sizes": sizes, "command": "script/bench" + (" --quick" if wanted.mode == "quick" else ""),
           "verdicts": figures.verdicts(results, counts, contestants, workers),
           "plots": plots(results, contestants, workers, out)}
    raw = pathlib.Path(OUT["quick"])
    raw.mkdir(parents=True, exist_ok=True)
    (raw / "suite.json").write_text(json.dumps(as_json(run), indent=1) + "\n")
    (out / "README.md").write_text(page.page(run))
    contest.say(f"bench/suite: {out}/README.md; {sum(v.met for v in run['verdicts'])} of {len(run['verdicts'])} targets met")


try:
    main()
except contest.Wrong as wrong:
    sys.exit(f"bench/suite: {wrong}")
