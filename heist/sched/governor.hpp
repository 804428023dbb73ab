#pragma once
// Decides when thieves pay for the fences, and when owners do.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/deque/deque.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

// A heavy fence interrupts every core that runs the process. That is cheap while steals are rare;
// otherwise an ordinary fence at each pop is cheaper. The governor compares the time that thieves
// spend in heavy fences with the time that passes, over windows of a fixed number of attempts.
class fence_governor {
 public:
  enum class verdict : unsigned char { keep, go_symmetric, go_asymmetric };

  // Thief, after an attempt that ran a fence which took `cost`. While owners run none, only heavy ones count: some items
  // are marked for other reasons.
  verdict count(theft_fence fence, nanoseconds cost, bool owners_fence) noexcept;

  // The cost of a heavy fence on this machine, as measured.
  nanoseconds heavy_cost() const noexcept { return heavy_cost_.load(std::memory_order_relaxed); }

 private:
  void learn(nanoseconds cost) noexcept;

  static constexpr int window = 64;
  // In percent of one core's time. Measured: docs/decisions/README.md, "When owners pay".
  static constexpr int percent_up = 150;
  static constexpr int percent_down = 30;

  std::atomic<nanoseconds> heavy_cost_{5'000};
  std::atomic<unsigned> attempts_{0};
  std::atomic<nanoseconds> since_{0};
};

}  // namespace heist::detail

HEIST_END
