#include <bench/roots/callers.hpp>
#include <bench/runtimes/openmp.hpp>

static long fib(long n) {
  if (n < 2) return n;
  long a = 0;
#pragma omp task shared(a)
  a = fib(n - 1);
  const long b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  return bench::contestant(argc, argv, [](auto& runtime, const bench::task& t) {
    return roots::from_all_callers(t.size, [&] { return runtime.enter([] { return fib(roots::root); }); });
  });
}
