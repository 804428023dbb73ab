#pragma once
// The loop of bench/loops, once for each contestant.

#include <bench/common/bench.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace loops_bench {

// One multiplication and addition that wait for each other, some 1.3 ns: the unit of work.
inline std::uint64_t spin(std::uint64_t x, unsigned times) {
  for (; times != 0; --times) {
    x = x * 6'364'136'223'846'793'005u + 1'442'695'040'888'963'407u;
    bench::opaque(x);
  }
  return x;
}

// for i in [0, n): out[i] = spin(i, units[i])
struct loop {
  std::vector<unsigned> units;
  std::vector<std::uint64_t> out;

  explicit loop(std::vector<unsigned> u) : units(std::move(u)), out(units.size()) {}
  std::size_t n() const { return units.size(); }
  void body(std::size_t i) { out[i] = spin(i, units[i]); }
};

// Two workers, but for `serial`.
struct contestant {
  const char* name;
  // So many times, each with at most `grain` elements a piece; 0: the runtime's own choice.
  void (*run)(loop& l, std::size_t grain, long times);
  bool takes_grain;
  // Calls the function where run may be called: workers started, and inside the runtime if there is an inside.
  void (*enter)(const std::function<void()>& f);
};

extern const contestant serial, heist_loop, tbb_loop, openmp_loop, par_loop;

// The same from outside of every pool.
void heist_from_outside(loop& l, long times);

// The other two questions, in files of their own.
void grain_experiment(const bench::options& o, const char* svg_path);
void balanced_trees(const bench::options& o);

}  // namespace loops_bench
