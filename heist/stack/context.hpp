#pragma once
// Where a strand stands while it does not run, and the switch from one to another. See README.md.

#include <heist/base/export.hpp>

#include <cstddef>

namespace heist::detail {

// The C++ runtime's per-thread exception state, laid out as the Itanium ABI has it. It belongs to the stack: the
// exceptions being handled on it are its own, whatever thread runs it.
struct exception_globals {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

// Any thread. The calling thread's own, for as long as it lives.
exception_globals& thread_exceptions() noexcept;

// A stack that is not running: enough to go on. Base of `stack`, and on its own the place of a thread's native stack.
struct context {
  void* where = nullptr;          // Boost.Context's; valid while parked
  exception_globals exceptions;   // likewise
  void (*main)(context&) = nullptr;
  void* tsan_fiber = nullptr;     // the sanitizers' names for this stack
  void* asan_fake_stack = nullptr;
  const void* asan_bottom = nullptr;
  std::size_t asan_size = 0;
};

// Leaves `from`, on which the caller runs, and goes on in `to`. `then(argument)` runs there as soon as `from` is
// complete, and is the first moment at which anybody may be told of it. Returns when something switches to `from`,
// perhaps on another thread.
void switch_to(context& from, context& to, exception_globals& thread, void (*then)(void*), void* argument) noexcept;

// Makes `fresh`, whose stack ends at `top`, start in `main(fresh)`, which never returns. `size` bytes lie below `top`.
void prepare(context& fresh, void* top, std::size_t size, void (*main)(context&)) noexcept;

// For a context that stands for the calling thread's native stack.
void prepare_native(context& native) noexcept;

// Before the memory of a stack is given back.
void forget(context& gone) noexcept;

}  // namespace heist::detail
