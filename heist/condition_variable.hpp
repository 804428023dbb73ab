#pragma once
// condition_variable: strands and threads wait until another one says that something has changed.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/cancelled.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <condition_variable>
#include <stop_token>
#include <utility>

HEIST_BEGIN

namespace heist {

// As std::condition_variable_any: works with any lock that has lock() and unlock(), such as
// std::unique_lock<heist::mutex>. A strand that waits leaves its worker to other work, and may return
// on another thread. Each wait unlocks the lock, and has locked it again when it returns or throws.
// notify_one() wakes the one that has waited the longest. Nobody wakes up without a reason, except if
// a clock is set back. When all waiters have been notified, the condition variable may be destroyed.
//
// Waits with a stop token as last argument throw heist::cancelled if a stop is requested before the
// notification. Those with the token as second argument are the standard's: when a stop is
// requested, they return what the predicate says.
class HEIST_TYPE condition_variable {
 public:
  HEIST_OWN constexpr condition_variable() noexcept = default;
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  HEIST_OWN void notify_one() noexcept {
    if (waited_for_.load(std::memory_order_relaxed)) wake_one();
  }
  HEIST_OWN void notify_all() noexcept {
    if (waited_for_.load(std::memory_order_relaxed)) wake_all();
  }

  template <class Lock>
  HEIST_OWN void wait(Lock& lock) {
    rest(lock, detail::never, {});
  }
  template <class Lock>
  HEIST_OWN void wait(Lock& lock, const std::stop_token& token) {
    rest(lock, detail::never, token);
  }
  template <class Lock, class Predicate>
  HEIST_OWN void wait(Lock& lock, Predicate changed) {
    while (!changed()) wait(lock);
  }
  template <class Lock, class Predicate>
  HEIST_OWN void wait(Lock& lock, Predicate changed, const std::stop_token& token) {
    while (!changed()) wait(lock, token);
  }
  template <class Lock, class Predicate>
  HEIST_OWN bool wait(Lock& lock, std::stop_token token, Predicate changed) {
    while (!token.stop_requested()) {
      if (changed()) return true;
      pause(lock, detail::never, token);
    }
    return changed();
  }

  // Timed: whether the notification came, or what the predicate says when the time is over.
  template <class Lock, class Rep, class Period>
  HEIST_OWN std::cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& patience,
                                    const std::stop_token& token = {}) {
    return rest(lock, detail::deadline_after(patience), token);
  }
  template <class Lock, class Rep, class Period, class Predicate>
  HEIST_OWN bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& patience, Predicate changed,
                          const std::stop_token& token = {}) {
    const detail::nanoseconds deadline = detail::deadline_after(patience);
    while (!changed())
      if (rest(lock, deadline, token) == std::cv_status::timeout) return changed();
    return true;
  }
  template <class Lock, class Rep, class Period, class Predicate>
  HEIST_OWN bool wait_for(Lock& lock, std::stop_token token, const std::chrono::duration<Rep, Period>& patience,
                          Predicate changed) {
    const detail::nanoseconds deadline = detail::deadline_after(patience);
    while (!token.stop_requested()) {
      if (changed()) return true;
      if (pause(lock, deadline, token) == detail::waking::deadline) break;
    }
    return changed();
  }

  template <class Lock, class Clock, class Duration>
  HEIST_OWN std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& t,
                                      const std::stop_token& token = {}) {
    // Too early: the lock was released, so the caller must look again.
    return rest(lock, detail::deadline_at(t), token) == std::cv_status::timeout && Clock::now() >= t
               ? std::cv_status::timeout
               : std::cv_status::no_timeout;
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  HEIST_OWN bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& t, Predicate changed,
                            const std::stop_token& token = {}) {
    while (!changed())
      if (wait_until(lock, t, token) == std::cv_status::timeout) return changed();
    return true;
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  HEIST_OWN bool wait_until(Lock& lock, std::stop_token token, const std::chrono::time_point<Clock, Duration>& t,
                            Predicate changed) {
    while (!token.stop_requested()) {
      if (changed()) return true;
      if (pause(lock, detail::deadline_at(t), token) == detail::waking::deadline && Clock::now() >= t) break;
    }
    return changed();
  }

 private:
  // Waits, and says why that is over.
  template <class Lock>
  HEIST_OWN detail::waking pause(Lock& lock, detail::nanoseconds deadline, const std::stop_token& token) {
    detail::waiting me("a condition variable");
    queue_up(me);  // before the lock is released: whoever takes it then finds `me`
    try {
      lock.unlock();
    } catch (...) {  // it was not locked
      abandon(me);
      throw;
    }
    const detail::waking how = await(me, deadline, token);
    // As the standard's, this ends the program if the lock cannot be locked again.
    [&lock]() noexcept { lock.lock(); }();
    return how;
  }
  template <class Lock>
  HEIST_OWN std::cv_status rest(Lock& lock, detail::nanoseconds deadline, const std::stop_token& token) {
    const detail::waking how = pause(lock, deadline, token);
    if (how == detail::waking::stop) throw cancelled();
    return how == detail::waking::deadline ? std::cv_status::timeout : std::cv_status::no_timeout;
  }

  HEIST_API void queue_up(detail::waiting& me) noexcept;
  HEIST_API detail::waking await(detail::waiting& me, detail::nanoseconds deadline,
                                 const std::stop_token& token) noexcept;
  HEIST_API void abandon(detail::waiting& me) noexcept;
  HEIST_API void wake_one() noexcept;
  HEIST_API void wake_all() noexcept;

  std::atomic<bool> waited_for_{false};  // there may be waiters
  detail::wait_queue queue_;
};

}  // namespace heist

HEIST_END
