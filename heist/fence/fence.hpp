#pragma once
// Store–load fences of unequal price: the owner's is free, the other side's pays for both. See README.md.

#include <heist/check/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

// Any thread. Keeps the compiler, not the processor, from moving a load before an earlier store. It is a full fence
// exactly where the other side runs heavy_fence().
// order[fence.pair]: with heavy_fence() on the other side, one of the two sees the other's store
inline void light_fence() noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  chaos::step(chaos::at::light_fence);
}

// Any thread. A full fence on every thread of this process that is running now; true if the kernel did it.
// model: memory.pml, heavy_fence()
// order[fence.pair]: each running thread passes a full fence between this call's start and its end
bool heavy_fence() noexcept;

// Any thread. The ordinary full fence, for both sides, where heavy_fence() is refused. ThreadSanitizer
// does not model a stand-alone fence and g++ refuses one under it; a locked operation is one, too.
// model: memory.pml, full_fence()
inline void full_fence() noexcept {
  chaos::drain();
  // order[fence.full]: two of these and a store before each: one of the two sees the other's store
#if defined(HEIST_TSAN)
  std::atomic<int> locked{0};
  locked.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

// Any thread, before the threads that it concerns start (later it can take milliseconds), and again
// after fork(). True if heavy_fence() will work.
HEIST_API bool enable_heavy_fence() noexcept;

}  // namespace heist::detail

HEIST_END
