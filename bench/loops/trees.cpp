// Balanced trees: do steals follow the depth, not the number of nodes, and how evenly are the leaves shared out?

#include <bench/loops/contestants.hpp>

#include <heist/heist.hpp>

#include <array>
#include <atomic>

namespace loops_bench {
namespace {

using bench::series;
using bench::text;

// How many leaves each thread ran. Not a thread_local in tree(), whose code may go on on another thread after a join.
struct alignas(64) tally {
  std::atomic<long> leaves{0};
};
std::array<tally, 64> tallies;
std::atomic<std::size_t> threads{0};
BENCH_OPAQUE void count_leaf() {
  static thread_local tally& mine = tallies[threads++ % tallies.size()];
  mine.leaves.store(mine.leaves.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::uint64_t tree(int depth, std::uint64_t node) {
  if (depth == 0) {
    count_leaf();
    return spin(node, 40) % 2;
  }
  auto [a, b] = heist::join([=] { return tree(depth - 1, 2 * node); }, [=] { return tree(depth - 1, 2 * node + 1); });
  return a + b;
}

}  // namespace

void balanced_trees(const bench::options& o) {
  bench::table t({"depth", "leaves", "ms", "steals: median", "most", "least leaves of a worker", "most", "most / mean"});
  heist::pool two({.workers = 2});
  for (const int depth : {8, 12, 16, 20}) {
    series ms, steals, least, most;
    std::uint64_t expected = 0;
    for (int round = 0; round < 3 * o.rounds; ++round) {
      std::uint64_t found = 0;
      two.run([&] {
        tree(depth, 1);  // until all workers are awake
        for (tally& x : tallies) x.leaves = 0;
        const std::size_t before = two.stats().steals;
        ms.add(bench::ns_of([&] { found = tree(depth, 1); }) / 1e6);
        steals.add(static_cast<double>(two.stats().steals - before));
      });
      if (round == 0) expected = found;
      bench::expect(found == expected, "tree");
      // A worker that ran none has no tally, or one of 0.
      std::vector<long> ran;
      for (const tally& x : tallies) ran.push_back(x.leaves);
      std::sort(ran.rbegin(), ran.rend());
      most.add(static_cast<double>(ran[0]));
      least.add(static_cast<double>(ran[1]));
    }
    const double leaves = static_cast<double>(1L << depth);
    t.add({text("%d", depth), report::grouped(1ull << depth), text("%.2f", ms.min()), text("%.0f", steals.median()),
           text("%.0f", steals.max()), text("%.0f", least.median()), text("%.0f", most.median()),
           text("%.2f", most.median() / (leaves / 2))});
  }
  std::printf("balanced trees of joins with leaves of some 50 ns, two workers\n\n");
  t.print();
}

}  // namespace loops_bench
