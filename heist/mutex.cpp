#include <heist/check/chaos.hpp>
#include <heist/base/process.hpp>
#include <heist/mutex.hpp>
#include <heist/sleep/parking.hpp>

#include <cstdint>
#include <new>

namespace heist {

// A waiting thread; lives in its frame.
struct mutex::waiting {
  detail::parking bed;
  waiting* behind = nullptr;
};

// The queues' locks are not part of the mutex, because the last thread to unlock a mutex may find
// it destroyed when it releases the queue. They are few, and held for a few instructions.
std::mutex& mutex::queue_lock() const noexcept {
  static std::mutex locks[64];
  static const bool watching = [] {
    // A child of fork() would wait for holders that do not exist there.
    detail::at_fork_in_child([] {
      for (std::mutex& l : locks) new (&l) std::mutex;
    });
    return true;
  }();
  static_cast<void>(watching);
  return locks[(reinterpret_cast<std::uintptr_t>(this) >> 6) % 64];
}

void mutex::lock_slowly() noexcept {
  waiting me;
  detail::chaos::step(detail::chaos::at::mutex_wanted);
  {
    const std::lock_guard hold(queue_lock());
    // order[mutex.hand]: what the former holder wrote
    if (state_.exchange(wanted, std::memory_order_acquire) == free) return;
    (first_ == nullptr ? first_ : last_->behind) = &me;
    last_ = &me;
  }
  detail::chaos::step(detail::chaos::at::mutex_queued);
  me.bed.wait();
}

void mutex::unlock_slowly() noexcept {
  waiting* next;
  {
    const std::lock_guard hold(queue_lock());
    next = first_;
    if (next == nullptr) {
      // order[mutex.hand]: for the next holder, who may be the last
      state_.store(free, std::memory_order_release);
      return;
    }
    first_ = next->behind;
  }
  detail::chaos::step(detail::chaos::at::mutex_handed);
  // The mutex is handed over: state_ stays as it is.
  next->bed.post();
}

}  // namespace heist
