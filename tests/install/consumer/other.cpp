#include "other.hpp"

#include <heist/heist.hpp>

#include <atomic>

long fib_elsewhere(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib_elsewhere(n - 1); }, [=] { return fib_elsewhere(n - 2); });
  return a + b;
}

long sum_elsewhere(long n) {
  heist::pool p;
  return p.run([=] {
    std::atomic<long> sum{0};
    heist::scope s;
    for (long i = 0; i < n; ++i) s.spawn([&sum, i] { sum += i; });
    s.sync();
    return sum.load();
  });
}
