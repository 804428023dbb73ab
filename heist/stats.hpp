#pragma once
// What pool::stats() returns.

#include <heist/base/export.hpp>

#include <cstddef>
#include <vector>

HEIST_BEGIN

namespace heist {

// Counted on slow paths only. A fork that nobody steals is not counted.
struct HEIST_TYPE counters {
  HEIST_OWN_VALUE(counters);

  std::size_t steal_attempts = 0;  // tries to steal, most of which find nothing
  std::size_t steals = 0;          // tries that got a branch, a continuation or a child
  std::size_t stolen_along = 0;    // further ones that the same steals brought, if options::steal is half
  std::size_t far_steals = 0;      // steals from another NUMA node
  std::size_t lost = 0;            // tries that lost it to the owner or another thief
  std::size_t heavy_fences = 0;    // tries that interrupted other cores, as an owner did not answer in time
  std::size_t suspends = 0;        // strands that parked: at a join or sync, or in a wait for an event
  std::size_t resumes = 0;         // … and were resumed
  std::size_t sleeps = 0;          // times the worker went to sleep
  std::size_t wakes = 0;           // times it was woken
  std::size_t stackless = 0;       // no stack was available: a spawn called its child, or a wait blocked its thread

  // Strands that wait for an event (a mutex, a future, a channel, a time) belong to no worker: 0 in a single worker's
  // counters.
  std::size_t waiting = 0;       // when the counters were read
  std::size_t waiting_peak = 0;  // at most

  // Stacks belong to the pool, not to a worker: these three are 0 in a single worker's counters.
  std::size_t stacks_live = 0;       // stacks in use when the counters were read
  std::size_t stacks_peak = 0;       // … at most, sampled when a stack was mapped, parked or handed back
  // The most resident bytes of all the pool's stacks together, sampled at the same points. At most
  // (P + waiting_peak)·S₁ for frames, plus 24 KiB for each stack. Page tables are not counted: up to 4 KiB for each
  // stack.
  std::size_t stack_bytes_peak = 0;
};

// The sums, and the counters of each worker that there was. After the pool's first workers come, in the order in which
// they were made, places of callers from outside and the threads that pool::resize or heist::blocking have added.
struct HEIST_TYPE statistics : counters {
  HEIST_OWN_VALUE(statistics);

  std::vector<counters> workers;
};

}  // namespace heist

HEIST_END
