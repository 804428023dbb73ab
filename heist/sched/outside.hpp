#pragma once
// A thief from outside, and what it must know of the pool. See protocols/stealing.md, "A thief from outside".

#include <heist/base/export.hpp>
#include <heist/sched/travel.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class outside {
 public:
  explicit outside(scheduler& of) noexcept : pool_(of) {}

  // A thread that is not in the pool. Takes the oldest branch that can travel, of some seat, and runs its travel() at a
  // seat of its own, until that waits. False if there was none, or there is no seat.
  HEIST_API bool steal() noexcept;
  // Any thread; a guess. Whether there is such a branch.
  HEIST_API bool any() noexcept;
  // Any thread; a guess. How many workers sleep and have nothing to do.
  HEIST_API int idle_workers() noexcept;

  // Any thread, once: from now on `call(argument)` runs whenever a worker has lain down. It must be short.
  HEIST_API void tell(void (*call)(void*) noexcept, void* argument) noexcept;
  // A worker that goes to sleep, or a caller that gives a place back.
  void lies_down() noexcept {
    // order[outside.tell]: the argument
    if (auto* const call = call_.load(std::memory_order_acquire)) [[unlikely]] call(argument_);
  }

 private:
  scheduler& pool_;
  void* argument_ = nullptr;
  std::atomic<void (*)(void*) noexcept> call_{nullptr};
};

}  // namespace heist::detail

HEIST_END
