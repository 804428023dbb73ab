#pragma once
// A stack that overflows ends the program with a sentence and a core.

#include <heist/base/export.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class stack;

// What the signal handler must know of the thread it runs on.
struct overflow_site {
  const stack* running;  // null: none of ours
  unsigned worker;
};

// Any thread, any number of times: the process's SIGSEGV and SIGBUS are looked at first by heist, which takes only
// faults in the guard of the calling thread's running stack and passes on all others.
void watch_for_overflow(overflow_site (*find)()) noexcept;

// The calling thread gets a signal stack if it has none: a handler cannot run on a stack that is full.
void prepare_signal_stack() noexcept;

}  // namespace heist::detail

HEIST_END
