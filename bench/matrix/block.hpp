#pragma once
// Recursive matrix product C += A·B: each matrix in quarters; four products in parallel, then the other four. Coarse: a
// leaf is a product of 64×64 matrices.
//
// Work Θ(n³), span Θ(n): two phases a level, and 64³ for a leaf.

#include <bench/common/bench.hpp>

#include <cstddef>
#include <vector>

namespace matrix {

struct block {
  double* at;
  std::size_t stride;  // of the whole matrix's rows
  block quarter(std::size_t row, std::size_t column, std::size_t half) const {
    return {at + row * half * stride + column * half, stride};
  }
};

constexpr std::size_t leaf = 64;

// Not inlined: so all programs run the same code.
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
struct input {
  explicit input(long size) : n(static_cast<std::size_t>(size)), a(n * n), b(n * n), c(n * n) {
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = static_cast<double>(i % 7);
      b[i] = static_cast<double>(i % 5);
    }
  }
  void reset() { std::fill(c.begin(), c.end(), 0.); }
  double result() const {
    double sum = 0;
    for (std::size_t i = 0; i < n * n; ++i) sum += c[i] * static_cast<double>(i % 3);
    return sum;
  }
  block of(std::vector<double>& m) const { return {m.data(), n}; }

  std::size_t n;
  std::vector<double> a, b, c;
};

}  // namespace matrix
