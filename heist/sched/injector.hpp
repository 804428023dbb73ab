#pragma once
// Work that no deque holds: children of scopes outside every pool, and roots whose callers found no seat.

#include <heist/base/export.hpp>
#include <heist/sched/fp_mode.hpp>
#include <heist/sched/job.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class injector {
 public:
  struct item {
    job* what = nullptr;       // null: nothing here
    fp_mode mode{};            // of its root
    const void* of = nullptr;  // the scope whose child it is; null: a root
  };

  // Any thread.
  // model: idle.pml, injecting()
  void put(item i) {
    const std::lock_guard hold(lock_);
    items_.push_back(i);
    // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
    size_.fetch_add(1, std::memory_order_seq_cst);
  }

  // Any thread: the first, or the first of one scope's.
  item take(const void* scope = nullptr) noexcept {
    if (empty()) return {};
    const std::lock_guard hold(lock_);
    const auto first = find(scope);
    if (first == items_.end()) return {};
    const item i = *first;
    items_.erase(first);
    size_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale size only makes somebody look in vain
    return i;
  }
  bool has(const void* scope) noexcept {
    const std::lock_guard hold(lock_);
    return find(scope) != items_.end();
  }

  // order[idle.count]: who lies down asks this after it is listed
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

 private:
  // Under lock_.
  std::deque<item>::iterator find(const void* scope) noexcept {
    return std::find_if(items_.begin(), items_.end(), [&](const item& i) { return scope == nullptr || i.of == scope; });
  }

  std::atomic<int> size_{0};
  std::mutex lock_;
  std::deque<item> items_;
};

}  // namespace heist::detail

HEIST_END
