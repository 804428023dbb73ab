#pragma once
// A stack overflow ends the program with a message and a core dump.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class stack;

// What the signal handler must know about the thread that it runs on.
struct overflow_site {
  const stack* running;  // null: not one of ours
  unsigned worker;
};

// Any thread, any number of times. From then on heist handles the process's SIGSEGV and SIGBUS
// first. It takes only faults in the guard of the faulting thread's running stack, and passes on
// all others.
void watch_for_overflow(overflow_site (*find)()) noexcept;

// Gives the calling thread a signal stack if it has none: a handler cannot run on a full stack.
void prepare_signal_stack() noexcept;

}  // namespace heist::detail

HEIST_END
