#pragma once
// Where a strand is while it does not run, and the switch from one to another. See README.md.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class stack;

// The C++ runtime's per-thread exception state, laid out as in the Itanium ABI. It belongs to the
// stack: the exceptions being handled on a stack are its own, whichever thread runs it.
struct exception_globals {
  void* caught = nullptr;
  unsigned uncaught = 0;

  bool any() const noexcept { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0; }
};

// Whether an exception is unwinding the stack. Not instrumented by ThreadSanitizer, which takes a
// thread's stacks for threads: they write it in turn.
#if defined(HEIST_TSAN)
[[gnu::noinline]] HEIST_NO_TSAN
#endif
inline bool in_flight(const exception_globals& thread) noexcept { return thread.uncaught > 0; }

// Any thread. The calling thread's state, valid as long as the thread lives.
exception_globals& thread_exceptions() noexcept;

// A strand that others may have run before on its thread. To ThreadSanitizer they are other threads: from here on it takes
// what they did there for done before.
inline void see_what_this_thread_did() noexcept {
#if defined(HEIST_TSAN)
  tsan_acquire(&thread_exceptions());
#endif
}

// What is needed to resume a stack. Base of `stack`; by itself it stands for a thread's native
// stack.
struct context {
  void* pointer = nullptr;       // the stack pointer; valid while parked
  void* address = nullptr;       // where to continue; likewise
  exception_globals exceptions;  // likewise
  void* tsan_fiber = nullptr;    // the sanitizers' names for this stack
  void* asan_fake_stack = nullptr;
  const void* asan_bottom = nullptr;
  std::size_t asan_size = 0;
  unsigned valgrind_id = 0;  // likewise valgrind's
};

// What the side that arrives does first. By then the stack that was left is complete, and may be
// published for the first time. Returns a stack to continue on at once, or null. A null function
// does nothing.
using on_arrival = stack* (*)(void*);

// What a function that call_on() has called returns, to return to its caller.
inline stack* to_caller() noexcept { return reinterpret_cast<stack*>(1); }

// What the side that leaves passes to the side that continues. It is on the stack that was left:
// arrive() reads it before `then` runs, which may release that stack.
struct handoff {
  context* to;
  context* from;
  on_arrival then;
  void* argument;
};

// A stack's first function. It is jumped to, not called: it must begin with arrive() and end with
// leave_to(), both in switch.hpp.
using stack_entry = void (*)(handoff*);

// Leaves `from`, on which the caller runs, and continues on `to`, where `then(argument)` runs.
// Returns when something switches back to `from`, perhaps on another thread, with what that side's
// `then` returned.
stack* switch_to(context& from, context& to, exception_globals& thread, on_arrival then, void* argument) noexcept;

// Once for every stack: before its first start, for a thread's native stack, and before its memory is given back.
void introduce(context& fresh, void* top, std::size_t size) noexcept;
void introduce_native(context& native) noexcept;
void forget(context& gone) noexcept;

}  // namespace heist::detail

HEIST_END
