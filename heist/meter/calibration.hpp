#pragma once
// The rate of the processor's counter, and the costs of measuring itself.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

struct calibration {
  double ns_per_tick;

  // Measured once, which takes some milliseconds.
  static const calibration& get();
};

// The measured time of a strand that does nothing: reading the counter, and the calls around it. It
// is subtracted.
inline std::atomic<std::uint64_t> empty_strand_ticks{0};

// A strand that takes less than this, in nanoseconds, is short: about what it takes to measure one.
// In ticks it is known with the burden.
inline constexpr double short_strand = 100;
inline std::atomic<std::uint64_t> short_strand_ticks{0};
// Strands that took longer may have lost their processor meanwhile.
inline constexpr double long_strand = 200'000;  // ns
inline std::atomic<std::uint64_t> long_strand_ticks{~std::uint64_t{0}};

// The cost of a fork that is stolen. Measured once, before the first measured fork, in less than a
// millisecond on an idle machine.
inline std::atomic<std::uint64_t> burden_ticks{0};
void learn_burden();

}  // namespace heist::detail

HEIST_END
