#include <bench/matrix/block.hpp>
#include <bench/runtimes/tbb.hpp>

using matrix::block;

static void multiply(block c, block a, block b, std::size_t n) {
  if (n == matrix::leaf) return matrix::multiply_leaf(c, a, b);
  const std::size_t h = n / 2;
  for (std::size_t k = 0; k < 2; ++k) {
    auto part = [=](std::size_t i, std::size_t j) {
      return [=] { multiply(c.quarter(i, j, h), a.quarter(i, k, h), b.quarter(k, j, h), h); };
    };
    tbb::parallel_invoke(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
  }
}

int main(int argc, char** argv) {
  return bench::contestant_on<matrix::input>(argc, argv, [](auto& runtime, matrix::input& m) {
    runtime.enter([&] { multiply(m.of(m.c), m.of(m.a), m.of(m.b), m.n); });
  });
}
