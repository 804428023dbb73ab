// Found when made_inside_test.cpp took two minutes on a machine that did nothing else, and half a second on a busy one:
// who asked for statistics in a loop held the lock of the pool's stacks nearly always, and the worker that wanted to hand
// its own back was woken for the lock a thousand times a second, each time too late.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

namespace {

using namespace heist_test;

TEST(statistics, asked_for_all_the_time_do_not_keep_workers_from_their_stacks) {
  constexpr int bursts = 20;
  heist::pool p(workers(2));
  long asked = 0;
  for (int i = 0; i < bursts; ++i) {
    p.run([] {
      heist::join([] { nest(40); }, [] { nest(40); });
    });
    EXPECT_TRUE(eventually([&] { return ++asked, p.stats().stacks_live == 0; }));
  }
  EXPECT_LE(asked, bursts * 800) << "a worker waits for its turn while others come twice";
}

}  // namespace
