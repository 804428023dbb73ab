#pragma once
// Two older deques behind the interface of heist::deque: one under a lock, and Cilk-5's, in which a lock decides conflicts only.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace contrasts {

template <class T>
class locked_deque {
 public:
  void push(T item) {
    const std::lock_guard hold(lock_);
    items_.push_back(item);
  }
  std::optional<T> pop() {
    const std::lock_guard hold(lock_);
    if (items_.empty()) return std::nullopt;
    const T item = items_.back();
    items_.pop_back();
    return item;
  }
  std::optional<T> steal() {
    const std::lock_guard hold(lock_);
    if (items_.empty()) return std::nullopt;
    const T item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex lock_;
  std::deque<T> items_;
};

// THE, after Frigo, Leiserson and Randall (1998): thieves lock each other out, and the owner takes the lock only if it may have
// met one of them. Head and tail are compared after a full fence on either side. Bounded.
template <class T>
class the_deque {
 public:
  void push(T item) {
    const std::int64_t t = tail_.load(std::memory_order_relaxed);
    at(t).store(item, std::memory_order_relaxed);
    tail_.store(t + 1, std::memory_order_release);
  }
  std::optional<T> pop() {
    const std::int64_t t = tail_.load(std::memory_order_relaxed) - 1;
    tail_.store(t, std::memory_order_seq_cst);
    if (head_.load(std::memory_order_seq_cst) <= t) return at(t).load(std::memory_order_relaxed);
    tail_.store(t + 1, std::memory_order_relaxed);  // a thief may be at it: decide under the lock
    const std::lock_guard hold(lock_);
    const std::int64_t h = head_.load(std::memory_order_relaxed);
    if (h > t) return std::nullopt;
    tail_.store(t, std::memory_order_seq_cst);
    return at(t).load(std::memory_order_relaxed);
  }
  std::optional<T> steal() {
    const std::lock_guard hold(lock_);
    const std::int64_t h = head_.load(std::memory_order_relaxed);
    head_.store(h + 1, std::memory_order_seq_cst);
    if (h + 1 > tail_.load(std::memory_order_seq_cst)) {
      head_.store(h, std::memory_order_relaxed);
      return std::nullopt;
    }
    return at(h).load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t capacity = 1 << 14;
  std::atomic<T>& at(std::int64_t i) { return slots_[static_cast<std::size_t>(i) % capacity]; }

  alignas(128) std::atomic<std::int64_t> tail_{0};
  alignas(128) std::atomic<std::int64_t> head_{0};
  std::mutex lock_;
  std::vector<std::atomic<T>> slots_ = std::vector<std::atomic<T>>(capacity);
};

}  // namespace contrasts
