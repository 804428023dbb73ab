#pragma once
// What a thread has from the one that starts it: its processors, its priority and its blocked signals. A pool's threads are
// started by whoever needs one; here is what they shall have instead.

#include <heist/base/export.hpp>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// How the kernel shares time out to a thread.
struct urgency {
  int policy = SCHED_OTHER;
  int priority = 0;  // of real-time policies
  int niceness = 0;  // of the others

  bool operator==(const urgency&) const = default;
};

class inheritance {
 public:
  // What a thread that the caller started now would have.
  inheritance() noexcept;

  // Whoever has started the thread, before it sends it anywhere.
  void allow_processors(pthread_t thread) const noexcept;
  // The thread itself, before it works for anybody.
  void take() const noexcept;
  // Threads that run only when nobody else wants to, or before all others.
  bool ordinary() const noexcept { return !urgency_ || (urgency_->policy == SCHED_OTHER && urgency_->niceness <= 0); }

 private:
  std::optional<cpu_set_t> processors_;  // nothing: more than a cpu_set_t has room for, or the kernel does not say
  std::optional<urgency> urgency_;       // likewise
};

// While it lives the calling thread takes no signals: a thread that it starts gets none before it has its own mask.
class signals_held {
 public:
  signals_held() noexcept;
  ~signals_held() { ::pthread_sigmask(SIG_SETMASK, &former_, nullptr); }
  signals_held(const signals_held&) = delete;
  signals_held& operator=(const signals_held&) = delete;

 private:
  sigset_t former_;
};

}  // namespace heist::detail

HEIST_END
