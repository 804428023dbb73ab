#include <heist/sched/blocked_strand.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/scope_wait.hpp>
#include <heist/sched/spawned.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/wait.hpp>
#include <heist/sleep/parking.hpp>

namespace heist::detail {

namespace {
bool all_arrive_soon(const arrivals& a) noexcept {
  return over_soon([](const void* p) noexcept { return static_cast<const arrivals*>(p)->all_here(); }, &a);
}
}  // namespace

// model: scope.pml, sync()
void scope_wait::until_all_here() noexcept {
  const bool outside = place_.outside();
  if (arrivals_.all_here() || (!outside && all_arrive_soon(arrivals_))) return;
  const bool alone = outside || this_worker()->jobs.size() == 0;
  if (!(alone ? parked() : with_seat())) blocked();
}

// model: scope.pml, sync()
bool scope_wait::parked() noexcept {
  if (place_.outside()) return false;
  struct parked {
    arrivals& of;
    stack& mine;
  } me{arrivals_, *this_seat()->running.get()};
  return suspend(
      [](void* p) -> stack* {
        const parked left = *static_cast<parked*>(p);
        return left.of.expect_last_at(left.mine) ? resumed(left.mine) : nullptr;
      },
      &me);
}

// Inside a branch of a join whose other branch is still in the deque: the strand takes the seat along.
bool scope_wait::with_seat() noexcept {
  if (this_seat()->running.get() == nullptr) return false;
  class wait until_all_are_here("children");
  if (!arrivals_.expect_last_at(until_all_are_here)) until_all_are_here.rest();
  return true;
}

// Without stacks. Children that other pools and threads spawn wait for a worker, and all workers may be waiting
// like this one. So a strand that keeps its worker looks for its own children. The last to arrive
// posts, unless that is this strand itself.
// model: scope.pml, sync()
void scope_wait::blocked() noexcept {
  parking bed;
  if (arrivals_.expect_last_at(bed)) return;
  if (place_.outside()) return place_.pool().callers.wait_outside(bed);
  const blocked_strand here;
  do {
    while (job* const j = place_.pool().injected.take(&scope_).what) {
      static_cast<queued_child*>(j)->run_here();
      if (arrivals_.arrive_in_bed()) return;
    }
  } while (!bed.wait_for(1'000'000));
}

}  // namespace heist::detail
