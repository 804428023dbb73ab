#include <bench/loops/contestants.hpp>

namespace loops_bench {
namespace {

BENCH_OPAQUE void once(loop& l) {
  for (std::size_t i = 0, n = l.n(); i != n; ++i) l.body(i);
}

void run(loop& l, std::size_t, long times) {
  for (; times != 0; --times) once(l);
}

}  // namespace

constinit const contestant serial{"serial", run, false, [](const std::function<void()>& f) { f(); }};

}  // namespace loops_bench
