#pragma once
// Random numbers: a hash, and a generator for choosing victims, one a worker, seeded by its index and HEIST_SEED.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A step of splitmix64 (Steele, Lea and Flood 2014): neighbouring numbers give unrelated ones.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// xorshift64* (Vigna 2016): three shifts and a product, period 2^64 - 1.
class random {
 public:
  explicit random(std::uint64_t seed) noexcept : state_(mix(seed) | 1) {}

  // Uniform in [0, n) but for a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{next()} * n) >> 32);
  }

 private:
  std::uint32_t next() noexcept {
    std::uint64_t x = state_.get();
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    state_.set(x);
    return static_cast<std::uint32_t>((x * 0x2545F4914F6CDD1Dull) >> 32);
  }

  cell<std::uint64_t> state_;
};

}  // namespace heist::detail

HEIST_END
