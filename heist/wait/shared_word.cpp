#include <heist/wait/shared_word.hpp>
#include <heist/wait/spin.hpp>

#include <mutex>

namespace heist::detail {

namespace {

waiting one_that_waits() noexcept {
  return waiting("a shared mutex", const_cast<void*>(lock_watch::me()));
}

}  // namespace

waking shared_word::wait_alone(nanoseconds deadline, const std::stop_token& token) noexcept {
  for (spin waits; waits.once_more() && !is_queued();)
    if (try_alone()) return waking::event;
  waiting w = one_that_waits();
  std::unique_lock hold(queue_lock(this));
  if (take_alone_or_queue()) {
    lock_watch::taken(this);
    return waking::event;
  }
  if (deadline == never && !token.stop_possible()) lock_watch::wanted(this);
  const waking how = for_alone_.await(w, hold, deadline, token, if_unwanted::stays);
  if (how != waking::event) admit_after_leaving();
  return how;
}

waking shared_word::wait_shared(nanoseconds deadline, const std::stop_token& token) noexcept {
  for (spin waits; waits.once_more() && !is_queued();)
    if (try_shared()) return waking::event;
  waiting w = one_that_waits();
  std::unique_lock hold(queue_lock(this));
  if (take_shared_or_queue()) {
    lock_watch::taken(this, holding::shared);
    return waking::event;
  }
  if (deadline == never && !token.stop_possible()) lock_watch::wanted(this, holding::shared);
  const waking how = for_shared_.await(w, hold, deadline, token, if_unwanted::stays);
  if (how != waking::event) admit_after_leaving();
  return how;
}

// The rest is called under the queues' lock. While `queued` is on, others change the state without it in one way only:
// one that shares the mutex, and is not the last, unlocks it.

// True: has the mutex alone. False: the holders will see that somebody waits.
bool shared_word::take_alone_or_queue() noexcept {
  unsigned seen = state_.load(std::memory_order_relaxed);
  for (;;) {
    // order[shared_mutex.hand]: what all former holders wrote
    if (state_.compare_exchange_weak(seen, seen == free ? alone : seen | queued, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return seen == free;
  }
}

bool shared_word::take_shared_or_queue() noexcept {
  unsigned seen = state_.load(std::memory_order_relaxed);
  for (;;) {
    const bool mine = (seen & alone) == 0 && for_alone_.empty();
    // order[shared_mutex.hand]: what the last one that had it alone wrote
    if (state_.compare_exchange_weak(seen, mine ? seen + one : seen | queued, std::memory_order_acquire,
                                     std::memory_order_relaxed))
      return mine;
  }
}

unsigned shared_word::still_queued() const noexcept { return for_alone_.empty() && for_shared_.empty() ? 0 : queued; }

// What the state becomes if all that wait to share a free mutex get it; or the first that waits to have it alone.
unsigned shared_word::admit_shared(woken_list& woken) noexcept {
  unsigned holders = 0;
  for (; waiting* const w = for_shared_.take(); holders += one) {
    lock_watch::given(this, w->item, holding::shared);
    woken.add(*w);
  }
  return holders;
}

unsigned shared_word::admit_alone(woken_list& woken) noexcept {
  waiting* const w = for_alone_.take();
  if (w == nullptr) return free;
  lock_watch::given(this, w->item, holding::alone);
  woken.add(*w);
  return alone;
}

void shared_word::end_alone_slowly() noexcept {
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
    unsigned next = admit_shared(woken);
    if (next == free) next = admit_alone(woken);
    // Until here nobody else changes it without the lock. When it has changed, the mutex may be gone.
    // order[shared_mutex.hand]: for the next holders
    state_.store(next | still_queued(), std::memory_order_release);
  }
  woken.resume_all();
}

void shared_word::end_shared_slowly() noexcept {
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
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
void shared_word::admit_after_leaving() noexcept {
  woken_list woken;
  {
    const std::lock_guard hold(queue_lock(this));
    unsigned seen = state_.load(std::memory_order_relaxed);
    if ((seen & queued) == 0) return;  // all the others have left, too
    const unsigned more = (seen & alone) == 0 && for_alone_.empty() ? admit_shared(woken) : 0;
    // order[shared_mutex.hand]: what those wrote that have shared it until now is passed on
    while (!state_.compare_exchange_weak(seen, ((seen & ~queued) + more) | still_queued(), std::memory_order_acq_rel,
                                         std::memory_order_relaxed)) {}
  }
  woken.resume_all();
}

}  // namespace heist::detail
