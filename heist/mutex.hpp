#pragma once
// mutex: a lock that may be held across a join.

#include <heist/base/export.hpp>

#include <atomic>
#include <mutex>

HEIST_BEGIN

namespace heist {

// The strand that locked it owns it, not the thread, so it may be unlocked on another thread. A
// strand that waits for it keeps its worker; thieves may take what the strand has forked. Waiters get
// the mutex in the order in which they came. It meets the standard's Lockable requirements, so
// std::lock_guard and std::unique_lock work with it.
class HEIST_TYPE mutex {
 public:
  HEIST_OWN constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  HEIST_OWN void lock() noexcept {
    if (!try_lock()) [[unlikely]] lock_slowly();
  }

  HEIST_OWN bool try_lock() noexcept {
    unsigned expected = free;
    // order[mutex.hand]: what the former holder wrote
    return state_.compare_exchange_strong(expected, held, std::memory_order_acquire, std::memory_order_relaxed);
  }

  HEIST_OWN void unlock() noexcept {
    unsigned expected = held;
    // order[mutex.hand]: for the next holder
    if (!state_.compare_exchange_strong(expected, free, std::memory_order_release, std::memory_order_relaxed))
        [[unlikely]]
      unlock_slowly();
  }

 private:
  struct waiting;
  HEIST_API void lock_slowly() noexcept;
  HEIST_API void unlock_slowly() noexcept;
  HEIST_OWN std::mutex& queue_lock() const noexcept;

  static constexpr unsigned free = 0;
  static constexpr unsigned held = 1;
  static constexpr unsigned wanted = 2;  // held, and there may be waiters

  std::atomic<unsigned> state_{free};
  waiting* first_ = nullptr;
  waiting* last_ = nullptr;
};

}  // namespace heist

HEIST_END
