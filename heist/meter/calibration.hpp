#pragma once
// How the processor's counter compares with time, and what reading it costs.

#include <heist/base/clock.hpp>

#include <atomic>
#include <cstdint>

namespace heist::detail {

struct calibration {
  double ns_per_tick;
  std::uint64_t read_cost;  // in ticks

  // Measured once, for some milliseconds.
  static const calibration& get();
};

// What a fork costs if it is stolen, as last seen.
inline std::atomic<std::uint64_t> burden_ticks{0};
void learn_burden(nanoseconds steal_cost) noexcept;

}  // namespace heist::detail
