#pragma once
// How the processor's counter compares with time, and what reading it costs.

#include <cstdint>

namespace heist::detail {

struct calibration {
  double ns_per_tick;
  std::uint64_t read_cost;  // in ticks

  // Measured once, for some milliseconds.
  static const calibration& get();
};

}  // namespace heist::detail
