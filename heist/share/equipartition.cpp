#include <heist/share/equipartition.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace heist::detail {

std::vector<unsigned> equipartition(unsigned processors, std::span<const unsigned> desires) {
  std::vector<std::size_t> by_desire(desires.size());
  std::iota(by_desire.begin(), by_desire.end(), std::size_t{0});
  // Not std::stable_sort: clang warns of libstdc++'s.
  std::sort(by_desire.begin(), by_desire.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(desires[a], a) < std::pair(desires[b], b); });
  std::vector<unsigned> shares(desires.size());
  unsigned left = processors;
  auto others = static_cast<unsigned>(desires.size());
  auto next = by_desire.begin();
  // The modest get what they want, as long as that is no more than an equal share of what is left.
  for (; next != by_desire.end() && desires[*next] <= left / others; ++next, --others) {
    shares[*next] = desires[*next];
    left -= desires[*next];
  }
  // The others want more, and share equally.
  std::sort(next, by_desire.end());
  for (; next != by_desire.end(); ++next, --others) {
    const unsigned share = std::min((left + others - 1) / others, desires[*next]);
    left -= share;
    shares[*next] = std::max(share, 1u);
  }
  return shares;
}

}  // namespace heist::detail
