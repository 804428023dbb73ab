// heist::sleep_for and sleep_until: strands that wait for a time.

#include "tests/join/support.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;
using clock_now = std::chrono::steady_clock;

class a_sleeper : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_sleeper, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_sleeper, does_not_wake_early) {
  pool.run([] {
    for (const auto time : {0us, 1us, 100us, 3000us}) {
      const auto start = clock_now::now();
      heist::sleep_for(time);
      EXPECT_GE(clock_now::now() - start, time);
      const auto until = clock_now::now() + time;
      heist::sleep_until(until);
      EXPECT_GE(clock_now::now(), until);
      const auto wall = std::chrono::system_clock::now() + time;
      heist::sleep_until(wall);
      EXPECT_GE(std::chrono::system_clock::now(), wall);
    }
  });
}

TEST_P(a_sleeper, shares_its_worker_with_a_thousand_others) {
  std::atomic<int> awake{0};
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < 1000; ++i)
        s.spawn([&] {
          heist::sleep_for(20ms);
          ++awake;
        });
    });
  });
  EXPECT_EQ(awake, 1000);
  EXPECT_GT(pool.stats().waiting_peak, 8u);  // more than workers
}

TEST_P(a_sleeper, wakes_in_the_order_of_deadlines) {
  std::vector<int> order;
  heist::mutex m;
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      const auto start = clock_now::now();
      for (const int ms : {150, 50, 100, 1}) s.spawn([&, ms] {
          heist::sleep_until(start + ms * 1ms);
          const std::lock_guard hold(m);
          order.push_back(ms);
        });
    });
  });
  ASSERT_EQ(order.size(), 4u);  // a loaded machine may confuse neighbours, not the first and the last
  EXPECT_NE(order.back(), 1);
  EXPECT_NE(order.front(), 150);
}

TEST_P(a_sleeper, returns_at_once_if_the_time_is_over) {
  pool.run([] {
    heist::sleep_for(-1h);
    heist::sleep_for(std::chrono::seconds::min());
    heist::sleep_until(clock_now::time_point::min());
    heist::sleep_until(std::chrono::system_clock::time_point());
  });
  heist::sleep_for(-1h);
}

TEST_P(a_sleeper, is_woken_by_a_stop) {
  for (int round = 0; round < 20; ++round) {
    std::stop_source source;
    std::thread stopper([&] { source.request_stop(); });
    EXPECT_THROW(pool.run([&] { heist::sleep_for(std::chrono::hours::max(), source.get_token()); }), heist::cancelled);
    EXPECT_THROW(heist::sleep_for(1h, source.get_token()), heist::cancelled);
    stopper.join();
  }
}

TEST(a_thread_outside, sleeps_too) {
  const auto start = clock_now::now();
  heist::sleep_for(2ms);
  EXPECT_GE(clock_now::now() - start, 2ms);
}

// With one worker, which never runs out of work.
TEST(a_strand_that_can_go_on, gets_its_turn_when_a_busy_worker_forks_or_waits) {
  const auto fork = [] { heist::join([] {}, [] {}); };
  const auto spawn = [] {
    heist::with_scope([](heist::scope& s) { s.spawn([] {}); });
  };
  const auto begin = [] { heist::async([] {}).get(); };
  const auto suspend = [] { heist::suspend([](heist::resumption r) { r.resume(); }); };
  const auto poll = [] { heist::sleep_for(0s); };
  heist::graph chain;
  auto last = chain.node([] {});
  for (int i = 0; i < 50; ++i) {
    const auto next = chain.node([] {});
    chain.precede(last, next);
    last = next;
  }
  const std::function<void()> ways[] = {fork, spawn, begin, suspend, poll, [&] { chain.run(); }};
  for (const auto& way : ways) {
    heist::pool pool({.workers = 1});
    std::atomic<bool> awake{false};
    pool.detach([&] {
      heist::sleep_for(2ms);
      awake = true;
    });
    pool.detach([&] {
      const auto deadline = clock_now::now() + 60s;
      while (!awake && clock_now::now() < deadline) way();
      EXPECT_TRUE(awake) << "way " << &way - ways;
    });
    pool.wait_idle();
  }
}

// With one worker, and many strands that can go on all the time.
TEST(a_strand_that_forks, is_not_interrupted_at_every_fork) {
  constexpr int strands = 50, forks = 2'000;
  heist::pool pool({.workers = 1});
  int last = -1, changes = 0;  // one worker: no two strands at once
  pool.detach([&] {
    heist::with_scope([&](heist::scope& s) {
      for (int i = 0; i < strands; ++i)
        s.spawn([&, i] {
          heist::sleep_for(5ms);
          for (int k = 0; k < forks; ++k) {
            heist::join([] {}, [] {});
            if (std::exchange(last, i) != i) ++changes;
          }
        });
    });
  });
  pool.wait_idle();
  EXPECT_GE(changes, strands);
  EXPECT_LT(changes, strands * forks / 10);
}

}  // namespace
