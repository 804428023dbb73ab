#pragma once
// Checked builds: a std::mutex held across a join is found at the join, whether or not the strand
// moves; so is a fork or a wait where there may be none.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

HEIST_BEGIN

namespace heist::detail {

// Where a strand must not fork or wait.
enum class no_fork : unsigned char { use_of_per_worker, function_of_suspend, function_of_blocking };

// ThreadSanitizer replaces the same functions, and reports by itself when a mutex is unlocked by
// another thread.
#if defined(HEIST_CHECKED) && !defined(HEIST_TSAN)

// A strand, where it may move to another thread: ends the program with a message if it holds a
// pthread_mutex_t, or is between these two.
HEIST_API void check_no_lock_held() noexcept;
void begin_no_fork(no_fork why) noexcept;
void end_no_fork() noexcept;

// Locks that a thread holds when it enters a pool are allowed: the call returns on the same thread.
class locks_of_caller {
 public:
  locks_of_caller() noexcept;
  ~locks_of_caller();
  locks_of_caller(const locks_of_caller&) = delete;
  locks_of_caller& operator=(const locks_of_caller&) = delete;

 private:
  unsigned outer_, outer_bans_;
};

#else

inline void begin_no_fork(no_fork) noexcept {}
inline void end_no_fork() noexcept {}

struct locks_of_caller {
  locks_of_caller() noexcept {}
};

#endif

// For as long as it lives; on one thread.
class no_fork_here {
 public:
  explicit no_fork_here(no_fork why) noexcept { begin_no_fork(why); }
  ~no_fork_here() { end_no_fork(); }
  no_fork_here(const no_fork_here&) = delete;
  no_fork_here& operator=(const no_fork_here&) = delete;
};

}  // namespace heist::detail

HEIST_END
