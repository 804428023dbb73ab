// Work and span in units of strands are those of the program's dag, on every schedule.

#include <tests/meter/measured.hpp>

#include <heist/base/sanitizer.hpp>

#include <algorithm>

namespace {

using namespace heist_test;

INSTANTIATE_TEST_SUITE_P(, measured, testing::Values(1u, 2u, 8u));

TEST_P(measured, nothing_is_one_strand) {
  expect({1, 1, 0}, [] {});
}

// Each of the n − 1 forks has a strand before and one after it, and there are n leaves; the path has two strands a level, and
// a leaf.
TEST_P(measured, a_balanced_tree_of_joins) {
  constexpr int depth = 10;
  constexpr double leaves = 1 << depth;
  expect({2 * (leaves - 1) + leaves, 2 * depth + 1, (1 << depth) - 1}, [] { balanced(depth); });
}

// Fibonacci's: one side is always a level deeper than the other.
void skewed(int depth) {
  if (depth < 2) return dawdle(depth);
  heist::join([=] { skewed(depth - 1); }, [=] { skewed(depth - 2); });
}
std::size_t skewed_forks(int depth) {
  return depth < 2 ? 0 : 1 + skewed_forks(depth - 1) + skewed_forks(depth - 2);
}

// A fork makes four strands of one. The path is that of the deeper sides.
TEST_P(measured, a_skewed_tree_of_joins) {
  constexpr int depth = 14;
  const std::size_t forks = skewed_forks(depth);
  expect({3 * static_cast<double>(forks) + 1, 2 * (depth - 1) + 1, forks}, [] { skewed(depth); });
}

void chain(int n) {
  if (n == 0) return;
  heist::join([] { dawdle(3); }, [=] { chain(n - 1); });
}
void backward_chain(int n) {
  if (n == 0) return;
  heist::join([=] { backward_chain(n - 1); }, [=] { dawdle(n); });
}

TEST_P(measured, a_chain_has_no_parallelism) {
  expect({3 * 500 + 1, 2 * 500 + 1, 500}, [] { chain(500); });
  expect({3 * 500 + 1, 2 * 500 + 1, 500}, [] { backward_chain(500); });
}

// n children of one strand each; n strands before a spawn, one before the sync, one after it. The path is that of the loop:
// the strands before the spawns, then the last child or the strand before the sync, and the one after it.
TEST_P(measured, a_loop_of_spawns_is_as_long_as_the_loop) {
  constexpr int n = 1'000;
  expect({2 * n + 2, n + 2, n}, [] {
    heist::scope s;
    for (int i = 0; i < n; ++i) s.spawn([i] { dawdle(i); });
    s.sync();
    s.sync();  // nothing to wait for: no end of a strand
  });
}

// A child that costs so much beside its strand.
auto child(int i, std::size_t extra) {
  return [=] {
    dawdle(i);
    heist::charge(extra);
  };
}

// That counts where it is longest: the first child with a thousand.
TEST_P(measured, the_longest_child_makes_the_path) {
  constexpr int n = 300;
  expect({2 * n + 2 + 1'000 + 500, 3 + 1'000, n}, [] {
    heist::scope s;
    for (int i = 0; i < n; ++i) s.spawn(child(i, i == 0 ? 1'000 : i == n - 1 ? 500 : 0));
  });
}

TEST_P(measured, children_of_spawn_later_begin_where_they_were_left) {
  constexpr int n = 300;
  expect({2 * n + 2 + 1'000, n + 1 + 1 + 1'000, n}, [] {
    heist::scope s;
    for (int i = 0; i < n; ++i) s.spawn_later(child(i, i == n - 1 ? 1'000 : 0));
  });
}

// Past as many as may wait, a child runs at once. What it costs is not its parent's, too: the path has the strand that follows
// each spawn, and one child, not the 1,976 that ran at once.
TEST(measured_late, children_that_run_at_once_are_not_on_their_parents_path) {
  constexpr int n = 3'000, extra = 1'000;
  heist::pool one({.workers = 1});
  const auto measured = [&](auto child, unit of) {
    return one.run([&] {
      return heist::measure(
          [&] {
            heist::scope s;
            for (int i = 0; i < n; ++i) s.spawn_later(child);
          },
          of);
    });
  };
  const measurement counted = measured([] { heist::charge(extra); }, unit::strand);
  EXPECT_GE(counted.work, double{n} * extra);
  EXPECT_LE(counted.span, n + 2 + extra + 1);

  // Nor is its time: the parallelism would be 2.5 at most, in every round. A core that is lost may make a child long; so it is
  // enough if one round of many has more.
  bool more = false;
  for (int round = 0; round < 100 && !more; ++round) {
    const measurement timed = measured(
        [] {
#if defined(HEIST_TSAN)
          constexpr int turns = 200'000;  // a spawn takes longer, too
#else
          constexpr int turns = 5'000;
#endif
          for (int spin = 0; spin < turns; ++spin) asm volatile("");
        },
        unit::time);
    more = timed.work > 5 * timed.span;
  }
  EXPECT_TRUE(more);
}

// Scopes that are open before the measurement, or after it.
TEST_P(measured, a_child_that_was_queued_before_counts_from_its_sync) {
  for (int round = 0; round < rounds(60); ++round)
    pool.run([] {
      heist::scope s;
      for (int i = 0; i < 3; ++i) s.spawn_later([i] { dawdle(i); });
      const measurement m = heist::measure([&] { s.sync(); }, unit::strand);
      EXPECT_GE(m.work, 1);
    });
}

TEST_P(measured, a_child_that_is_robbed_in_it_and_joined_after_it_does_no_harm) {
  for (int round = 0; round < rounds(300); ++round)
    pool.run([round] {
      heist::scope s;
      static_cast<void>(heist::measure([&] { s.spawn([round] { dawdle(round); }); }));
      s.sync();
    });
}

TEST(a_measurement, of_nothing_has_a_speedup_of_one) {
  const measurement none;
  EXPECT_EQ(none.speedup_on(8).least, 1);
  EXPECT_EQ(none.speedup_on(8).most, 1);
}

// Frames of 4 KiB, one below another, by joins and by children; each may be stolen.
template <class Fork>
void deep(int levels, Fork fork) {
  char frame[4096];
  asm volatile("" ::"r"(frame) : "memory");  // there, and not only those of its bytes that are used
  dawdle(levels);
  if (levels > 0) fork([=] { deep(levels - 1, fork); });
  asm volatile("" ::"r"(frame) : "memory");
}

// The deepest point is where the serial program has it, whoever was robbed; frames differ a little.
TEST_P(measured, serial_space_is_that_of_the_serial_program) {
  constexpr int levels = 50;
  auto by_join = [](auto below) { heist::join([] { dawdle(5); }, below); };
  auto by_spawn = [](auto below) {
    heist::scope s;
    s.spawn(below);
    dawdle(5);
  };
  auto space = [](heist::pool& in, auto fork) {
    return static_cast<double>(in.run([&] { return heist::measure([=] { deep(levels, fork); }); }).serial_space);
  };
  heist::pool one({.workers = 1});
  const double joins = space(one, by_join), spawns = space(one, by_spawn);
#if !defined(HEIST_ASAN)  // which keeps such frames elsewhere
  EXPECT_GT(joins, levels * 4096);
  EXPECT_LT(joins, (levels + 1) * 5500);
  EXPECT_GT(spawns, levels * 4096);
  EXPECT_LT(spawns, (levels + 1) * 6500);
#endif
  for (int round = 0; round < rounds(60); ++round) {
    ASSERT_NEAR(space(pool, by_join), joins, 0.2 * joins);
    ASSERT_NEAR(space(pool, by_spawn), spawns, 0.2 * spawns);
  }
}

// A scope in a join in a scope, on several levels.
void mixed(int depth) {
  if (depth == 0) return heist::charge(7);
  heist::scope s;
  s.spawn([=] { mixed(depth - 1); });
  heist::join([=] { mixed(depth - 1); }, [=] { dawdle(depth); });
  s.spawn([=] {
    dawdle(depth);
    mixed(depth - 1);
  });
}

// By recursion on its text: a strand is 1, a fork ends one, an end of a branch ends one, a sync ends one.
dag mixed_dag(int depth) {
  if (depth == 0) return {1 + 7, 1 + 7, 0};
  const dag inner = mixed_dag(depth - 1);
  // before spawn; child; before join; two branches; after join, before spawn; child; before sync; after sync
  const double before_spawn = 1, join = 1 + std::max(inner.span, 1.), second = join + 1;
  return {1 + inner.work + 1 + inner.work + 1 + 1 + inner.work + 1 + 1,
          std::max({before_spawn + inner.span, before_spawn + second + inner.span, before_spawn + second + 1}) + 1,
          3 * inner.forks + 3};
}

TEST_P(measured, scopes_and_joins_in_each_other) {
  expect(mixed_dag(5), [] { mixed(5); });
}

// Charged with the comparisons they stand for: a serial merge makes the span linear, a parallel one does not.
double log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

void sort_with_serial_merge(int n) {
  if (n <= 1) return;
  heist::join([=] { sort_with_serial_merge(n / 2); }, [=] { sort_with_serial_merge(n / 2); });
  heist::charge(static_cast<std::size_t>(n));
}

TEST_P(measured, merge_sort_with_a_serial_merge_has_a_linear_span) {
  constexpr int n = 1 << 9;
  const double strands = 3 * n - 2, levels = log2_of(n);
  expect({strands + n * levels, 2 * levels + 1 + 2 * n - 2, n - 1}, [] { sort_with_serial_merge(n); });
}

void merge_in_parallel(int n) {
  if (n <= 1) return heist::charge(1);
  heist::join([=] { merge_in_parallel(n / 2); }, [=] { merge_in_parallel(n / 2); });
}
void sort_with_parallel_merge(int n) {
  if (n <= 1) return;
  heist::join([=] { sort_with_parallel_merge(n / 2); }, [=] { sort_with_parallel_merge(n / 2); });
  merge_in_parallel(n);
}

TEST_P(measured, merge_sort_with_a_parallel_merge_has_a_short_one) {
  constexpr int n = 1 << 9;
  // On each level, a fork and a merge of lg(size) forks; each of its leaves stands for a comparison.
  double span = 1;
  std::size_t forks = n - 1;
  for (int size = 2; size <= n; size *= 2) {
    span += 2 + 2 * log2_of(size) + 1;
    forks += static_cast<std::size_t>(n / size * (size - 1));
  }
  const double work = 3 * static_cast<double>(forks) + 1 + n * log2_of(n);
  expect({work, span, forks}, [] { sort_with_parallel_merge(n); });
  EXPECT_GT(work / span, 60);
}

}  // namespace
