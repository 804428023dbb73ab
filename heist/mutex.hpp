#pragma once
// mutex: a lock that may be held across a join.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/lock_watch.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <stop_token>

HEIST_BEGIN

namespace heist {

// The strand that locked it owns it, not the thread, so it may be unlocked on another thread. A
// strand that waits for it leaves its worker to other work; a thread outside every pool blocks.
//
// The first waiter is woken when the mutex comes free, and competes with those that come just then,
// who may be faster. Nobody starves: waiters are woken in the order in which they came, one that was
// too late stays the first, and one that has waited for more than a millisecond gets the mutex from
// its holder directly. A mutex must not be destroyed while it is held or waited for; the last one
// to unlock it may destroy it at once.
//
// It meets the standard's TimedLockable requirements, so std::lock_guard, std::unique_lock and
// std::scoped_lock work with it. Checked builds end the program with a message when strands wait for
// each other's mutexes in a circle.
class HEIST_TYPE mutex {
 public:
  HEIST_OWN constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
#if defined(HEIST_RACE)
  HEIST_OWN ~mutex() { detail::race::retired(this); }
#endif

  HEIST_OWN void lock() noexcept {
    if (!try_lock()) [[unlikely]] lock_slowly();
  }

  // Throws heist::cancelled if a stop is requested before it has the mutex. A mutex that is free is
  // taken, whatever the token says.
  HEIST_OWN void lock(const std::stop_token& token) {
    if (!try_lock()) [[unlikely]] lock_slowly(token);
  }

  HEIST_OWN bool try_lock() noexcept {
    unsigned seen = free;
    // order[mutex.hand]: what the former holder wrote
    if (state_.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed)) [[likely]] {
      detail::lock_watch::taken(this);
      return true;
    }
    return (seen & held) == 0 && try_lock_slowly();
  }

  // Whether it has the mutex; false when the time is over. With a token they throw as lock() does.
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool try_lock_for(const std::chrono::duration<Rep, Period>& patience, const std::stop_token& token = {}) {
    return try_lock() || lock_slowly(detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool try_lock_until(const std::chrono::time_point<Clock, Duration>& t, const std::stop_token& token = {}) {
    return try_lock() ||
           detail::comes_before(t, [&](detail::nanoseconds deadline) { return lock_slowly(deadline, token); });
  }

  HEIST_OWN void unlock() noexcept {
    detail::lock_watch::released(this);
    unsigned expected = held;
    // order[mutex.hand]: for the next holder
    if (!state_.compare_exchange_strong(expected, free, std::memory_order_release, std::memory_order_relaxed))
        [[unlikely]]
      unlock_slowly();
  }

 private:
  struct contender;

  HEIST_API void lock_slowly() noexcept;
  HEIST_API bool lock_slowly(detail::nanoseconds deadline, const std::stop_token& token);
  HEIST_API void lock_slowly(const std::stop_token& token);
  HEIST_API bool try_lock_slowly() noexcept;
  HEIST_API void unlock_slowly() noexcept;
  HEIST_OWN detail::waking wait(detail::nanoseconds deadline, const std::stop_token& token) noexcept;
  HEIST_OWN detail::waking contend(detail::nanoseconds deadline, const std::stop_token& token) noexcept;
  HEIST_OWN bool take_soon(contender& me) noexcept;
  HEIST_OWN bool take_or_queue_up(contender& me, detail::waiting& w) noexcept;

  // The state is free, or several of the others. See wait/README.md, "The mutex".
  static constexpr unsigned free = 0;
  static constexpr unsigned held = 1;
  static constexpr unsigned queued = 2;    // there may be waiters in the queue
  static constexpr unsigned awake = 4;     // one that is awake wants it, and will look again before it sleeps
  static constexpr unsigned starving = 8;  // the first waiter is to get it from the holder

  std::atomic<unsigned> state_{free};
  detail::wait_queue queue_;
};

}  // namespace heist

HEIST_END
