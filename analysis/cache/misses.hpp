#pragma once
// A traced program on a simulated machine whose processors each have a cache of their own.

#include <analysis/cache/ideal_cache.hpp>
#include <analysis/cache/traced.hpp>
#include <analysis/sim/machine.hpp>

namespace heist::analysis {

struct cache_size {
  std::uint32_t words = 1024, line = 8;  // M and B
  std::uint32_t places() const { return words / line; }
};

class misses final : public observer {
 public:
  misses(const traced_program& p, std::uint32_t processors, cache_size size);
  void executed(const machine& m, id p, id t) override;
  std::uint64_t count() const { return count_; }

 private:
  const traced_program& program_;
  std::uint32_t line_;
  std::vector<ideal_cache> caches_;
  std::uint64_t count_ = 0;
};

struct cache_run {
  report seen;
  std::uint64_t misses = 0;  // Q_P
  std::uint64_t moves() const { return seen.steals + seen.letters; }
};

// Whether Q_P ≤ Q₁ + 2·(M/B)·steals is proved: a processor leaves the serial order at steals only, and at the joins after
// them.
bool misses_bounded(const options& o);
cache_run run_with_caches(const traced_program& p, const options& o, cache_size size);

}  // namespace heist::analysis
