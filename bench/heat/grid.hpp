#pragma once
// Heat spreads over a square of n×n points: a thousand steps, each a short parallel loop over the rows (Jacobi: from
// one grid into another).

#include <cstddef>
#include <utility>
#include <vector>

namespace heat {

constexpr int steps = 1000;

struct input {
  explicit input(long size) : n(static_cast<std::size_t>(size)), now(n * n), next(n * n) {}
  void reset() {
    for (std::size_t i = 0; i < n * n; ++i) now[i] = next[i] = i % n == 0 || i < n ? 1. : 0.;
  }
  double result() const {
    double sum = 0;
    for (const double x : now) sum += x;
    return sum;
  }

  // Row i of the next grid, 0 < i < n - 1.
  void row(std::size_t i) {
    const double* const here = now.data() + i * n;
    const double *const above = here - n, *const below = here + n;
    double* const to = next.data() + i * n;
    for (std::size_t j = 1; j < n - 1; ++j)
      to[j] = here[j] + 0.1 * (above[j] + below[j] + here[j - 1] + here[j + 1] - 4 * here[j]);
  }
  void end_step() { std::swap(now, next); }

  std::size_t n;
  std::vector<double> now, next;
};

}  // namespace heat
