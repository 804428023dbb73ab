#pragma once
// The worker the calling thread sits at.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {
class worker;
}

extern "C" {
// Null outside every pool.
HEIST_API extern constinit thread_local heist::detail::worker* heist_this_worker
    [[gnu::tls_model("initial-exec")]];
}

namespace heist::detail {

// A strand may go on on another thread after any fork, so the thread-local must be read anew each time, and a compiler
// that sees a thread-local's address keeps it. The assembly says what the compiler would have said, but it cannot see
// through it.
HEIST_INLINE worker* this_worker() noexcept {
  worker* w;
#if defined(__x86_64__)
  asm volatile("movq heist_this_worker@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=r"(w));
#elif defined(__aarch64__)
  void* at;
  asm volatile(
      "mrs %0, tpidr_el0\n\tadrp %1, :gottprel:heist_this_worker\n\t"
      "ldr %1, [%1, #:gottprel_lo12:heist_this_worker]\n\tldr %0, [%0, %1]"
      : "=&r"(w), "=&r"(at));
#endif
  return w;
}

// The calling thread works here from now on; null: nowhere.
void sit_at(worker* w) noexcept;

// The calling thread, by an address of its own.
const void* this_thread() noexcept;

}  // namespace heist::detail

HEIST_END
