#include <heist/semaphore.hpp>

#include <algorithm>
#include <mutex>

namespace heist::detail {

void semaphore_base::wait() { queue_up(never, {}); }

bool semaphore_base::wait(nanoseconds deadline, const std::stop_token& token) {
  return deadline > now() && has_come(queue_up(deadline, token));
}

void semaphore_base::wait(const std::stop_token& token) {
  has_come(queue_up(never, token));
}

waking semaphore_base::queue_up(nanoseconds deadline, const std::stop_token& token) {
  waiting w("a semaphore");
  std::unique_lock hold(queue_lock(this));
  for (std::ptrdiff_t seen = permits_.load(std::memory_order_relaxed); seen != wanted;) {
    if (take()) return waking::event;
    seen = 0;
    if (permits_.compare_exchange_strong(seen, wanted, std::memory_order_relaxed, std::memory_order_relaxed)) break;
  }
  return queue_.await(w, hold, deadline, token);
}

void semaphore_base::give(std::ptrdiff_t n, std::ptrdiff_t most) {
  if (n < 0) throw std::invalid_argument("heist: a semaphore cannot release a negative number of permits");
  if (n == 0) return;
  std::ptrdiff_t seen = permits_.load(std::memory_order_relaxed);
  for (;;) {
    if (n > most - std::max(seen, std::ptrdiff_t{0}))
      throw std::invalid_argument("heist: a semaphore was to release more permits than its max() allows");
    if (seen == wanted) {
      if (hand_out(n)) return;
      seen = permits_.load(std::memory_order_relaxed);
      // order[semaphore.permit]: for the one that takes it
    } else if (permits_.compare_exchange_weak(seen, seen + n, std::memory_order_release, std::memory_order_relaxed)) {
      return;
    }
  }
}

// False if another thread was faster, and nobody waits any more.
bool semaphore_base::hand_out(std::ptrdiff_t n) noexcept {
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
    if (permits_.load(std::memory_order_relaxed) != wanted) return false;
    for (; n > 0 && !queue_.empty(); --n) woken.add(*queue_.take());
    // Only under the lock does it change from `wanted` to anything else. When it has, the semaphore may be gone.
    // order[semaphore.permit]: for the one that takes it
    if (queue_.empty()) permits_.store(n, std::memory_order_release);
  }
  woken.resume_all();
  return true;
}

}  // namespace heist::detail
