#pragma once
// Short parallel loops back to back, each entered from outside: what does it cost to start one? A loop has 100
// elements, an element is a chain of multiplications that no compiler shortens: `size` microseconds a loop, more or
// less. The shorter the loops, the more of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace regions {

constexpr std::size_t elements = 100;

struct input {
  explicit input(long size) : chain(8 * size), loops(std::max(20'000 / size, 1L)), v(elements) {}
  void reset() { std::iota(v.begin(), v.end(), std::uint64_t{1}); }
  double result() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t x : v) sum += x >> 32;
    return static_cast<double>(sum);
  }

  void step(std::uint64_t& x) const {
    std::uint64_t y = x;
    for (long i = 0; i < chain; ++i) y = y * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
    x = y;
  }

  long chain, loops;
  std::vector<std::uint64_t> v;
};

}  // namespace regions
