#pragma once
// Strands whose result is no longer wanted, because something before them failed or a stop was
// requested. See protocols/unwanted.md.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/strand/worker.hpp>

#include <exception>
#include <stop_token>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

struct part;

// Any thread, while something that is this part cannot end.
bool is_unwanted(part strand) noexcept;

// A strand in a pool, while an alarm is on: throws heist::cancelled if the strand is unwanted and
// not unwinding.
HEIST_API HEIST_COLD void look_whether_wanted();

// Any thread, between stretches of work. Costs almost nothing while nothing has failed.
HEIST_INLINE void stop_if_unwanted() {
#if defined(HEIST_RACE)
  return race::stop_if_asked();
#endif
  const worker* const w = this_worker();
  if (w != nullptr && w->alarms.load(std::memory_order_relaxed) > 0) [[unlikely]] look_whether_wanted();
}

// Whether a fork of these functions may throw heist::cancelled itself: not if all are noexcept, as
// in destructors.
template <class... F>
constexpr bool may_throw = !(std::is_nothrow_invocable_v<F> && ...);

// In a catch (...): if the handled exception only says that its strand was unwanted, and `later`,
// which came after it, says more, throws `later`.
HEIST_API HEIST_COLD void throw_if_it_says_more(std::exception_ptr later);

// A strand in a pool: runs body(argument) as the only child of a scope with that token, and throws
// what it throws.
HEIST_API void run_until(const std::stop_token& token, void (*body)(void*), void* argument);

// A strand in a pool: returns or throws what f does, or throws heist::cancelled.
template <class F>
result_of<F> until(const std::stop_token& token, F&& f) {
#if defined(HEIST_RACE)
  const race::stopping inside(token);
  race::stop_if_asked();
  return static_cast<F&&>(f)();
#endif
  return call_through([&](void (*body)(void*), void* argument) { run_until(token, body, argument); }, static_cast<F&&>(f));
}

}  // namespace heist::detail

HEIST_END
