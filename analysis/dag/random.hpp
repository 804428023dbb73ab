#pragma once
// Random numbers that are the same on every machine: a hash for trees that are made on demand, a stream for schedulers.

#include <heist/base/random.hpp>

#include <cstdint>

namespace heist::analysis {

using detail::mix;
constexpr std::uint64_t mix(std::uint64_t x, std::uint64_t y) { return mix(x ^ mix(y)); }

// Uniform in [0, 1).
constexpr double to_unit(std::uint64_t x) { return static_cast<double>(x >> 11) * 0x1.0p-53; }

class stream {
 public:
  explicit stream(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ull;
    return mix(state_);
  }
  // Uniform in [0, n) but for a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }
  double unit() { return to_unit(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace heist::analysis
