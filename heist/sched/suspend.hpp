#pragma once
// Suspend and resume: how a strand leaves its worker, and how a worker goes from stack to stack.

#include <heist/base/export.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/stack/stack.hpp>

HEIST_BEGIN

namespace heist::detail {

// On a pool stack: parks it and goes on elsewhere, where `parked(argument)` runs first: it may publish the stack, or return
// it to be gone on with at once. Returns true when the stack was resumed, false at once if there is no other stack to go on
// with.
[[nodiscard]] bool suspend(on_arrival parked, void* argument) noexcept;

// At a seat: counts, and returns, a suspended strand's stack that it is about to go on with.
stack* resumed(stack& parked) noexcept;

// A strand has to wait for others: true if that was over, as `over(what)` says, before there was something to steal and
// before a search would have ended.
bool over_soon(bool (*over)(const void*) noexcept, const void* what) noexcept;

// A stack's first function: does what it is started with, then works, until there is a stack to go on with.
void stack_main(handoff* from) noexcept;
// The next time the stack is switched to, it starts there.
void restart_for_work(stack& fresh) noexcept;

// On a native stack: goes to `first`, where `then(argument)` runs, and to whatever comes of it, until it is sent home.
void visit_stacks(pool_thread& t, context& home, stack& first, on_arrival then = nullptr, void* argument = nullptr) noexcept;

}  // namespace heist::detail

HEIST_END
