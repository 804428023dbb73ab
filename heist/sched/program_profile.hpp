#pragma once
// HEIST_PROFILE: the whole program's work and span, written when it ends.

#include <heist/base/process.hpp>
#include <heist/measurement.hpp>
#include <heist/meter/clock.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace heist::detail {

class scheduler;

// All roots of all pools, one after the other.
class program_profile {
 public:
  // Null: the program is not profiled, or this is a child of fork(). Throws std::invalid_argument if the variable makes no sense.
  static program_profile* get();

  // A pool begins and ends.
  void enlist(scheduler& pool);
  void strike(scheduler& pool);

  // A root of the pool has ended.
  void add(const scheduler& pool, strand_clock&& root);

  void write() noexcept;

 private:
  program_profile(bool json, std::string file, unit in);
  static program_profile* from_environment();

  const unsigned began_in_ = this_process();
  const bool json_;
  const std::string file_;
  const unit in_;
  std::mutex lock_;
  strand_clock total_;
  measurement sums_;  // of pools that have ended
  std::vector<scheduler*> pools_;
};

// What a pool has counted since it was made is added; busy times in ticks.
void count_pool(scheduler& pool, measurement& m);

}  // namespace heist::detail
