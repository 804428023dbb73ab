// options::victims on a machine that hwloc is told has a node for each processor (HWLOC_SYNTHETIC, set by CMakeLists.txt).

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <sched.h>

namespace {

using namespace heist_test;

TEST(near_victims, on_other_nodes_are_counted) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  if (!CPU_ISSET(0, &all) || !CPU_ISSET(1, &all)) GTEST_SKIP() << "processors 0 and 1 are needed";
  heist::options o = workers(2);
  o.victims = heist::victims::near;
  o.bind = "0,1";
  heist::pool p(o);
  // Two workers of the pool, without a caller in one's place.
  EXPECT_TRUE(eventually([&] {
    p.detach([] {
      std::atomic<int> here{0};
      auto arrive = [&] {
        ++here;
        EXPECT_TRUE(eventually([&] { return here >= 2; }));
      };
      heist::join(arrive, arrive);
    });
    p.wait_idle();
    return p.stats().far_steals > 0;
  }));
}

}  // namespace
