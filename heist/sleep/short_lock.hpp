#pragma once
// A mutex for sections of a few instructions. Taking and releasing a free one costs half as much as with std::mutex.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class short_lock {
 public:
  void lock() noexcept {
    if (!try_lock()) [[unlikely]] wait();
  }
  bool try_lock() noexcept {
    auto was = state::open;
    // order[lock.section]: what the last one did under the lock
    return now_.compare_exchange_strong(was, state::held, std::memory_order_acquire, std::memory_order_relaxed);
  }
  // Touches nothing of *this once another may hold the lock, except its address in a system call.
  void unlock() noexcept {
    // order[lock.section]: what was done under the lock
    if (now_.exchange(state::open, std::memory_order_release) == state::awaited) [[unlikely]] wake_one();
  }

 private:
  enum class HEIST_VERSIONED_ENUM state : std::uint32_t {
    open,
    held,
    awaited,  // held, and somebody may sleep until it is open
  };

  HEIST_API void wait() noexcept;
  HEIST_API void wake_one() noexcept;

  std::atomic<state> now_{state::open};
};

}  // namespace heist::detail

HEIST_END
