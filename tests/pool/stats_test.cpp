// What stats() counts, and when.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

// All threads asleep: as many times as woken, or once more for each that got up by itself.
bool rests(heist::pool& p) {
  auto same = [](const heist::statistics& a, const heist::statistics& b) {
    return a.sleeps == b.sleeps && a.wakes == b.wakes && a.steal_attempts == b.steal_attempts;
  };
  return eventually([&] {
    const auto before = p.stats();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto after = p.stats();
    return same(before, after) && after.sleeps >= after.wakes;
  });
}

void expect_sums(const heist::statistics& s) {
  heist::counters sum;
  for (const heist::counters& w : s.workers) {
    sum.steal_attempts += w.steal_attempts;
    sum.steals += w.steals;
    sum.lost += w.lost;
    sum.suspends += w.suspends;
    sum.resumes += w.resumes;
    sum.sleeps += w.sleeps;
    sum.wakes += w.wakes;
    sum.stackless += w.stackless;
    EXPECT_EQ(w.stacks_live, 0u);
    EXPECT_EQ(w.stacks_peak, 0u);
    EXPECT_EQ(w.stack_bytes_peak, 0u);
    EXPECT_LE(w.steals + w.lost, w.steal_attempts);
  }
  EXPECT_EQ(s.steal_attempts, sum.steal_attempts);
  EXPECT_EQ(s.steals, sum.steals);
  EXPECT_EQ(s.lost, sum.lost);
  EXPECT_EQ(s.suspends, sum.suspends);
  EXPECT_EQ(s.resumes, sum.resumes);
  EXPECT_EQ(s.sleeps, sum.sleeps);
  EXPECT_EQ(s.wakes, sum.wakes);
  EXPECT_EQ(s.stackless, sum.stackless);
}

TEST(the_counters, are_all_zero_in_a_pool_that_did_nothing) {
  heist::pool p(workers(3));
  const auto s = p.stats();
  EXPECT_EQ(s.workers.size(), 3u);
  EXPECT_EQ(s.steal_attempts + s.steals + s.lost + s.suspends + s.resumes + s.sleeps + s.wakes + s.stackless, 0u);
  EXPECT_EQ(s.stacks_live + s.stacks_peak + s.stack_bytes_peak, 0u);
}

TEST(the_counters, show_no_trace_of_forks_that_nobody_steals) {
  heist::pool p(workers(1));
  p.run([] { return fib(20); });
  const auto s = p.stats();
  EXPECT_EQ(s.steal_attempts + s.steals + s.lost + s.suspends + s.resumes + s.sleeps + s.wakes + s.stackless, 0u);
  EXPECT_EQ(s.stacks_peak, 1u);
  EXPECT_EQ(s.stacks_live, 0u);
  EXPECT_GT(s.stack_bytes_peak, 0u);
}

// One branch is stolen, and its forker waits for it.
void steal_and_suspend(heist::pool& p) {
  const auto before = p.stats().suspends;
  p.run([&] {
    std::atomic<bool> started{false};
    heist::join([&] { EXPECT_TRUE(eventually([&] { return started.load(); })); },
                [&] {
                  started = true;
                  EXPECT_TRUE(eventually([&] { return p.stats().suspends > before; }));
                });
  });
}

TEST(a_steal, is_counted_by_its_thief_and_among_the_attempts) {
  heist::pool p(workers(2));
  steal_and_suspend(p);
  ASSERT_TRUE(rests(p));
  const auto s = p.stats();
  EXPECT_EQ(s.steals, 1u);
  EXPECT_GE(s.steal_attempts, 1u);
  // The caller borrows a seat and never steals: the thief is the other one.
  EXPECT_EQ(s.workers[0].steals + s.workers[1].steals, 1u);
  expect_sums(s);
}

TEST(a_suspended_strand, is_counted_when_it_parks_and_when_it_goes_on) {
  heist::pool p(workers(2));
  for (std::size_t i = 1; i <= 20; ++i) {
    steal_and_suspend(p);
    const auto s = p.stats();
    EXPECT_EQ(s.suspends, i);
    EXPECT_EQ(s.resumes, i);
  }
}

