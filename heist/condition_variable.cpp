#include <heist/condition_variable.hpp>

#include <mutex>

namespace heist {

void condition_variable::queue_up(detail::waiting& me) noexcept {
  const std::lock_guard hold(detail::queue_lock(this));
  // Relaxed: one that must see it takes the user's lock, which the caller holds, before it notifies.
  waited_for_.store(true, std::memory_order_relaxed);
  queue_.push(me);
}

detail::waking condition_variable::await(detail::waiting& me, detail::nanoseconds deadline,
                                         const std::stop_token& token) noexcept {
  return detail::wait_queue::rest(me, detail::queue_lock(this), deadline, token, detail::if_unwanted::tells);
}

// It does not wait after all. If it has been notified meanwhile, another one is in its place.
void condition_variable::abandon(detail::waiting& me) noexcept {
  {
    const std::lock_guard hold(detail::queue_lock(this));
    if (me.in != nullptr) return queue_.remove(me);
  }
  me.rest.rest();
  notify_one();
}

// Once the lock is released, all waiters may have gone, and the condition variable with them.
void condition_variable::wake_one() noexcept {
  detail::waiting* first;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    first = queue_.take();
    waited_for_.store(!queue_.empty(), std::memory_order_relaxed);
  }
  if (first != nullptr) first->resume();
}

void condition_variable::wake_all() noexcept {
  detail::woken_list woken;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    woken.add_all(queue_);
    waited_for_.store(false, std::memory_order_relaxed);
  }
  woken.resume_all();
}

}  // namespace heist
