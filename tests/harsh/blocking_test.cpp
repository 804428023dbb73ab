// Tasks that block: a blocked task blocks its worker, and nothing else.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

using namespace heist_test;

struct signal {
  std::mutex lock;
  std::condition_variable changed;
  bool set = false;
  int blocked = 0;  // how often somebody has waited

  void wait() {
    std::unique_lock hold(lock);
    while (!set) {
      ++blocked;
      changed.wait(hold);
    }
  }
  // Whoever finds blocked above zero has the lock, so the waiter has let go of it: it is inside wait. False: nobody came.
  bool raise_once_awaited() {
    const bool awaited = eventually([this] {
      const std::lock_guard hold(lock);
      return blocked > 0;
    });
    const std::lock_guard hold(lock);
    set = true;
    changed.notify_all();
    return awaited;
  }
};

// Two roots: whoever waits has a seat of its own, and so has whoever wakes it, however few the workers.
class tasks_of_two_roots : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(in_a_pool_of, tasks_of_two_roots, testing::Values(1u, 2u, 4u),
                         testing::PrintToStringParamName());

TEST_P(tasks_of_two_roots, may_wait_for_one_another) {
  heist::pool p(workers(GetParam()));
  for (int i = 0; i < 50; ++i) {
    signal ready;
    std::thread waiter([&] {
      const long after = p.run([&] {
        ready.wait();
        return fib(10);
      });
      EXPECT_EQ(after, 55);
    });
    p.run([&] {
      fib(10);
      EXPECT_TRUE(ready.raise_once_awaited()) << "round " << i;
    });
    waiter.join();
    EXPECT_GE(ready.blocked, 1) << "round " << i;
  }
}

// Within one root the first branch must not wait for the second: one worker alone runs them in the order written. With
// a second worker it ends, but only because somebody happened to steal.
TEST(branches_of_one_root, may_wait_for_one_another_only_where_there_is_a_thief) {
  heist::pool p(workers(2));
  p.run([] {
    signal ready;
    heist::join([&] { ready.wait(); }, [&] { EXPECT_TRUE(ready.raise_once_awaited()); });
    EXPECT_GE(ready.blocked, 1);
  });
}

}  // namespace
