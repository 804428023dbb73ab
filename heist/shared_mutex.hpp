#pragma once
// shared_mutex: a lock that one may hold alone, or several together.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>
#include <heist/wait/deadline.hpp>
#include <heist/wait/shared_word.hpp>

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
  HEIST_OWN void lock() noexcept {
    if (!try_lock()) [[unlikely]] lock_slowly();
  }
  // Throws heist::cancelled if a stop is requested before it has the mutex.
  HEIST_OWN void lock(const std::stop_token& token) {
    if (!try_lock()) [[unlikely]] lock_slowly(token);
  }
  HEIST_OWN bool try_lock() noexcept { return word_.try_alone(); }
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
  HEIST_OWN void unlock() noexcept { word_.end_alone(); }

  HEIST_OWN void lock_shared() noexcept {
    if (!try_lock_shared()) [[unlikely]] lock_shared_slowly();
  }
  // Throws heist::cancelled if a stop is requested before it has the mutex.
  HEIST_OWN void lock_shared(const std::stop_token& token) {
    if (!try_lock_shared()) [[unlikely]] lock_shared_slowly(token);
  }
  HEIST_OWN bool try_lock_shared() noexcept { return word_.try_shared(); }
  template <class Rep, class Period>
  [[nodiscard]] HEIST_OWN bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& patience, const std::stop_token& token = {}) {
    return try_lock_shared() || lock_shared_slowly(detail::deadline_after(patience), token);
  }
  template <class Clock, class Duration>
  [[nodiscard]] HEIST_OWN bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration>& t, const std::stop_token& token = {}) {
    return try_lock_shared() ||
           detail::comes_before(t, [&](detail::nanoseconds deadline) { return lock_shared_slowly(deadline, token); });
  }
  HEIST_OWN void unlock_shared() noexcept { word_.end_shared(); }

 private:
  HEIST_API void lock_slowly() noexcept;
  HEIST_API bool lock_slowly(detail::nanoseconds deadline, const std::stop_token& token);
  HEIST_API void lock_slowly(const std::stop_token& token);
  HEIST_API void lock_shared_slowly() noexcept;
  HEIST_API bool lock_shared_slowly(detail::nanoseconds deadline, const std::stop_token& token);
  HEIST_API void lock_shared_slowly(const std::stop_token& token);

  detail::shared_word word_;
};

}  // namespace heist

HEIST_END
