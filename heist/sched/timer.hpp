#pragma once
// One deadline of a pool. See timers.hpp.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class timers;

// Lives in the frame of the strand that has it.
class timer {
 public:
  // Calls `late(argument)` once, under the timers' lock, when the time has come. Not if the system refuses to start the
  // timers' thread: then it is not set.
  timer(timers& of, nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept;
  // From here on it is not called, and does not run.
  ~timer();
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;

  bool set() const noexcept { return set_; }

 private:
  friend timers;
  static constexpr std::size_t none = ~std::size_t{0};

  timers& of_;
  const nanoseconds deadline_;
  void (*const late_)(void*) noexcept;
  void* const argument_;
  bool set_ = false;
  std::size_t place_ = none;  // in the heap
};

}  // namespace heist::detail

HEIST_END
