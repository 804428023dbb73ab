#include <bench/fork/contestants.hpp>

namespace fork_bench {

BENCH_OPAQUE long tiny(long x) {
  bench::opaque(x);
  return x + 1;
}

namespace {

// A compiler would inline some levels of the recursion, and make a loop of the last call. BENCH_OPAQUE and the barrier
// after the second call leave what a fork is compared with: one call a node.
BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  const long a = fib(n - 1);
  long b = fib(n - 2);
  bench::opaque(b);
  return a + b;
}

BENCH_OPAQUE long flat(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    const long a = tiny(i);
    const long b = tiny(i);
    sum += a + b;
  }
  return sum;
}

void enter(const std::function<void()>& f) { f(); }

}  // namespace

constinit const contestant serial{"serial calls", fib, flat, enter};

}  // namespace fork_bench
