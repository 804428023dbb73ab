"""The page of figures, in Markdown."""
import figures
import peers

METHOD = """## Method

- A contestant is a program for one problem on one runtime ([bench](../../../bench/README.md)). It
  runs the problem once to warm up (Java three times, for its compiler). Then it runs the problem
  once by the clock, stays idle for 50 ms, and prints its figures. Times are of that one call,
  measured outside the runtime. CPU seconds are those of the process during the call and the idle
  time. Peak RSS is of the whole process.
- All contestants of a problem, on one worker and on all, take turns. A round runs each once, and
  each round begins with a different one. Medians are over the rounds. "±" is half the distance
  between the quartiles. A ratio is one of medians; its 95 % interval comes from resampling the
  rounds in pairs. A peer that takes ten times as long as the fastest runs in the first three
  rounds only. A peer that takes more than half a minute does not run.
- All contestants do the same work. Every fork of the problem is a fork of the runtime. There is
  no cut-off unless the problem has one (the matrix product's leaves). Every result is checked
  against all others. Each contestant is written as an expert in its runtime would write it. sort
  is each library's own.
- std::async starts a thread for a fork while fewer than eight per worker are alive, and calls the
  function otherwise. It is shown for comparison and has no target. Go's spawn loop keeps at most
  1,024 goroutines, because memory would run out with more.
- "Not slower than the best peer": heist compiled by g++ is compared with the peers that g++
  compiled, and heist compiled by clang with all others (clang's, Rust's, Java's, Go's). What a
  compiler makes of the loop in a leaf is not the runtime's merit: for the chains in the regions,
  LLVM's code is ten times as fast as g++'s. The table below the targets compares both with the
  best peer of all.
- T_s, T_1 and T_P are the times of the serial program, one worker and P workers.
- ns per fork is (T_1 − T_s) / forks, where T_s is serial code of the same compiler (g++ for the
  other languages).
- Instructions are counted by callgrind, on one worker, as the difference between two sizes.
"""

LIMITS = """## Limits

There is one machine, with few cores, and we do not know what it shares with its neighbours. Times
of a few milliseconds (skynet, roots) show the start of a runtime as much as its forks. Java and
Go have other goals: garbage collection, growing stacks, checked indices. Compilers transform
plain recursive code: g++ unrolls the serial fib several levels deep. So T_1/T_s says little
there, and ns per fork is higher than [bench/fork](../measured/forks.md#benchfork-g) measures.
"""


def table(head, rows, words=1):
    """The first `words` columns to the left, figures to the right."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join([" --- "] * words + [" ---: "] * (len(head) - words)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def milliseconds(rounds):
    return f"{1000 * figures.median(rounds):.2f} ± {100 * figures.spread(rounds):.0f} %"


def problem_table(problem, size, found, contestants, worker_counts):
    most = worker_counts[-1]
    rows = []
    for c in contestants:
        one, all_ = found.get((c.name, 1)), found.get((c.name, most))
        if not one:
            continue
        # The other languages' serial code is not written: g++'s stands for it.
        serial = found.get(("serial, clang" if c.compiler.startswith("clang") else "serial, g++", 1))
        t1, ts = figures.median(one), figures.median(serial) if serial else None
        forks = problem.forks(size) if problem.forks else None
        rows.append([
            c.name, milliseconds(one), milliseconds(all_) if all_ else "", f"{t1 / ts:.2f}" if ts else "",
            f"{t1 / figures.median(all_):.2f}" if all_ else "",
            f"{(t1 - ts) / forks * 1e9:.1f}" if forks and ts and c.role != "serial" else "",
            f"{figures.median(all_ or one, 'peak_kib') / 1024:.1f}", f"{figures.median(one, 'cpu_seconds'):.3f}",
            f"{figures.median(all_, 'cpu_seconds'):.3f}" if all_ else ""])
    head = ["", "T_1, ms", f"T_{most}, ms", "T_1/T_s", f"T_1/T_{most}", "ns per fork", "peak RSS, MiB", "CPU s, P = 1",
            f"CPU s, P = {most}"]
    filled = [i for i in range(len(head)) if i == 0 or any(row[i] for row in rows)]
    shown = table([head[i] for i in filled], [[row[i] for i in filled] for row in rows])
    return f"### {problem.name}, {size:,}\n\n{problem.asks[0].upper() + problem.asks[1:]}.\n\n{shown}"


def summary(results, contestants, worker_counts):
    rows = []
    for problem, found in results.items():
        for h in [c for c in contestants if c.role == "heist"]:
            row = [problem.name, h.name.split(", ")[1]]
            for p in worker_counts:
                rival = figures.best(found, p, contestants)
                there = rival and (h.name, p) in found
                row += [rival or "", str(figures.ratio(found[h.name, p], found[rival, p])) if there else ""]
            rows.append(row)
    head = ["", "heist by"] + [h for p in worker_counts for h in (f"best peer, P = {p}", "heist / best peer")]
    return table(head, rows, words=2)


def instruction_table(counts):
    rows = []
    for problem, counted in counts.items():
        small, large = problem.counted
        forks = problem.forks(large) - problem.forks(small) if problem.forks and problem.forks(large) else None
        for name, n in counted.items():
            serial = counted.get("serial, clang" if name.endswith(("clang", "libomp")) else "serial, g++")
            per_fork = f"{(n - serial) / forks:.1f}" if forks and "serial" not in name else ""
            rows.append([f"{problem.name}, {small} → {large}", name, f"{n:,.0f}", f"{n / serial:.3f}", per_fork])
    return table(["", "", "instructions", "/ serial", "per fork, over serial"], rows, words=2)


def verdict_lists(verdicts):
    met = [v for v in verdicts if v.met]
    missed = [v for v in verdicts if not v.met]
    text = f"{len(met)} of {len(verdicts)} met.\n\n"
    if missed:
        text += "Missed:\n\n" + table(["target", "where", "figure"], [[v.target, v.where, v.figure] for v in missed], words=2) + "\n"
    return text + "Met:\n\n" + table(["target", "where", "figure"], [[v.target, v.where, v.figure] for v in met], words=2)


def page(run):
    """run: what __main__ gathered."""
    m = run["machine"]
    workers = run["workers"]
    about = [["machine", f"{m['processor']}, {m['cores']} cores, Linux {m['kernel']}"],
             ["taken", f"{run['date']}, commit {run['commit']}, {run['rounds']} rounds, load before: {m['load']:.1f}"]]
    about += [[name, version] for name, version in run["versions"].items() if version] + [["flags", peers.FLAGS]]
    parts = ["# heist and its peers\n",
             "This page compares heist with other runtimes, problem by problem. "
             f"`{run['command']}` makes it.\n[changes.md](changes.md) says what changed in heist because of it.\n",
             METHOD, LIMITS, "## Machine\n\n" + table(["", ""], about, words=2),
             "## Targets\n\n" + verdict_lists(run["verdicts"]),
             "## heist against the best peer of each problem\n\nA ratio below 1 means that heist is faster.\n\n"
             + summary(run["results"], run["contestants"], workers)]
    parts += [f"![{title}]({file})\n" for file, title in run["plots"]]
    parts.append("## Every contestant\n")
    parts += [problem_table(p, run["sizes"][p.name], found, run["contestants"], workers)
              for p, found in run["results"].items()]
    if run["counts"]:
        parts.append("## Instructions\n\n" + instruction_table(run["counts"]))
    return "\n".join(parts)
