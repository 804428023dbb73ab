#pragma once
// How a scope's strand learns that all its children have ended. Protocol: protocols/scopes.md.

#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class parking;
class stack;
class wait;

// The strand that made the scope counts what was stolen, in a plain variable. Children that were
// stolen from count themselves, in an atomic one. Other children touch neither. Children spawned by
// other strands are counted in the atomic one from their spawn to their end.
class arrivals {
 public:
  // The scope's strand.
  void expect(std::int64_t more = 1) noexcept { stolen_ += more; }
  bool expects_any() const noexcept { return stolen_ != 0; }
  // A guess of how many of those are still out.
  std::int64_t out() const noexcept { return stolen_ + awake - balance_.load(std::memory_order_relaxed); }
  bool all_here() const noexcept {
    // order[scope.arrive]: what the children did
    return balance_.load(std::memory_order_acquire) == stolen_ + awake;
  }
  // All have arrived: starts over.
  void reset() noexcept;

  // Any strand, before its own child can be stolen or run; and to undo that, if there is no such
  // child after all.
  void count() noexcept { balance_.fetch_sub(1, std::memory_order_relaxed); }  // what hands the child on carries it
  void discount() noexcept { balance_.fetch_add(1, std::memory_order_relaxed); }

  // Any child that was counted or stolen, at its end. Returns the stack of the scope's strand if
  // that is to be resumed, else null. Touch nothing of the scope afterwards.
  stack* arrive() noexcept;

  // The scope's strand, off its stack, or in bed: true if all have arrived already. If not, the
  // books belong from here on to the last child to arrive, which resumes the stack or posts the
  // bed.
  bool expect_last_at(stack& parked) noexcept;
  bool expect_last_at(parking& bed) noexcept;
  bool expect_last_at(wait& rest) noexcept;
  // The strand in bed, for a child that it has run itself. True if that was the last one.
  bool arrive_in_bed() noexcept;

 private:
  bool expect_last() noexcept;

  // Part of the balance until the strand waits: more than there can be children.
  static constexpr std::int64_t awake = std::int64_t{1} << 48;

  std::int64_t stolen_ = 0;  // continuations and queued children that thieves took, as far as we know
  // `awake`, plus arrivals of stolen children, minus counted children that have not ended. Once the
  // strand has parked, also minus stolen_ and `awake`: the child that brings it to 0 resumes the
  // strand.
  std::atomic<std::int64_t> balance_{awake};
  stack* parked_ = nullptr;
  wait* rest_ = nullptr;    // the strand has left with its seat
  parking* bed_ = nullptr;  // the strand could not leave its stack: its thread waits
};

}  // namespace heist::detail

HEIST_END
