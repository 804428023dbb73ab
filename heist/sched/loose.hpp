#pragma once
// The computations of a pool that nobody joins: those of detach and async. See protocols/unjoined.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/options.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>

HEIST_BEGIN

namespace heist::detail {

struct belongings;
class scheduler;

// Counts those that may go on when the strand that began them has ended.
class loose {
 public:
  loose(scheduler& of, const exception_handler& on_unhandled) noexcept;
  ~loose();

  // Any thread, before the computation can end, and while the strand that begins it has not ended.
  void begin() noexcept { out_.fetch_add(1, std::memory_order_relaxed); }  // what hands the computation on carries it
  // The computation, at a worker of the pool, last; or a thread from outside that has helped one, which touches the pool no more.
  void end() noexcept;

  // A thread that is not in the pool, or a strand of another one: returns when there was an instant at which none was out;
  // then the caller gets what they have added to reducers. False if a stop was requested before.
  [[nodiscard]] bool wait(const std::stop_token& token) noexcept;
  // The same, when the pool ends: but if all that is out waits for events that the pool does not know of, and none comes for
  // two seconds, the program ends; or false, if exit() was called.
  [[nodiscard]] bool wait_at_end() noexcept;

  // A computation, at its end: what it has added to reducers, for the next that waits.
  void leave(std::unique_ptr<belongings> all) noexcept;
  // In a catch (...): nobody will ask for the exception.
  HEIST_COLD void unhandled() const noexcept;

 private:
  struct waiter;

  class lookout;

  bool help_without_threads(const std::stop_token& token, lookout* at_end) noexcept;
  // False if nothing comes any more.
  bool all_end(lookout& watch) noexcept;
  // False if the deadline has passed, or a stop was requested.
  bool none_out_until(nanoseconds deadline, const std::stop_token& token) noexcept;

  scheduler& pool_;
  const exception_handler on_unhandled_;
  std::atomic<std::int64_t> out_{0};
  std::mutex lock_;
  waiter* waiters_ = nullptr;
  std::unique_ptr<belongings> left_;
};

}  // namespace heist::detail

HEIST_END
