#pragma once
// Which process this is: a child of fork() has all of its parent's memory, and none of its other threads. And whether it is at
// its end.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// Any thread. A number that a child of fork() does not share with its parent.
unsigned this_process() noexcept;

// Any thread, once for each function: a child of fork() calls it on its only thread, when it has a number of its own.
void at_fork_in_child(void (*begin)()) noexcept;

// Any thread. It is in exit(): static objects are being destroyed.
bool in_exit() noexcept;

// For such a function: another number, so that what it has made counts as the parent's.
void disown() noexcept;

}  // namespace heist::detail

HEIST_END
