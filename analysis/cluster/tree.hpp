#pragma once
// A tree that is searched, of any size, made on demand: a subtree is a number and how many nodes it has. As in UTS,
// nobody who stands at a node knows how the rest is divided, and it is divided badly.

#include <analysis/dag/random.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

namespace heist::clusters {

struct subtree {
  std::uint64_t id = 0;     // what its shape is made from
  std::uint64_t nodes = 0;  // its root included
};

class tree {
 public:
  // The skew of a split: the logarithm of one child's share against the other's is so many times that of a fair draw.
  // With 1 all splits are alike, with 3 half of them leave less than a 28th to one side.
  explicit tree(double skew) : skew_(skew) {}

  // The two subtrees under its root, in the order in which one processor visits them. Either may be empty.
  std::pair<subtree, subtree> split(const subtree& s) const {
    const double u = analysis::to_unit(analysis::mix(s.id, s.nodes));
    const double share = 1 / (1 + std::pow(1 / std::fmax(u, 1e-18) - 1, skew_));
    const std::uint64_t below = s.nodes - 1;
    const auto first = std::uint64_t(share * double(below) + 0.5);
    return {{analysis::mix(s.id, 1), first}, {analysis::mix(s.id, 2), below - first}};
  }

  // Nodes on a long path from the root: the longest that a search finds which follows the most promising thousands. So
  // it is at most the critical path, and what is held against it is at least held against that.
  double long_path(const subtree& root) const;

 private:
  double skew_;
};

}  // namespace heist::clusters
