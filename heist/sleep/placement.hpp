#pragma once
// On which processor a woken thread begins: the kernel is told, because left alone it chooses badly; README.md shows how.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <pthread.h>
#include <sched.h>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// The one who wakes goes on, and the woken thread shall run elsewhere; or it is about to wait, and leaves its processor.
enum class spot { beside, instead };

// From now on the thread may run on these processors, or the kernel refuses. One that may run on all there are is not bound to those of
// today.
bool allow(pthread_t thread, const cpu_set_t& processors) noexcept;

class placement {
 public:
  // Whoever wakes the thread, before the post.
  void send(pthread_t thread, spot where) noexcept;
  // The thread itself, when it is up: from now on it may run where it might before.
  void arrive() noexcept;

 private:
  struct journey {
    nanoseconds began;
    cpu_set_t before, meanwhile;
  };
  std::optional<journey> sent_;  // by whoever has taken the sleeper off the list; the post carries it to the thread
};

}  // namespace heist::detail

HEIST_END
