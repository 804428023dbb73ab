// A long loop of tiny children: neither memory nor steals may grow with it.

#include "memory.hpp"

#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>

namespace {

#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
constexpr long children = 200'000;
constexpr bool sanitized = true;
#else
constexpr long children = 10'000'000;
constexpr bool sanitized = false;
#endif

struct figures {
  long count;
  std::size_t added;
  heist::statistics stats;
};

template <class Loop>
figures run(unsigned workers, Loop loop) {
  heist::options o;
  o.workers = workers;
  heist::pool p(o);
  p.run([] { heist::join([] {}, [] {}); });
  EXPECT_TRUE(reset_peak());
  const std::size_t before = resident_bytes();
  figures f;
  f.count = p.run(loop);
  f.added = peak_resident_bytes() - std::min(before, peak_resident_bytes());
  f.stats = p.stats();
  std::printf("%u workers: %.1f MiB added, %zu steals, %zu stacks at most\n", workers,
              static_cast<double>(f.added) / static_cast<double>(MiB), f.stats.steals, f.stats.stacks_peak);
  return f;
}

long spawn_loop() {
  std::atomic<long> n{0};
  heist::scope s;
  for (long i = 0; i < children; ++i) s.spawn([&] { n.fetch_add(1, std::memory_order_relaxed); });
  s.sync();
  return n;
}

TEST(a_loop_of_ten_million_spawns, adds_less_than_16_MiB_and_less_than_one_in_a_hundred_is_stolen) {
  const figures f = run(2, spawn_loop);
  EXPECT_EQ(f.count, children);
  // Under a sanitizer a spawn takes as long as a steal does, and the thief keeps up.
  if (!sanitized) {
    EXPECT_LE(f.stats.steals, children / 100);
  }
  EXPECT_EQ(f.stats.suspends, f.stats.resumes);
  // A child, its spawner's rest, and whoever looks for more: not a stack for every child.
  EXPECT_LE(f.stats.stacks_peak, 16u);
  EXPECT_TRUE(sanitized || f.added < 16 * MiB) << f.added;
}

TEST(a_loop_of_ten_million_spawns, on_one_worker_needs_two_stacks) {
  const figures f = run(1, spawn_loop);
  EXPECT_EQ(f.count, children);
  EXPECT_EQ(f.stats.stacks_peak, 2u);
  EXPECT_EQ(f.stats.steals, 0u);
  EXPECT_TRUE(sanitized || f.added < MiB) << f.added;
}

// Help-first, but with a bound on the children that wait.
TEST(a_loop_of_ten_million_children_for_later, adds_less_than_16_MiB) {
  const figures f = run(2, [] {
    std::atomic<long> n{0};
    heist::scope s;
    for (long i = 0; i < children; ++i) s.spawn_later([&] { n.fetch_add(1, std::memory_order_relaxed); });
    s.sync();
    return n.load();
  });
  EXPECT_EQ(f.count, children);
  EXPECT_TRUE(sanitized || f.added < 16 * MiB) << f.added;
}

TEST(a_loop_of_ten_million_joins, adds_less_than_16_MiB) {
  const figures f = run(2, [] {
    long n = 0;
    for (long i = 0; i < children; ++i) {
      auto [a, b] = heist::join([] { return 1L; }, [] { return 1L; });
      n += a + b;
    }
    return n / 2;
  });
  EXPECT_EQ(f.count, children);
  EXPECT_EQ(f.stats.suspends, f.stats.resumes);
  EXPECT_TRUE(sanitized || f.added < 16 * MiB) << f.added;
}

}  // namespace
