#pragma once
// The product of bench/matrix, by heist and serially.

#include <bench/matrix/block.hpp>

#include <heist/heist.hpp>

namespace speedup {

using matrix::block;
using matrix::leaf;
using matrix::multiply_leaf;

// n is leaf times a power of two.
inline void multiply(block c, block a, block b, std::size_t n) {
  if (n == leaf) return multiply_leaf(c, a, b);
  const std::size_t h = n / 2;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    auto part = [=](std::size_t i, std::size_t j) {
      return [=] { multiply(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h); };
    };
    heist::join(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
  }
}

inline void multiply_serial(block c, block a, block b, std::size_t n) {
  if (n == leaf) return multiply_leaf(c, a, b);
  const std::size_t h = n / 2;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        multiply_serial(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h);
}

}  // namespace speedup
