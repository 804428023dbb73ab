// What the scheduler decides, apart from the schedules on which it matters: when owners share, how long a worker naps, whose
// turn it is in the queue.

#include "tests/private.hpp"
#include "tests/support.hpp"

#include <heist/sched/fencing.hpp>
#include <heist/sched/injector.hpp>
#include <heist/sched/place.hpp>
#include <heist/sched/robbery.hpp>
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

struct patience {
  using type = nanoseconds (heist::detail::search::*)(const pool_thread&) const noexcept;
};
struct ask_to_share {
  using type = bool (robbery::*)() noexcept;
};
struct judge_catch {
  using type = void (*)(pool_thread&) noexcept;
};
struct find {
  using type = heist::detail::search::catch_of (heist::detail::search::*)(pool_thread&) noexcept;
};

}  // namespace

template struct heist_test::opened<patience, &heist::detail::search::patience>;
template struct heist_test::opened<ask_to_share, &robbery::ask_to_share>;
template struct heist_test::opened<judge_catch, &heist::detail::search::judge_catch>;
template struct heist_test::opened<find, &heist::detail::search::find>;

namespace {

TEST(the_cost_of_a_heavy_fence, comes_to_rest_at_the_median_and_has_bounds) {
  heist::pool(heist_test::workers(1)).run([] {
    fencing& f = this_seat()->pool.fences;
    const nanoseconds first = f.heavy_cost();
    f.learn(1'000'000'000);  // lost its core
    EXPECT_GT(f.heavy_cost(), first);
    EXPECT_LE(f.heavy_cost(), first + first / 32);
    for (int i = 0; i < 1'000; ++i) f.learn(i % 4 == 0 ? 1'000'000'000 : i % 4 == 1 ? 1 : 9'000);
    EXPECT_GT(f.heavy_cost(), 8'000);
    EXPECT_LT(f.heavy_cost(), 10'000);
    for (int i = 0; i < 1'000; ++i) f.learn(1);
    EXPECT_EQ(f.heavy_cost(), 500);
    for (int i = 0; i < 1'000; ++i) f.learn(1'000'000);
    EXPECT_EQ(f.heavy_cost(), 50'000);
    for (const unsigned few : {1u, 2u, 31u}) EXPECT_EQ(f.patience(few), 50'000 / 4);
    EXPECT_EQ(f.patience(32), 50'000 / 2);
    for (const unsigned many : {64u, 1024u}) EXPECT_EQ(f.patience(many), 50'000);
  });
}

// A strand that was parked or stolen since may be at the same index of the same deque inside a join.
TEST(a_scope, is_not_at_its_base_when_its_strand_has_moved) {
  heist::pool(heist_test::workers(1)).run([] {
    place_of_scope here;
    EXPECT_TRUE(here.at_base());
    heist::join([&] { EXPECT_FALSE(here.at_base()); }, [] {});
    EXPECT_TRUE(here.at_base());
    stack& mine = *this_seat()->running.get();
    mine.moves.set(mine.moves.get() + 1);
    EXPECT_FALSE(here.at_base());
    here.note_base();
    EXPECT_TRUE(here.at_base());
  });
}

TEST(an_owner, is_asked_to_share_all_where_fences_are_symmetric_or_missing) {
  for (const auto chosen : {heist::fences::automatic, heist::fences::asymmetric, heist::fences::symmetric}) {
    heist::options o = heist_test::workers(1);
    o.fences = chosen;
    try {
      heist::pool p(o);
      auto as_chosen = [&] {
        const seat& s = *this_seat();
        EXPECT_EQ(s.asked(request::share_all), chosen == heist::fences::symmetric || s.pool.fences.pushers_fence());
      };
      p.run([&] {
        as_chosen();
        std::thread([&] { p.run(as_chosen); }).join();  // on a seat made for it
      });
    } catch (const std::invalid_argument&) {
      EXPECT_EQ(chosen, heist::fences::asymmetric);  // no membarrier
    }
  }
}

TEST(an_owner, shares_at_its_next_fork_when_it_is_asked_and_not_before) {
  heist::pool(heist_test::workers(1)).run([] {
    seat& s = *this_seat();
    if (s.pool.fences.owners_share()) GTEST_SKIP() << "no membarrier: owners always share";
    heist::join([] {}, [] {});  // raises the limit, if the root's start has lowered it
    heist::join(
        [&] {
          EXPECT_FALSE(s.jobs.seems_shared());
          s.ask(request::share);
          EXPECT_FALSE(s.jobs.seems_shared());
          heist::join(
              [&] {
                EXPECT_TRUE(s.jobs.seems_shared());
                EXPECT_FALSE(s.asked(request::share));
              },
              [] {});
        },
        [] {});
    EXPECT_FALSE(s.jobs.seems_shared());
  });
}

TEST(an_owner, that_does_not_answer_is_not_waited_for_again_until_it_does) {
  heist::pool(heist_test::workers(1)).run([] {
    seat& s = *this_seat();
    if (s.pool.fences.owners_share()) GTEST_SKIP() << "no membarrier: owners always share";
    auto ask = [&] { return (robbery(s.pool, heist::steal::one, nullptr, thread_at(s), s).*member<ask_to_share>)(); };
    heist::join([] {}, [] {});
    heist::join(
        [&] {
          EXPECT_FALSE(ask());
          EXPECT_TRUE(s.deaf);
          EXPECT_TRUE(s.asked(request::share));  // nevertheless
          EXPECT_FALSE(ask());
          heist::join([&] { EXPECT_FALSE(s.deaf); }, [] {});
          EXPECT_TRUE(ask());  // one is left of what it shared
        },
        [] {});
  });
}

// A worker that found nothing so often, or next to nothing.
nanoseconds nap(unsigned most_backoff, unsigned fruitless, unsigned tiny) {
  heist::options o = heist_test::workers(1);
  o.most_backoff = most_backoff;
  return heist::pool(o).run([&] {
    pool_thread& s = thread_at(*this_seat());
    s.fruitless.set(fruitless);
    s.tiny.set(tiny);
    scheduler& pool = this_seat()->pool;
    return (pool.search.*member<patience>)(s) / pool.fences.heavy_cost();
  });
}

TEST(a_nap, grows_with_each_fruitless_search_up_to_what_the_options_allow) {
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
    pool_thread& s = thread_at(*this_seat());
    auto judge = [&](nanoseconds lasted, nanoseconds cost) {
      s.busy_since.set(now() - lasted);
      s.paid.set(cost);
      member<judge_catch>(s);
    };
    constexpr nanoseconds second = 1'000'000'000, hour = 3600 * second;
    s.fruitless.set(2);
    s.tiny.set(0);
    judge(second, hour);
    judge(3 * hour / 2, hour);
    EXPECT_EQ(s.tiny.get(), 2u);
    EXPECT_EQ(s.fruitless.get(), 2u);
    for (int i = 0; i < 100; ++i) judge(second, hour);
    EXPECT_EQ(s.tiny.get(), 16u);  // a nap is that shifted by so much: not for ever
    judge(3 * hour, hour);
    EXPECT_EQ(s.tiny.get(), 0u);
    EXPECT_EQ(s.fruitless.get(), 0u);
  });
}

TEST(a_search, that_finds_nothing_counts_as_fruitless_up_to_16) {
  heist::options o = heist_test::workers(1);
  o.most_backoff = 0;  // or it would not search
  o.search_time = std::chrono::nanoseconds(0);
  heist::pool(o).run([] {
    pool_thread& s = thread_at(*this_seat());
    s.paid.set(0);
    s.searching.set(true);  // as one that was roused for nothing
    this_seat()->pool.sleepers.begin_search();
    for (unsigned i = 1; i < 40; ++i) {
      EXPECT_FALSE((this_seat()->pool.search.*member<find>)(s));
      EXPECT_EQ(s.fruitless.get(), std::min(i, 16u));
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
  for (job& j : jobs) q.put({{&j, {fp_mode{++mode}, false}}});
  mode = 0;
  for (job& j : jobs) {
    EXPECT_FALSE(q.empty());
    const injector::item i = q.take();
    EXPECT_EQ(i.what, &j);
    EXPECT_EQ(i.its.mode, fp_mode{++mode});
  }
  EXPECT_TRUE(q.empty());
  EXPECT_EQ(q.take().what, nullptr);
}

TEST(the_queue_of_children_from_outside, gives_out_an_item_for_its_ticket_once) {
  injector q;
  constexpr job::kind never_run{nullptr};
  job jobs[]{job(never_run), job(never_run), job(never_run), job(never_run)};
  heist::detail::ticket held[4];
  for (int i = 0; i < 4; ++i) q.put({{&jobs[i], {}}, i == 3 ? &jobs[3] : nullptr, &held[i]});
  EXPECT_EQ(q.take(held[1]).what, &jobs[1]);
  EXPECT_EQ(q.take(held[1]).what, nullptr);
  EXPECT_TRUE(q.has(&jobs[3]));
  EXPECT_EQ(q.take().what, &jobs[0]);
  EXPECT_EQ(q.take(held[0]).what, nullptr);
  EXPECT_EQ(q.take(&jobs[3]).what, &jobs[3]);
  EXPECT_EQ(q.take(held[3]).what, nullptr);
  EXPECT_FALSE(q.has(&jobs[3]));
  EXPECT_EQ(q.take().what, &jobs[2]);
  EXPECT_TRUE(q.empty());
  EXPECT_EQ(q.take().what, nullptr);
}

}  // namespace
