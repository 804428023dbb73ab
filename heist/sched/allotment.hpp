#pragma once
// How many processors a pool may use: its size, if the program has named none. See
// protocols/workers.md, "The size of the machine".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/topology/parallelism.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class allotment {
 public:
  enum class size : bool { fixed, of_machine };
  allotment(scheduler& of, size s) : pool_(of), follows_(s == size::of_machine) {}

  // A thread of the pool, where it has nothing better to do: looks at its affinity mask and the quota of the process
  // again, at most once a second, and gives a pool of the machine's size that size.
  void look() noexcept { look_if_due(whose::own); }
  // A caller from outside, after its root: the same. Its own mask says nothing about the pool's. A look takes longer than a
  // short root, so callers of such look seldom.
  void look_from_outside(nanoseconds root_took) noexcept {
    look_if_due(whose::callers, root_took > 1'000'000 ? 0 : 10 * period);
  }

  // The program has named a size.
  void stop_following() noexcept { follows_.store(false, std::memory_order_relaxed); }
  bool follows() const noexcept { return follows_.load(std::memory_order_relaxed); }

 private:
  static constexpr nanoseconds period = 1'000'000'000;

  enum class whose : bool { own, callers };  // the calling thread's mask

  void look_if_due(whose mask, nanoseconds late = 0) noexcept {
    if (follows_.load(std::memory_order_relaxed) && now() >= next(mask).load(std::memory_order_relaxed) + late) look_now(mask);
  }
  HEIST_COLD void look_now(whose mask) noexcept;
  std::atomic<nanoseconds>& next(whose mask) noexcept { return mask == whose::own ? next_own_ : next_callers_; }

  scheduler& pool_;
  system_paths paths_;
  std::atomic<bool> follows_;
  std::atomic<nanoseconds> next_own_{now() + period}, next_callers_{now() + period};
};

}  // namespace heist::detail

HEIST_END
