#include <analysis/cluster/tree.hpp>

#include <algorithm>
#include <vector>

namespace heist::clusters {

double tree::long_path(const subtree& root) const {
  constexpr std::size_t width = 4'000;
  std::vector<subtree> level{root}, next;
  double length = 0;
  while (!level.empty()) {
    ++length;
    next.clear();
    for (const subtree& s : level) {
      const auto [a, b] = split(s);
      if (a.nodes > 0) next.push_back(a);
      if (b.nodes > 0) next.push_back(b);
    }
    // All of a level are as deep; the largest go on.
    if (next.size() > width) {
      std::ranges::nth_element(next, next.begin() + width, std::ranges::greater{}, &subtree::nodes);
      next.resize(width);
    }
    std::swap(level, next);
  }
  return length;
}

}  // namespace heist::clusters
