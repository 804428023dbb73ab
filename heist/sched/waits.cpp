#include <heist/sched/wait.hpp>
#include <heist/sched/waits.hpp>

#include <thread>

namespace heist::detail {

// model: wait.pml, resume()
void waits::put(wait& w, resumer who) noexcept {
  const std::lock_guard hold(lock_);
  left_to_worker_.store(who == resumer::worker, std::memory_order_relaxed);
  w.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &w;
  last_ = &w;
  if (w.root_ == nullptr) ++rootless_;
  // order[idle.count]: before the caller asks who searches; a worker that lies down reads it after it is listed
  ready_.store(ready_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

// model: wait.pml, worker()
wait* waits::take(const void* root) noexcept {
  if (!any_ready()) return nullptr;
  const std::lock_guard hold(lock_);
  if (root != nullptr && !may_have(root)) return nullptr;
  wait** at = &first_;
  wait* before = nullptr;
  while (root != nullptr && *at != nullptr && (*at)->root_ != root) before = *at, at = &before->next_;
  wait* const w = *at;
  if (w == nullptr) return nullptr;
  *at = w->next_;
  if (last_ == w) last_ = before;
  if (w->root_ == nullptr) --rootless_;
  taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  ready_.store(ready_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);  // a stale one: a fruitless look
  return w;
}

wait* waits::take(sight& last) noexcept {
  constexpr unsigned few = 8;
  if (!any_ready()) return nullptr;
  if (ready_.load(std::memory_order_relaxed) == 1 && left_to_worker_.load(std::memory_order_relaxed)) {
    const std::size_t taken = taken_.load(std::memory_order_relaxed);
    last.looks.set(last.taken.replace(taken) == taken ? last.looks.get() + 1 : 1);
    if (last.looks.get() < few) return nullptr;
  }
  return take();
}

const void* waits::first_root() noexcept {
  const std::lock_guard hold(lock_);
  return first_ != nullptr ? first_->root_ : nullptr;
}

bool waits::may_have(const void* root) const noexcept {
  return root == nullptr ? rootless_ > 0 : ready_.load(std::memory_order_relaxed) > rootless_;
}

bool waits::any_of(const void* root) noexcept {
  const std::lock_guard hold(lock_);
  if (root == nullptr || !may_have(root)) return may_have(root);
  const wait* w = first_;
  while (w != nullptr && w->root_ != root) w = w->next_;
  return w != nullptr;
}

// model: wait.pml, destructor()
void waits::await_resuming() const noexcept {
  // order[waits.end]: what those threads did
  while (resuming_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

void waits::begin() noexcept {
  const std::size_t now = waiting_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::size_t most = peak();
  while (most < now && !peak_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

}  // namespace heist::detail
