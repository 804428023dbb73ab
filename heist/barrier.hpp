#pragma once
// barrier: strands and threads wait for each other, again and again.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {
namespace detail {

// A barrier, whatever it calls. See wait/README.md, "The barrier".
class barrier_base {
 public:
  barrier_base(const barrier_base&) = delete;
  barrier_base& operator=(const barrier_base&) = delete;

 protected:
  using phase = std::uint64_t;

  constexpr explicit barrier_base(std::ptrdiff_t expected) : left_(expected), expected_(expected) {
    if (expected < 0) throw std::invalid_argument("heist: a barrier cannot expect a negative number of arrivals");
  }

  phase now() const noexcept { return phase_.load(std::memory_order_relaxed); }
  bool is_over(phase p) const noexcept {
    // order[barrier.phase]: what was written before each arrival, and by the completion
    return phase_.load(std::memory_order_acquire) != p;
  }
  // Whether this was the last arrival of the phase. Then the caller must call begin_next().
  [[nodiscard]] HEIST_API bool arrive(std::ptrdiff_t n);
  void expect_one_less() noexcept { expected_.fetch_sub(1, std::memory_order_relaxed); }
  HEIST_API void begin_next() noexcept;
  // False at the deadline. Throws cancelled after a stop.
  HEIST_API bool wait_for_end(phase p, nanoseconds deadline, const std::stop_token& token) const;

 private:
  std::atomic<std::ptrdiff_t> left_;      // arrivals that the phase still needs
  std::atomic<std::ptrdiff_t> expected_;  // arrivals that the next phase needs
  std::atomic<phase> phase_{0};
  mutable wait_queue queue_;
};

struct HEIST_TYPE no_completion {
  HEIST_OWN void operator()() noexcept {}
};

}  // namespace detail

// As std::barrier, with time-outs; but a strand that waits leaves its worker to other work. The last one to arrive
// calls the completion function, on its strand, before the others go on; the function may fork. It need not be declared
// noexcept, but an exception that leaves it ends the program.
template <class Completion = detail::no_completion>
class HEIST_TYPE barrier : private detail::barrier_base {
  static_assert(std::is_invocable_v<Completion&>, "heist::barrier calls its completion function without arguments");

 public:
  class HEIST_TYPE arrival_token {
   public:
    HEIST_OWN arrival_token(arrival_token&&) noexcept = default;
    HEIST_OWN arrival_token& operator=(arrival_token&&) noexcept = default;
    HEIST_OWN ~arrival_token() = default;

   private:
    friend class barrier;
    HEIST_OWN explicit arrival_token(phase p) noexcept : of_(p) {}
    phase of_;
  };

  [[nodiscard]] HEIST_OWN static constexpr std::ptrdiff_t max() noexcept {
    return std::numeric_limits<std::ptrdiff_t>::max();
  }

  // Throws std::invalid_argument if `expected` is negative.
  HEIST_OWN constexpr explicit barrier(std::ptrdiff_t expected, Completion f = Completion())
      : barrier_base(expected), completion_(std::move(f)) {}
  HEIST_OWN ~barrier() = default;

  // Arrives, n times, and does not wait. Throws std::invalid_argument if n is not positive, or larger than the number
  // of arrivals that the phase still needs.
  [[nodiscard]] HEIST_OWN arrival_token arrive(std::ptrdiff_t n = 1) {
    const phase p = now();  // it is not over before this arrival
    if (barrier_base::arrive(n)) complete();
    return arrival_token(p);
  }

  // Waits for the end of the phase that arrive() gave the token for.
  HEIST_OWN void wait(arrival_token&& arrival) const {
    if (!is_over(arrival.of_)) wait_for_end(arrival.of_, detail::never, {});
  }
  // Throws heist::cancelled if a stop is requested before that. The arrival counts nevertheless.
  HEIST_OWN void wait(arrival_token&& arrival, const std::stop_token& token) const {
    if (!is_over(arrival.of_)) wait_for_end(arrival.of_, detail::never, token);
  }
  // Whether the phase has ended; false when the time is over before that: then the token is still good for a wait. With a
  // stop token they throw as wait() does.
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool wait_for(const arrival_token& arrival, const std::chrono::duration<Rep, Period>& patience,
                                        const std::stop_token& token = {}) const {
    return is_over(arrival.of_) || wait_for_end(arrival.of_, detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool wait_until(const arrival_token& arrival, const std::chrono::time_point<Clock, Duration>& t,
                                          const std::stop_token& token = {}) const {
    auto by = [&](detail::nanoseconds deadline) { return wait_for_end(arrival.of_, deadline, token); };
    return is_over(arrival.of_) || detail::comes_before(t, by);
  }

  HEIST_OWN void arrive_and_wait() { wait(arrive()); }
  HEIST_OWN void arrive_and_wait(const std::stop_token& token) { wait(arrive(), token); }

  // Arrives, and all later phases need one arrival less.
  HEIST_OWN void arrive_and_drop() {
    expect_one_less();
    if (barrier_base::arrive(1)) complete();
  }

 private:
  HEIST_OWN void complete() noexcept {
    completion_();
    begin_next();
  }

  [[no_unique_address]] Completion completion_;
};

}  // namespace heist

HEIST_END
