#include <heist/latch.hpp>
#include <heist/race/strands.hpp>

#include <mutex>

namespace heist {

void latch::count_down(std::ptrdiff_t n) {
#if defined(HEIST_RACE)
  detail::race::release(this);
#endif
  std::ptrdiff_t seen = left_.load(std::memory_order_relaxed);
  for (;;) {
    if (n < 0 || n > seen)
      throw std::invalid_argument("heist: a latch was counted down by a negative number, or to less than zero");
    if (n == 0) return;
    if (n == seen) {
      if (end(n)) return;
      seen = left_.load(std::memory_order_relaxed);
      // order[latch.zero]: the last one passes it on to those that wait
    } else if (left_.compare_exchange_weak(seen, seen - n, std::memory_order_release, std::memory_order_relaxed)) {
      return;
    }
  }
}

// False if another thread was faster.
bool latch::end(std::ptrdiff_t n) noexcept {
  detail::woken_list woken;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    if (left_.load(std::memory_order_relaxed) != n) return false;
    woken.add_all(queue_);
    // When it is zero, the latch may be gone.
    // order[latch.zero]: what was written before the other counts, and before this one
    left_.fetch_sub(n, std::memory_order_acq_rel);
  }
  woken.resume_all();
  return true;
}

// False at the deadline. Throws cancelled after a stop.
bool latch::wait_for_zero(detail::nanoseconds deadline, const std::stop_token& token) const {
  if (deadline <= detail::now()) return false;
  detail::waiting w("a latch");
  std::unique_lock hold(detail::queue_lock(this));
  return try_wait() || has_come(queue_.await(w, hold, deadline, token));
}

}  // namespace heist
