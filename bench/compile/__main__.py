"""What heist costs the compiler: headers alone, a file of algorithms, one of twenty for four types, and each further join.

python3 bench/compile [--rounds N] [--before REVISION] [--compiler NAME…] [--blame]

Compiles small files with -std=c++20 -O2, in turns, and prints a Markdown table: the processor time of the compiler in
seconds, the minimum of the rounds, and the object's text in kB, as size(1) counts it. --before adds the same figures for
heist's headers of a revision. --blame prints what clang's -ftime-trace says takes the time; with --rounds 0, only
that. script/bench compile calls this."""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "compile"
FEW, MANY = 1, 100
TARGETS = {"join.hpp": "0.70 s", "heist.hpp": "0.85 s", "algorithms, heist": "2.6 s, 45 kB", "each further join": "0.040 s"}

# A branch that computes something, and one with a loop: neither is worth a word in a program.
JOIN = """
long work{i}(const long* p, long n) {{
  auto [a, b] = heist::join(
      [=] {{ long s = {i}; for (long k = 0; k < n / 2; ++k) s += p[k] * k; return s; }},
      [=] {{ long s = {i}; for (long k = n / 2; k < n; ++k) s ^= p[k] + k; return s; }});
  return a + b;
}}
"""


def joins(n):
    return "#include <heist/join.hpp>\n" + "".join(JOIN.format(i=i) for i in range(n))


def standard_headers(tree):
    """What heist.hpp includes of the standard library, itself or through heist's other headers."""
    listed = subprocess.run(["g++", "-std=c++20", f"-I{tree}", "-MM", str(tree / "heist" / "heist.hpp")],
                            capture_output=True, text=True, check=True).stdout
    names = set()
    for header in re.findall(r"\S+\.hpp", listed):
        names |= set(re.findall(r"^#include <([a-z_]+)>", pathlib.Path(header).read_text(), re.MULTILINE))
    return "".join(f"#include <{name}>\n" for name in sorted(names))


def files_of(tree):
    """The files that are compiled with heist's headers from a tree, by what the table calls them."""
    # A revision from before may lack some of the twenty algorithms.
    twenty = {"four types, twenty algorithms": (HERE / "twenty.cpp").read_text()} if tree == ROOT else {}
    return {
        "heist's standard headers": standard_headers(tree),
        "join.hpp": "#include <heist/join.hpp>\n",
        "heist.hpp": "#include <heist/heist.hpp>\n",
        "algorithms, heist": (HERE / "heist.cpp").read_text(),
        f"{FEW} join": joins(FEW),
        f"{MANY} joins": joins(MANY),
        **twenty,
    }


PEERS = {
    "tbb.h": "#include <tbb/tbb.h>\n",
    "algorithms, oneTBB": (HERE / "tbb.cpp").read_text(),
    "algorithms, std::execution::par": (HERE / "std_par.cpp").read_text(),
}


def compile_once(compiler, tree, source, *more):
    """Seconds of processor time."""
    command = [compiler, "-std=c++20", "-O2", "-w", f"-I{tree}", *more, "-c", str(source), "-o", str(source.with_suffix(".o"))]
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench/compile: {' '.join(command)} failed")
    return used.ru_utime + used.ru_stime


def text_of(source):
    counted = subprocess.run(["size", str(source.with_suffix(".o"))], capture_output=True, text=True, check=True).stdout
    return int(counted.splitlines()[1].split()[0]) / 1000


def lay_out(trees):
    """Writes the files: a list of what to compile, as (name, column, tree, path)."""
    cases = []
    for column, tree in trees.items():
        for name, text in files_of(tree).items() if column != "peers" else PEERS.items():
            path = WORK / column / (re.sub(r"\W+", "_", name) + ".cpp")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            cases.append((name, column, tree, path))
    return cases


