#pragma once
// Deadlines: any duration, and any clock's time, as nanoseconds of std::chrono::steady_clock.

#include <heist/base/chrono.hpp>
#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <ratio>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

inline constexpr nanoseconds already_over = 0;  // the steady clock has been running since before the program

// The duration, rounded up, since a wait must not end early. What is too long is `never`; a NaN is over.
template <class Rep, class Period>
constexpr nanoseconds saturated(const std::chrono::duration<Rep, Period>& d) {
  using exact = std::chrono::duration<long double, std::nano>;  // as many digits as nanoseconds has, or more
  const long double count = exact(d).count();
  if (count >= static_cast<long double>(never)) return never;
  if (!(count > 0)) return already_over;
  const auto whole = static_cast<nanoseconds>(count);
  return static_cast<long double>(whole) < count ? whole + 1 : whole;
}

// When `d` has passed from now on. At most `never`; `already_over` if d is not positive.
template <class Rep, class Period>
nanoseconds deadline_after(const std::chrono::duration<Rep, Period>& d) {
  const nanoseconds length = saturated(d);
  if (length == already_over) return already_over;
  const nanoseconds start = now();
  return length >= never - start ? never : start + length;
}

// When the clock will show `t`, if it goes on as the steady clock does.
template <class Clock, class Duration>
nanoseconds deadline_at(const std::chrono::time_point<Clock, Duration>& t) {
  using std::chrono::duration;
  if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>) {
    return saturated(t.time_since_epoch());
  } else {
    // The difference of two counts may overflow; that of two floating-point numbers does not, and errs by less than the
    // clock's tick for all times that a program can wait for.
    using wide = duration<long double, std::nano>;
    return deadline_after(wide(t.time_since_epoch()) - wide(Clock::now().time_since_epoch()));
  }
}

// Waits by `wait(deadline)`, which returns whether the event came before the deadline, until the event comes or the
// clock shows `t`. A clock that is not steady may have been set back: then the deadline was too early, and it waits
// again. If it was set forward, the wait ends as late as it would have without that.
template <class Clock, class Duration, class F>
bool comes_before(const std::chrono::time_point<Clock, Duration>& t, F&& wait) {
  while (!wait(deadline_at(t)))
    if (std::is_same_v<Clock, std::chrono::steady_clock> || Clock::now() >= t) return false;
  return true;
}

}  // namespace heist::detail

HEIST_END
