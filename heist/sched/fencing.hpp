#pragma once
// Who runs the fences of a pool's steals: the thieves, or the owners that they steal from. See
// fence/README.md.

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/governor.hpp>
#include <heist/sched/victims.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class fencing {
 public:
  fencing(fences wanted, victim_list& victims);  // throws std::invalid_argument

  // Any thread. True if there is no heavy fence: then pushes and searches run full fences.
  bool pushers_fence() const noexcept { return !heavy_works_.load(std::memory_order_relaxed); }
  // The cost of a heavy fence on this machine, as measured.
  nanoseconds heavy_cost() const noexcept { return governor_.heavy_cost(); }

  // A thief, after an attempt that ran a fence which took `cost`.
  void count(theft_fence fence, nanoseconds cost) noexcept {
    change(governor_.count(fence, cost, owners_fence_.load(std::memory_order_relaxed)));
  }
  // A worker goes to sleep: sleeping thieves need no help from owners.
  void relieve_owners() noexcept { change(fence_governor::verdict::go_asymmetric); }
  // The kernel now refuses the heavy fence: the process has entered a sandbox. From here on each
  // side pays for its own fences. Items pushed without a fence stay with their owner.
  void lose_heavy() noexcept;

  // A seat joins the list of victims, under its lock.
  void greet(seat& s) noexcept;

 private:
  void change(fence_governor::verdict v) noexcept;

  victim_list& victims_;
  std::atomic<bool> heavy_works_;  // until it fails
  const bool govern_;
  fence_governor governor_;
  std::atomic<bool> owners_fence_;
};

}  // namespace heist::detail

HEIST_END
