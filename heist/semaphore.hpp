#pragma once
// counting_semaphore and binary_semaphore: permits that strands and threads wait for.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <stop_token>

HEIST_BEGIN

namespace heist {
namespace detail {

// A semaphore, whatever its maximum. See wait/README.md, "The semaphore".
class semaphore_base {
 public:
  semaphore_base(const semaphore_base&) = delete;
  semaphore_base& operator=(const semaphore_base&) = delete;

 protected:
  constexpr semaphore_base(std::ptrdiff_t permits, std::ptrdiff_t most) : permits_(permits) {
    if (permits < 0 || permits > most)
      throw std::invalid_argument("heist: a semaphore begins with at least 0 permits and at most its max()");
  }

  bool take() noexcept {
    std::ptrdiff_t seen = permits_.load(std::memory_order_relaxed);
    while (seen > 0)
      // order[semaphore.permit]: what was written before the permit was released
      if (permits_.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire, std::memory_order_relaxed)) {
#if defined(HEIST_RACE)
        race::acquire(this);
#endif
        return true;
      }
    return false;
  }
  HEIST_API void wait();
  HEIST_API bool wait(nanoseconds deadline, const std::stop_token& token);  // throws cancelled
  HEIST_API void wait(const std::stop_token& token);  // throws cancelled
  HEIST_API void give(std::ptrdiff_t n, std::ptrdiff_t most);

 private:
  waking queue_up(nanoseconds deadline, const std::stop_token& token);
  bool hand_out(std::ptrdiff_t n) noexcept;

  static constexpr std::ptrdiff_t wanted = -1;  // there are none, and there may be waiters

  std::atomic<std::ptrdiff_t> permits_;
  wait_queue queue_;
};

}  // namespace detail

// As std::counting_semaphore; but a strand that waits leaves its worker to other work, and waiters
// get permits in the order in which they came. The one that gets the last permit may destroy the
// semaphore, even while release() is returning.
template <std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max()>
class HEIST_TYPE counting_semaphore : private detail::semaphore_base {
  static_assert(most >= 0,
                "heist::counting_semaphore<max>: max is the largest number of permits; it must not be negative");

 public:
  [[nodiscard]] HEIST_OWN static constexpr std::ptrdiff_t max() noexcept { return most; }

  // Throws std::invalid_argument unless 0 <= permits <= max().
  HEIST_OWN constexpr explicit counting_semaphore(std::ptrdiff_t permits) : semaphore_base(permits, most) {}

  // Throws std::invalid_argument if n is negative or there would be more than max() permits; then
  // nothing is released.
  HEIST_OWN void release(std::ptrdiff_t n = 1) {
#if defined(HEIST_RACE)
    detail::race::release(this);
#endif
    give(n, most);
  }

  HEIST_OWN void acquire() {
    if (!take()) [[unlikely]] wait();
  }
  // Throws heist::cancelled if a stop is requested before there is a permit.
  HEIST_OWN void acquire(const std::stop_token& token) {
    if (!take()) [[unlikely]] wait(token);
  }
  [[nodiscard]] HEIST_OWN bool try_acquire() noexcept { return take(); }
  // Whether it has a permit; false when the time is over. With a token they throw as acquire() does.
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool try_acquire_for(const std::chrono::duration<Rep, Period>& patience,
                                               const std::stop_token& token = {}) {
    return take() || wait(detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& t,
                                                 const std::stop_token& token = {}) {
    return take() || detail::comes_before(t, [&](detail::nanoseconds deadline) { return wait(deadline, token); });
  }
};

using binary_semaphore = counting_semaphore<1>;

}  // namespace heist

HEIST_END
