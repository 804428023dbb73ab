// Found by a program whose pools call each other: a strand of the first called the second's run(), a strand there the
// first's, and so on, and all threads slept. A thread that waits in the third pool also has a place in the first.

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

struct pools_in_turn {
  heist::pool pools[3]{heist::pool({.workers = 2}), heist::pool({.workers = 1}), heist::pool({.workers = 3})};
  std::atomic<long> leaves{0};

  void call(int depth) {
    if (depth == 0) {
      ++leaves;
      return;
    }
    heist::pool& next = pools[depth % 3];
    auto deeper = [this, depth] { call(depth - 1); };
    heist::join([&] { next.run(deeper); }, [&] { heist::async(next, deeper).get(); });
  }
};

TEST(pools_that_call_each_other, never_wait_for_a_worker_that_waits_elsewhere) {
  pools_in_turn p;
  for (int round = 0; round < 5; ++round) p.pools[0].run([&] { p.call(7); });
  EXPECT_EQ(p.leaves, 5 * 128);
}

TEST(pools_that_call_each_other, are_called_by_several_threads) {
  pools_in_turn p;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { p.call(5); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(p.leaves, 3 * 32);
}

}  // namespace
