#pragma once
// Unbalanced tree search: count the nodes of a tree that is known only by looking at it. A node's children follow from
// a hash of its own number: most nodes have none, some have four, and a subtree's size cannot be foretold. Where the
// work is shows only when somebody goes there: the case for stealing. (After UTS: Olivier et al., 2006, its binomial
// trees.)
//
// Work: the number of nodes n. Span Θ(depth).

#include <heist/heist.hpp>

#include <cstdint>

namespace examples {

struct tree {
  std::uint64_t root;
  std::uint32_t root_children;
  double fertility;  // which part of the other nodes has children; under 1/4 the tree is finite
  int effort;        // how many times a node's number is hashed: the work at a node
};

constexpr std::uint32_t tree_children = 4;

// 7.7 million nodes on 3,534 levels, some 40 ns a node. (UTS hashes by SHA-1 and spends more.)
constexpr tree small_tree{3, 8'000, 0.2499, 16};
constexpr long small_tree_nodes = 7'657'257;

inline std::uint64_t tree_hash(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline std::uint64_t tree_child(const tree& t, std::uint64_t node, std::uint32_t i) {
  std::uint64_t child = node + (i + 1) * 0x9e3779b97f4a7c15u;
  for (int e = 0; e < t.effort; ++e) child = tree_hash(child);
  return child;
}

inline std::uint32_t tree_children_of(const tree& t, std::uint64_t node) {
  if (node == t.root) return t.root_children;
  return static_cast<double>(node >> 11) * 0x1p-53 < t.fertility ? tree_children : 0;
}

inline long tree_search_serial(const tree& t, std::uint64_t node) {
  long nodes = 1;
  const std::uint32_t children = tree_children_of(t, node);
  for (std::uint32_t i = 0; i < children; ++i) nodes += tree_search_serial(t, tree_child(t, node, i));
  return nodes;
}

inline long tree_search(const tree& t, std::uint64_t node);

// The children [first, last) of a node and all below them.
inline long tree_search_children(const tree& t, std::uint64_t node, std::uint32_t first, std::uint32_t last) {
  if (last - first == 1) return tree_search(t, tree_child(t, node, first));
  const std::uint32_t middle = first + (last - first) / 2;
  const auto [a, b] = heist::join([=, &t] { return tree_search_children(t, node, first, middle); },
                                  [=, &t] { return tree_search_children(t, node, middle, last); });
  return a + b;
}

inline long tree_search(const tree& t, std::uint64_t node) {
  const std::uint32_t children = tree_children_of(t, node);
  return children == 0 ? 1 : 1 + tree_search_children(t, node, 0, children);
}

}  // namespace examples
