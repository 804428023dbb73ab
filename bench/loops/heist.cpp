#include <bench/loops/contestants.hpp>

#include <heist/heist.hpp>

namespace loops_bench {
namespace {

BENCH_OPAQUE void once(loop& l) {
  heist::for_each_index(std::size_t{0}, l.n(), [&l](std::size_t i) { l.body(i); });
}
BENCH_OPAQUE void once(loop& l, std::size_t grain) {
  heist::for_each_index(std::size_t{0}, l.n(), [&l](std::size_t i) { l.body(i); }, heist::grain{grain});
}

void run(loop& l, std::size_t grain, long times) {
  for (; times != 0; --times) grain == 0 ? once(l) : once(l, grain);
}

void enter(const std::function<void()>& f) {
  static heist::pool two({.workers = 2});
  two.run(f);
}

}  // namespace

constinit const contestant heist_loop{"heist", run, true, enter};

void heist_from_outside(loop& l, long times) {
  for (; times != 0; --times) once(l);
}

}  // namespace loops_bench
