#pragma once
// Recursive matrix product C += A·B: each matrix in quarters; four products in parallel, then the other four. Coarse: a
// leaf is a product of 64×64 matrices.
//
// Work Θ(n³), span Θ(n): two phases a level, and 64³ for a leaf.

#include <bench/common/bench.hpp>

#include <heist/heist.hpp>

#include <cstddef>

namespace speedup {

struct block {
  double* at;
  std::size_t stride;  // of the whole matrix's rows
  block quarter(std::size_t row, std::size_t column, std::size_t half) const {
    return {at + row * half * stride + column * half, stride};
  }
};

constexpr std::size_t leaf = 64;

// Not inlined: so both programs run the same code.
BENCH_OPAQUE inline void multiply_leaf(block c, block a, block b) {
  for (std::size_t i = 0; i < leaf; ++i)
    for (std::size_t k = 0; k < leaf; ++k) {
      const double x = a.at[i * a.stride + k];
      const double* const from = b.at + k * b.stride;
      double* const to = c.at + i * c.stride;
      for (std::size_t j = 0; j < leaf; ++j) to[j] += x * from[j];
    }
}

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
