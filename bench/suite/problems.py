"""The problems of the suite: what is asked of them, and how large they are."""
import dataclasses
from typing import Callable, Optional


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# Pieces of the quadrature that were cut in two, counted once.
CUTS = {50: 1547, 100: 3595, 300: 14801, 5000: 704695, 30000: 7301621}


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str
    folder: str
    asks: str
    full: int
    quick: int
    smoke: int
    kind: str = ""
    # Which target holds: "fork": four times the best peer; "coarse": the serial program's instructions; "other".
    family: str = "other"
    # Parallelism of at least 100: two workers should use no more CPU time than one.
    ample: bool = True
    forks: Optional[Callable[[int], int]] = None
    # Two sizes between which callgrind counts, so that starting and ending cancel out.
    counted: Optional[tuple] = None

    def size(self, mode):
        return getattr(self, mode)


PROBLEMS = [
    Problem("fib", "fib", "a fork for every two calls, nothing else", 34, 30, 15, family="fork",
            forks=lambda n: fib(n + 1) - 1, counted=(12, 18)),
    Problem("integrate", "integrate", "adaptive quadrature of a polynomial", 30000, 5000, 100, family="fork",
            forks=CUTS.get, counted=(50, 300)),
    Problem("skynet", "skynet", "ten children a node, down to the leaves", 1000000, 100000, 1000, family="fork",
            forks=lambda n: n - 1, counted=(100, 10000)),
    Problem("queens", "queens", "n-queens, a branch for every free place", 13, 11, 7),
    Problem("geometric tree", "tree_search", "unbalanced tree search, geometric", 12, 10, 5, kind="geometric"),
    Problem("binomial tree", "tree_search", "unbalanced tree search, binomial", 7000, 1000, 100, kind="binomial"),
    Problem("matrix", "matrix", "recursive matrix product, leaves of 64×64", 1024, 512, 128, family="coarse",
            counted=(128, 256)),
    Problem("sort", "sort", "doubles, by each library's own sort", 4000000, 1000000, 10000),
    Problem("heat", "heat", "a stencil: a thousand short parallel loops over rows", 256, 128, 16, family="coarse",
            counted=(32, 64), ample=False),
    Problem("spawn loop", "spawn_loop", "a flat loop of tiny children", 10000000, 1000000, 1000, ample=False),
    Problem("regions of 1 µs", "regions", "parallel loops of 1 µs, back to back", 1, 1, 1, ample=False),
    Problem("regions of 10 µs", "regions", "parallel loops of 10 µs, back to back", 10, 10, 10, ample=False),
    Problem("regions of 100 µs", "regions", "parallel loops of 100 µs, back to back", 100, 100, 100, ample=False),
    Problem("strassen", "strassen", "Strassen's matrix product, leaves of 64×64", 1024, 512, 128, family="coarse",
            counted=(128, 256)),
    Problem("lu", "lu", "LU decomposition, leaves of 64×64", 1024, 512, 128, family="coarse", counted=(128, 256), ample=False),
    Problem("cilksort", "cilksort", "merge sort with a parallel merge, leaves of 2,048", 4000000, 1000000, 10000, family="coarse",
            counted=(20000, 80000)),
    Problem("fft", "fft", "the fast Fourier transform by halves, leaves of 128", 2**20, 2**17, 2**10),
    Problem("knapsack", "knapsack", "branch and bound; how much is searched depends on luck", 40, 28, 20),
    Problem("graph search", "graph_search", "breadth-first search, level by level", 1000000, 100000, 1000),
    Problem("roots", "roots", "small roots from four threads", 5000, 1000, 50, ample=False),
]
