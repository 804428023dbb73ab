// Simulated clusters: nothing is lost, the bounds hold, the rules do what they say.

#include <analysis/cluster/holdings.hpp>
#include <analysis/cluster/options.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace heist::clusters;

options small() {
  options o;
  o.machines = 16;
  o.cores = 4;
  o.nodes = 100'000'000;
  o.grain = 1'000;
  return o;
}

constexpr lifelines all_lifelines[] = {lifelines::off, lifelines::all, lifelines::cube};
constexpr amount all_amounts[] = {amount::one, amount::half};

TEST(Tree, SplitsIntoAllOfItsNodes) {
  const tree t(3);
  subtree s{7, 1'000'000'000'000};
  while (s.nodes > 1) {
    const auto [a, b] = t.split(s);
    ASSERT_EQ(a.nodes + b.nodes + 1, s.nodes);
    s = a.nodes > b.nodes ? a : b;
  }
}

TEST(Tree, FindsThePathOfAWholeSmallTree) {
  const tree t(3);
  const auto depth = [&](auto&& self, const subtree& s) -> double {
    if (s.nodes == 0) return 0;
    const auto [a, b] = t.split(s);
    return 1 + std::max(self(self, a), self(self, b));
  };
  for (std::uint64_t id = 1; id < 20; ++id) EXPECT_EQ(t.long_path({id, 3'000}), depth(depth, {id, 3'000}));
}

// Whatever is taken, and whenever: what was done, what was given and what is left are the whole.
TEST(Holdings, WorkAndGiftsAddUp) {
  const tree t(3);
  for (const bool half : {false, true})
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      heist::analysis::stream random(seed);
      holdings h;
      h.add({0, {{seed, 1'000'000}}}, 5);
      double done = 0, given = 0, now = 5;
      for (int i = 0; i < 40; ++i) {
        now = std::min(now + 3'000 * random.unit(), h.batch_ends(4));
        done += h.work_until(now, 4);
        if (auto g = h.give(t, 500, half))
          for (const subtree& s : g->parts) {
            EXPECT_GE(s.nodes, 500u);
            given += double(s.nodes);
          }
        ASSERT_NEAR(done + given + h.nodes_left(), 1e6, 1e-3) << "seed " << seed;
        if (h.nodes_left() < 1) break;
      }
    }
}

TEST(Holdings, GivesTheOldestAndNotWhatItWorksOn) {
  const tree t(1);
  holdings h;
  h.add({3, {{1, 100'000}, {2, 50'000}, {9, 10'000}}}, 0);
  const auto first = h.give(t, 20'000, false);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->from, 3u);
  EXPECT_EQ(first->parts[0].id, 1u);
  EXPECT_EQ(h.give(t, 20'000, false)->parts[0].id, 2u);
  EXPECT_FALSE(h.give(t, 20'000, false));
}

TEST(Cluster, DoesEveryNodeOnceWhateverTheRules) {
  for (const lifelines l : all_lifelines)
    for (const amount a : all_amounts)
      for (const bool flat : {false, true})
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
          options o = small();
          o.lifelines = l, o.steal = a, o.flat = flat, o.seed = seed;
          o.nodes = 3'000'000;
          const report r = simulate(o);
          ASSERT_NEAR(r.done, double(o.nodes), 1e-3 * double(o.nodes) / 1e3) << int(l) << int(a) << flat;
          ASSERT_GE(r.time, o.best());
          ASSERT_EQ(r.results, r.loans) << "each loan comes back once";
          ASSERT_LE(r.bytes_constant(o), 30);
        }
}

TEST(Cluster, OneMachineNeedsNoMessages) {
  options o = small();
  o.machines = 1;
  const report r = simulate(o);
  EXPECT_EQ(r.messages, 0u);
  EXPECT_NEAR(r.time, o.best() + r.path, 1);
}

TEST(Cluster, IsTheSameFromTheSameSeed) {
  const report a = simulate(small()), b = simulate(small());
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.messages, b.messages);
  options other = small();
  other.seed = 2;
  EXPECT_NE(simulate(other).time, a.time);
}

TEST(Cluster, LatencyCostsTime) {
  options near = small(), far = small();
  near.latency = 100, far.latency = 20'000;
  EXPECT_LT(simulate(near).time, 0.95 * simulate(far).time);
}

TEST(Cluster, LifelinesSaveMessagesWhereNobodyHasWork) {
  options o = small();
  o.nodes = 1'000'000;  // nothing for most of them
  o.grain = 200'000;
  o.node = 10;
  options asks_on = o;
  asks_on.lifelines = lifelines::off;
  EXPECT_LT(simulate(o).messages, simulate(asks_on).messages / 2);
}

TEST(Cluster, LosesWorkByCrashesButEnds) {
  double lost = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    options o = small();
    o.crashes = 8, o.suspect = 20'000, o.seed = seed;
    const report r = simulate(o);
    EXPECT_GT(r.deaths, 0u);
    EXPECT_NEAR(r.done - r.lost, double(o.nodes), 1e-3 * double(o.nodes));
    lost += r.lost;
  }
  EXPECT_GT(lost, 0);
}

// The figure that the project promises.
TEST(Cluster, KeepsAThousandMachinesBusyAtAMillisecond) {
  const options o;
  const report r = simulate(o);
  EXPECT_GE(r.efficiency(o), 0.9);
  EXPECT_LE(r.bytes_constant(o), 2);
}

}  // namespace
