// Recipe: the k best of many, in order.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// region: data
struct entry {
  std::uint32_t score, name;
  friend bool operator==(const entry&, const entry&) = default;
};

// Of equal scores the lower name: with a whole order there is only one right answer.
bool better(const entry& a, const entry& b) { return a.score != b.score ? a.score > b.score : a.name < b.name; }
// end

// region: serial
std::vector<entry> top_serial(std::vector<entry> all, std::ptrdiff_t k) {
  std::partial_sort(all.begin(), all.begin() + k, all.end(), better);
  all.resize(static_cast<std::size_t>(k));
  return all;
}
// end

// region: parallel
std::vector<entry> top(std::vector<entry> all, std::ptrdiff_t k) {
  heist::nth_element(all.begin(), all.begin() + k, all.end(), better);
  heist::sort(all.begin(), all.begin() + k, better);
  all.resize(static_cast<std::size_t>(k));
  return all;
}
// end

}  // namespace

int main() {
  std::vector<entry> all(300'000);
  heist::generate(all, [](std::size_t i) {
    const auto name = static_cast<std::uint32_t>(i);
    return entry{(name * 2654435761u >> 4) % 1'000'003, name};
  });
  const std::vector<entry> best = top(all, 1000);
  std::printf("the best: %u has %u, %u has %u, %u has %u\n", best[0].name, best[0].score, best[1].name, best[1].score,
              best[2].name, best[2].score);
  const auto n = static_cast<std::ptrdiff_t>(all.size());
  const bool right = best == top_serial(all, 1000) && top(all, 0).empty() && top(all, n) == top_serial(all, n);
  return right ? 0 : 1;
}
