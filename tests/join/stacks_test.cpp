// Stacks that strands leave behind, as ThreadSanitizer sees them.

#include "tests/join/support.hpp"

namespace {

using namespace heist_test;

// A worker that does not sleep meanwhile takes a root over from a caller, and leaves its stack, which has been deep, for
// home. There that stack is looked at, and home has never met it. Seen by ThreadSanitizer; so nothing here orders the
// two but the pool.
TEST(a_join, may_end_on_a_worker_that_has_not_met_its_stack) {
  for (int i = 0; i < 3; ++i) {
    heist::pool p({.workers = 2});
    std::atomic<bool> busy{false}, free{false}, taken{false}, over{false};
    auto wait_for = [](std::atomic<bool>& flag) {
      EXPECT_TRUE(eventually([&] { return flag.load(std::memory_order_relaxed); }));
    };
    auto tell = [](std::atomic<bool>& flag) { flag.store(true, std::memory_order_relaxed); };
    std::thread first([&] {  // has one of the seats, and keeps the other worker awake
      p.run([&] {
        heist::join([&] { wait_for(over); },
                    [&] {
                      tell(busy);
                      wait_for(free);
                    });
      });
    });
    wait_for(busy);
    p.run([&] {
      heist::join(
          [&] {
            tell(free);
            wait_for(taken);
          },
          [&] {
            tell(taken);
            EXPECT_TRUE(eventually([&] { return p.stats().suspends > 0; }));
          });
      volatile char deep[64 * 1024];
      for (volatile char& c : deep) c = 1;
    });
    tell(over);
    first.join();
  }
}

}  // namespace
