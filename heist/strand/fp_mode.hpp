#pragma once
// The floating-point mode (rounding, flush to zero): a thief takes its victim's, or the same program would give other
// bits on other schedules.

#include <heist/base/export.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

struct fp_mode {
  std::uint64_t bits;
  friend bool operator==(fp_mode, fp_mode) = default;

#if defined(__x86_64__)
  static fp_mode current() noexcept {
    std::uint32_t mxcsr;
    std::uint16_t x87;
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    asm volatile("fnstcw %0" : "=m"(x87));
    // Without the sticky exception flags: they are results, not a mode.
    return {(std::uint64_t{mxcsr} & ~std::uint64_t{0x3f}) | (std::uint64_t{x87} << 32)};
  }
  void apply() const noexcept {
    const auto mxcsr = static_cast<std::uint32_t>(bits);
    const auto x87 = static_cast<std::uint16_t>(bits >> 32);
    asm volatile("ldmxcsr %0" ::"m"(mxcsr));
    asm volatile("fldcw %0" ::"m"(x87));
  }
#elif defined(__aarch64__)
  static fp_mode current() noexcept {
    std::uint64_t fpcr;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    return {fpcr};
  }
  void apply() const noexcept { asm volatile("msr fpcr, %0" ::"r"(bits)); }
#endif
};

}  // namespace heist::detail

HEIST_END
