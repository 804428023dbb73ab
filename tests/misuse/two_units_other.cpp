#include "two_units.hpp"

#include <heist/heist.hpp>

long fib_elsewhere(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib_elsewhere(n - 1); }, [=] { return fib_elsewhere(n - 2); });
  return a + b;
}

int twice_elsewhere(int n) {
  int a = 0, b = 0;
  heist::scope s;
  s.spawn([&] { a = n; });
  s.spawn_later([&] { b = n; });
  s.sync();
  return a + b;
}
