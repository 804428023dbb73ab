#pragma once
// Checked builds: a std::mutex held across a join is found at the join, whether or not the strand
// moves.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

HEIST_BEGIN

namespace heist::detail {

// ThreadSanitizer replaces the same functions, and reports by itself when a mutex is unlocked by
// another thread.
#if defined(HEIST_CHECKED) && !defined(HEIST_TSAN)

// A strand, where it may move to another thread: ends the program with a message if it holds a
// pthread_mutex_t.
HEIST_API void check_no_lock_held() noexcept;
// Between these two a strand must not get there either: it uses a heist::per_worker.
void begin_no_fork() noexcept;
void end_no_fork() noexcept;

// Locks that a thread holds when it enters a pool are allowed: the call returns on the same thread.
class locks_of_caller {
 public:
  locks_of_caller() noexcept;
  ~locks_of_caller();
  locks_of_caller(const locks_of_caller&) = delete;
  locks_of_caller& operator=(const locks_of_caller&) = delete;

 private:
  unsigned outer_, outer_uses_;
};

#else

inline void begin_no_fork() noexcept {}
inline void end_no_fork() noexcept {}

struct locks_of_caller {
  locks_of_caller() noexcept {}
};

#endif

}  // namespace heist::detail

HEIST_END
