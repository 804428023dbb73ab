#pragma once
// What a loop asks its worker, so that it forks only when another worker wants work.

#include <heist/base/export.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A strand in a pool: whether there is nothing left to steal from its worker. Only a guess, as
// thieves may be at work. A measured strand forks as if thieves were waiting: measured is what
// could be shared, not what was shared.
HEIST_INLINE bool nothing_to_steal() noexcept {
#if defined(HEIST_RACE)
  return false;  // algorithms do not fork
#else
  return this_worker()->jobs.size() == 0 || is_measured();
#endif
}

// Any thread. Whether the calling strand is recorded to be compared with other runs (HEIST_RECORD_LOOPS): then where an
// algorithm forks depends on neither the clock, nor the number of workers, nor on what is stolen.
HEIST_API HEIST_COLD bool is_recorded_by_count() noexcept;
HEIST_INLINE bool splits_by_count() noexcept {
#if defined(HEIST_RACE)
  return false;
#else
  return this_worker() != nullptr && is_measured() && is_recorded_by_count();
#endif
}

// A strand in a pool, before a loop's first fork: whether a worker searches, and the last loops
// here were worth stealing from.
HEIST_API HEIST_COLD bool thief_at_hand() noexcept;
// After thief_at_hand() was true: how long the strand worked on its own half of the loop.
HEIST_API HEIST_COLD void note_half(std::uint64_t ticks) noexcept;

// A strand in a pool, before a fork whose second branch a thief is likely to take: the branch is
// shared at once, so the thief need not ask. To take it back costs a compare-and-swap, so this is
// for forks that are rare, such as those of loops.
HEIST_INLINE void expect_a_thief() noexcept { this_worker()->jobs.owner().trip(); }

// Made before a fork, and asked at the start of its second branch. A strand leaves a worker only
// when the deque is empty, so with the branch stolen. Hence a branch that begins on the forker's
// worker is run by the forker, after its first branch.
class fork_place {
 public:
  HEIST_INLINE bool stolen() const noexcept { return this_worker() != here_; }

 private:
  const worker* const here_ = this_worker();
};

}  // namespace heist::detail

HEIST_END
