#include <heist/barrier.hpp>

#include <mutex>

namespace heist::detail {

bool barrier_base::arrive(std::ptrdiff_t n) {
  std::ptrdiff_t seen = left_.load(std::memory_order_relaxed);
  for (;;) {
    if (n <= 0 || n > seen)
      throw std::invalid_argument(
          "heist: more arrived at a barrier than it expects in a phase, or a number that is not positive");
    // order[barrier.arrive]: the last one sees what all wrote, and whom it need not expect any more
    if (left_.compare_exchange_weak(seen, seen - n, std::memory_order_acq_rel, std::memory_order_relaxed))
      return seen == n;
  }
}

// The last to arrive. When the phase has changed, the barrier may be gone.
void barrier_base::begin_next() noexcept {
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
    woken.add_all(queue_);
    // order[barrier.arrive]: for the first to arrive next, which knows of this phase's end by its own wait
    left_.store(expected_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    // order[barrier.phase]: for those that go on
    phase_.store(phase_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  woken.resume_all();
}

bool barrier_base::wait_for_end(phase p, nanoseconds deadline, const std::stop_token& token) const {
  if (deadline <= detail::now()) return false;
  waiting w("a barrier");
  std::unique_lock hold(queue_lock(this));
  return is_over(p) || has_come(queue_.await(w, hold, deadline, token));
}

}  // namespace heist::detail
