"""From rounds to figures: medians, spreads, ratios with an interval, and whether the targets are met."""
import dataclasses
import math
import random
import statistics


def of(rounds, measure):
    return [r[measure] for r in rounds]


def median(rounds, measure="seconds"):
    return statistics.median(of(rounds, measure))


def spread(rounds, measure="seconds"):
    """Half the distance between the quartiles, as a part of the median."""
    values = sorted(of(rounds, measure))
    if len(values) < 3 or median(rounds, measure) == 0:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2 / median(rounds, measure)


@dataclasses.dataclass(frozen=True)
class Ratio:
    value: float
    low: float
    high: float

    def __str__(self):
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def ratio(a, b, measure="seconds", draws=1000):
    """Of medians; the interval covers 95 % of what other draws of the same rounds would have given. Rounds are drawn in
    pairs, as both contestants saw the same machine in them."""
    x, y = of(a, measure), of(b, measure)
    n = min(len(x), len(y))
    dice = random.Random(n)
    drawn = []
    for _ in range(draws):
        which = [dice.randrange(n) for _ in range(n)]
        drawn.append(statistics.median(x[i] for i in which) / statistics.median(y[i] for i in which))
    drawn.sort()
    return Ratio(statistics.median(x) / statistics.median(y), drawn[int(0.025 * draws)], drawn[int(0.975 * draws) - 1])


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def best(found, workers, contestants, measure="seconds", among=None, of=lambda peer: True):
    """The contestant with the least median, of those named, or of all peers."""
    names = [c.name for c in contestants if c.role == "peer" and (among is None or c.name.startswith(among)) and of(c)]
    there = [n for n in names if (n, workers) in found]
    return min(there, key=lambda n: median(found[n, workers], measure), default=None)


@dataclasses.dataclass(frozen=True)
class Verdict:
    target: str
    where: str
    figure: str
    met: bool


def held_against(heist):
    """What a compiler makes of the loop in a leaf is not the runtime's: heist by g++ is held against what g++ compiled, heist by
    clang against all others. So every peer is somebody's rival."""
    return lambda peer: (peer.compiler == "g++") == (heist.compiler == "g++")


RIVALS = ("oneTBB", "OpenMP", "Rayon")  # of the fork-bound problems' target


def verdicts(results, counts, contestants, worker_counts):
    """results: {problem: found}; counts: {problem: {contestant: instructions}}."""
    out = []
    for h in [c for c in contestants if c.role == "heist"]:
        for p in worker_counts:
            ahead = []
            for problem, found in results.items():
                rival = best(found, p, contestants, among=RIVALS)
                if problem.family == "fork" and rival and (h.name, p) in found:
                    ahead.append(median(found[rival, p]) / median(found[h.name, p]))
            if ahead:
                mean = geometric_mean(ahead)
                out.append(Verdict("fork-bound: at least 4 times the best of oneTBB, OpenMP and Rayon, geometric mean",
                                   f"{h.name}, P = {p}", f"{mean:.1f} times", mean >= 4))
        for problem, found in results.items():
            out += problem_verdicts(problem, found, h, contestants, worker_counts)
        for problem, counted in counts.items():
            serial = counted.get(h.name.replace("heist", "serial"))
            if problem.family == "coarse" and serial and h.name in counted:
                more = counted[h.name] / serial
                out.append(Verdict("coarse: instructions at most 1.02 of serial", f"{problem.name}, {h.name}", f"{more:.3f}",
                                   more <= 1.02))
    return out


def problem_verdicts(problem, found, h, contestants, worker_counts):
    out = []
    most = worker_counts[-1]
    for p in worker_counts:
        rival = best(found, p, contestants, of=held_against(h))
        if problem.family != "fork" and rival and (h.name, p) in found:
            r = ratio(found[h.name, p], found[rival, p])
            within = r.value <= 1.03 or r.low <= 1.03
            out.append(Verdict("everything else: at most 1.03 of the best peer's time, or within the spread",
                               f"{problem.name}, {h.name}, P = {p}, against {rival}", str(r), within))
    leanest = best(found, most, contestants, "peak_kib")
    if leanest and (h.name, most) in found:
        more = (median(found[h.name, most], "peak_kib") - median(found[leanest, most], "peak_kib")) / 1024
        out.append(Verdict("peak RSS at most the leanest peer's and 2 MiB", f"{problem.name}, {h.name}, against {leanest}",
                           f"{more:+.1f} MiB", more <= 2))
    if problem.ample and most > 1 and (h.name, most) in found and (h.name, 1) in found:
        r = ratio(found[h.name, most], found[h.name, 1], "cpu_seconds")
        out.append(Verdict(f"parallelism of 100 and more: CPU seconds at P = {most} at most 1.10 of those at P = 1",
                           f"{problem.name}, {h.name}", str(r), r.value <= 1.10))
    return out