def measure(compiler, cases, rounds):
    seconds, text = collections.defaultdict(list), {}
    for turn in range(rounds):
        for k in range(len(cases)):
            name, column, tree, path = cases[(k + turn) % len(cases)]
            seconds[name, column].append(compile_once(compiler, tree, path))
            text[name, column] = text_of(path)
    best = {key: min(all_of) for key, all_of in seconds.items()}
    for column in {column for _, column in best} - {"peers"}:
        further = MANY - FEW
        for of in (best, text):
            of["each further join", column] = (of[f"{MANY} joins", column] - of[f"{FEW} join", column]) / further
    return best, text


def print_table(best, text, columns):
    names = list(dict.fromkeys(name for name, _ in best))
    print("| |" + "".join(f" {c}: s | kB |" for c in columns) + " target |")
    print("| --- |" + " ---: | ---: |" * len(columns) + " --- |")
    for name in names:
        row = f"| {name} |"
        for column in columns:
            key = (name, column) if (name, column) in best else (name, "peers")
            known = key in best and (key[1] != "peers" or column == columns[-1])
            row += f" {best[key]:.3f} | {text[key]:.1f} |" if known else " | |"
        print(row + f" {TARGETS.get(name, '')} |")


def durations(events):
    """Microseconds by kind and what it was about: of a header, without those that it includes."""
    sums = {kind: collections.Counter() for kind in ("Source", "InstantiateFunction", "OptFunction")}
    open_headers = []
    for e in sorted(events, key=lambda e: e.get("ts", 0)):
        if e["name"] not in sums:
            continue
        if e["ph"] == "X":
            sums[e["name"]][e["args"]["detail"]] += e["dur"]
        elif e["ph"] == "b":
            open_headers.append([e["args"]["detail"], e["ts"], 0])
        elif open_headers:
            what, began, inside = open_headers.pop()
            sums[e["name"]][what] += e["ts"] - began - inside
            if open_headers:
                open_headers[-1][2] += e["ts"] - began
    return sums


def print_blame(cases):
    """What clang spends its time on: the phases, and the costliest headers and functions."""
    for name, column, tree, path in cases:
        if column != "now" or name not in ("heist.hpp", "algorithms, heist", f"{MANY} joins"):
            continue
        compile_once("clang++-19", tree, path, "-ftime-trace", "-ftime-trace-granularity=100")
        events = json.loads(path.with_suffix(".json").read_text())["traceEvents"]
        phases = [e for e in events if e["name"] in ("Total Frontend", "Total Backend")]
        print(f"\n{name}, by clang: " + ", ".join(f"{e['name'][6:].lower()} {e['dur'] / 1e6:.2f} s" for e in phases) + "\n")
        for kind, sums in durations(events).items():
            for what, duration in sums.most_common(5):
                shown = re.sub(r"^.*/(?=(?:heist|c\+\+)/)", "", what)
                print(f"- {kind}, {duration / 1000:.0f} ms: `{shown[:100]}`")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", metavar="REVISION")
    parser.add_argument("--compiler", nargs="+", default=["g++", "clang++-19"])
    parser.add_argument("--blame", action="store_true")
    wanted = parser.parse_args()
    trees = {"now": ROOT, "peers": ROOT}
    if wanted.before:
        before = WORK / f"tree-{wanted.before}"
        before.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", wanted.before, "heist"], stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", str(before)], input=archive.stdout, check=True)
        trees = {"before": before, **trees}
    cases = lay_out(trees)
    for compiler in wanted.compiler if wanted.rounds > 0 else []:
        asked = "-dumpfullversion" if compiler.startswith("g++") else "-dumpversion"
        version = subprocess.run([compiler, asked], capture_output=True, text=True, check=True).stdout.strip()
        print(f"\n{compiler} {version}, -O2, {wanted.rounds} rounds, load {os.getloadavg()[0]:.1f}; processor time, minima\n")
        print_table(*measure(compiler, cases, wanted.rounds), [c for c in trees if c != "peers"])
        sys.stdout.flush()
    if wanted.blame:
        print_blame(cases)


if __name__ == "__main__":
    main()
