#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/strand/seat.hpp>
#include <heist/strand/worker.hpp>

constinit thread_local heist::detail::worker* heist_this_worker = nullptr;

namespace heist::detail {

// Not instrumented by ThreadSanitizer, which takes a thread's stacks for threads: they write it in
// turn.
[[gnu::noinline]] HEIST_NO_TSAN void sit_at(worker* w) noexcept {
  heist_this_worker = w;
  if (w != nullptr) chaos::work_as(static_cast<seat*>(w)->by.get()->index);
}

// Not inlined: after a switch a strand may be on another thread.
[[gnu::noinline]] const void* this_thread() noexcept {
  asm volatile("");
  return &heist_this_worker;
}

}  // namespace heist::detail
