#pragma once
// The threads that run the fences of a pool's steals: thieves, if an owner keeps what they want; or nobody, if
// owners share all they have. See fence/README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/victims.hpp>

#include <algorithm>
#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class fencing {
 public:
  fencing(fences wanted, victim_list& victims);  // throws std::invalid_argument

  // Any thread. True if there is no heavy fence: then pushes and searches run full fences.
  bool pushers_fence() const noexcept { return !heavy_works_.load(std::memory_order_relaxed); }
  // Any thread. True if owners share all they have, each from its next push on.
  bool owners_share() const noexcept { return owners_share_.load(std::memory_order_relaxed); }

  // The cost of a heavy fence on this machine, as measured.
  nanoseconds heavy_cost() const noexcept { return heavy_cost_.load(std::memory_order_relaxed); }
  // A thief, after a heavy fence.
  void learn(nanoseconds cost) noexcept;
  // How long a thief waits for an owner that it has asked to share, before it runs a heavy fence: a quarter of what
  // that costs it. Where there are many seats, up to four times as long, as the fence interrupts them all.
  nanoseconds patience(unsigned seats) const noexcept { return heavy_cost() / 4 * std::clamp(seats / 16, 1u, 4u); }

  // The kernel now refuses the heavy fence: the process has entered a sandbox. From here on owners
  // share all they have. Items pushed before stay with their owner until its next push.
  void lose_heavy() noexcept;

  // A seat joins the list of victims, under its lock.
  void greet(seat& s) noexcept;

 private:
  victim_list& victims_;
  std::atomic<bool> heavy_works_;  // until it fails
  std::atomic<bool> owners_share_;
  std::atomic<nanoseconds> heavy_cost_{10'000};
};

}  // namespace heist::detail

HEIST_END
