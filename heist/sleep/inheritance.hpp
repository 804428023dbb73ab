#pragma once
// What a thread inherits from the one that starts it: processors, priority and blocked signals. A
// pool's threads are started by whichever thread needs one; this is what they get instead.

#include <heist/base/export.hpp>

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <optional>
#include <thread>

HEIST_BEGIN

namespace heist::detail {

// How the kernel schedules a thread.
struct urgency {
  int policy = SCHED_OTHER;
  int priority = 0;  // of real-time policies
  int niceness = 0;  // of the others

  bool operator==(const urgency&) const = default;
};

// Blocks signals in the calling thread, except those that its own instructions raise. A thread that it starts meanwhile, such as
// one of a foreign library, gets none of the program's signals.
class signals_held {
 public:
  HEIST_API signals_held() noexcept;
  ~signals_held() { ::pthread_sigmask(SIG_SETMASK, &former_, nullptr); }
  signals_held(const signals_held&) = delete;
  signals_held& operator=(const signals_held&) = delete;

 private:
  sigset_t former_;
};

class inheritance {
 public:
  // What a thread started by the caller now would inherit.
  HEIST_API inheritance() noexcept;
  // The same with other processors, if there are any, and with another nice value, if it is one.
  inheritance(const std::optional<cpu_set_t>& processors, std::optional<int> niceness) noexcept;

  // Starts a thread that has it. Throws std::system_error.
  template <class F>
  std::thread start(const char* name, F main) const {
    std::thread t;
    {
      const signals_held until_it_has_its_own_mask;
      t = std::thread([this, main] {
        take();
        main();
      });
    }
    allow_processors(t.native_handle());
    ::pthread_setname_np(t.native_handle(), name);
    return t;
  }
  // False for threads that run only when no other wants to, or before all others.
  bool ordinary() const noexcept { return !urgency_ || (urgency_->policy == SCHED_OTHER && urgency_->niceness <= 0); }

 private:
  // For the thread that has started it, before it is sent to a processor.
  HEIST_API void allow_processors(pthread_t thread) const noexcept;
  // For the thread itself, before it works.
  HEIST_API void take() const noexcept;

  std::optional<cpu_set_t> processors_;  // nothing if they do not fit into a cpu_set_t, or the kernel does not say
  std::optional<urgency> urgency_;       // likewise
  bool wished_ = false;                  // the nice value was asked for
};

}  // namespace heist::detail

HEIST_END
