#pragma once
// The deque three ways, behind one interface: push and pop for the owner, steal for thieves; null where there is
// nothing.

#include <heist/deque/deque.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace micro {

struct item {};

class mutex_deque {
 public:
  void push(item* i) {
    const std::lock_guard lock(lock_);
    items_.push_back(i);
  }
  item* pop() {
    const std::lock_guard lock(lock_);
    if (items_.empty()) return nullptr;
    item* const i = items_.back();
    items_.pop_back();
    return i;
  }
  item* steal() {
    const std::lock_guard lock(lock_);
    if (items_.empty()) return nullptr;
    item* const i = items_.front();
    items_.pop_front();
    return i;
  }

 private:
  std::mutex lock_;
  std::deque<item*> items_;
};

// As in the textbook, every access sequentially consistent; it does not grow.
class seq_cst_deque {
 public:
  void push(item* i) {
    const std::int64_t b = bottom_;
    at(b) = i;
    bottom_ = b + 1;
  }
  item* pop() {
    const std::int64_t b = bottom_ - 1;
    bottom_ = b;
    std::int64_t t = top_;
    if (t < b) return at(b);
    item* const last = t == b ? at(b).load() : nullptr;
    const bool ours = last != nullptr && top_.compare_exchange_strong(t, t + 1);
    bottom_ = b + 1;
    return ours ? last : nullptr;
  }
  item* steal() {
    std::int64_t t = top_;
    if (t >= bottom_) return nullptr;
    item* const i = at(t);
    return top_.compare_exchange_strong(t, t + 1) ? i : nullptr;
  }

 private:
  static constexpr std::size_t capacity = 4096;
  std::atomic<item*>& at(std::int64_t i) { return slots_[static_cast<std::size_t>(i) % capacity]; }

  alignas(64) std::atomic<std::int64_t> bottom_{0};
  alignas(64) std::atomic<std::int64_t> top_{0};
  std::vector<std::atomic<item*>> slots_ = std::vector<std::atomic<item*>>(capacity);
};

// heist's own: a compiler barrier for the owner. It shares nothing here, so thieves need membarrier.
class asymmetric_deque {
 public:
  void push(item* i) {
    if (!jobs_.owner().push(i)) jobs_.owner().make_room();
  }
  item* pop() { return jobs_.owner().pop(); }
  item* steal() { return jobs_.thief().steal_kept().item; }

 private:
  heist::detail::deque<item> jobs_{4096};
};

}  // namespace micro
