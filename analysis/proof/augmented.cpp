#include <analysis/proof/augmented.hpp>

#include <algorithm>
#include <vector>

namespace heist::analysis {

std::uint64_t augmented_span(const dag& d) {
  std::vector<id> waits_for(d.instructions(), 0), order;
  for (id i = 0; i < d.instructions(); ++i) for_augmented_successors(d, i, [&](id j) { ++waits_for[j]; });
  for (id i = 0; i < d.instructions(); ++i)
    if (waits_for[i] == 0) order.push_back(i);
  std::vector<std::uint64_t> before(d.instructions(), 0);
  std::uint64_t longest = 0;
  for (std::size_t next = 0; next < order.size(); ++next) {
    const id i = order[next];
    const std::uint64_t path = before[i] + d.durations[i];
    longest = std::max(longest, path);
    for_augmented_successors(d, i, [&](id j) {
      before[j] = std::max(before[j], path);
      if (--waits_for[j] == 0) order.push_back(j);
    });
  }
  return order.size() == d.instructions() ? longest : 0;
}

}  // namespace heist::analysis
