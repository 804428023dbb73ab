// Durations and times of any clock as deadlines of the steady clock.

#include <heist/wait/deadline.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace {

using namespace std::chrono_literals;
using heist::detail::already_over;
using heist::detail::comes_before;
using heist::detail::deadline_after;
using heist::detail::deadline_at;
using heist::detail::nanoseconds;
using heist::detail::never;
using heist::detail::now;
using heist::detail::saturated;
using std::chrono::duration;

TEST(a_duration, is_exact_if_it_has_whole_nanoseconds) {
  EXPECT_EQ(saturated(1ns), 1);
  EXPECT_EQ(saturated(3us), 3'000);
  EXPECT_EQ(saturated(7h), 7 * 3'600'000'000'000);
  EXPECT_EQ(saturated(std::chrono::nanoseconds::max() - 1ns), never - 1);
  EXPECT_EQ(saturated(duration<double, std::milli>(0.25)), 250'000);
  EXPECT_EQ(saturated(duration<unsigned char, std::deci>(255)), 25'500'000'000);
}

TEST(a_duration, is_rounded_up_since_no_wait_ends_early) {
  EXPECT_EQ(saturated(duration<long, std::pico>(1)), 1);
  EXPECT_EQ(saturated(duration<long, std::pico>(1'000)), 1);
  EXPECT_EQ(saturated(duration<long, std::pico>(1'001)), 2);
  EXPECT_EQ(saturated(duration<double>(1e-12)), 1);
  EXPECT_EQ(saturated(duration<int, std::ratio<1, 3>>(1)), 333'333'334);
}

TEST(a_duration, never_ends_if_it_is_longer_than_the_clock_can_count) {
  EXPECT_EQ(saturated(std::chrono::nanoseconds::max()), never);
  EXPECT_EQ(saturated(std::chrono::hours::max()), never);
  EXPECT_EQ(saturated(std::chrono::years(1'000)), never);
  EXPECT_EQ(saturated(duration<double>(1e300)), never);
  EXPECT_EQ(saturated(duration<float>(std::numeric_limits<float>::infinity())), never);
  EXPECT_EQ(deadline_after(std::chrono::nanoseconds::max()), never);
  EXPECT_EQ(deadline_after(std::chrono::nanoseconds::max() - 1ns), never);
}

TEST(a_duration, is_over_if_it_is_not_positive) {
  EXPECT_EQ(deadline_after(0s), already_over);
  EXPECT_EQ(deadline_after(-1ns), already_over);
  EXPECT_EQ(deadline_after(std::chrono::hours::min()), already_over);
  EXPECT_EQ(deadline_after(duration<double>(-1e300)), already_over);
  EXPECT_EQ(deadline_after(duration<double>(std::nan(""))), already_over);
  EXPECT_LT(already_over, now());
}

TEST(a_deadline, lies_that_far_ahead) {
  const nanoseconds before = now();
  const nanoseconds deadline = deadline_after(1h);
  EXPECT_GE(deadline, before + 3'600'000'000'000);
  EXPECT_LE(deadline, now() + 3'600'000'000'000);
}

TEST(a_deadline, of_the_steady_clock_is_its_time) {
  const auto t = std::chrono::steady_clock::now();
  EXPECT_EQ(deadline_at(t), t.time_since_epoch().count());
  EXPECT_EQ(deadline_at(std::chrono::steady_clock::time_point::max()), never);
  EXPECT_EQ(deadline_at(std::chrono::steady_clock::time_point::min()), already_over);
}

TEST(a_deadline, of_another_clock_is_as_far_ahead_as_there) {
  const nanoseconds before = now();
  const nanoseconds deadline = deadline_at(std::chrono::system_clock::now() + 1h);
  EXPECT_GT(deadline, before + 3'599'000'000'000);
  EXPECT_LT(deadline, now() + 3'601'000'000'000);
  EXPECT_GT(deadline_at(std::chrono::system_clock::time_point::max()), before + saturated(std::chrono::years(100)));
  EXPECT_EQ(deadline_at(std::chrono::sys_time<std::chrono::hours>::max()), never);
  EXPECT_EQ(deadline_at(std::chrono::system_clock::time_point::min()), already_over);
  EXPECT_EQ(deadline_at(std::chrono::sys_days{}), already_over);  // 1970
}

// A clock that the test sets.
struct set_clock {
  using duration = std::chrono::milliseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<set_clock>;
  static constexpr bool is_steady = false;
  static time_point now() { return time_point(shown); }
  static inline duration shown{0};
};

TEST(a_clock_that_was_set_back, makes_the_wait_go_on) {
  set_clock::shown = 1000ms;
  int waits = 0;
  EXPECT_FALSE(comes_before(set_clock::time_point(3000ms), [&](nanoseconds deadline) {
    ++waits;
    const nanoseconds left = deadline - now();
    if (waits == 1) {
      EXPECT_LE(left, 2'000'000'000);
      EXPECT_GT(left, 1'000'000'000);
      set_clock::shown = 500ms;
    } else {
      EXPECT_GT(left, 2'000'000'000);
      set_clock::shown = 3000ms;
    }
    return false;
  }));
  EXPECT_EQ(waits, 2);
}

TEST(a_wait_until_a_time, ends_with_the_event) {
  int waits = 0;
  EXPECT_TRUE(comes_before(std::chrono::system_clock::now() + 1h, [&](nanoseconds) { return ++waits == 1; }));
  EXPECT_TRUE(comes_before(std::chrono::steady_clock::now() + 1h, [&](nanoseconds) { return ++waits == 2; }));
}

TEST(a_wait_until_a_steady_time, is_not_repeated) {
  int waits = 0;
  EXPECT_FALSE(comes_before(std::chrono::steady_clock::now() + 1h, [&](nanoseconds) { return ++waits == 2; }));
  EXPECT_EQ(waits, 1);
}

}  // namespace
