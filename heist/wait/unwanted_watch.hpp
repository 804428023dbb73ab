#pragma once
// Wakes a strand that waits and is unwanted: see sched/protocols/unwanted.md.

#include <heist/base/export.hpp>
#include <heist/sched/alarm.hpp>

#include <optional>

HEIST_BEGIN

namespace heist::detail {

// Lives in the frame of the strand for as long as it waits.
class unwanted_watch {
 public:
  // Calls `wake(argument)` at most once, on some thread, perhaps at once. Never outside every pool, in a strand that cannot
  // be stopped, and in one that is unwinding and must not throw.
  HEIST_API unwanted_watch(void (*wake)(void*) noexcept, void* argument) noexcept;
  // From here on it is not called, and does not run.
  HEIST_API ~unwanted_watch();
  unwanted_watch(const unwanted_watch&) = delete;
  unwanted_watch& operator=(const unwanted_watch&) = delete;

  // Whether the calling strand could be woken.
  HEIST_API static bool possible() noexcept;

 private:
  std::optional<alarm::listener> in_;
};

}  // namespace heist::detail

HEIST_END
