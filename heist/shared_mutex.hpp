#pragma once
// shared_mutex: a lock that one may hold alone, or several together.

#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/lock_watch.hpp>
#include <heist/wait/wait_queue.hpp>

#include <atomic>
#include <chrono>
#include <stop_token>

HEIST_BEGIN

namespace heist {

// As std::shared_timed_mutex; but the strand that locked it owns it, not the thread: it may hold it
// across a join and unlock it on another thread. A strand that waits leaves its worker to other work.
//
// Neither side starves. A strand that wants to share it while another waits to have it alone queues up.
// When one that had it alone unlocks it, all that wait to share it get it; when the last that shared
// it unlocks it, the first that waits to have it alone gets it. So a strand that shares it must not
// lock it again, and must not wait for branches that do: between the two another may have queued up.
//
// It works with std::shared_lock, and with all that takes a mutex. Checked builds end the program with a message when
// strands wait for each other in a circle.
class HEIST_TYPE shared_mutex {
 public:
  HEIST_OWN constexpr shared_mutex() noexcept = default;
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;
#if defined(HEIST_RACE)
  HEIST_OWN ~shared_mutex() { detail::race::retired(this); }
#endif

  HEIST_OWN void lock() noexcept {
    if (!try_lock()) [[unlikely]] lock_slowly();
  }
  // Throws heist::cancelled if a stop is requested before it has the mutex.
  HEIST_OWN void lock(const std::stop_token& token) {
    if (!try_lock()) [[unlikely]] lock_slowly(token);
  }
  HEIST_OWN bool try_lock() noexcept {
    unsigned seen = free;
    // order[shared_mutex.hand]: what all former holders wrote
    if (!state_.compare_exchange_strong(seen, alone, std::memory_order_acquire, std::memory_order_relaxed)) return false;
    detail::lock_watch::taken(this);
    return true;
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
    unsigned seen = alone;
    // order[shared_mutex.hand]: for the next holders
    if (!state_.compare_exchange_strong(seen, free, std::memory_order_release, std::memory_order_relaxed)) [[unlikely]]
      unlock_slowly();
  }

  HEIST_OWN void lock_shared() noexcept {
    if (!try_lock_shared()) [[unlikely]] lock_shared_slowly();
  }
  // Throws heist::cancelled if a stop is requested before it has the mutex.
  HEIST_OWN void lock_shared(const std::stop_token& token) {
    if (!try_lock_shared()) [[unlikely]] lock_shared_slowly(token);
  }
  HEIST_OWN bool try_lock_shared() noexcept {
    unsigned seen = state_.load(std::memory_order_relaxed);
    while ((seen & (alone | queued)) == 0)
      // order[shared_mutex.hand]: what the last one that had it alone wrote
      if (state_.compare_exchange_weak(seen, seen + one, std::memory_order_acquire, std::memory_order_relaxed)) {
        detail::lock_watch::taken(this, detail::holding::shared);
        return true;
      }
    return false;
  }
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& patience, const std::stop_token& token = {}) {
    return try_lock_shared() || lock_shared_slowly(detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& t, const std::stop_token& token = {}) {
    return try_lock_shared() ||
           detail::comes_before(t, [&](detail::nanoseconds deadline) { return lock_shared_slowly(deadline, token); });
  }
  HEIST_OWN void unlock_shared() noexcept {
    detail::lock_watch::released(this, detail::holding::shared);
    unsigned seen = state_.load(std::memory_order_relaxed);
    while (seen != (one | queued))
      // order[shared_mutex.hand]: for the next that has it alone
      if (state_.compare_exchange_weak(seen, seen - one, std::memory_order_release, std::memory_order_relaxed)) return;
    unlock_shared_slowly();
  }

 private:
  HEIST_API void lock_slowly() noexcept;
  HEIST_API bool lock_slowly(detail::nanoseconds deadline, const std::stop_token& token);
  HEIST_API void lock_slowly(const std::stop_token& token);
  HEIST_API void unlock_slowly() noexcept;
  HEIST_API void lock_shared_slowly() noexcept;
  HEIST_API bool lock_shared_slowly(detail::nanoseconds deadline, const std::stop_token& token);
  HEIST_API void lock_shared_slowly(const std::stop_token& token);
  HEIST_API void unlock_shared_slowly() noexcept;

  HEIST_OWN detail::waking wait_alone(detail::nanoseconds deadline, const std::stop_token& token) noexcept;
  HEIST_OWN detail::waking wait_shared(detail::nanoseconds deadline, const std::stop_token& token) noexcept;
  HEIST_OWN bool is_queued() const noexcept { return (state_.load(std::memory_order_relaxed) & queued) != 0; }
  HEIST_OWN bool take_alone_or_queue() noexcept;
  HEIST_OWN bool take_shared_or_queue() noexcept;
  HEIST_OWN unsigned admit_shared(detail::woken_list& woken) noexcept;
  HEIST_OWN unsigned admit_alone(detail::woken_list& woken) noexcept;
  HEIST_OWN unsigned still_queued() const noexcept;
  HEIST_OWN void admit_after_leaving() noexcept;

  // The state is free, alone, or a number of holders times `one`; and queued. See wait/README.md, "The shared mutex".
  static constexpr unsigned free = 0;
  static constexpr unsigned alone = 1;
  static constexpr unsigned queued = 2;  // there may be waiters
  static constexpr unsigned one = 4;     // that shares it

  std::atomic<unsigned> state_{free};
  detail::wait_queue for_alone_, for_shared_;
};

}  // namespace heist

HEIST_END
