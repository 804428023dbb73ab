#pragma once
// Whose turn it is when more strands can go on, or more jobs were injected, than there are workers. See
// protocols/waits.md, "When all workers are busy".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

// Counts turns while strands can go on, or jobs were injected, and no worker is free for them. A strand that was running
// when a turn began gives way where it forks or might wait.
class turns {
 public:
  explicit turns(scheduler& of) noexcept : pool_(of) {}

  // Any thread, when one of them is there and no worker is free.
  void want() noexcept;

  // The number of the turn. A hint.
  unsigned now() const noexcept { return turn_.load(std::memory_order_relaxed); }

  // The timers' thread: begins a turn if it is time, and returns when the next one begins; never: nobody wants one.
  nanoseconds look() noexcept;

 private:
  static constexpr nanoseconds length = 1'000'000;

  void begin_turn() noexcept;

  scheduler& pool_;
  std::atomic<bool> wanted_{false};
  std::atomic<unsigned> turn_{0};
  nanoseconds next_ = never;  // the timers' thread
};

}  // namespace heist::detail

HEIST_END
