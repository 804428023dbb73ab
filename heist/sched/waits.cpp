#include <heist/sched/wait.hpp>
#include <heist/sched/waits.hpp>

namespace heist::detail {

// model: wait.pml, resume()
void waits::put(wait& w) noexcept {
  const std::lock_guard hold(lock_);
  w.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &w;
  last_ = &w;
  // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
  ready_.fetch_add(1, std::memory_order_seq_cst);
}

// model: wait.pml, worker()
wait* waits::take() noexcept {
  if (!any_ready()) return nullptr;
  const std::lock_guard hold(lock_);
  wait* const w = first_;
  if (w == nullptr) return nullptr;
  first_ = w->next_;
  ready_.fetch_sub(1, std::memory_order_relaxed);  // under lock_; a stale count only causes a fruitless look
  return w;
}

void waits::begin() noexcept {
  const std::size_t now = waiting_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::size_t most = peak();
  while (most < now && !peak_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

}  // namespace heist::detail
