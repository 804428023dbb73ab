#pragma once
// errno, for strands.

#include <heist/base/export.hpp>

#include <cerrno>

HEIST_BEGIN

namespace heist::detail {

// errno of the thread that the strand is on. Out of line, because compilers keep its address, and a strand may have
// changed threads since. Not instrumented: ThreadSanitizer would compare it with what the thread did before the strand
// came.
[[gnu::noinline]] HEIST_NO_TSAN inline int last_error() noexcept {
  asm volatile("");
  return errno;
}

// What a system call returned, as io_uring would say it: at least 0, or minus an error number.
inline int answer_of(long returned) noexcept { return returned < 0 ? -last_error() : static_cast<int>(returned); }

}  // namespace heist::detail

HEIST_END
