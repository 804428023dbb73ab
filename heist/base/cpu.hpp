#pragma once
// What the processor is told while a thread waits for another.

namespace heist::detail {

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace heist::detail
