#pragma once
// Strands whose result nobody wants any more, because something before them failed or a stop was requested. See README.md,
// "Unwanted strands".

#include <heist/base/export.hpp>
#include <heist/sched/closure.hpp>
#include <heist/strand/worker.hpp>

#include <exception>
#include <stop_token>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

// A strand in a pool, when an alarm is on: throws heist::cancelled if it is unwanted. Not while it unwinds.
HEIST_API HEIST_COLD void look_whether_wanted();

// Any thread, between stretches of work. Costs next to nothing while nothing has failed.
HEIST_INLINE void stop_if_unwanted() {
  const worker* const w = this_worker();
  if (w != nullptr && w->alarms.load(std::memory_order_relaxed) > 0) [[unlikely]] look_whether_wanted();
}

// Where a fork may throw heist::cancelled by itself: not where the program says that nothing is thrown, as in destructors.
template <class... F>
constexpr bool may_throw = !(std::is_nothrow_invocable_v<F> && ...);

// In a catch (...): throws `later`, which came after the exception that is handled, if that one only says that its strand
// was unwanted and `later` says more.
HEIST_API HEIST_COLD void throw_if_it_says_more(std::exception_ptr later);

// A strand in a pool: runs body(argument) as the one child of a scope with that token, and throws what that throws.
HEIST_API void run_until(const std::stop_token& token, void (*body)(void*), void* argument);

// A strand in a pool: what f returns or throws, or heist::cancelled.
template <class F>
result_of<F> until(const std::stop_token& token, F&& f) {
  return call_through([&](void (*body)(void*), void* argument) { run_until(token, body, argument); }, static_cast<F&&>(f));
}

}  // namespace heist::detail

HEIST_END
