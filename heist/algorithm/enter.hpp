#pragma once
// Where an algorithm runs.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/strand/worker.hpp>

HEIST_BEGIN

namespace heist::detail {

// Calls f in the pool that the caller is in, or else in the default pool. If f has nothing to fork,
// call it directly.
template <class F>
HEIST_INLINE result_of<F> in_a_pool(F&& f) {
#if defined(HEIST_RACE)
  const race::algorithm whole;
  return f();
#endif
  if (this_worker() != nullptr) [[likely]] return f();
  return call_through(run_outside, static_cast<F&&>(f));
}

}  // namespace heist::detail

HEIST_END
