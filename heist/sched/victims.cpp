#include <heist/sched/victims.hpp>

#include <utility>

namespace heist::detail {

void victim_list::remove(seat& s) noexcept {
  const std::lock_guard hold(lock_);
  auto* const t = table_.load(std::memory_order_relaxed);
  const unsigned last = size_.load(std::memory_order_relaxed) - 1;
  for (unsigned i = 0; i <= last; ++i) {
    if (t[i].load(std::memory_order_relaxed) != &s) continue;
    // order[victims.seat]: a thief that never heard of the last one may find it here
    t[i].store(t[last].load(std::memory_order_relaxed), std::memory_order_release);
    break;
  }
  // A thief that still sees the old size finds an empty seat.
  // order[victims.seat]: a thread that sees it smaller sees the last one in its new place
  size_.store(last, std::memory_order_release);
}

void victim_list::adopt(std::size_t capacity) {
  auto bigger = std::make_unique<std::atomic<seat*>[]>(capacity);
  if (!tables_.empty()) {
    for (std::size_t i = 0; i < capacity_; ++i)
      bigger[i].store(tables_.back()[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  capacity_ = capacity;
  // order[victims.add]: the entries before the table
  table_.store(bigger.get(), std::memory_order_release);
  tables_.push_back(std::move(bigger));
}

}  // namespace heist::detail
