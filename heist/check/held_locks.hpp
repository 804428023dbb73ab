#pragma once
// Checked builds: a std::mutex held across a join is found at the join, moved or not.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

HEIST_BEGIN

namespace heist::detail {

// ThreadSanitizer has the functions to itself that this would replace, and says by itself when a mutex is unlocked by
// another thread.
#if defined(HEIST_CHECKED) && !defined(HEIST_TSAN)

// A strand, where it may go on on another thread: ends the program with a sentence if it holds a pthread_mutex_t.
HEIST_API void check_no_lock_held() noexcept;

// What the thread holds when it enters a pool it may hold: it comes back as the same thread.
class locks_of_caller {
 public:
  locks_of_caller() noexcept;
  ~locks_of_caller();
  locks_of_caller(const locks_of_caller&) = delete;
  locks_of_caller& operator=(const locks_of_caller&) = delete;

 private:
  unsigned outer_;
};

#else

struct locks_of_caller {
  locks_of_caller() noexcept {}
};

#endif

}  // namespace heist::detail

HEIST_END
