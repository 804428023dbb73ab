// Recipe: a scheduler of one's own on heist::deque: a few threads that walk a tree, each with a deque, stealing when theirs
// is empty.

#include <heist/deque.hpp>
#include <heist/padded.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace {

// region: walk
struct node {
  std::uint32_t depth;
};

// Counts the nodes of a binary tree.
std::uint64_t count_nodes(std::uint32_t depth, unsigned threads) {
  std::vector<heist::deque<node>> deques(threads);               // one owner each
  std::vector<heist::padded<std::uint64_t>> counts(threads);  // a cache line each
  std::atomic<std::int64_t> left{1};                             // nodes that are pushed or being visited
  deques[0].push({depth});

  auto work = [&](unsigned me) {
    std::minstd_rand dice(me + 1);
    while (left.load() > 0) {
      std::optional<node> next = deques[me].pop();             // the newest of mine,
      if (!next) next = deques[dice() % threads].steal();      // or the oldest of another's
      if (!next) {
        std::this_thread::yield();
        continue;
      }
      ++*counts[me];
      if (next->depth > 0) {
        left += 2;  // before they can be stolen
        deques[me].push({next->depth - 1});
        deques[me].push({next->depth - 1});
      }
      --left;
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  others.clear();  // joins them

  std::uint64_t sum = 0;
  for (const auto& c : counts) sum += *c;
  return sum;
}
// end

}  // namespace

int main() {
  const std::uint64_t found = count_nodes(16, 4);
  std::printf("%llu nodes\n", static_cast<unsigned long long>(found));
  return found == (1u << 17) - 1 ? 0 : 1;
}
