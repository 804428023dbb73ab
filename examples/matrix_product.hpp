#pragma once
// Matrix product c += a · b without loops over blocks: halve the longest of the three sides until a product fits the
// nearest cache. Halves of c's rows or columns are independent and go in parallel; halves of the inner side add to the
// same c, and go one after the other. So every element of c gets its summands in the serial order: the same bits.
//
// Work Θ(n³), span Θ(n + leaf³): T(n) = 2 T(n/2) + Θ(1), as of three halvings only that of the inner side waits.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstddef>

namespace examples {

// A part of a matrix whose rows are `stride` apart.
template <class T>
struct block {
  T* at;
  std::size_t rows, columns, stride;

  T& operator()(std::size_t i, std::size_t j) const { return at[i * stride + j]; }
  block top(std::size_t n) const { return {at, n, columns, stride}; }
  block below(std::size_t n) const { return {at + n * stride, rows - n, columns, stride}; }
  block left(std::size_t n) const { return {at, rows, n, stride}; }
  block right(std::size_t n) const { return {at + n, rows, columns - n, stride}; }
};

inline void add_product_serial(block<double> c, block<const double> a, block<const double> b) {
  for (std::size_t i = 0; i < c.rows; ++i)
    for (std::size_t k = 0; k < b.rows; ++k)
      for (std::size_t j = 0; j < c.columns; ++j) c(i, j) += a(i, k) * b(k, j);
}

inline void add_product(block<double> c, block<const double> a, block<const double> b) {
  constexpr std::size_t leaf = 64;
  const std::size_t longest = std::max({c.rows, c.columns, b.rows});
  const std::size_t half = longest / 2;
  if (longest <= leaf) {
    add_product_serial(c, a, b);
  } else if (c.rows == longest) {
    heist::join([=] { add_product(c.top(half), a.top(half), b); },
                [=] { add_product(c.below(half), a.below(half), b); });
  } else if (c.columns == longest) {
    heist::join([=] { add_product(c.left(half), a, b.left(half)); },
                [=] { add_product(c.right(half), a, b.right(half)); });
  } else {
    add_product(c, a.left(half), b.top(half));
    add_product(c, a.right(half), b.below(half));
  }
}

}  // namespace examples
