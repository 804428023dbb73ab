#include <bench/roots/callers.hpp>
#include <bench/runtimes/async.hpp>

static long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = bench::fork([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto&, const bench::task& t) {
    return roots::from_all_callers(t.size, [] { return fib(roots::root); });
  });
}
