#include <bench/fork/contestants.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace fork_bench {

namespace {

BENCH_OPAQUE long fib_invoke(int n) {
  if (n < 2) return n;
  long a, b;
  tbb::parallel_invoke([&] { a = fib_invoke(n - 1); }, [&] { b = fib_invoke(n - 2); });
  return a + b;
}

BENCH_OPAQUE long flat_invoke(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    long a, b;
    tbb::parallel_invoke([&] { a = tiny(i); }, [&] { b = tiny(i); });
    sum += a + b;
  }
  return sum;
}

BENCH_OPAQUE long fib_group(int n) {
  if (n < 2) return n;
  long a;
  tbb::task_group g;
  g.run([&] { a = fib_group(n - 1); });
  const long b = fib_group(n - 2);
  g.wait();
  return a + b;
}

BENCH_OPAQUE long flat_group(long n) {
  long sum = 0;
  tbb::task_group g;
  for (long i = 0; i < n; ++i) {
    long a;
    g.run([&] { a = tiny(i); });
    const long b = tiny(i);
    g.wait();
    sum += a + b;
  }
  return sum;
}

void enter(const std::function<void()>& f) {
  static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  static tbb::task_arena one(1);
  one.execute([&] { f(); });
}

}  // namespace

constinit const contestant tbb_invoke{"oneTBB parallel_invoke", fib_invoke, flat_invoke, enter};
constinit const contestant tbb_group{"oneTBB task_group", fib_group, flat_group, enter};

}  // namespace fork_bench
