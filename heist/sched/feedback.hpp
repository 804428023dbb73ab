#pragma once
// A pool that shares the machine: each quantum it judges itself, and asks for more or fewer workers. See share/README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/share/board.hpp>
#include <heist/share/desire.hpp>
#include <heist/share/foreign.hpp>
#include <heist/share/silence.hpp>

#include <atomic>
#include <optional>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class feedback {
 public:
  // `most` is what the pool has at most. Off: nothing happens.
  enum class mode : bool { off, on };
  feedback(scheduler& of, mode m, unsigned most);

  bool on() const noexcept { return on_; }

  // Any thread: from now on the pool has at most so many.
  void limit(unsigned most) noexcept { most_.store(most, std::memory_order_relaxed); }
  unsigned most() const noexcept { return most_.load(std::memory_order_relaxed); }

  // Any thread that begins to work in the pool, if feedback is on: quanta begin, if they do not pass already.
  void begin() noexcept;

  // The timers' thread: judges the quantum if it is over, and returns when the next one ends; never: the pool is idle.
  nanoseconds look() noexcept;

 private:
  static constexpr nanoseconds length = 10'000'000;

  void end_quantum(nanoseconds time) noexcept;
  void rest() noexcept;
  void employ(unsigned desired) noexcept;
  unsigned allotment();
  void tell(unsigned efficiency) noexcept;

  scheduler& pool_;
  const bool on_;
  std::atomic<unsigned> most_;
  std::atomic<bool> passing_{false};

  // The timers' thread.
  desire desire_;
  foreign_load foreign_;
  silence silence_;
  unsigned machine_ = 1;  // how many processors there are to divide
  nanoseconds look_again_ = 0;
  std::optional<board::place> place_;
  notice notice_;
  nanoseconds began_ = never, ends_ = never;
  nanoseconds worked_ = 0;  // by all workers, until the quantum began
};

}  // namespace heist::detail

HEIST_END
