// The second program of docs/tutorial.md: all chains below a limit, how many are long, and a ranking.
// Without an argument: every version is right, except the racy one, which is not run. slow, fast or racy: that version.
//
// fast: work Θ(n · (steps + lg n)), span Θ(steps + lg² n). slow: the ranking is serial, span Θ(n lg n).

#include <heist/heist.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

int steps(std::uint64_t n) {
  int count = 0;
  for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

// region: loop
struct chain {
  std::uint32_t start;
  int steps;
};

std::vector<chain> all_chains(std::uint32_t n) {
  std::vector<chain> all(n);
  heist::for_each_index(0u, n, [&](std::uint32_t i) { all[i] = {i + 1, steps(i + 1)}; });
  return all;
}
// end

// region: racy
long count_long_racy(const std::vector<chain>& all) {
  long found = 0;
  heist::for_each(all, [&](const chain& c) {
    if (c.steps > 300) ++found;  // WRONG: several threads write to found
  });
  return found;
}
// end

// region: reducer
long count_long(const std::vector<chain>& all) {
  heist::reducer<long> found;
  heist::for_each(all, [&](const chain& c) {
    if (c.steps > 300) ++*found;
  });
  return found.take();
}
// end

long count_long_by_algorithm(const std::vector<chain>& all) {
  // region: algorithm
  return heist::count_if(all, [](const chain& c) { return c.steps > 300; });
  // end
}

// region: slow
bool longer(const chain& a, const chain& b) { return a.steps != b.steps ? a.steps > b.steps : a.start < b.start; }

void rank(std::vector<chain>& all) {
  const heist::region ranking{"rank"};
  std::sort(all.begin(), all.end(), longer);
}
// end

// region: fast
void rank_fast(std::vector<chain>& all) {
  const heist::region ranking{"rank"};
  heist::sort(all, longer);
}
// end

// region: survey
template <class Count, class Rank>
void survey(std::uint32_t n, Count count, Rank rank) {
  heist::default_pool().run([&] {
    std::vector<chain> all = all_chains(n);
    const long found = count(all);
    rank(all);
    std::printf("%ld chains are longer than 300 steps; the longest starts at %u\n", found, all[0].start);
  });
}
// end

// region: children
// For each limit, how many chains are longer?
std::vector<long> count_longer(const std::vector<chain>& all, const std::vector<int>& limits) {
  std::vector<long> found(limits.size());
  heist::with_scope([&](heist::scope& s) {
    for (std::size_t i = 0; i < limits.size(); ++i)
      s.spawn([&, i] { found[i] = heist::count_if(all, [&](const chain& c) { return c.steps > limits[i]; }); });
  });  // all children have ended
  return found;
}
// end

bool all_versions_agree(std::uint32_t n, long expected) {
  std::vector<chain> slow = all_chains(n);
  const std::vector<long> by_limit = count_longer(slow, {300, 0, 1'000});
  bool right = count_long(slow) == expected && count_long_by_algorithm(slow) == expected &&
               by_limit == std::vector<long>{expected, long{n} - 1, 0};
  std::vector<chain> fast = slow;
  rank(slow);
  rank_fast(fast);
  return right && std::equal(slow.begin(), slow.end(), fast.begin(), fast.end(),
                             [](const chain& a, const chain& b) { return a.start == b.start && a.steps == b.steps; });
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::uint32_t n = 1'000'000;
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (which == "racy") return survey(n, count_long_racy, rank_fast), 0;
  if (which == "slow") return survey(n, count_long, rank), 0;
  if (which == "fast") return survey(n, count_long, rank_fast), 0;
  const bool right = all_versions_agree(100'000, 71);
  std::printf("%s\n", right ? "all versions agree" : "the versions do NOT agree");
  return right ? 0 : 1;
}
