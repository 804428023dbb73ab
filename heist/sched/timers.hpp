#pragma once
// A pool's deadlines. One thread sleeps until the next of them, or until the next turn (turns.hpp); otherwise nothing ticks.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
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

  // One deadline; lives in the frame of the strand that has it.
  class entry {
   public:
    // Calls `late(argument)` once, under the timers' lock, when the time has come. Not if the system refuses to start the
    // timers' thread: then it is not set.
    entry(timers& of, nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept;
    // From here on it is not called, and does not run.
    ~entry();
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

    bool set() const noexcept { return set_; }

   private:
    friend class timers;
    static constexpr std::size_t none = ~std::size_t{0};

    timers& of_;
    const nanoseconds deadline_;
    void (*const late_)(void*) noexcept;
    void* const argument_;
    bool set_ = false;
    std::size_t place_ = none;  // in the heap
  };

 private:
  // Not more than the time-outs that are set often, and are seldom reached: see blocked_call.
  static constexpr nanoseconds nap = 100'000;

  // All under lock_.
  void add(entry& e);
  void remove(entry& e) noexcept;
  void put(entry& e, std::size_t place) noexcept;
  void rise(entry& e, std::size_t place) noexcept;
  void sink(entry& e, std::size_t place) noexcept;
  nanoseconds ring() noexcept;

  void start();
  void thread_main() noexcept;

  scheduler& pool_;
  std::mutex lock_;
  std::vector<entry*> heap_;  // the next deadline first
  std::thread thread_;        // started with the first deadline
  std::atomic<bool> started_{false};
  nanoseconds awake_at_ = 0;  // when the thread will look by itself
  std::size_t added_ = 0;     // ever
  bool stopping_ = false;
  parking bed_;
};

}  // namespace heist::detail

HEIST_END
