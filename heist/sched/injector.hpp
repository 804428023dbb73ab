#pragma once
// Work from outside: children of scopes that live outside the pool, and strands whose wait for a mutex is over.

#include <heist/sched/job.hpp>

#include <atomic>
#include <mutex>

namespace heist::detail {

class injector {
 public:
  // Any thread.
  void put(queued_job& j) noexcept {
    const std::lock_guard hold(lock_);
    j.next = nullptr;
    *tail_ = &j;
    tail_ = &j.next;
    // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
    size_.fetch_add(1, std::memory_order_seq_cst);
  }

  // Any thread; null: nothing here.
  queued_job* take() noexcept {
    if (empty()) return nullptr;
    const std::lock_guard hold(lock_);
    queued_job* const j = head_;
    if (j == nullptr) return nullptr;
    head_ = j->next;
    if (head_ == nullptr) tail_ = &head_;
    size_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale size only makes somebody look in vain
    return j;
  }

  // order[idle.count]: who lies down asks this after it is listed
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

 private:
  std::atomic<int> size_{0};
  std::mutex lock_;
  queued_job* head_ = nullptr;
  queued_job** tail_ = &head_;
};

}  // namespace heist::detail
