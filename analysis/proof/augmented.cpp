#include <analysis/proof/augmented.hpp>

#include <algorithm>
#include <vector>

namespace heist::analysis {

std::vector<id> augmented_order(const dag& d) {
  std::vector<id> waits_for(d.instructions(), 0), order;
  for (id i = 0; i < d.instructions(); ++i) for_augmented_successors(d, i, [&](id j) { ++waits_for[j]; });
  for (id i = 0; i < d.instructions(); ++i)
    if (waits_for[i] == 0) order.push_back(i);
  for (std::size_t next = 0; next < order.size(); ++next)
    for_augmented_successors(d, order[next], [&](id j) {
      if (--waits_for[j] == 0) order.push_back(j);
    });
  return order;
}

std::uint64_t augmented_degree(const dag& d) {
  std::uint64_t most = 1;  // of a single instruction there is one path
  for (id i = 0; i < d.instructions(); ++i) {
    std::uint64_t degree = 0;
    for_augmented_successors(d, i, [&](id) { ++degree; });
    most = std::max(most, degree);
  }
  return most;
}

std::uint64_t augmented_span(const dag& d) {
  const std::vector<id> order = augmented_order(d);
  if (order.size() != d.instructions()) return 0;
  std::vector<std::uint64_t> before(d.instructions(), 0);
  std::uint64_t longest = 0;
  for (const id i : order) {
    const std::uint64_t path = before[i] + d.durations[i];
    longest = std::max(longest, path);
    for_augmented_successors(d, i, [&](id j) { before[j] = std::max(before[j], path); });
  }
  return longest;
}

}  // namespace heist::analysis
