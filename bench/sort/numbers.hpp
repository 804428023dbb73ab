#pragma once
// Doubles in [0, 1), to be sorted.

#include <examples/tree_search.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sort {

struct input {
  explicit input(long size) : original(static_cast<std::size_t>(size)) {
    std::uint64_t state = 0;
    for (double& x : original)
      x = static_cast<double>(examples::tree_hash(state += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
  }
  void reset() { v = original; }
  double result() const {
    if (!std::is_sorted(v.begin(), v.end())) {
      std::fprintf(stderr, "not sorted\n");
      std::exit(1);
    }
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * static_cast<double>(i % 1000);
    return sum;
  }

  std::vector<double> original, v;
};

}  // namespace sort
