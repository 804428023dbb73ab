#pragma once
// The seats that a thief may steal from: the pool's own, and the temporary ones of callers while
// they are in use.

#include <heist/base/export.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Seats are never freed while the pool lives, so a thief that reads an old entry finds a seat that
// is empty, or in use by another caller.
class victim_list {
 public:
  explicit victim_list(std::size_t capacity) { adopt(capacity); }

  // A consistent pair: `seats` has at least `size` entries.
  struct view {
    const std::atomic<seat*>* seats;
    unsigned size;
    seat& operator[](unsigned i) const noexcept {
      // order[victims.seat]: the seat, which may be newer than the size we read; and where others were moved before
      return *seats[i].load(std::memory_order_acquire);
    }
    // From the last to the first: remove() only moves seats down, so no seat that stays in the list
    // is missed.
    template <class F>
    void for_each(F&& f) const {
      for (unsigned i = size; i-- > 0;) f((*this)[i]);
    }
  };

  view read() const noexcept {
    // order[victims.add]: the size first, then a table at least as long, its entries written
    const unsigned n = size_.load(std::memory_order_seq_cst);
    return {table_.load(std::memory_order_acquire), n};
  }

  // Any thread; `under_lock(s)` sees no other change of the list.
  template <class F>
  void add(seat& s, F&& under_lock) {
    const std::lock_guard hold(lock_);
    const unsigned n = size_.load(std::memory_order_relaxed);
    if (n == capacity_) adopt(2 * capacity_);
    // order[victims.seat]: the seat is made; whoever stood here before has its new place
    table_.load(std::memory_order_relaxed)[n].store(&s, std::memory_order_release);
    // order[victims.add]: the entry before the size
    size_.store(n + 1, std::memory_order_seq_cst);
    under_lock(s);
  }

  void remove(seat& s) noexcept;

  // Every listed seat, under the lock.
  template <class F>
  void for_all(F&& f) {
    const std::lock_guard hold(lock_);
    const view v = read();
    for (unsigned i = 0; i < v.size; ++i) f(v[i]);
  }

 private:
  void adopt(std::size_t capacity);

  std::atomic<unsigned> size_{0};
  std::atomic<std::atomic<seat*>*> table_{nullptr};
  std::mutex lock_;
  std::size_t capacity_ = 0;
  std::vector<std::unique_ptr<std::atomic<seat*>[]>> tables_;  // old ones stay: a thief may be reading
};

}  // namespace heist::detail

HEIST_END
