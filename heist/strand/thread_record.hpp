#pragma once
// What is counted and traced of one of a pool's threads, at whichever seat it sits.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/stats.hpp>
#include <heist/trace/lane.hpp>

HEIST_BEGIN

namespace heist::detail {

struct thread_record {
  thread_record(unsigned number, trace_lane* traced) noexcept : index(number), lane(traced) {}

  // Any thread.
  counters count() const noexcept;

  const unsigned index;    // the pool's own threads come first
  trace_lane* const lane;  // null: the program is not traced

  // Apart from what the thread uses all the time: others read them.
  alignas(cache_line) tally strands;  // measured ones
  tally busy_ticks;                   // likewise
  tally steal_attempts, steals, stolen_along, far_steals, lost, heavy_fences, suspends, resumes, sleeps, wakes, stackless;
};

}  // namespace heist::detail

HEIST_END
