#include <bench/loops/contestants.hpp>

namespace loops_bench {
namespace {

BENCH_OPAQUE void once(loop& l, int chunk) {
  const auto n = static_cast<std::ptrdiff_t>(l.n());
#pragma omp parallel for schedule(dynamic, chunk) num_threads(2)
  for (std::ptrdiff_t i = 0; i < n; ++i) l.body(static_cast<std::size_t>(i));
}

void run(loop& l, std::size_t grain, long times) {
  for (; times != 0; --times) once(l, static_cast<int>(grain == 0 ? 1 : grain));
}

}  // namespace

constinit const contestant openmp_loop{"OpenMP dynamic", run, true, [](const std::function<void()>& f) { f(); }};

}  // namespace loops_bench
