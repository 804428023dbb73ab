#pragma once
// Suspend and resume: how a strand leaves its worker, and how a worker moves from stack to stack.

#include <heist/base/export.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/stack/stack.hpp>

HEIST_BEGIN

namespace heist::detail {

// On a pool stack: parks it and continues on another one, where `parked(argument)` runs first. That
// may publish the parked stack, or return it to be resumed at once. Returns true when the stack was
// resumed; false, at once, if there is no other stack.
[[nodiscard]] bool suspend(on_arrival parked, void* argument) noexcept;
// The same, but the strand does not depart: `parked` runs at its worker, and says what becomes of the strand.
[[nodiscard]] bool switch_away(on_arrival parked, void* argument) noexcept;

// At a seat: counts and returns the stack of a suspended strand that it is about to resume.
stack* resumed(stack& parked) noexcept;

// A strand has to wait for others: waits until `over(what)` is true, and returns true; or false if
// there is something to steal before that, or a search would have ended.
bool over_soon(bool (*over)(const void*) noexcept, const void* what) noexcept;

// A stack's first function: does what it was started for, then works, until there is a stack to
// continue on.
void stack_main(handoff* from) noexcept;
// Makes the stack start in stack_main() the next time it is switched to.
void restart_for_work(stack& fresh) noexcept;

// On a native stack: switches to `first`, where `then(argument)` runs, and on to the stacks that
// follow, until it is sent home.
void visit_stacks(pool_thread& t, context& home, stack& first, on_arrival then = nullptr, void* argument = nullptr) noexcept;

}  // namespace heist::detail

HEIST_END
