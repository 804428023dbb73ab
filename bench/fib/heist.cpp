#include <bench/runtimes/heist.hpp>

static long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

int main(int argc, char** argv) {
  return bench::contestant(
      argc, argv, [](auto& runtime, const bench::task& t) { return runtime.enter([&] { return fib(t.size); }); });
}
