#pragma once
// What a pool counted.

#include <heist/base/export.hpp>

#include <cstddef>
#include <vector>

HEIST_BEGIN

namespace heist {

// Counted on slow paths only: a fork that nobody steals leaves no trace here.
struct HEIST_TYPE counters {
  HEIST_OWN_VALUE(counters);

  std::size_t steal_attempts = 0;  // looks at a victim, most of which find nothing
  std::size_t steals = 0;          // … that brought a branch or a continuation
  std::size_t lost = 0;            // … that lost it to somebody else
  std::size_t suspends = 0;        // strands that parked, at a join or sync
  std::size_t resumes = 0;         // … and went on
  std::size_t sleeps = 0;          // times the worker went to sleep
  std::size_t wakes = 0;           // times it was woken
  std::size_t stackless = 0;       // times no stack could be had: a spawn called its child, a wait blocked its thread

  // Stacks are the pool's, not a worker's: these three are 0 in a single worker's counters.
  std::size_t stacks_live = 0;       // stacks in use when the counters were read
  std::size_t stacks_peak = 0;       // … at most, as seen when a stack was mapped, parked or handed back
  std::size_t stack_bytes_peak = 0;  // resident bytes of all the pool's stacks at one instant, sampled likewise
};

// The sums, and each worker's own. Past the pool's workers come the temporary seats of callers from outside.
struct HEIST_TYPE statistics : counters {
  HEIST_OWN_VALUE(statistics);

  std::vector<counters> workers;
};

}  // namespace heist

HEIST_END
