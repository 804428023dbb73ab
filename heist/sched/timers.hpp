#pragma once
// A pool's deadlines. One thread sleeps until the next of them, or until the next turn (turns.hpp); otherwise nothing ticks.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/timer.hpp>
#include <heist/sleep/parking.hpp>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class timers {
 public:
  explicit timers(scheduler& of) noexcept : pool_(of) {}
  timers(const timers&) = delete;
  timers& operator=(const timers&) = delete;
  ~timers();

  // Any thread: the thread looks at pool_.turns. False if the system refuses to start it.
  bool wake() noexcept;

  // Any thread: whether there is a deadline.
  bool any() noexcept {
    const std::lock_guard hold(lock_);
    return !heap_.empty();
  }

 private:
  friend timer;

  // Not more than the time-outs that are set often, and are seldom reached: see blocked_call.
  static constexpr nanoseconds nap = 100'000;

  // All under lock_.
  void add(timer& e);
  void remove(timer& e) noexcept;
  void put(timer& e, std::size_t place) noexcept;
  void rise(timer& e, std::size_t place) noexcept;
  void sink(timer& e, std::size_t place) noexcept;
  nanoseconds ring() noexcept;

  void start();
  void thread_main() noexcept;

  scheduler& pool_;
  std::mutex lock_;
  std::vector<timer*> heap_;  // the next deadline first
  std::thread thread_;        // started with the first deadline
  std::atomic<bool> started_{false};
  nanoseconds awake_at_ = 0;  // when the thread will look by itself
  std::size_t added_ = 0;     // ever
  bool stopping_ = false;
  parking bed_;
};

}  // namespace heist::detail

HEIST_END
