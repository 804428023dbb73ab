#pragma once
// Checked builds: strands that wait for each other's mutexes in a circle, shared ones included, are found when the last of
// them begins to wait. In other builds all of this is empty.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>

HEIST_BEGIN

namespace heist::detail {

// How a strand has a mutex, or wants it.
enum class holding : bool { alone, shared };

#if defined(HEIST_RACE)

// The detector has to know which locks a strand holds.
struct lock_watch {
  static void taken(const void* mutex, holding how = holding::alone) noexcept {
    race::locked(mutex, how == holding::alone ? race::holding::alone : race::holding::shared);
  }
  static void released(const void* mutex, holding = holding::alone) noexcept { race::unlocked(mutex); }
  static void wanted(const void*, holding = holding::alone) noexcept {}
  static void given(const void*, const void*, holding) noexcept {}
  static const void* me() noexcept { return nullptr; }
};

#elif defined(HEIST_CHECKED)

// All but given() by the strand, or the thread outside every pool, that the mutex is about.
struct lock_watch {
  HEIST_API static void taken(const void* mutex, holding how = holding::alone) noexcept;
  // Before it is released.
  HEIST_API static void released(const void* mutex, holding how = holding::alone) noexcept;
  // It will wait, without a deadline and without a stop token, until it calls taken(), or somebody calls given() for it.
  // Ends the program with a message if that would be for ever.
  HEIST_API static void wanted(const void* mutex, holding how = holding::alone) noexcept;
  // A shared mutex, for the one that waits, under the lock of its queues; wanted() was called under that lock. Several may
  // be let in together, and those that have not gone on yet must not seem to wait for the others.
  HEIST_API static void given(const void* mutex, const void* strand, holding how) noexcept;
  // The calling strand, for given(); null: not known.
  HEIST_API static const void* me() noexcept;
};

#else

struct lock_watch {
  static void taken(const void*, holding = holding::alone) noexcept {}
  static void released(const void*, holding = holding::alone) noexcept {}
  static void wanted(const void*, holding = holding::alone) noexcept {}
  static void given(const void*, const void*, holding) noexcept {}
  static const void* me() noexcept { return nullptr; }
};

#endif

}  // namespace heist::detail

HEIST_END
