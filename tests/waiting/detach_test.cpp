// detach, wait_idle, and the end of a pool.

#include "tests/waiting/places.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

namespace {

using heist_test::eventually;
using heist_test::everywhere;
using heist_test::fib;
using heist_test::in_pools;
using heist_test::workers;

class detach : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(pools, detach, in_pools);

TEST_P(detach, from_outside_is_waited_for_by_wait_idle) {
  std::atomic<int> ended{0};
  for (int round = 1; round <= 5; ++round) {
    for (int i = 0; i < 200; ++i)
      pool()->detach([&] {
        fib(6);
        ++ended;
      });
    pool()->wait_idle();
    EXPECT_EQ(ended, 200 * round);
  }
}

TEST_P(detach, is_waited_for_until_a_stop) {
  heist::latch go(1);
  std::stop_source source;
  pool()->wait_idle(source.get_token());
  pool()->detach([&] { go.wait(); });
  std::jthread stopper([&] {
    EXPECT_TRUE(heist_test::eventually([&] { return pool()->stats().waiting == 1; }));
    source.request_stop();
  });
  EXPECT_THROW(pool()->wait_idle(source.get_token()), heist::cancelled);
  EXPECT_THROW(pool()->wait_idle(source.get_token()), heist::cancelled);
  go.count_down();
  pool()->wait_idle();
  pool()->wait_idle(source.get_token());  // there is nothing to wait for
}

TEST_P(detach, from_inside_is_waited_for_by_wait_idle) {
  std::atomic<int> ended{0};
  pool()->run([&] {
    for (int i = 0; i < 200; ++i)
      heist::detach([&] {
        fib(6);
        ++ended;
      });
  });
  pool()->wait_idle();
  EXPECT_EQ(ended, 200);
}

TEST_P(detach, inside_a_detached_one_is_waited_for) {
  std::atomic<int> ended{0};
  struct grow {
    std::atomic<int>& ended;
    int depth;
    void operator()() const {
      if (depth > 0)
        for (int i = 0; i < 3; ++i) heist::detach(grow{ended, depth - 1});
      ++ended;
    }
  };
  pool()->detach(grow{ended, 6});
  pool()->wait_idle();
  EXPECT_EQ(ended, 1093);
}

TEST_P(detach, is_waited_for_by_the_destructor) {
  std::atomic<int> ended{0};
  {
    heist::pool p(workers(GetParam()));
    for (int i = 0; i < 100; ++i) p.detach([&] { ++ended; });
    p.run([&] {
      for (int i = 0; i < 100; ++i) heist::detach([&] {
          fib(5);
          ++ended;
        });
    });
  }
  EXPECT_EQ(ended, 200);
}

TEST_P(detach, may_wait_while_its_pool_ends) {
  std::atomic<int> ended{0};
  heist::promise<void> p;
  const auto later = p.get_future().shared();
  std::thread other;
  {
    heist::pool mine(workers(GetParam()));
    for (int i = 0; i < 50; ++i)
      mine.detach([&, later] {
        later.get();
        ++ended;
      });
    other = std::thread([&] { p.set_value(); });
  }
  EXPECT_EQ(ended, 50);
  other.join();
}

TEST_P(detach, takes_functions_that_only_move) {
  std::atomic<int> got{0};
  pool()->detach([&, held = std::make_unique<int>(4)] { got += *held; });
  pool()->run([&] { heist::detach([&, held = std::make_unique<int>(4)] { got += *held; }); });
  pool()->wait_idle();
  EXPECT_EQ(got, 8);
}

TEST_P(detach, adds_to_reducers_by_wait_idle) {
  heist::reducer<long> sum;
  pool()->run([&] {
    for (int i = 0; i < 300; ++i) heist::detach([&] {
        fib(4);
        *sum += 1;
      });
  });
  for (int i = 0; i < 300; ++i) pool()->detach([&] { *sum += 1; });
  pool()->wait_idle();
  EXPECT_EQ(*sum, 600);
}

TEST_P(detach, waits_from_a_strand_of_another_pool) {
  heist::pool other(workers(1));
  std::atomic<bool> ended{false};
  other.run([&] {
    pool()->detach([&] { ended = true; });
    pool()->wait_idle();
    EXPECT_TRUE(ended);
  });
}

std::atomic<int> unhandled{0};

TEST_P(detach, gives_its_exception_to_on_unhandled) {
  heist::options o = workers(GetParam());
  o.on_unhandled = [](std::exception_ptr e) {
    try {
      std::rethrow_exception(e);
    } catch (const std::runtime_error&) {
      ++unhandled;
    }
  };
  unhandled = 0;
  {
    heist::pool p(o);
    p.detach([] { throw std::runtime_error("no"); });
    p.run([] { heist::detach([] { throw std::runtime_error("no"); }); });
    static_cast<void>(heist::async(p, [] { throw std::runtime_error("nobody asks"); }));
  }
  EXPECT_EQ(unhandled, 2);
}

TEST_P(detach, lets_the_handlers_of_its_pool_wait) {
  std::atomic<int> handled{0}, started{0};
  {
    heist::options o = workers(GetParam());
    o.on_unhandled = [&](std::exception_ptr) {
      heist::sleep_for(std::chrono::milliseconds(1));
      handled += static_cast<int>(fib(4));
    };
    o.on_thread_start = [&] {
      heist::sleep_for(std::chrono::milliseconds(1));
      ++started;
    };
    heist::pool p(o);
    for (int i = 0; i < 10; ++i) p.detach([] { throw std::runtime_error("no"); });
    p.wait_idle();
    EXPECT_GT(started, 0);
  }
  EXPECT_EQ(handled, 30);
}

TEST(default_detach, goes_to_the_default_pool) {
  std::atomic<int> ended{0};
  for (int i = 0; i < 100; ++i) heist::detach([&] { ++ended; });
  heist::default_pool().wait_idle();
  EXPECT_EQ(ended, 100);
  heist::default_pool().wait_idle();
}

TEST_P(detach, may_give_its_exception_to_a_lambda_with_captures) {
  std::atomic<int> small{0}, large{0};
  const std::string name = "large";
  for (const bool is_large : {false, true}) {
    heist::options o = workers(2);
    if (is_large)
      o.on_unhandled = [&large, name, more = std::string(100, 'x')](const std::exception_ptr&) {
        large += name == "large" && more.size() == 100 ? 1 : 100;
      };
    else
      o.on_unhandled = [&small](std::exception_ptr e) {
        ++small;
        EXPECT_THROW(std::rethrow_exception(e), std::range_error);
      };
    heist::pool p(o);
    for (int i = 0; i < 3; ++i) p.detach([] { throw std::range_error("nobody asks"); });
    p.wait_idle();
  }
  EXPECT_EQ(small, 3);
  EXPECT_EQ(large, 3);
}

TEST(detach_death, without_on_unhandled_ends_the_program_as_a_thread_would) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        heist::pool p(workers(2));
        p.detach([] { throw std::runtime_error("this one"); });
        p.wait_idle();
      },
      "heist: an exception left a detached function(.|\n)*this one");
}

TEST(detach_death, wait_idle_inside_the_pool_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        heist::pool p(workers(2));
        p.run([&] { p.wait_idle(); });
      },
      "heist: pool::wait_idle was called by a task");
}

}  // namespace
