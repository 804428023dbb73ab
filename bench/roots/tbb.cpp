#include <bench/roots/callers.hpp>
#include <bench/runtimes/tbb.hpp>

static long fib(long n) {
  if (n < 2) return n;
  long a = 0;
  tbb::task_group g;
  g.run([&a, n] { a = fib(n - 1); });
  const long b = fib(n - 2);
  g.wait();
  return a + b;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return roots::from_all_callers(t.size, [&] { return runtime.enter([] { return fib(roots::root); }); });
  });
}
