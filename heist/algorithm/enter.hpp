#pragma once
// Where an algorithm runs.

#include <heist/algorithm/arguments.hpp>
#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/unwanted.hpp>
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

// The same, for what calls the user's functions. If there is a stop token, the waits and forks in them obey it, too: so f
// runs in a pool, however little there is to do. Without a token it calls f where the caller is.
template <class F, option... O>
HEIST_INLINE result_of<F> until_stopped(const options_of<O...>& o, F&& f) {
#if !defined(HEIST_RACE)
  if constexpr (options_of<O...>::has_stop)
    return detail::in_a_pool([&]() -> result_of<F> { return detail::until(o.stop(), static_cast<F&&>(f)); });
#else
  static_cast<void>(o);  // the detector runs it on the calling thread, and the blocks look at the token
#endif
  return static_cast<F&&>(f)();
}

}  // namespace heist::detail

HEIST_END
