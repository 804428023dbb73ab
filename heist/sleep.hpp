#pragma once
// sleep_for, sleep_until: the calling strand waits for a time, and its worker goes on with something else.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>

#include <stop_token>
#include <type_traits>

HEIST_BEGIN

namespace heist {

namespace detail {
// Throws heist::cancelled if a stop is requested before.
HEIST_API void sleep_until_over(nanoseconds deadline, const std::stop_token& token);
}  // namespace detail

// Returns when at least the time has passed, perhaps on another thread. Outside every pool the calling thread blocks. A
// time that is not positive returns at once. With a token: throws heist::cancelled as soon as a stop is requested.
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& time, const std::stop_token& token = {}) {
  detail::sleep_until_over(detail::deadline_after(time), token);
}

// The same until the clock shows that time.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& time, const std::stop_token& token = {}) {
  detail::comes_before(time, [&](detail::nanoseconds deadline) {
    detail::sleep_until_over(deadline, token);
    return false;
  });
}

// Refused: a number alone does not say of what.
template <class T>
void sleep_for(const T&, const std::stop_token& = {}) {
  static_assert(std::is_void_v<T>, "heist::sleep_for takes a duration, such as std::chrono::milliseconds(5)");
}
template <class T>
void sleep_until(const T&, const std::stop_token& = {}) {
  static_assert(std::is_void_v<T>, "heist::sleep_until takes a time of a clock, such as std::chrono::steady_clock::now() + 5ms");
}

}  // namespace heist

HEIST_END
