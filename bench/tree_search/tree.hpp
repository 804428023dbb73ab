#pragma once
// Unbalanced tree search: count the nodes of a tree that is known only by looking at it. A node's children follow from
// a hash of its own number (after UTS: Olivier et al., 2006, which hashes by SHA-1). Of two kinds: binomial: the root
// has `size` children; of all other nodes one in four has four children, but for a hair: subtrees of any
//   size, most of them a single leaf;
// geometric: a node less than `size` deep has k children with probability 0.2 · 0.8ᵏ, four on average.

#include <examples/tree_search.hpp>

#include <string>

namespace tree_search {

struct node {
  std::uint64_t number;
  std::uint32_t depth;
};

struct tree {
  bool geometric;
  long size;

  static tree of(const std::string& kind, long size) { return {kind == "geometric", size}; }
  static node root() { return {3, 0}; }

  node child(const node& n, std::uint32_t i) const {
    std::uint64_t number = n.number + (i + 1) * 0x9e3779b97f4a7c15u;
    for (int e = 0; e < 4; ++e) number = examples::tree_hash(number);
    return {number, n.depth + 1};
  }

  std::uint32_t children(const node& n) const {
    const double draw = static_cast<double>(n.number >> 11) * 0x1p-53;
    if (!geometric) return n.depth == 0 ? static_cast<std::uint32_t>(size) : draw < 0.2499 ? 4 : 0;
    if (n.depth == size) return 0;
    if (n.depth == 0) return 4;
    std::uint32_t k = 0;
    for (double more = 0.8; draw < more; more *= 0.8) ++k;
    return k;
  }
};

}  // namespace tree_search
