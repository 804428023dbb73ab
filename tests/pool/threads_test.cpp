// When threads start, and what they are called.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>

namespace {

using namespace heist_test;

std::set<std::string> names() {
  std::set<std::string> all;
  for (const thread_seen& t : heist_threads()) all.insert(t.name);
  return all;
}

TEST(a_pool, starts_no_thread_when_it_is_made) {
  ASSERT_TRUE(names().empty());
  heist::pool p(workers(8));
  EXPECT_TRUE(names().empty());
}

TEST(a_pool, starts_no_thread_for_a_root_that_forks_nothing) {
  heist::pool p(workers(8));
  for (int i = 0; i < 1000; ++i) p.run([] {});
  EXPECT_TRUE(names().empty());
}

TEST(a_pool_of_one_worker, runs_joins_on_its_caller_without_any_thread) {
  heist::pool p(workers(1));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(p.run([] { return fib(15); }), 610);
  EXPECT_TRUE(names().empty());
  const auto s = p.stats();
  EXPECT_EQ(s.steal_attempts, 0u);
  EXPECT_EQ(s.suspends, 0u);
}

// The caller borrows one seat, so that one name is missing until its thread is needed, too.
TEST(a_worker, is_a_thread_named_by_its_number) {
  heist::pool p(workers(4));
  meet(p, 4);
  const std::set<std::string> allowed = {"heist-0", "heist-1", "heist-2", "heist-3"};
  EXPECT_TRUE(eventually([&] { return names().size() >= 3; }));
  for (const std::string& n : names()) EXPECT_TRUE(allowed.contains(n)) << n;
}

TEST(a_pool, starts_no_more_threads_than_workers) {
  heist::pool p(workers(3));
  for (int i = 0; i < 50; ++i) meet(p, 3);
  EXPECT_LE(heist_threads().size(), 3u);
}

TEST(a_pool, ends_its_threads_with_itself) {
  {
    heist::pool p(workers(8));
    meet(p, 8);
    EXPECT_TRUE(eventually([&] { return heist_threads().size() >= 7; }));
  }
  // The kernel may list a joined thread for a moment more.
  EXPECT_TRUE(eventually([&] { return heist_threads().empty(); }));
}

}  // namespace
