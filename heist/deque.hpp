#pragma once
// deque: a work-stealing deque for those who build a scheduler of their own. heist's pools use another one, whose owner
// runs no fence (heist/deque/README.md).

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/deque/slot.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

// One thread, the owner, pushes and pops at one end: last in, first out. Any thread steals from the other end: first in,
// first out. Every item is handed out once. No call blocks or waits for another thread. The owner may be another thread
// later, if that comes after what the former one did.
//
// After Chase and Lev, "Dynamic circular work-stealing deque" (2005). The orders are those of Lê, Pop, Cohen and Zappella
// Nardelli, "Correct and efficient work-stealing for weak memory models" (2013), with accesses to the two ends in place of
// their fences.
//
// T is any movable type. Values that are trivially copyable and have at most 64 bytes lie in the deque itself; others are
// allocated one by one.
template <class T>
class HEIST_TYPE deque {
  static_assert(std::is_object_v<T> && std::is_move_constructible_v<T>, "heist::deque<T>: T must be a movable object type");

 public:
  // Room for so many items at first. Throws std::length_error if that is more than can be counted.
  HEIST_OWN explicit deque(std::size_t room = 64) {
    if (room > std::size_t{1} << 48) throw std::length_error("heist::deque: too much room is asked for");
    ring& first = adopt(std::bit_ceil(std::max<std::size_t>(room, 2)));
    ring_.store(&first, std::memory_order_relaxed);  // nobody else is here yet
  }
  // No thread may use it any more.
  HEIST_OWN ~deque() {
    while (pop()) {
    }
  }
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;

  // Owner only. Makes room if there is none. If it throws, nothing has changed.
  HEIST_OWN void push(T&& item) {
    if (size() == capacity()) grow();
    put(std::move(item));
  }
  HEIST_OWN void push(const T& item)
    requires std::is_copy_constructible_v<T>
  {
    push(T(item));
  }
  // Owner only. False, with the item untouched, if there is no room: a bounded deque.
  [[nodiscard]] HEIST_OWN bool try_push(T&& item) {
    if (size() == capacity()) return false;
    put(std::move(item));
    return true;
  }
  [[nodiscard]] HEIST_OWN bool try_push(const T& item)
    requires std::is_copy_constructible_v<T>
  {
    if (size() == capacity()) return false;
    put(T(item));
    return true;
  }
  // Owner only: the item that was pushed last. Nothing if there is none.
  HEIST_OWN std::optional<T> pop() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    // order[public_deque.ends]: a thief that has not seen this yet reads the top before; then we see what it has taken
    bottom_.store(b, std::memory_order_seq_cst);
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    if (t > b) {
      bottom_.store(b + 1, std::memory_order_relaxed);  // it was empty, and is: a stale value shows less
      return std::nullopt;
    }
    const auto item = ring_.load(std::memory_order_relaxed)->at(b);
    if (t == b) {
      // order[public_deque.ends]: of those that want the last item one gets it
      const bool ours = top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
      bottom_.store(b + 1, std::memory_order_relaxed);
      if (!ours) return std::nullopt;
    }
    return slot::take(item);
  }

  enum class theft : unsigned char {
    stolen,
    empty,
    lost,  // another thread took the item
  };
  struct HEIST_TYPE attempt {
    HEIST_OWN attempt(theft how, std::optional<T> what) : outcome(how), item(std::move(what)) {}
    HEIST_OWN attempt(const attempt&) = default;
    HEIST_OWN attempt(attempt&&) = default;
    HEIST_OWN attempt& operator=(const attempt&) = default;
    HEIST_OWN attempt& operator=(attempt&&) = default;
    HEIST_OWN ~attempt() = default;

    theft outcome;
    std::optional<T> item;  // if it was stolen
  };
  // Any thread: the oldest item, in one attempt.
  HEIST_OWN attempt try_steal() {
    // order[public_deque.ends]: the top before the bottom
    std::int64_t t = top_.load(std::memory_order_seq_cst);
    // order[public_deque.push]: the item, and the ring that has it
    const std::int64_t b = bottom_.load(std::memory_order_seq_cst);
    if (t >= b) return {theft::empty, std::nullopt};
    // order[public_deque.grow]: the ring, filled
    const auto item = ring_.load(std::memory_order_acquire)->at(t);
    // order[public_deque.ends]: the item is ours, or was another's: then what we read may be torn, and is not used
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return {theft::lost, std::nullopt};
    return {theft::stolen, slot::take(item)};
  }
  // The same, until there is one or the deque is empty.
  HEIST_OWN std::optional<T> steal() {
    for (;;) {
      attempt a = try_steal();
      if (a.outcome != theft::lost) return std::move(a.item);
    }
  }

  // Any thread. A guess, unless it is the owner and nobody steals.
  [[nodiscard]] HEIST_OWN std::size_t size() const noexcept {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    // order[public_deque.ends]: the owner's own: items taken by now have given their slots back
    const std::int64_t t = top_.load(std::memory_order_acquire);
    return b > t ? static_cast<std::size_t>(b - t) : 0;
  }
  [[nodiscard]] HEIST_OWN bool empty() const noexcept { return size() == 0; }
  // Owner only. How many items there is room for.
  [[nodiscard]] HEIST_OWN std::size_t capacity() const noexcept { return rings_.back()->size(); }

 private:
  using slot = detail::deque_slot<T>;

  using ring = detail::deque_ring<T>;

  HEIST_OWN void put(T&& item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    ring_.load(std::memory_order_relaxed)->set(b, slot::make(std::move(item)));
    // order[public_deque.push]: the item before the bottom
    bottom_.store(b + 1, std::memory_order_release);
  }

  HEIST_OWN ring& adopt(std::size_t size) {
    rings_.push_back(std::make_unique<ring>(size));
    return *rings_.back();
  }

  HEIST_OWN void grow() {
    const ring& full = *rings_.back();
    ring& larger = adopt(2 * full.size());
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    for (std::int64_t i = top_.load(std::memory_order_acquire); i < b; ++i) larger.set(i, full.at(i));
    // order[public_deque.grow]: the items before the ring
    ring_.store(&larger, std::memory_order_release);
  }

  alignas(detail::cache_line) std::atomic<std::int64_t> top_{0};  // indices only rise, so none is met twice
  alignas(detail::cache_line) std::atomic<std::int64_t> bottom_{0};
  std::atomic<ring*> ring_{nullptr};
  std::vector<std::unique_ptr<ring>> rings_;  // old ones stay: a thief may be reading
};

}  // namespace heist

HEIST_END
