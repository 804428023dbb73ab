// heist::blocking: a call that blocks its thread does not cost the pool a worker.

#include "tests/join/support.hpp"
#include "tests/pool/threads.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

class a_blocking_call : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_blocking_call, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_blocking_call, returns_and_throws_what_the_function_does) {
  pool.run([] {
    EXPECT_EQ(heist::blocking([] { return 5; }), 5);
    EXPECT_EQ(*heist::blocking([] { return std::make_unique<int>(6); }), 6);
    heist::blocking([] {});
    EXPECT_THROW(heist::blocking([] { throw std::range_error("f"); }), std::range_error);
    int n = 0;
    EXPECT_EQ(&heist::blocking([&]() -> int& { return n; }), &n);
  });
  EXPECT_EQ(heist::blocking([] { return 7; }), 7);
}

TEST_P(a_blocking_call, stays_on_its_thread) {
  pool.run([] {
    for (int i = 0; i < 100; ++i) {
      const auto before = heist_test::this_thread();
      heist::blocking([&] { EXPECT_EQ(heist_test::this_thread(), before); });
    }
  });
}

// Each waits for the next one to begin: with one thread a worker none would end.
TEST_P(a_blocking_call, lets_others_go_on_while_all_workers_are_blocked) {
  const int n = static_cast<int>(GetParam()) + 4;
  std::atomic<int> begun{0};
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < n; ++i)
        s.spawn([&] {
          heist::blocking([&] {
            ++begun;
            EXPECT_TRUE(eventually([&] { return begun == n; }));
          });
        });
    });
  });
  EXPECT_EQ(begun, n);
}

TEST_P(a_blocking_call, lets_its_own_other_branch_run) {
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> ran{false};
    pool.run([&] {
      heist::join([&] { heist::blocking([&] { EXPECT_TRUE(eventually([&] { return ran.load(); })); }); },
                  [&] { ran = true; });
    });
  }
}

TEST_P(a_blocking_call, is_also_one_that_waits_for_a_root_in_another_pool) {
  constexpr int roots = 20;
  heist::pool other({.workers = 1});
  heist::latch all_there(roots);
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < roots; ++i) s.spawn([&] { other.run([&] { all_there.arrive_and_wait(); }); });
    });
  });
}

TEST_P(a_blocking_call, may_come_again_and_again) {
  std::atomic<long> sum{0};
  for (int round = 0; round < 5; ++round)
    pool.run([&] {
      heist::for_each_index(0, 64, [&](int i) {
        sum += heist::blocking([&] {
          if (i % 8 == 0) std::this_thread::sleep_for(300us);
          return i;
        });
        sum += fib(10);
      }, heist::grain{1});
    });
  EXPECT_EQ(sum, 5 * (63 * 64 / 2 + 64 * 55));
}

TEST(blocked_threads, past_the_limit_keep_their_workers) {
  auto most_threads = [](unsigned most_blocked) {
    const threads_since the_start;
    heist::pool pool({.workers = 1, .most_blocked = most_blocked});
    for (int i = 0; i < 3; ++i) pool.detach([] { heist::blocking([] { std::this_thread::sleep_for(20ms); }); });
    pool.wait_idle();
    return the_start.count();
  };
  EXPECT_EQ(most_threads(0), 2u);  // the worker, and the one that looks at the clock
  EXPECT_GT(most_threads(2), 2u);
}

}  // namespace
