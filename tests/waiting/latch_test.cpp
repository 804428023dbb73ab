// heist::latch, from strands and threads.

#include "tests/waiting/together.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

class a_latch : public together {};
INSTANTIATE_TEST_SUITE_P(used, a_latch, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_latch, holds_all_back_until_everything_is_counted) {
  for (int round = 0; round < rounds(200); ++round) {
    heist::latch all(6);
    std::vector<int> written(6);
    std::atomic<int> counted{0};
    run_each(10, [&](int i) {
      if (i < 4) {
        all.wait();
      } else {
        written[static_cast<std::size_t>(i - 4)] = i;
        ++counted;
        if (i % 2 == 0)
          all.count_down();
        else
          all.arrive_and_wait();
      }
      if (i >= 4 && i % 2 == 0) return;
      EXPECT_EQ(counted, 6);
      EXPECT_TRUE(all.try_wait());
      EXPECT_EQ(written, (std::vector{4, 5, 6, 7, 8, 9}));
    });
  }
}

TEST_P(a_latch, is_counted_down_by_a_thread_outside) {
  heist::latch two(2), started(3);
  std::atomic<int> passed{0};
  std::jthread other([&] {
    started.wait();
    EXPECT_EQ(passed, 0);
    two.count_down(2);
  });
  run_each(3, [&](int) {
    started.count_down();
    two.wait();
    ++passed;
  });
  EXPECT_EQ(passed, 3);
}

TEST_P(a_latch, holds_nobody_back_at_zero) {
  run([] {
    heist::latch none(0);
    EXPECT_TRUE(none.try_wait());
    none.wait();
    none.count_down(0);
    none.arrive_and_wait(0);
    heist::latch three(3);
    three.count_down(2);
    EXPECT_FALSE(three.try_wait());
    three.arrive_and_wait();
    EXPECT_TRUE(three.try_wait());
  });
}

TEST_P(a_latch, throws_cancelled_at_a_stop_and_keeps_what_was_counted) {
  heist::latch five(5);
  std::stop_source source;
  std::atomic<int> come{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 4; }));
    source.request_stop();
  });
  run_each(4, [&](int i) {
    ++come;
    const std::stop_token token = source.get_token();
    EXPECT_THROW(i == 0 ? five.wait(token) : i == 1 ? five.arrive_and_wait(token) : five.arrive_and_wait(1, token),
                 heist::cancelled);
  });
  EXPECT_FALSE(five.try_wait());
  five.count_down(2);
  EXPECT_TRUE(five.try_wait());
  five.wait(source.get_token());  // need not wait
}

TEST_P(a_latch, says_whether_the_count_is_zero_in_time) {
  heist::latch one(1);
  std::stop_source source;
  run_each(2, [&](int i) {
    if (i == 0) {
      EXPECT_FALSE(one.wait_for(2ms));
      EXPECT_FALSE(one.wait_for(-2ms));
      EXPECT_FALSE(one.wait_until(std::chrono::system_clock::now() + 2ms, source.get_token()));
      source.request_stop();
      EXPECT_THROW(static_cast<void>(one.wait_for(1h, source.get_token())), heist::cancelled);
      one.count_down();
    } else {
      EXPECT_TRUE(one.wait_for(1h));
      EXPECT_TRUE(one.wait_until(std::chrono::steady_clock::now() - 1h));
    }
  });
}

TEST_P(a_latch, may_be_destroyed_by_the_one_that_waited) {
  for (int i = 0; i < rounds(500); ++i) {
    auto gone = std::make_unique<heist::latch>(2);
    heist::latch* const l = gone.get();
    run(
        [&] {
          l->wait();
          gone.reset();
        },
        [l] { l->count_down(); }, [l] { l->count_down(); });
  }
}

TEST(a_latch_that_is_misused, says_so) {
  EXPECT_THROW(heist::latch(-1), std::invalid_argument);
  heist::latch two(2);
  EXPECT_THROW(two.count_down(-1), std::invalid_argument);
  EXPECT_THROW(two.count_down(3), std::invalid_argument);
  EXPECT_THROW(two.arrive_and_wait(3), std::invalid_argument);
  two.count_down(2);
  EXPECT_THROW(two.count_down(), std::invalid_argument);
  EXPECT_TRUE(two.try_wait());
}

constinit heist::latch made_by_the_compiler(0);
TEST(a_latch_made_by_the_compiler, counts) { EXPECT_TRUE(made_by_the_compiler.try_wait()); }

}  // namespace
