#pragma once
// LU decomposition in place, without pivoting, of a matrix whose diagonal dominates: quarters all the way down, leaves
// of 64×64.

#include <bench/matrix/block.hpp>

namespace lu {

using matrix::block;
using matrix::leaf;

struct input {
  explicit input(long size) : n(static_cast<std::size_t>(size)), v(n * n) {}
  void reset() {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        v[i * n + j] = i == j ? static_cast<double>(10 * n) : static_cast<double>((i * n + j) % 11);
  }
  double result() const {
    double sum = 0;
    for (std::size_t i = 0; i < n * n; ++i) sum += v[i] * static_cast<double>(i % 3);
    return sum;
  }
  block all() { return {v.data(), n}; }

  std::size_t n;
  std::vector<double> v;
};

BENCH_OPAQUE inline void decompose_leaf(block a) {
  for (std::size_t k = 0; k < leaf; ++k)
    for (std::size_t i = k + 1; i < leaf; ++i) {
      const double x = a.at[i * a.stride + k] /= a.at[k * a.stride + k];
      for (std::size_t j = k + 1; j < leaf; ++j) a.at[i * a.stride + j] -= x * a.at[k * a.stride + j];
    }
}

// b = L⁻¹·b, with L below the diagonal of l, and ones on it.
BENCH_OPAQUE inline void solve_lower_leaf(block b, block l) {
  for (std::size_t i = 1; i < leaf; ++i)
    for (std::size_t k = 0; k < i; ++k)
      for (std::size_t j = 0; j < leaf; ++j) b.at[i * b.stride + j] -= l.at[i * l.stride + k] * b.at[k * b.stride + j];
}

// b = b·U⁻¹, with U on and above the diagonal of u.
BENCH_OPAQUE inline void solve_upper_leaf(block b, block u) {
  for (std::size_t i = 0; i < leaf; ++i)
    for (std::size_t k = 0; k < leaf; ++k) {
      const double x = b.at[i * b.stride + k] /= u.at[k * u.stride + k];
      for (std::size_t j = k + 1; j < leaf; ++j) b.at[i * b.stride + j] -= x * u.at[k * u.stride + j];
    }
}

BENCH_OPAQUE inline void subtract_leaf(block c, block a, block b) {
  for (std::size_t i = 0; i < leaf; ++i)
    for (std::size_t k = 0; k < leaf; ++k)
      for (std::size_t j = 0; j < leaf; ++j) c.at[i * c.stride + j] -= a.at[i * a.stride + k] * b.at[k * b.stride + j];
}

// C -= A·B
template <class Runtime>
void subtract(block c, block a, block b, std::size_t n) {
  if (n == leaf) return subtract_leaf(c, a, b);
  const std::size_t h = n / 2;
  for (std::size_t k = 0; k < 2; ++k) {
    auto part = [=](std::size_t i, std::size_t j) {
      return [=] { subtract<Runtime>(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h); };
    };
    Runtime::both([=] { Runtime::both(part(0, 0), part(0, 1)); }, [=] { Runtime::both(part(1, 0), part(1, 1)); });
  }
}

template <class Runtime>
void solve_lower(block b, block l, std::size_t n) {
  if (n == leaf) return solve_lower_leaf(b, l);
  const std::size_t h = n / 2;
  auto columns = [=](std::size_t j) {
    return [=] {
      solve_lower<Runtime>(b.quarter(0, j, h), l.quarter(0, 0, h), h);
      subtract<Runtime>(b.quarter(1, j, h), l.quarter(1, 0, h), b.quarter(0, j, h), h);
      solve_lower<Runtime>(b.quarter(1, j, h), l.quarter(1, 1, h), h);
    };
  };
  Runtime::both(columns(0), columns(1));
}

template <class Runtime>
void solve_upper(block b, block u, std::size_t n) {
  if (n == leaf) return solve_upper_leaf(b, u);
  const std::size_t h = n / 2;
  auto rows = [=](std::size_t i) {
    return [=] {
      solve_upper<Runtime>(b.quarter(i, 0, h), u.quarter(0, 0, h), h);
      subtract<Runtime>(b.quarter(i, 1, h), b.quarter(i, 0, h), u.quarter(0, 1, h), h);
      solve_upper<Runtime>(b.quarter(i, 1, h), u.quarter(1, 1, h), h);
    };
  };
  Runtime::both(rows(0), rows(1));
}

template <class Runtime>
void decompose(block a, std::size_t n) {
  if (n == leaf) return decompose_leaf(a);
  const std::size_t h = n / 2;
  const block first = a.quarter(0, 0, h), right = a.quarter(0, 1, h), below = a.quarter(1, 0, h),
              last = a.quarter(1, 1, h);
  decompose<Runtime>(first, h);
  Runtime::both([=] { solve_lower<Runtime>(right, first, h); }, [=] { solve_upper<Runtime>(below, first, h); });
  subtract<Runtime>(last, below, right, h);
  decompose<Runtime>(last, h);
}

}  // namespace lu
