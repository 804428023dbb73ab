// A fork-join sum with a grain: how many tasks each grain makes.
//
// A range of at most `grain` numbers is one task, a plain loop; a longer one is halved, and each half is another. So n
// numbers make between n/grain and 2n/grain leaves, and one task less that only forks. A large grain leaves workers
// without work; a small one pays for a fork more often than for an addition. docs/guides/grain.md says how to choose.
//
// Work Θ(n + n/grain · fork), span Θ(lg(n/grain) · fork + grain).

#include <heist/join.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

namespace {

struct result {
  std::uint64_t sum, tasks;
};

result sum(std::span<const std::uint32_t> a, std::size_t grain) {
  if (a.size() <= grain) return {std::accumulate(a.begin(), a.end(), std::uint64_t{0}), 1};
  const std::size_t half = a.size() / 2;
  const auto [left, right] =
      heist::join([=] { return sum(a.first(half), grain); }, [=] { return sum(a.subspan(half), grain); });
  return {left.sum + right.sum, left.tasks + right.tasks + 1};
}

}  // namespace

int main() {
  std::vector<std::uint32_t> a(1 << 20);
  std::iota(a.begin(), a.end(), 1u);
  const std::uint64_t expected = std::uint64_t{a.size()} * (a.size() + 1) / 2;
  std::printf("the sum of %zu numbers\n%10s%10s%10s%12s\n", a.size(), "grain", "tasks", "leaves", "ms");
  bool right = true;
  for (std::size_t grain = a.size(); grain > 0; grain /= 16) {
    const auto begin = std::chrono::steady_clock::now();
    const result r = sum(a, grain);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    const std::uint64_t leaves = a.size() / grain;  // both are powers of two
    std::printf("%10zu%10llu%10llu%12.3f\n", grain, static_cast<unsigned long long>(r.tasks),
                static_cast<unsigned long long>(leaves), took.count());
    right = right && r.sum == expected && r.tasks == 2 * leaves - 1;
  }
  return right ? 0 : 1;
}
