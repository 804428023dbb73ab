#include <heist/sched/governor.hpp>

#include <algorithm>

namespace heist::detail {

fence_governor::verdict fence_governor::count(theft_fence fence, nanoseconds cost, bool owners_fence) noexcept {
  if (fence == theft_fence::heavy) learn(cost);
  if (fence == theft_fence::full && !owners_fence) return verdict::keep;
  if (attempts_.fetch_add(1, std::memory_order_relaxed) % window != window - 1) return verdict::keep;
  const nanoseconds at = now();
  const nanoseconds passed = at - since_.exchange(at, std::memory_order_relaxed);
  const nanoseconds in_fences = window * heavy_cost();
  if (fence == theft_fence::heavy && in_fences * 100 > passed * percent_up) return verdict::go_symmetric;
  if (fence == theft_fence::full && in_fences * 100 < passed * percent_down) return verdict::go_asymmetric;
  return verdict::keep;
}

// A mean that falls at once and rises slowly, because a thief that loses its core meanwhile
// measures milliseconds.
void fence_governor::learn(nanoseconds cost) noexcept {
  const nanoseconds mean = heavy_cost_.load(std::memory_order_relaxed);
  const nanoseconds next = cost < mean ? cost : mean + (std::min(cost, 2 * mean) - mean) / 64;
  heavy_cost_.store(std::clamp<nanoseconds>(next, 500, 50'000), std::memory_order_relaxed);
}

}  // namespace heist::detail
