// A program outside of heist's tree: two translation units that both include everything.
#include "other.hpp"

#include <heist/heist.hpp>

#include <cstdio>

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib_elsewhere(n - 2); });
  return a + b;
}

int main() {
  const long f = fib(20);
  std::printf("heist %s: fib(20) = %ld on %u workers\n", HEIST_VERSION, f, heist::default_pool().workers());
  return f == 6765 && sum_elsewhere(1000) == 499500 ? 0 : 1;
}
