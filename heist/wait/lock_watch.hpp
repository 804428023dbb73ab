#pragma once
// Checked builds: strands that wait for each other's mutexes in a circle are found when the last of them begins to
// wait. In other builds all of this is empty.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>

HEIST_BEGIN

namespace heist::detail {

#if defined(HEIST_RACE)

// The detector has to know which locks a strand holds.
struct lock_watch {
  static void taken(const void* mutex) noexcept { race::locked(mutex, race::holding::alone); }
  static void released(const void* mutex) noexcept { race::unlocked(mutex); }
  static void wanted(const void*) noexcept {}
};

#elif defined(HEIST_CHECKED)

// All of it by the strand, or the thread outside every pool, that the mutex is about.
struct lock_watch {
  HEIST_API static void taken(const void* mutex) noexcept;
  // Before it is released.
  HEIST_API static void released(const void* mutex) noexcept;
  // It will wait, without a deadline and without a stop token, until it calls taken(). Ends the program with a message
  // if that would be for ever.
  HEIST_API static void wanted(const void* mutex) noexcept;
};

#else

struct lock_watch {
  static void taken(const void*) noexcept {}
  static void released(const void*) noexcept {}
  static void wanted(const void*) noexcept {}
};

#endif

}  // namespace heist::detail

HEIST_END
