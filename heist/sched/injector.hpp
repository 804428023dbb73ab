#pragma once
// Work that no deque holds: children of scopes outside every pool.

#include <heist/base/export.hpp>
#include <heist/sched/fp_mode.hpp>
#include <heist/sched/job.hpp>

#include <atomic>
#include <deque>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class injector {
 public:
  struct item {
    job* what;     // null: nothing here
    fp_mode mode;  // of its root
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
    const item i = items_.front();
    items_.pop_front();
    size_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale size only makes somebody look in vain
    return i;
  }

  // order[idle.count]: who lies down asks this after it is listed
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

 private:
  std::atomic<int> size_{0};
  std::mutex lock_;
  std::deque<item> items_;
};

}  // namespace heist::detail

HEIST_END
