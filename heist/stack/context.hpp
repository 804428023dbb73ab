#pragma once
// Where a strand stands while it does not run, and the switch from one to another. See README.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class stack;

// The C++ runtime's per-thread exception state, laid out as the Itanium ABI has it. It belongs to the stack: the
// exceptions being handled on it are its own, whatever thread runs it.
struct exception_globals {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// An exception is on its way. Not instrumented by ThreadSanitizer: a thread's stacks, which it takes for threads, write it in turn.
#if defined(HEIST_TSAN)
[[gnu::noinline]] HEIST_NO_TSAN
#endif
inline bool in_flight(const exception_globals& thread) noexcept { return thread.uncaught > 0; }

// Any thread. The calling thread's own, for as long as it lives.
exception_globals& thread_exceptions() noexcept;

// A stack that is not running: enough to go on. Base of `stack`, and on its own the place of a thread's native stack.
struct context {
  void* pointer = nullptr;       // the stack pointer; valid while parked
  void* address = nullptr;       // where to go on; likewise
  exception_globals exceptions;  // likewise
  void* tsan_fiber = nullptr;    // the sanitizers' names for this stack
  void* asan_fake_stack = nullptr;
  const void* asan_bottom = nullptr;
  std::size_t asan_size = 0;
  unsigned valgrind_id = 0;  // likewise valgrind's
};

// What the side that arrives does first, when the side that left is complete: the first moment at which anybody may be
// told of it. Returns a stack to go on with at once, or null. Null for nothing to do.
using on_arrival = stack* (*)(void*);

// What the side that leaves tells the side that goes on. It lies on the stack that was left: arrive() reads it before
// `then`, which may let that stack go.
struct handoff {
  context* to;
  context* from;
  on_arrival then;
  void* argument;
};

// A stack's first function. It is not called: it must begin with arrive() and end with leave_to(), both in switch.hpp.
using stack_entry = void (*)(handoff*);

// Leaves `from`, on which the caller runs, and goes on in `to`, where `then(argument)` runs. Returns when something
// switches to `from`, perhaps on another thread: what that side's `then` returned.
stack* switch_to(context& from, context& to, exception_globals& thread, on_arrival then, void* argument) noexcept;

// Once for every stack: before its first start, for a thread's native stack, and before its memory is given back.
void introduce(context& fresh, void* top, std::size_t size) noexcept;
void introduce_native(context& native) noexcept;
void forget(context& gone) noexcept;

}  // namespace heist::detail

HEIST_END
