// A pool with nothing to do does nothing.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <thread>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

std::map<std::string, long> voluntary_switches() {
  std::map<std::string, long> all;
  for (const thread_seen& t : heist_threads()) all[t.name] = t.voluntary_switches;
  return all;
}

bool nobody_runs() {
  for (const thread_seen& t : heist_threads())
    if (t.state != 'S') return false;
  return true;
}

// 100 ms after the last job every worker sleeps, and stays asleep. On a machine whose processors others use, a thread may
// not have come to its futex yet: it is given time as long as the kernel says that it wants to run.
void expect_sleep(heist::pool& p, std::chrono::milliseconds for_how_long) {
  std::this_thread::sleep_for(100ms);
  ASSERT_TRUE(eventually(nobody_runs));
  const auto before = p.stats();
  const auto switches_before = voluntary_switches();
  std::this_thread::sleep_for(for_how_long);
  const auto switches_after = voluntary_switches();
  const auto after = p.stats();
  EXPECT_EQ(after.wakes, before.wakes);
  EXPECT_EQ(after.sleeps, before.sleeps);
  EXPECT_EQ(after.steal_attempts, before.steal_attempts);
  EXPECT_EQ(switches_after, switches_before);
}

TEST(an_idle_pool_of_8_workers, wakes_none_of_them_for_5_seconds) {
  heist::pool p(workers(8));
  meet(p, 8);
  ASSERT_TRUE(eventually([] { return heist_threads().size() >= 7; }));
  expect_sleep(p, 5000ms);
}

// Tiny catches make thieves wait a while before they ask for work again: that must come to an end, too.
TEST(an_idle_pool, sleeps_after_a_loop_of_tiny_spawns) {
  heist::pool p(workers(8));
  std::atomic<long> n{0};
  p.run([&] {
    heist::scope s;
    for (int i = 0; i < 100'000; ++i) s.spawn([&] { n.fetch_add(1, std::memory_order_relaxed); });
  });
  EXPECT_EQ(n, 100'000);
  expect_sleep(p, 300ms);
}

// A caller that computes without a fork gives the others nothing to do.
TEST(workers, sleep_while_a_root_runs_that_forks_nothing) {
  heist::pool p(workers(8));
  meet(p, 8);
  p.run([&] { expect_sleep(p, 300ms); });
}

TEST(workers, sleep_while_a_root_waits_for_a_mutex) {
  heist::pool p(workers(4));
  heist::mutex m;
  m.lock();
  std::atomic<bool> waits{false};
  std::thread caller([&] {
    p.run([&] {
      waits = true;
      m.lock();
      m.unlock();
    });
  });
  EXPECT_TRUE(eventually([&] { return waits.load(); }));
  expect_sleep(p, 300ms);
  m.unlock();
  caller.join();
}

}  // namespace
