#include <bench/loops/contestants.hpp>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <execution>

namespace loops_bench {
namespace {

BENCH_OPAQUE void once(loop& l) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, l.n()), [&l](const tbb::blocked_range<std::size_t>& r) {
    for (std::size_t i = r.begin(), end = r.end(); i != end; ++i) l.body(i);
  });
}

void run(loop& l, std::size_t, long times) {
  for (; times != 0; --times) once(l);
}

// The standard library's, which is built on oneTBB: an element knows its place by its address.
BENCH_OPAQUE void once_par(loop& l) {
  std::for_each(std::execution::par, l.out.begin(), l.out.end(),
                [&l](const std::uint64_t& x) { l.body(static_cast<std::size_t>(&x - l.out.data())); });
}

void run_par(loop& l, std::size_t, long times) {
  for (; times != 0; --times) once_par(l);
}

void enter(const std::function<void()>& f) {
  static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  static tbb::task_arena two(2);
  two.execute([&] { f(); });
}

}  // namespace

constinit const contestant tbb_loop{"oneTBB parallel_for", run, false, enter};
constinit const contestant par_loop{"std::for_each(par)", run_par, false, enter};

}  // namespace loops_bench
