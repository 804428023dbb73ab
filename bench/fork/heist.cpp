#include <bench/fork/contestants.hpp>

#include <heist/heist.hpp>

namespace fork_bench {

namespace {

BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

BENCH_OPAQUE long flat(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    const auto [a, b] = heist::join([=] { return tiny(i); }, [=] { return tiny(i); });
    sum += a + b;
  }
  return sum;
}

void enter(const std::function<void()>& f) {
  static heist::pool one({.workers = 1});
  one.run([&] { f(); });
}

}  // namespace

constinit const contestant heist_join{"heist::join", fib, flat, enter};

}  // namespace fork_bench
