#pragma once
// What a loop asks its worker so as to fork only when somebody wants work.

#include <heist/base/export.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/worker.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A strand in a pool: there is nothing that a thief could take from its worker; what was left there was taken. A guess
// as good as its moment: thieves may be at work. A measured strand forks as if thieves stood in line: what is measured is what
// there is to share, not what was shared.
HEIST_INLINE bool nothing_to_steal() noexcept { return this_worker()->jobs.seems_empty() || is_measured(); }

// A strand in a pool, before a loop's first fork: somebody searches, and the last loops here were worth a thief's while.
HEIST_API HEIST_COLD bool thief_at_hand() noexcept;
// How long the strand worked on its own half of a loop that it was so told of.
HEIST_API HEIST_COLD void note_half(std::uint64_t ticks) noexcept;

// A strand in a pool, before a fork whose second branch a thief is likely to take: it is shared at once, so that the thief
// need not ask. Taking it back costs a compare-and-swap, so this is for forks that are rare: those of loops.
HEIST_INLINE void expect_a_thief() noexcept { this_worker()->jobs.owner().trip(); }

// Made before a fork, asked first thing in its second branch. A strand leaves a worker only when its deque is empty,
// with the branch stolen; so a branch that begins on the forker's worker is run by the forker, after its first branch.
class fork_place {
 public:
  HEIST_INLINE bool stolen() const noexcept { return this_worker() != here_; }

 private:
  const worker* const here_ = this_worker();
};

}  // namespace heist::detail

HEIST_END
