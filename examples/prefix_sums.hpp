#pragma once
// Prefix sums: out[i] = a[0] + … + a[i]. Each sum needs the one before it, and yet it goes in parallel, in two sweeps
// over a tree: upwards the sum of every subtree, downwards what stands to the left of it.
//
// Work Θ(n): both sweeps touch every element once. Span Θ(lg n + leaf): each sweep is a recursion that halves.

#include <heist/heist.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace examples {

using numbers = std::span<const std::uint64_t>;
using sums = std::span<std::uint64_t>;

inline void prefix_sums_serial(numbers a, sums out) { std::inclusive_scan(a.begin(), a.end(), out.begin()); }

// The tree is an array: the children of node k are 2k and 2k + 1, and the root is 1. Only leaves lack children.
struct prefix_tree {
  static constexpr std::size_t leaf = 4096;
  std::vector<std::uint64_t> total;

  explicit prefix_tree(std::size_t n) : total(2 * std::bit_ceil(n / leaf + 1)) {}
  bool is_leaf(std::size_t node) const { return 2 * node >= total.size(); }
};

inline std::uint64_t sweep_up(prefix_tree& t, std::size_t node, numbers a) {
  if (t.is_leaf(node)) return t.total[node] = std::reduce(a.begin(), a.end());
  const std::size_t half = a.size() / 2;
  const auto [left, right] = heist::join([=, &t] { return sweep_up(t, 2 * node, a.first(half)); },
                                         [=, &t] { return sweep_up(t, 2 * node + 1, a.subspan(half)); });
  return t.total[node] = left + right;
}

// `before`: the sum of all that stands to the left of `a`.
inline void sweep_down(const prefix_tree& t, std::size_t node, numbers a, sums out, std::uint64_t before) {
  if (t.is_leaf(node)) {
    std::inclusive_scan(a.begin(), a.end(), out.begin(), std::plus<>(), before);
    return;
  }
  const std::size_t half = a.size() / 2;
  const std::uint64_t left = t.total[2 * node];
  heist::join([=, &t] { sweep_down(t, 2 * node, a.first(half), out.first(half), before); },
              [=, &t] { sweep_down(t, 2 * node + 1, a.subspan(half), out.subspan(half), before + left); });
}

inline void prefix_sums(numbers a, sums out) {
  prefix_tree t(a.size());
  sweep_up(t, 1, a);
  sweep_down(t, 1, a, out, 0);
}

// The same from the library, which needs no second sweep where nobody steals.
inline void prefix_sums_by_scan(numbers a, sums out) { heist::inclusive_scan(a, out.begin()); }

}  // namespace examples
