#include <heist/check/chaos.hpp>
#include <heist/mutex.hpp>
#include <heist/wait/spin.hpp>

#include <mutex>

namespace heist {

namespace {

// A waiter that has waited for longer is given the mutex. Until then those that come later may pass it, for they are
// running and it is not: a mutex that goes only to sleepers is idle while each of them gets up.
constexpr detail::nanoseconds patience = 1'000'000;

}  // namespace

// One in contend().
struct mutex::contender {
  bool is_awake = false;  // it has the bit `awake`, and must clear it when it gets the mutex or queues up
  bool has_waited = false;
  detail::nanoseconds since = 0;  // when it queued up first
};

void mutex::lock_slowly() noexcept { wait(detail::never, {}); }

bool mutex::lock_slowly(detail::nanoseconds deadline, const std::stop_token& token) {
  return deadline > detail::now() && has_come(wait(deadline, token));
}

void mutex::lock_slowly(const std::stop_token& token) {
  has_come(wait(detail::never, token));
}

// It is free, but one that was woken for it is on its way.
bool mutex::try_lock_slowly() noexcept {
  unsigned s = state_.load(std::memory_order_relaxed);
  while ((s & held) == 0)
    // order[mutex.hand]: what the former holder wrote
    if (state_.compare_exchange_weak(s, s | held, std::memory_order_acquire, std::memory_order_relaxed)) {
      detail::lock_watch::taken(this);
      return true;
    }
  return false;
}

// Any thread. Looks for a moment whether the mutex comes free. Meanwhile a holder that releases it need not wake
// anybody.
// model: mutex.pml, take_soon()
bool mutex::take_soon(contender& me) noexcept {
  for (detail::spin waits;;) {
    unsigned s = state_.load(std::memory_order_relaxed);
    while ((s & held) == 0)
      // order[mutex.hand]: what the former holder wrote
      if (state_.compare_exchange_weak(s, (s | held) & ~(me.is_awake ? awake : 0u), std::memory_order_acquire,
                                       std::memory_order_relaxed))
        return true;
    if ((s & starving) != 0) return false;
    if (!me.is_awake && (s & (queued | awake)) == queued)
      me.is_awake = state_.compare_exchange_weak(s, s | awake, std::memory_order_relaxed, std::memory_order_relaxed);
    if (!waits.once_more()) return false;
  }
}

// Under the queue's lock: true if it has got the mutex; otherwise `w` is in the queue, and the holder will see that.
// model: mutex.pml, take_or_queue_up()
bool mutex::take_or_queue_up(contender& me, detail::waiting& w) noexcept {
  if (!me.has_waited) me.since = detail::now();
  const bool too_long = me.has_waited && detail::now() - me.since > patience;
  unsigned s = state_.load(std::memory_order_relaxed);
  for (;;) {
    const unsigned others = s & ~(me.is_awake ? awake : 0u);
    if ((s & held) == 0) {
      // order[mutex.hand]: what the former holder wrote
      if (state_.compare_exchange_weak(s, others | held, std::memory_order_acquire, std::memory_order_relaxed))
        return true;
    } else if (state_.compare_exchange_weak(s, others | queued | (too_long ? starving : 0u), std::memory_order_relaxed,
                                            std::memory_order_relaxed)) {
      break;
    }
  }
  if (me.has_waited)
    queue_.push_front(w);
  else
    queue_.push(w);
  me.has_waited = true;
  me.is_awake = false;
  return false;
}

detail::waking mutex::wait(detail::nanoseconds deadline, const std::stop_token& token) noexcept {
  const detail::waking how = contend(deadline, token);
  if (how == detail::waking::event) detail::lock_watch::taken(this);
  return how;
}

// model: mutex.pml, contender()
detail::waking mutex::contend(detail::nanoseconds deadline, const std::stop_token& token) noexcept {
  contender me;
  for (;;) {
    if (take_soon(me)) return detail::waking::event;
    detail::chaos::step(detail::chaos::at::mutex_wanted);
    bool handed = false;
    detail::waiting w("a mutex", &handed);
    detail::short_lock& lock = detail::queue_lock(this);
    {
      const std::lock_guard hold(lock);
      if (take_or_queue_up(me, w)) return detail::waking::event;
    }
    detail::chaos::step(detail::chaos::at::mutex_queued);
    if (deadline == detail::never && !token.stop_possible()) detail::lock_watch::wanted(this);
    const detail::waking how = detail::wait_queue::rest(w, lock, deadline, token, detail::if_unwanted::stays);
    if (how != detail::waking::event || handed) return how;
    me.is_awake = true;
  }
}

// model: mutex.pml, unlock_slowly()
void mutex::unlock_slowly() noexcept {
  unsigned s = state_.load(std::memory_order_relaxed);
  // Nobody waits, or somebody is awake already: as soon as it is free, it may be destroyed.
  while ((s & starving) == 0 && (s & (queued | awake)) != queued)
    // order[mutex.hand]: for the next holder
    if (state_.compare_exchange_weak(s, s & ~held, std::memory_order_release, std::memory_order_relaxed)) return;

  detail::waiting* next;
  {
    const std::lock_guard hold(detail::queue_lock(this));
    s = state_.load(std::memory_order_relaxed);
    next = (s & (starving | awake)) == awake ? nullptr : queue_.take();
    const unsigned others = queue_.empty() ? 0u : queued;
    if (next != nullptr && (s & starving) != 0) {
      *static_cast<bool*>(next->item) = true;
      // It stays held. Only those that spin change the state meanwhile, and not while the bit is on.
      state_.store(held | others, std::memory_order_relaxed);
    } else {
      // order[mutex.hand]: for the next holder, who may be the last
      while (!state_.compare_exchange_weak(s, others | (next != nullptr ? awake : s & awake), std::memory_order_release,
                                           std::memory_order_relaxed)) {}
    }
  }
  detail::chaos::step(detail::chaos::at::mutex_handed);
  if (next != nullptr) next->resume();
}

}  // namespace heist
