// Strands that wait and are no longer wanted: a scope or a root around them was stopped, or something before them failed.

#include "tests/join/support.hpp"

#include <chrono>
#include <functional>
#include <list>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

class a_wait_that_nobody_wants : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};

  // Each of these would wait for ever.
  template <class F>
  void each_way(F&& try_it) {
    heist::channel<int> empty(1);
    heist::counting_semaphore<> none(0);
    heist::latch closed(1);
    heist::promise<int> never_kept;
    heist::future<int> never = never_kept.get_future();
    heist::mutex m;
    heist::condition_variable silent;
    heist::barrier<> lonely(100);
    try_it([&] { (void)empty.pop(); });
    try_it([&] { none.acquire(); });
    try_it([&] { closed.wait(); });
    try_it([&] { never.wait(); });
    try_it([&] { heist::sleep_for(std::chrono::hours(10'000)); });
    try_it([&] {
      std::unique_lock hold(m);
      silent.wait(hold);
    });
    try_it([&] { lonely.wait(lonely.arrive()); });
    never_kept.set_value(1);
  }
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_wait_that_nobody_wants, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(a_wait_that_nobody_wants, ends_when_the_root_is_stopped) {
  each_way([&](auto wait) {
    std::stop_source source;
    std::atomic<bool> begun{false};
    std::thread stopper([&] {
      EXPECT_TRUE(eventually([&] { return begun.load(); }));
      source.request_stop();
    });
    EXPECT_THROW(pool.run([&] { begun = true, wait(); }, source.get_token()), heist::cancelled);
    stopper.join();
  });
}

TEST_P(a_wait_that_nobody_wants, ends_in_the_body_of_a_loop_that_is_stopped) {
  const std::vector<int> one(1), many(20);
  const std::list<int> listed(20);
  each_way([&](auto wait) {
    // Each call runs with a token that is asked to stop when a body has begun to wait.
    auto stopped = [&](auto call) {
      std::stop_source source;
      std::atomic<bool> begun{false};
      std::thread stopper([&] {
        EXPECT_TRUE(eventually([&] { return begun.load(); }));
        source.request_stop();
      });
      auto body = [&](int) { return begun = true, wait(), 1; };
      EXPECT_THROW(pool.run([&] { call(body, source.get_token()); }), heist::cancelled);
      stopper.join();
    };
    stopped([&](auto f, auto token) { heist::for_each_index(0, 20, f, token); });
    stopped([&](auto f, auto token) { heist::for_each(one, f, token); });
    stopped([&](auto f, auto token) { heist::for_each(many, f, heist::grain{100}, token); });
    stopped([&](auto f, auto token) { heist::for_each(many, f, heist::limit{3}, token); });
    stopped([&](auto f, auto token) { heist::for_each(many, f, token, heist::limit{1}); });
    stopped([&](auto f, auto token) { heist::for_each(listed, f, token); });
    stopped([&](auto f, auto token) { (void)heist::transform_reduce(many, 0, std::plus<>(), f, token); });
    stopped([&](auto f, auto token) { heist::par(many).for_each(f, token); });
  });
}

TEST_P(a_wait_that_nobody_wants, ends_in_a_loop_outside_every_pool) {
  for (const int n : {1, 20}) {
    std::stop_source source;
    std::atomic<bool> begun{false};
    std::thread stopper([&] {
      EXPECT_TRUE(eventually([&] { return begun.load(); }));
      source.request_stop();
    });
    EXPECT_THROW(heist::for_each_index(0, n, [&](int) { begun = true, heist::sleep_for(1h); }, source.get_token()),
                 heist::cancelled);
    stopper.join();
  }
}

// The bodies before it wait, and are stopped.
TEST_P(a_wait_that_nobody_wants, yields_to_the_failure_of_the_body_that_requested_the_stop) {
  const std::list<int> listed(4);
  auto once = [&](auto call) {
    std::stop_source source;
    std::atomic<int> begun{0};
    auto body = [&](int) {
      if (++begun < 3) heist::sleep_for(1h);
      source.request_stop();
      throw std::range_error("its own");
    };
    EXPECT_THROW(pool.run([&] { call(body, source.get_token()); }), std::range_error);
  };
  for (int i = 0; i < rounds(20); ++i) {
    once([&](auto f, auto token) { heist::for_each_index(0, 4, f, heist::limit{4}, token); });
    once([&](auto f, auto token) { heist::for_each(listed, f, token); });
  }
}

TEST_P(a_wait_that_nobody_wants, ends_in_every_child_when_the_scope_is_stopped) {
  each_way([&](auto wait) {
    std::stop_source source;
    EXPECT_THROW(pool.run([&] {
      heist::scope s(source.get_token());
      std::atomic<int> cancelled{0};
      for (int i = 0; i < 3; ++i)
        s.spawn([&] {
          try {
            heist::join([&] { wait(); }, [] {});
          } catch (const heist::cancelled&) {
            ++cancelled;
            throw;
          }
        });
      source.request_stop();
      try {
        s.sync();
      } catch (const heist::cancelled&) {
        EXPECT_EQ(cancelled, 3);
        throw;
      }
    }), heist::cancelled);
  });
}

TEST_P(a_wait_that_nobody_wants, ends_when_a_child_before_it_fails) {
  each_way([&](auto wait) {
    heist::latch waits(1);
    EXPECT_THROW(pool.run([&] {
      heist::with_scope([&](heist::scope& s) {
        s.spawn([&] {
          waits.wait();
          throw std::range_error("the first");
        });
        s.spawn([&] {
          waits.count_down();
          wait();
        });
      });
    }), std::range_error);
  });
}

// A stolen branch learns whether it is wanted from its forker, when that has parked.
TEST_P(a_wait_that_nobody_wants, ends_in_a_stolen_branch_when_its_forker_comes_to_wait_for_it) {
  if (GetParam() < 8) GTEST_SKIP() << "nobody is left to steal";
  for (int i = 0; i < rounds(20); ++i) {
    heist::channel<int> empty(1);
    std::atomic<bool> branch_waits{false}, failed{false};
    EXPECT_THROW(pool.run([&] {
      heist::with_scope([&](heist::scope& s) {
        s.spawn([&] {
          EXPECT_TRUE(eventually([&] { return branch_waits.load(); }));
          failed = true;
          throw std::range_error("the first");
        });
        s.spawn([&] {
          heist::join([&] { EXPECT_TRUE(eventually([&] { return failed.load(); })); },
                      [&] {
                        branch_waits = true;
                        (void)empty.pop();
                      });
        });
      });
    }), std::range_error);
  }
}

TEST_P(a_wait_that_nobody_wants, does_not_disturb_those_that_are_wanted) {
  std::stop_source source;
  heist::channel<int> c(0);
  pool.run([&] {
    heist::with_scope([&](heist::scope& s) {
      s.spawn([&] { EXPECT_EQ(c.pop(), 5); });
      s.spawn([&] {
        EXPECT_THROW(heist::with_scope([&](heist::scope& t) {
          t.spawn([] { heist::sleep_for(1h); });
          source.request_stop();
        }, source.get_token()), heist::cancelled);
        c.push(5);
      });
    });
  });
}

}  // namespace
