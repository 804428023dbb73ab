#include <heist/base/sanitizer.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/spawned.hpp>
#include <heist/strand/apart.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

namespace heist::detail {

const job::kind spawned::continuation{&spawned::steal, beginning::continuation};

// model: scope.pml, run_catch()
stack* spawned::steal(job& self) noexcept {
  auto& record = static_cast<spawned&>(self);
  stack* const parent = record.parent;
  parent->moves.set(parent->moves.get() + 1);
  // The continuation is ours, and so are its strand's counts.
  if (!scope_books::is_counted(record.number)) record.owner->arrivals_.expect();
  begin_measured_continuation(depth_of(*parent, &record));
  tsan_release(parent);
  return parent;
}

queued_child::queued_child(scope_books& of, runner run_body) noexcept
    : job(child), body(run_body), owner(&of), number(0) {}

// Once: runs it as a strand, or skips it.
void queued_child::take_turn() noexcept {
  scope_books& s = *owner;
  const std::int64_t n = number;
  if (stack* const here = this_seat()->running.get()) here->part_of.set({&s, n});
  body(*this, s.skip(n) ? turn_of_child::skip : turn_of_child::run);
  s.leavings_.leave_after(scope_books::order(n));
}

void queued_child::run_here() noexcept {
  scope_books& s = *owner;
  const apart callers;
  const stack* const here = this_seat()->running.get();
  const part of = here != nullptr ? here->part_of.get() : part{};
  if (callers.clock() != nullptr) begin_own_clock();
  take_turn();
  if (stack* const now = this_seat()->running.get()) now->part_of.set(of);
  tsan_release(&s);  // as in this_child::release_to_scope()
}

// model: scope.pml, run_catch()
stack* queued_child::steal(job& self) noexcept {
  auto& c = static_cast<queued_child&>(self);
  scope_books& s = *c.owner;
  c.take_turn();
  return s.arrivals_.arrive();
}

}  // namespace heist::detail
