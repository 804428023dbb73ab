#pragma once
// Work that no deque holds: children of scopes outside every pool.

#include <heist/sched/fp_mode.hpp>
#include <heist/sched/job.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

namespace heist::detail {

class injector {
 public:
  struct item {
    job* what = nullptr;        // null: nothing here
    fp_mode mode{};             // of its root
    const void* of = nullptr;   // the scope
  };

  // Any thread.
  // model: idle.pml, injecting()
  void put(item i) {
    const std::lock_guard hold(lock_);
    items_.push_back(i);
    // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
    size_.fetch_add(1, std::memory_order_seq_cst);
  }

  // Any thread.
  item take() noexcept {
    if (empty()) return {};
    const std::lock_guard hold(lock_);
    if (items_.empty()) return {};
    return take(items_.begin());
  }
  // The same of those of one scope.
  item take_of(const void* scope) noexcept {
    if (empty()) return {};
    const std::lock_guard hold(lock_);
    const auto first = std::find_if(items_.begin(), items_.end(), [&](const item& i) { return i.of == scope; });
    return first != items_.end() ? take(first) : item{};
  }

  // order[idle.count]: who lies down asks this after it is listed
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

 private:
  // Under lock_.
  item take(std::deque<item>::iterator which) noexcept {
    const item i = *which;
    items_.erase(which);
    size_.fetch_sub(1, std::memory_order_relaxed);  // a stale size only makes somebody look in vain
    return i;
  }

  std::atomic<int> size_{0};
  std::mutex lock_;
  std::deque<item> items_;
};

}  // namespace heist::detail
