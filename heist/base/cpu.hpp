#pragma once
// A hint to the processor while a thread waits for another, and its time-stamp counter.

#include <heist/base/export.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// A count that grows with time, about ten times cheaper than a clock, and good for ratios only. It
// may differ between two cores, so a difference between readings on two cores may be nonsense.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t t;
  asm volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#endif
}

// How many ticks are about ten microseconds.
inline std::uint64_t ten_microseconds_in_ticks() noexcept {
#if defined(__x86_64__)
  return 32'768;  // the counter runs at 2 to 4 GHz on all that is in use
#elif defined(__aarch64__)
  std::uint64_t hertz;
  asm("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz / 100'000;
#endif
}

}  // namespace heist::detail

HEIST_END
