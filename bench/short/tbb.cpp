#include <bench/short/contestants.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_arena.h>

namespace short_work {
namespace {

using range = tbb::blocked_range<std::size_t>;

tbb::task_arena& two() {
  static tbb::task_arena arena(2);
  return arena;
}

double join(std::size_t steps) {
  double a = 0, b = 0;
  two().execute([&] { tbb::parallel_invoke([&] { a = chain(steps, 1); }, [&] { b = chain(steps, 2); }); });
  return a + b;
}
void inside(const std::function<void()>& f) { two().execute(f); }
void transform(const double* in, double* out, std::size_t n) {
  tbb::parallel_for(range(0, n), [=](const range& r) {
    for (std::size_t i = r.begin(); i != r.end(); ++i) out[i] = changed(in[i]);
  });
}
double reduce(const double* in, std::size_t n) {
  return tbb::parallel_reduce(
      range(0, n), 0.0,
      [=](const range& r, double sum) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) sum += in[i];
        return sum;
      },
      std::plus<>());
}
void scan(const double* in, double* out, std::size_t n) {
  tbb::parallel_scan(
      range(0, n), 0.0,
      [=](const range& r, double sum, bool last) {
        for (std::size_t i = r.begin(); i != r.end(); ++i) {
          sum += in[i];
          if (last) out[i] = sum;
        }
        return sum;
      },
      std::plus<>());
}

}  // namespace

const contestant tbb_two{"oneTBB", join, inside, transform, reduce, scan};

}  // namespace short_work