TEST(a_strand_that_waits_at_a_sync, is_counted_likewise) {
  heist::pool p(workers(2));
  p.run([&] {
    std::atomic<bool> robbed{false};
    heist::scope s;
    s.spawn([&] {
      // The rest of the parent goes on elsewhere, and parks.
      EXPECT_TRUE(eventually([&] { return robbed.load(); }));
      EXPECT_TRUE(eventually([&] { return p.stats().suspends == 1; }));
    });
    robbed = true;
    s.sync();
  });
  const auto s = p.stats();
  EXPECT_EQ(s.steals, 1u);
  EXPECT_EQ(s.suspends, 1u);
  EXPECT_EQ(s.resumes, 1u);
}

TEST(a_worker, is_counted_when_it_is_woken_and_when_it_sleeps) {
  heist::pool p(workers(2));
  std::size_t woken = 0;
  for (int i = 0; i < 5; ++i) {
    steal_and_suspend(p);
    ASSERT_TRUE(rests(p));
    const auto s = p.stats();
    EXPECT_GT(s.wakes, woken);
    EXPECT_GE(s.sleeps, s.wakes);
    woken = s.wakes;
  }
}

TEST(at_rest, every_suspend_has_its_resume_and_no_stack_is_in_use) {
  heist::pool p(workers(8));
  for (int i = 0; i < 20; ++i) {
    p.run([] { return fib(18); });
    p.run([] {
      heist::scope s;
      for (int k = 0; k < 1000; ++k) s.spawn([] { fib(4); });
    });
  }
  ASSERT_TRUE(rests(p));
  const auto s = p.stats();
  expect_sums(s);
  EXPECT_EQ(s.suspends, s.resumes);
  EXPECT_EQ(s.stacks_live, 0u);
  EXPECT_GE(s.stacks_peak, 1u);
  EXPECT_GE(s.stack_bytes_peak, s.stacks_peak * 4096);
  EXPECT_EQ(s.stackless, 0u);
}

// Two strands are parked at known places: the root, and a branch in it.
TEST(stacks, are_counted_while_they_are_in_use_or_parked) {
  heist::pool p(workers(2));
  p.run([&] {
    EXPECT_EQ(p.stats().stacks_live, 1u);
    heist::scope s;
    s.spawn([&] { EXPECT_GE(p.stats().stacks_live, 2u); });  // the parent's and the child's
    s.sync();
  });
  EXPECT_GE(p.stats().stacks_peak, 2u);
}

TEST(stack_bytes_peak, grows_with_what_a_strand_touches) {
  heist::pool p(workers(1));
  p.run([] {});
  EXPECT_LE(p.stats().stack_bytes_peak, 64u * 1024);
  p.run([] {
    volatile char big[512 * 1024];
    for (std::size_t i = 0; i < sizeof big; i += 1024) big[i] = 1;
  });
  const auto after = p.stats().stack_bytes_peak;
  EXPECT_GE(after, 512u * 1024);
  EXPECT_LE(after, (512u + 64u) * 1024);
  p.run([] {});
  EXPECT_EQ(p.stats().stack_bytes_peak, after);
}

TEST(callers_on_temporary_seats, are_counted_past_the_pools_workers) {
  heist::pool p(workers(1));
  EXPECT_EQ(p.stats().workers.size(), 1u);
  constexpr int callers = 4;
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&] {
      p.run([&] {
        ++inside;
        EXPECT_TRUE(eventually([&] { return inside == callers; }));
        fib(10);
      });
    });
  for (std::thread& t : threads) t.join();
  const auto s = p.stats();
  EXPECT_GE(s.workers.size(), static_cast<std::size_t>(callers));
  EXPECT_LE(s.workers.size(), static_cast<std::size_t>(callers) + 1);
  expect_sums(s);
}

TEST(stats, may_be_read_while_the_pool_works) {
  heist::pool p(workers(4));
  std::atomic<bool> over{false};
  std::thread reader([&] {
    heist::statistics last;
    while (!over) {
      const auto s = p.stats();
      EXPECT_GE(s.steals, last.steals);
      EXPECT_GE(s.stacks_peak, last.stacks_peak);
      EXPECT_GE(s.stack_bytes_peak, last.stack_bytes_peak);
      last = s;
    }
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(p.run([] { return fib(15); }), 610);
  over = true;
  reader.join();
}

}  // namespace
