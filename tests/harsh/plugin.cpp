// A library that uses heist, to be loaded and unloaded: dlopen_test.cpp.

#include "tests/support.hpp"

#include <heist/heist.hpp>

// fib(n), by a pool of its own and by the default pool.
extern "C" HEIST_API_C long plugin_fib(int n) {
  heist::pool p(heist_test::workers(3));
  const long own = p.run([n] { return heist_test::fib(n); });
  const long shared = heist_test::fib(n);
  return own == shared ? own : -1;
}
