#pragma once
// Fibonacci numbers the slow way: a fork for every addition and nothing else to do, so it shows what a fork costs.
//
// Work Θ(φⁿ), span Θ(n).

#include <heist/heist.hpp>

namespace examples {

inline long fib_serial(int n) {
  if (n < 2) return n;
  return fib_serial(n - 1) + fib_serial(n - 2);
}

inline long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

}  // namespace examples
