// heist::barrier, from strands and threads.

#include "tests/waiting/together.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

class a_barrier : public together {};
INSTANTIATE_TEST_SUITE_P(used, a_barrier, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_barrier, lets_nobody_into_the_next_phase_before_all_have_come) {
  constexpr int n = 6;
  heist::barrier all(n);
  std::vector<int> at(n);
  run_each(n, [&](int i) {
    const auto me = static_cast<std::size_t>(i);
    for (int phase = 0; phase < rounds(200); ++phase) {
      at[me] = phase;
      all.arrive_and_wait();
      for (const int other : at) EXPECT_EQ(other, phase);
      all.arrive_and_wait();
    }
  });
}

TEST_P(a_barrier, calls_its_completion_once_for_each_phase_before_anybody_goes_on) {
  constexpr int n = 4;
  std::vector<int> sums(n);
  int phases = 0, sum = 0;
  auto add = [&]() noexcept {
    ++phases;
    sum = 0;
    for (const int s : sums) sum += s;
  };
  heist::barrier all(n, add);
  const int most = rounds(200);
  run_each(n, [&](int i) {
    for (int phase = 1; phase <= most; ++phase) {
      sums[static_cast<std::size_t>(i)] = phase * (i + 1);
      all.arrive_and_wait();
      EXPECT_EQ(phases, 2 * phase - 1);
      EXPECT_EQ(sum, phase * (n * (n + 1) / 2));
      all.arrive_and_wait();
    }
  });
  EXPECT_EQ(phases, 2 * most);
}

TEST_P(a_barrier, may_call_a_completion_that_forks) {
  long result = 0;
  heist::barrier two(2, [&] { result = fib(10); });  // not declared noexcept
  run_each(2, [&](int) {
    two.arrive_and_wait();
    EXPECT_EQ(result, 55);
  });
}

TEST_P(a_barrier, lets_one_work_between_its_arrival_and_its_wait) {
  constexpr int n = 3;
  heist::barrier all(n);
  std::atomic<int> arrived{0};
  run_each(n, [&](int) {
    for (int phase = 1; phase <= rounds(100); ++phase) {
      ++arrived;
      auto token = all.arrive();
      auto moved = std::move(token);
      EXPECT_LE(arrived, n * phase);
      all.wait(std::move(moved));
      EXPECT_GE(arrived, n * phase);
      all.arrive_and_wait();
    }
  });
}

TEST_P(a_barrier, counts_several_arrivals_of_one) {
  run([] {
    int phases = 0;
    heist::barrier three(3, [&]() noexcept { ++phases; });
    auto first = three.arrive(2);
    EXPECT_EQ(phases, 0);
    auto second = three.arrive();
    EXPECT_EQ(phases, 1);
    three.wait(std::move(first));
    three.wait(std::move(second));
    three.wait(three.arrive(3));
    EXPECT_EQ(phases, 2);
  });
}

TEST_P(a_barrier, expects_one_less_when_one_has_dropped_out) {
  constexpr int n = 5;
  std::vector<int> stayed(n);
  int phases = 0;
  heist::barrier all(n, [&]() noexcept { ++phases; });
  // The i-th goes after i phases.
  run_each(n, [&](int i) {
    for (int phase = 0; phase < i; ++phase) {
      all.arrive_and_wait();
      ++stayed[static_cast<std::size_t>(i)];
    }
    all.arrive_and_drop();
  });
  EXPECT_EQ(stayed, (std::vector{0, 1, 2, 3, 4}));
  EXPECT_EQ(phases, n);
}

TEST_P(a_barrier, is_waited_for_by_strands_and_a_thread) {
  constexpr int n = 3;
  heist::barrier all(n + 1);
  const int most = rounds(200);
  std::atomic<int> steps{0};
  std::jthread other([&] {
    for (int phase = 1; phase <= most; ++phase) {
      all.arrive_and_wait();
      EXPECT_EQ(steps, n * phase);
      all.arrive_and_wait();
    }
  });
  run_each(n, [&](int) {
    for (int phase = 1; phase <= most; ++phase) {
      ++steps;
      all.arrive_and_wait();
      all.arrive_and_wait();
    }
  });
}

TEST_P(a_barrier, throws_cancelled_at_a_stop_and_keeps_the_arrival) {
  heist::barrier three(3);
  std::stop_source source;
  std::atomic<int> come{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 2; }));
    source.request_stop();
  });
  run(
      [&] {
        ++come;
        EXPECT_THROW(three.arrive_and_wait(source.get_token()), heist::cancelled);
      },
      [&] {
        ++come;
        EXPECT_THROW(three.wait(three.arrive(), source.get_token()), heist::cancelled);
      });
  three.arrive_and_wait();  // the third
}

TEST_P(a_barrier, says_whether_the_phase_has_ended_in_time) {
  heist::barrier two(2);
  auto arrival = two.arrive();
  std::stop_source source;
  run(
      [&] {
        EXPECT_FALSE(two.wait_for(arrival, 2ms));
        EXPECT_FALSE(two.wait_for(arrival, -2ms));
        EXPECT_FALSE(two.wait_until(arrival, std::chrono::steady_clock::now() + 2ms, source.get_token()));
        source.request_stop();
        EXPECT_THROW(static_cast<void>(two.wait_for(arrival, 1h, source.get_token())), heist::cancelled);
        static_cast<void>(two.arrive());
      },
      [&] { EXPECT_TRUE(two.wait_for(arrival, 1h)); });
  EXPECT_TRUE(two.wait_until(arrival, std::chrono::system_clock::now() - 1h));
}

TEST_P(a_barrier, may_be_destroyed_by_the_one_that_waited) {
  for (int i = 0; i < rounds(500); ++i) {
    auto gone = std::make_unique<heist::barrier<>>(2);
    heist::barrier<>* const b = gone.get();
    run(
        [&] {
          b->arrive_and_wait();
          gone.reset();
        },
        [b] { static_cast<void>(b->arrive()); });
  }
}

TEST(a_barrier_that_is_misused, says_so) {
  EXPECT_THROW(heist::barrier(-1), std::invalid_argument);
  heist::barrier two(2);
  EXPECT_THROW(static_cast<void>(two.arrive(0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(two.arrive(-1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(two.arrive(3)), std::invalid_argument);
  two.wait(two.arrive(2));
  heist::barrier nobody(0);
  EXPECT_THROW(static_cast<void>(nobody.arrive()), std::invalid_argument);
}

}  // namespace
