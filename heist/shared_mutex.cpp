#include <heist/shared_mutex.hpp>
#include <heist/wait/spin.hpp>

#include <mutex>

namespace heist {

namespace {

detail::waiting one_that_waits() noexcept {
  return detail::waiting("a shared mutex", const_cast<void*>(detail::lock_watch::me()));
}

}  // namespace

void shared_mutex::lock_slowly() noexcept { wait_alone(detail::never, {}); }

bool shared_mutex::lock_slowly(detail::nanoseconds deadline, const std::stop_token& token) {
  return deadline > detail::now() && has_come(wait_alone(deadline, token));
}

void shared_mutex::lock_slowly(const std::stop_token& token) {
  has_come(wait_alone(detail::never, token));
}

void shared_mutex::lock_shared_slowly() noexcept { wait_shared(detail::never, {}); }

bool shared_mutex::lock_shared_slowly(detail::nanoseconds deadline, const std::stop_token& token) {
  return deadline > detail::now() && has_come(wait_shared(deadline, token));
}

void shared_mutex::lock_shared_slowly(const std::stop_token& token) {
  has_come(wait_shared(detail::never, token));
}

detail::waking shared_mutex::wait_alone(detail::nanoseconds deadline, const std::stop_token& token) noexcept {
  for (detail::spin waits; waits.once_more() && !is_queued();)
    if (try_lock()) return detail::waking::event;
  detail::waiting w = one_that_waits();
  std::unique_lock hold(detail::queue_lock(this));
  if (take_alone_or_queue()) {
    detail::lock_watch::taken(this);
    return detail::waking::event;
  }
  if (deadline == detail::never && !token.stop_possible()) detail::lock_watch::wanted(this);
  const detail::waking how = for_alone_.await(w, hold, deadline, token, detail::if_unwanted::stays);
  if (how != detail::waking::event) admit_after_leaving();
  return how;
}

detail::waking shared_mutex::wait_shared(detail::nanoseconds deadline, const std::stop_token& token) noexcept {
  for (detail::spin waits; waits.once_more() && !is_queued();)
    if (try_lock_shared()) return detail::waking::event;
  detail::waiting w = one_that_waits();
  std::unique_lock hold(detail::queue_lock(this));
  if (take_shared_or_queue()) {
    detail::lock_watch::taken(this, detail::holding::shared);
    return detail::waking::event;
  }
  if (deadline == detail::never && !token.stop_possible()) detail::lock_watch::wanted(this, detail::holding::shared);
  const detail::waking how = for_shared_.await(w, hold, deadline, token, detail::if_unwanted::stays);
  if (how != detail::waking::event) admit_after_leaving();
  return how;
}

// The rest is called under the queues' lock. While `queued` is on, others change the state without it in one way only:
// one that shares the mutex, and is not the last, unlocks it.

// True: has the mutex alone. False: the holders will see that somebody waits.
bool shared_mutex::take_alone_or_queue() noexcept {
  unsigned seen = state_.load(std::memory_order_relaxed);
  for (;;) {
    // order[shared_mutex.hand]: what all former holders wrote
    if (state_.compare_exchange_weak(seen, seen == free ? alone : seen | queued, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return seen == free;
  }
}

bool shared_mutex::take_shared_or_queue() noexcept {
  unsigned seen = state_.load(std::memory_order_relaxed);
  for (;;) {
    const bool mine = (seen & alone) == 0 && for_alone_.empty();
    // order[shared_mutex.hand]: what the last one that had it alone wrote
    if (state_.compare_exchange_weak(seen, mine ? seen + one : seen | queued, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return mine;
  }
}

unsigned shared_mutex::still_queued() const noexcept { return for_alone_.empty() && for_shared_.empty() ? 0 : queued; }

// What the state becomes if all that wait to share a free mutex get it; or the first that waits to have it alone.
unsigned shared_mutex::admit_shared(detail::woken_list& woken) noexcept {
  unsigned holders = 0;
  for (; detail::waiting* const w = for_shared_.take(); holders += one) {
    detail::lock_watch::given(this, w->item, detail::holding::shared);
    woken.add(*w);
  }
  return holders;
}

unsigned shared_mutex::admit_alone(detail::woken_list& woken) noexcept {
  detail::waiting* const w = for_alone_.take();
  if (w == nullptr) return free;
  detail::lock_watch::given(this, w->item, detail::holding::alone);
  woken.add(*w);
  return alone;
}

void shared_mutex::unlock_slowly() noexcept {
  detail::woken_list woken;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    unsigned next = admit_shared(woken);
    if (next == free) next = admit_alone(woken);
    // Until here nobody else changes it without the lock. When it has changed, the mutex may be gone.
    // order[shared_mutex.hand]: for the next holders
    state_.store(next | still_queued(), std::memory_order_release);
  }
  woken.resume_all();
}

void shared_mutex::unlock_shared_slowly() noexcept {
  detail::woken_list woken;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    unsigned seen = state_.load(std::memory_order_relaxed);
    // Others have come to share it: the one that kept them from it has left.
    while (seen != (one | queued))
      // order[shared_mutex.hand]: for the next that has it alone
      if (state_.compare_exchange_weak(seen, seen - one, std::memory_order_release, std::memory_order_relaxed)) return;
    unsigned next = admit_alone(woken);
    if (next == free) next = admit_shared(woken);
    // order[shared_mutex.hand]: what the others that shared it wrote is passed on
    state_.exchange(next | still_queued(), std::memory_order_acq_rel);
  }
  woken.resume_all();
}

// One has left its queue by itself: perhaps it was the only one that kept others from sharing the mutex.
void shared_mutex::admit_after_leaving() noexcept {
  detail::woken_list woken;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    unsigned seen = state_.load(std::memory_order_relaxed);
    if ((seen & queued) == 0) return;  // all the others have left, too
    const unsigned more = (seen & alone) == 0 && for_alone_.empty() ? admit_shared(woken) : 0;
    // order[shared_mutex.hand]: what those wrote that have shared it until now is passed on
    while (!state_.compare_exchange_weak(seen, ((seen & ~queued) + more) | still_queued(), std::memory_order_acq_rel,
                                         std::memory_order_relaxed)) {}
  }
  woken.resume_all();
}

}  // namespace heist
