#pragma once
// Which process this is, and whether it is ending. A child of fork() has all of its parent's
// memory, and none of its other threads.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

// Any thread. A number that a child of fork() does not share with its parent.
unsigned this_process() noexcept;

// Any thread, once for each function. A child of fork() calls it on its only thread, once it has
// its own number.
HEIST_API void at_fork_in_child(void (*begin)()) noexcept;

// Any thread. Whether exit() is running, so that static objects are being destroyed.
bool in_exit() noexcept;

// For such a function: takes another number, so that what it has made so far counts as the
// parent's.
void disown() noexcept;

}  // namespace heist::detail

HEIST_END
