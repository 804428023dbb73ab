#pragma once
// Tells the kernel on which processor a woken thread starts, because by itself it chooses badly;
// README.md shows how.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <pthread.h>
#include <sched.h>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// beside: the waker continues, and the woken thread must run elsewhere. instead: the waker is about
// to wait, and leaves its processor.
enum class spot { beside, instead };

// Lets the thread run on these processors; false if the kernel refuses. A thread that may run on
// all is not bound to the processors of today.
bool allow(pthread_t thread, const cpu_set_t& processors) noexcept;

class placement {
 public:
  // For the thread that wakes it, before the post.
  void send(pthread_t thread, spot where) noexcept;
  // For the thread itself, when it is awake: it may run again where it could before.
  void arrive() noexcept;

 private:
  struct journey {
    nanoseconds began;
    cpu_set_t before, meanwhile;
  };
  std::optional<journey> sent_;  // written by the thread that took the sleeper off the list; the post publishes it
};

}  // namespace heist::detail

HEIST_END
