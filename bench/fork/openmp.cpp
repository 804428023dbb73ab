#include <bench/fork/contestants.hpp>

namespace fork_bench {

namespace {

BENCH_OPAQUE long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

BENCH_OPAQUE long flat(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    long a, b;
#pragma omp task shared(a)
    a = tiny(i);
    b = tiny(i);
#pragma omp taskwait
    sum += a + b;
  }
  return sum;
}

void enter(const std::function<void()>& f) {
#pragma omp parallel num_threads(1)
#pragma omp single
  f();
}

}  // namespace

#if defined(__clang__)
constinit const contestant openmp{"OpenMP tasks, libomp", fib, flat, enter};
#else
constinit const contestant openmp{"OpenMP tasks, libgomp", fib, flat, enter};
#endif

}  // namespace fork_bench
