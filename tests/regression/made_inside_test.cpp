// Found by stress under ThreadSanitizer (tests/stress/nested.cpp): the making of a pool went through std::call_once,
// which writes thread-locals, from whatever stack of a thread it was called on; to ThreadSanitizer those are threads
// that race. A program whose strands make pools could not be checked without suppressions.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>

namespace {

using namespace heist_test;

// A thread that starts late finds a stack that another has used.
TEST(a_pool, may_be_made_by_a_new_thread_on_an_old_stack) {
  constexpr unsigned most = 8;
  for (int i = 0; i < 5; ++i) {
    heist::pool outer(workers(most));
    for (unsigned together = 1; together <= most; ++together) {
      outer.run([&] {
        nest(40);
        std::atomic<unsigned> here{0};
        heist::for_each_index(
            0u, together,
            [&](unsigned) {
              ++here;
              EXPECT_TRUE(eventually([&] { return here == together; }));
              EXPECT_EQ(heist::pool(workers(1)).run([] { return 1; }), 1);
            },
            heist::grain{1});
      });
      // They rest, and hand their stacks back.
      EXPECT_TRUE(eventually([&] { return outer.stats().stacks_live == 0; }));
    }
  }
}

}  // namespace
