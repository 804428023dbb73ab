// What the scheduler decides, apart from the schedules on which it matters: who pays for fences, how long a worker naps, whose
// turn it is in the queue.

#include "tests/private.hpp"
#include "tests/support.hpp"

#include <heist/sched/governor.hpp>
#include <heist/sched/injector.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace heist::detail;
using heist_test::eventually;
using heist_test::member;
using verdict = fence_governor::verdict;

struct change_fences {
  using type = void (fencing::*)(verdict) noexcept;
};
struct patience {
  using type = nanoseconds (heist::detail::search::*)(const pool_thread&) const noexcept;
};
struct owners_fence {
  using type = std::atomic<bool> fencing::*;
};
struct judge_catch {
  using type = void (*)(pool_thread&) noexcept;
};
struct find {
  using type = job* (heist::detail::search::*)(pool_thread&) noexcept;
};

}  // namespace

template struct heist_test::opened<change_fences, &fencing::change>;
template struct heist_test::opened<patience, &heist::detail::search::patience>;
template struct heist_test::opened<owners_fence, &fencing::owners_fence_>;
template struct heist_test::opened<judge_catch, &heist::detail::search::judge_catch>;
template struct heist_test::opened<find, &heist::detail::search::find>;

namespace {

// The verdict on the last of `n` attempts that follow each other at once.
verdict after(fence_governor& g, int n, theft_fence fence, nanoseconds cost, bool owners_fence) {
  verdict v = verdict::keep;
  for (int i = 0; i < n; ++i) v = g.count(fence, cost, owners_fence);
  return v;
}

constexpr int window = 64;
constexpr nanoseconds dear = 50'000;

TEST(the_governor, lets_owners_pay_when_thieves_spend_their_time_in_fences) {
  fence_governor g;
  // A window that is interrupted for long is no reason.
  EXPECT_TRUE(eventually([&] { return after(g, window, theft_fence::heavy, dear, false) == verdict::go_symmetric; }));
}

TEST(the_governor, lets_thieves_pay_again_when_they_are_few) {
  fence_governor g;
  static_cast<void>(after(g, window, theft_fence::full, 0, true));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // of which 64 fences are less than a hundredth
  EXPECT_EQ(after(g, window, theft_fence::full, 0, true), verdict::go_asymmetric);
}

TEST(the_governor, keeps_what_is_as_long_as_a_window_is_not_over) {
  fence_governor g;
  for (int i = 1; i < window; ++i) EXPECT_EQ(g.count(theft_fence::heavy, dear, false), verdict::keep);
}

// Thieves of marked items pay little, and say nothing about the others.
TEST(the_governor, does_not_count_full_fences_while_owners_run_none) {
  fence_governor g;
  EXPECT_EQ(after(g, 10 * window, theft_fence::full, 0, false), verdict::keep);
  EXPECT_EQ(after(g, window - 1, theft_fence::heavy, dear, false), verdict::keep);
}

TEST(the_governor, keeps_what_is_between_the_two_bounds) {
  // Fences take as long as passes besides: more than the lower bound, less than the upper one.
  bool seen = false;
  for (int i = 0; i < 100 && !seen; ++i) {
    fence_governor g;
    for (int k = 0; k < 400; ++k) static_cast<void>(g.count(theft_fence::heavy, dear, false));  // learns the cost
    const nanoseconds a_window = window * g.heavy_cost();
    ASSERT_TRUE(eventually([&] { return after(g, 1, theft_fence::heavy, dear, false) != verdict::keep; }));  // a window is over
    const nanoseconds since = now();
    while (now() - since < a_window) {
    }
    const verdict v = after(g, window, theft_fence::heavy, dear, false);
    seen = now() - since < 2 * a_window && v == verdict::keep;
  }
  EXPECT_TRUE(seen);
}

TEST(the_governors_cost_of_a_fence, falls_at_once_and_rises_slowly_and_has_bounds) {
  fence_governor g;
  const nanoseconds first = g.heavy_cost();
  static_cast<void>(g.count(theft_fence::heavy, 1'000'000'000, false));  // lost its core
  EXPECT_GT(g.heavy_cost(), first);
  EXPECT_LE(g.heavy_cost(), first + first / 32);
  static_cast<void>(g.count(theft_fence::heavy, 700, false));
  EXPECT_EQ(g.heavy_cost(), 700);
  static_cast<void>(g.count(theft_fence::heavy, 1, false));
  EXPECT_EQ(g.heavy_cost(), 500);
  for (int i = 0; i < 100'000; ++i) static_cast<void>(g.count(theft_fence::heavy, 1'000'000, false));
  EXPECT_EQ(g.heavy_cost(), 50'000);
}

bool asked_for_fences(const seat& s) {
  return (s.requests.load() & static_cast<unsigned>(request::fences)) != 0;
}

TEST(a_verdict, is_told_to_every_owner_and_to_those_who_come) {
  heist::pool p(heist_test::workers(1));
  p.run([&] {
    seat& s = *this_seat();
    if (s.pool.fences.pushers_fence()) GTEST_SKIP() << "no membarrier: owners always run fences";
    (s.pool.fences.*member<change_fences>)(verdict::keep);
    EXPECT_FALSE(asked_for_fences(s));
    (s.pool.fences.*member<change_fences>)(verdict::go_symmetric);
    EXPECT_TRUE(asked_for_fences(s));
    std::thread([&] { p.run([] { EXPECT_TRUE(asked_for_fences(*this_seat())); }); }).join();  // on a seat made for it
    (s.pool.fences.*member<change_fences>)(verdict::go_asymmetric);
    EXPECT_FALSE(asked_for_fences(s));
    std::thread([&] { p.run([] { EXPECT_FALSE(asked_for_fences(*this_seat())); }); }).join();
  });
}

TEST(a_verdict, is_nothing_to_a_pool_whose_fences_were_chosen) {
  for (const auto chosen : {heist::fences::asymmetric, heist::fences::symmetric}) {
    heist::options o = heist_test::workers(1);
    o.fences = chosen;
    try {
      heist::pool(o).run([&] {
        seat& s = *this_seat();
        for (const verdict v : {verdict::go_symmetric, verdict::go_asymmetric}) {
          (s.pool.fences.*member<change_fences>)(v);
          EXPECT_EQ(asked_for_fences(s), chosen == heist::fences::symmetric);
        }
      });
    } catch (const std::invalid_argument&) {
      EXPECT_EQ(chosen, heist::fences::asymmetric);  // no membarrier
    }
  }
}

// Thieves that rest need no help.
TEST(a_worker_that_goes_to_sleep, lets_thieves_pay_again) {
  heist::pool p(heist_test::workers(2));
  heist_test::meet(p, 2);
  p.run([&] {
    fencing& s = this_seat()->pool.fences;
    if (s.pushers_fence()) GTEST_SKIP() << "no membarrier: owners always run fences";
    (s.*member<change_fences>)(verdict::go_symmetric);
    EXPECT_TRUE(s.*member<owners_fence>);
    EXPECT_TRUE(eventually([&] {
      heist_test::fib(24);  // something to wake up for that lasts: after tiny catches it would take naps
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // and now nothing to steal
      return !(s.*member<owners_fence>);
    }));
  });
}

// A worker that found nothing so often, or next to nothing.
nanoseconds nap(unsigned most_backoff, unsigned vain, unsigned tiny) {
  heist::options o = heist_test::workers(1);
  o.most_backoff = most_backoff;
  return heist::pool(o).run([&] {
    pool_thread& s = *this_seat()->by.get();
    s.vain.set(vain);
    s.tiny.set(tiny);
    scheduler& pool = this_seat()->pool;
    return (pool.search.*member<patience>)(s) / pool.fences.heavy_cost();
  });
}

TEST(a_nap, grows_with_each_search_in_vain_up_to_what_the_options_allow) {
  for (const unsigned times : {0u, 1u, 2u}) EXPECT_EQ(nap(1000, times, 0), 0);
  EXPECT_EQ(nap(1000, 3, 0), 8);
  EXPECT_EQ(nap(1000, 4, 0), 16);
  EXPECT_EQ(nap(1000, 9, 0), 512);
  for (const unsigned times : {10u, 16u}) EXPECT_EQ(nap(1000, times, 0), 1000);
  EXPECT_EQ(nap(0, 16, 16), 0);
}

TEST(a_nap, after_tiny_catches_is_an_eighth_at_most) {
  EXPECT_EQ(nap(1024, 0, 2), 0);
  EXPECT_EQ(nap(1024, 0, 3), 8);
  EXPECT_EQ(nap(1024, 0, 16), 128);
  EXPECT_EQ(nap(1024, 5, 16), 128);  // the longer of the two
  EXPECT_EQ(nap(1024, 9, 4), 512);
}

TEST(a_catch, that_lasts_less_than_twice_what_it_cost_was_tiny) {
  heist::pool(heist_test::workers(1)).run([] {
    pool_thread& s = *this_seat()->by.get();
    auto judge = [&](nanoseconds lasted, nanoseconds cost) {
      s.busy_since.set(now() - lasted);
      s.paid.set(cost);
      member<judge_catch>(s);
    };
    constexpr nanoseconds second = 1'000'000'000, hour = 3600 * second;
    s.vain.set(2);
    s.tiny.set(0);
    judge(second, hour);
    judge(3 * hour / 2, hour);
    EXPECT_EQ(s.tiny.get(), 2u);
    EXPECT_EQ(s.vain.get(), 2u);
    for (int i = 0; i < 100; ++i) judge(second, hour);
    EXPECT_EQ(s.tiny.get(), 16u);  // a nap is that shifted by so much: not for ever
    judge(3 * hour, hour);
    EXPECT_EQ(s.tiny.get(), 0u);
    EXPECT_EQ(s.vain.get(), 0u);
  });
}

TEST(a_search, that_finds_nothing_counts_as_one_in_vain_up_to_16) {
  heist::options o = heist_test::workers(1);
  o.most_backoff = 0;  // or it would not search
  o.search_time = std::chrono::nanoseconds(0);
  heist::pool(o).run([] {
    pool_thread& s = *this_seat()->by.get();
    s.paid.set(0);
    s.searching.set(true);  // as one that was roused for nothing
    this_seat()->pool.sleepers.begin_search();
    for (unsigned i = 1; i < 40; ++i) {
      EXPECT_EQ((this_seat()->pool.search.*member<find>)(s), nullptr);
      EXPECT_EQ(s.vain.get(), std::min(i, 16u));
    }
    s.searching.set(false);
    this_seat()->pool.sleepers.strike();
  });
}

TEST(the_queue_of_children_from_outside, serves_who_came_first) {
  injector q;
  constexpr job::kind never_run{nullptr};
  job jobs[]{job(never_run), job(never_run), job(never_run)};
  EXPECT_TRUE(q.empty());
  EXPECT_EQ(q.take().what, nullptr);
  std::uint64_t mode = 0;
  for (job& j : jobs) q.put({&j, fp_mode{++mode}});
  mode = 0;
  for (job& j : jobs) {
    EXPECT_FALSE(q.empty());
    const injector::item i = q.take();
    EXPECT_EQ(i.what, &j);
    EXPECT_EQ(i.mode, fp_mode{++mode});
  }
  EXPECT_TRUE(q.empty());
  EXPECT_EQ(q.take().what, nullptr);
}

}  // namespace
