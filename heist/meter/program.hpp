#pragma once
// HEIST_PROFILE: the whole program's work and span, written when it ends.

#include <heist/measure.hpp>
#include <heist/meter/clock.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace heist::detail {

class scheduler;

// All roots of all pools, one after the other.
class program_profile {
 public:
  // Null: the program is not profiled. Throws std::invalid_argument if the variable makes no sense.
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
  void count(scheduler& pool);

  const bool json_;
  const std::string file_;
  const unit in_;
  std::mutex lock_;
  strand_clock total_;
  measurement sums_;  // of pools that have ended
  std::vector<scheduler*> pools_;
};

// What a clock says, in the measurement's units; what a pool has counted since it was made, busy times in ticks.
void describe(const strand_clock& total, measurement& m);
void count_pool(scheduler& pool, measurement& m);

// A measurement as text for people, or as one JSON object.
std::string as_text(const measurement& m);
std::string as_json(const measurement& m);

}  // namespace heist::detail
