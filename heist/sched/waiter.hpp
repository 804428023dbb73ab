#pragma once
// A strand that waits for a stolen branch. See protocols/stolen_branch.md.

#include <heist/base/export.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/stack/stack.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// Lives in the frame of the strand that waits.
struct waiter {
  const job::kind* displaced;  // the former content of the job's word: a late thief still needs it
  job* branch;
  stack* parked = nullptr;
  parking* bed = nullptr;  // the strand could not leave its stack: its thread waits
  bool renounced = false;  // its first branch threw: the branch's result is not wanted
  bool unwinding = false;  // the join is in a destructor run by an exception: it must not throw another
};

inline const waiter& waiter_in(std::uintptr_t word) noexcept {
  return *reinterpret_cast<const waiter*>(word & ~std::uintptr_t{job::parked_tag});
}

}  // namespace heist::detail

HEIST_END
