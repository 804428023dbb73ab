#include <examples/matrix_product.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t rows = 500, inner = 300, columns = 450;
  std::vector<double> a(rows * inner), b(inner * columns), c(rows * columns), expected(rows * columns);
  heist::generate(a, [](std::size_t i) { return std::sin(static_cast<double>(i)); });
  heist::generate(b, [](std::size_t i) { return std::cos(static_cast<double>(i)); });
  const examples::block<const double> left{a.data(), rows, inner, inner}, right{b.data(), inner, columns, columns};
  examples::add_product({c.data(), rows, columns, columns}, left, right);
  examples::add_product_serial({expected.data(), rows, columns, columns}, left, right);
  std::printf("(%zu x %zu) (%zu x %zu): from %g to %g\n", rows, inner, inner, columns, c.front(), c.back());
  return c == expected ? 0 : 1;  // every bit
}
