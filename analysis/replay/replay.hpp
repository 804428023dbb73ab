#pragma once
// A recorded run on another machine: the Work-Stealing Algorithm over strands of measured length. See README.md.

#include <analysis/replay/recorded.hpp>

#include <cstdint>

namespace heist::analysis {

// What a machine asks for things, in nanoseconds.
struct machine_costs {
  double fork = 2;           // a join nobody robs
  double spawn = 15;         // a scope's child, likewise
  double look = 100;         // at a victim that has nothing
  double steal = 3'000;      // from finding a victim to running its job
  double resume = 500;       // to go on with a strand that was suspended
  double patience = 50'000;  // who found nothing for so long sleeps
  double wake = 50'000;      // and is woken in so much
};

struct replayed {
  double time = 0;  // ns
  double busy = 0;  // of all workers together
  std::uint64_t steals = 0, lost = 0, suspends = 0, wakes = 0;
};

replayed replay(const recorded_run& run, const machine_costs& costs, std::uint32_t workers, std::uint64_t seed);

}  // namespace heist::analysis
