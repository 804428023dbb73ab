#pragma once
// latch: strands and threads wait until a number of things has happened.

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

// As std::latch, with time-outs; but a strand that waits leaves its worker to other work. The one that has waited may
// destroy it, even while the last count_down() is returning.
class HEIST_TYPE latch {
 public:
  [[nodiscard]] HEIST_OWN static constexpr std::ptrdiff_t max() noexcept {
    return std::numeric_limits<std::ptrdiff_t>::max();
  }

  // Throws std::invalid_argument if `expected` is negative.
  HEIST_OWN constexpr explicit latch(std::ptrdiff_t expected) : left_(expected) {
    if (expected < 0) throw std::invalid_argument("heist: a latch cannot expect a negative number of arrivals");
  }
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  // Throws std::invalid_argument if n is negative, or larger than what is left to count.
  HEIST_API void count_down(std::ptrdiff_t n = 1);

  // Whether the count is zero.
  [[nodiscard]] HEIST_OWN bool try_wait() const noexcept {
    // order[latch.zero]: what was written before each count_down()
    const bool is = left_.load(std::memory_order_acquire) == 0;
#if defined(HEIST_RACE)
    if (is) detail::race::acquire(this);
#endif
    return is;
  }
  HEIST_OWN void wait() const {
    if (!try_wait()) wait_for_zero(detail::never, {});
  }
  // Throws heist::cancelled if a stop is requested before the count is zero.
  HEIST_OWN void wait(const std::stop_token& token) const {
    if (!try_wait()) wait_for_zero(detail::never, token);
  }
  // Whether the count is zero; false when the time is over before that. With a token they throw as wait() does.
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool wait_for(const std::chrono::duration<Rep, Period>& patience,
                                        const std::stop_token& token = {}) const {
    return try_wait() || wait_for_zero(detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool wait_until(const std::chrono::time_point<Clock, Duration>& t,
                                          const std::stop_token& token = {}) const {
    return try_wait() ||
           detail::comes_before(t, [&](detail::nanoseconds deadline) { return wait_for_zero(deadline, token); });
  }

  HEIST_OWN void arrive_and_wait(std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }
  // What was counted down stays so if the wait is cancelled.
  HEIST_OWN void arrive_and_wait(std::ptrdiff_t n, const std::stop_token& token) {
    count_down(n);
    wait(token);
  }
  HEIST_OWN void arrive_and_wait(const std::stop_token& token) { arrive_and_wait(1, token); }

 private:
  HEIST_OWN bool end(std::ptrdiff_t n) noexcept;
  HEIST_API bool wait_for_zero(detail::nanoseconds deadline, const std::stop_token& token) const;

  std::atomic<std::ptrdiff_t> left_;
  mutable detail::wait_queue queue_;
};

}  // namespace heist

HEIST_END
