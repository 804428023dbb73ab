#pragma once
// How the processor's counter compares with time, and what is not the program's.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

struct calibration {
  double ns_per_tick;

  // Measured once, for some milliseconds.
  static const calibration& get();
};

// What a strand that does nothing seems to take: reading the counter, and the way there and back. Subtracted.
inline std::atomic<std::uint64_t> empty_strand_ticks{0};

// What a fork costs if it is stolen. Measured once, before the first measured fork, in less than a millisecond where nothing else runs.
inline std::atomic<std::uint64_t> burden_ticks{0};
void learn_burden();

}  // namespace heist::detail

HEIST_END
