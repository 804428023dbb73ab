#pragma once
// Strassen's matrix product C = A·B: seven products of half the size and eighteen sums. Leaves of 64×64, as in
// bench/matrix. The numbers are small integers, so that every sum is exact.

#include <bench/matrix/block.hpp>

namespace strassen {

using matrix::block;

inline void add(block to, block a, block b, double sign, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      to.at[i * to.stride + j] = a.at[i * a.stride + j] + sign * b.at[i * b.stride + j];
}

// A matrix for an intermediate sum or product.
class scratch {
 public:
  explicit scratch(std::size_t n) : n_(n), v_(n * n) {}
  operator block() { return {v_.data(), n_}; }

 private:
  std::size_t n_;
  std::vector<double> v_;
};

// C is zero.
template <class Runtime>
void multiply(block c, block a, block b, std::size_t n) {
  if (n == matrix::leaf) return matrix::multiply_leaf(c, a, b);
  const std::size_t h = n / 2;
  const block a11 = a.quarter(0, 0, h), a12 = a.quarter(0, 1, h), a21 = a.quarter(1, 0, h), a22 = a.quarter(1, 1, h);
  const block b11 = b.quarter(0, 0, h), b12 = b.quarter(0, 1, h), b21 = b.quarter(1, 0, h), b22 = b.quarter(1, 1, h);
  scratch m1(h), m2(h), m3(h), m4(h), m5(h), m6(h), m7(h);
  // to = (x ± y)(z ± w); a sign of 0 leaves the first alone.
  auto product = [h](block to, block x, double first, block y, block z, double second, block w) {
    return [=] {
      scratch left(first == 0 ? 0 : h), right(second == 0 ? 0 : h);
      if (first != 0) add(left, x, y, first, h);
      if (second != 0) add(right, z, w, second, h);
      multiply<Runtime>(to, first == 0 ? x : block(left), second == 0 ? z : block(right), h);
    };
  };
  auto both = [](auto f, auto g) { return [=] { Runtime::both(f, g); }; };
  auto first = both(product(m1, a11, 1, a22, b11, 1, b22), product(m2, a21, 1, a22, b11, 0, b11));
  auto second = both(product(m3, a11, 0, a11, b12, -1, b22), product(m4, a22, 0, a22, b21, -1, b11));
  auto third = both(product(m5, a11, 1, a12, b22, 0, b22), product(m6, a21, -1, a11, b11, 1, b12));
  Runtime::both(both(first, second), both(third, product(m7, a12, -1, a22, b21, 1, b22)));

  const block c11 = c.quarter(0, 0, h), c12 = c.quarter(0, 1, h), c21 = c.quarter(1, 0, h), c22 = c.quarter(1, 1, h);
  add(c11, m1, m4, 1, h);
  add(c11, c11, m5, -1, h);
  add(c11, c11, m7, 1, h);
  add(c12, m3, m5, 1, h);
  add(c21, m2, m4, 1, h);
  add(c22, m1, m2, -1, h);
  add(c22, c22, m3, 1, h);
  add(c22, c22, m6, 1, h);
}

}  // namespace strassen
