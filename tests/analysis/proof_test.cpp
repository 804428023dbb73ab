// The proof, watched: what it says of every run holds in these.

#include <analysis/dag/io.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/proof/augmented.hpp>
#include <analysis/proof/bounds.hpp>
#include <analysis/proof/contention.hpp>
#include <analysis/proof/recycling.hpp>
#include <analysis/proof/union_bound.hpp>
#include <analysis/proof/watch.hpp>
#include <analysis/sim/invariants.hpp>
#include <analysis/sim/sweep.hpp>

#include <gtest/gtest.h>

namespace {

using namespace heist::analysis;

TEST(RecyclingGame, DelaysNoMoreThanItTossesOnAverage) {
  for (const auto& [name, how] : tossers()) {
    sample delays;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) delays.add(static_cast<double>(play(32, 1000, how, seed)));
    EXPECT_LE(delays.mean(), 1000) << name;
    EXPECT_LE(delays.quantile(0.99), recycling_bound(32, 1000, 0.01)) << name;
    if (how == tosser::single) {
      EXPECT_EQ(delays.max(), 0);
    } else {
      EXPECT_GT(delays.min(), 0) << name;
    }
  }
  EXPECT_EQ(play(1, 100, tosser::eager, 1), 0u);
}

TEST(RecyclingGame, HasTheDelayOfABirthdayWhenAllAreTossedAtOnce) {
  // Two balls: they meet with a chance of 1/2, and one of them waits for a step.
  sample delays;
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    delays.add(static_cast<double>(play(2, 200, tosser::hoarder, seed)));
  EXPECT_NEAR(delays.mean(), 50, 2);
}

double contended_work(std::uint32_t processes, retry how, served order) {
  double work = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    work += static_cast<double>(update_one_location(processes, how, order, seed).work) / 3;
  return work;
}

// n^3 / 3 without delays: of the n that wait in a queue, only the first has seen the latest value, so each update needs
// n swaps. With exponential delays n^2 lg n.
TEST(Contention, IsCubicWithoutBackoffAndNearlySquareWithIt) {
  for (const std::uint32_t n : {64u, 256u, 1024u}) {
    const double x = n, square_log = x * x * std::log2(x);
    EXPECT_NEAR(contended_work(n, retry::at_once, served::oldest) / (x * x * x), 1.0 / 3, 0.01) << n;
    EXPECT_NEAR(contended_work(n, retry::exponential, served::oldest) / square_log, 0.9, 0.1) << n;
    // Whoever came last has seen the latest value: backoff has nothing to save.
    EXPECT_NEAR(contended_work(n, retry::at_once, served::newest) / (x * x), 1, 0.05) << n;
    EXPECT_NEAR(contended_work(n, retry::exponential, served::newest) / (x * x), 1.1, 0.05) << n;
  }
}

TEST(Contention, OfOneProcessIsAReadAndASwap) {
  for (const auto& [name, order] : orders_of_service()) {
    const updates one = update_one_location(1, retry::exponential, order, 1);
    EXPECT_EQ(one.work, 2u) << name;
    EXPECT_EQ(one.time, 2u) << name;
    EXPECT_EQ(one.attempts, 1u) << name;
    // The second process read before the first one's swap: it fails once, and reads again.
    const updates two = update_one_location(2, retry::at_once, order, 1);
    EXPECT_EQ(two.attempts, 3u) << name;
    EXPECT_EQ(two.time, 5u) << name;
    EXPECT_EQ(two.work, 2u + 2 + 1 + 1 + 1) << name;
  }
}

TEST(WaitingThieves, WaitNoMoreThanTheyAskOnAverage) {
  const auto c = make_shape("fib:16");
  double steal = 0, wait = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    options o;
    o.processors = 64;
    o.seed = seed;
    const report r = simulate(*c, o);
    steal += static_cast<double>(r.steal);
    wait += static_cast<double>(r.wait);
  }
  EXPECT_GT(wait, 0);
  EXPECT_LE(wait, steal);
}

TEST(AugmentedDag, IsAtMostTwiceAsLong) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const dag d = random_dag(seed, 400, random_kind::fully_strict);
    const std::uint64_t span = measure(d).span, longer = augmented_span(d);
    EXPECT_GE(longer, span);
    EXPECT_LE(longer, 2 * span);
  }
  // v1 v2 v16 v3 v6 v9 v13 v10 v11 v12 v15 v23: the continuations v16 and v13 come before the children v3 and v10.
  EXPECT_EQ(augmented_span(read_file(EXAMPLES "figure1.dag")), 12u);
}

TEST(CriticalInstructions, AreNearATopAndDoNotStay) {
  double staying = 0, runs = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const dag d = random_dag(seed, 2000, random_kind::fully_strict);
    for (const std::uint32_t p : {2u, 8u, 32u}) {
      const delay_report r = watch_delays(proof_subject(d), p, seed);
      EXPECT_LE(r.most_above, 1u) << seed;
      staying += r.staying.size() > 3 ? r.staying[3] : 0;
      ++runs;
    }
  }
  EXPECT_LE(staying / runs, std::exp(3.0 - 2 * 3));
}

TEST(Potential, NeverGrowsAndIsMostlyAtTheTops) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    proof_report r = watch(proof_subject(random_dag(seed, 2000, random_kind::binary)), 8, seed);
    EXPECT_EQ(r.queued.growths, 0u) << seed;
    EXPECT_GE(r.queued.tops.min(), 0.75 - 1e-9) << seed;
    EXPECT_GE(r.queued.quarter, 0.25) << seed;
    // The other way round it does grow: a steal makes it three times as much.
    EXPECT_GT(r.executing.growths, 0u) << seed;
  }
}

// A spawn leaves two instructions at depth d + 1 where there was one at d. With powers of three they count less together,
// with linear weights nearly twice as much.
TEST(Potential, IsSaidToBreakOnlyWhereSomethingIsClaimed) {
  proof_report::potential grown;
  grown.growths = 1;
  grown.tops.add(0.5);
  EXPECT_EQ(claims_of(grown, 2).broken.size(), 2u);
  EXPECT_EQ(claims_of(grown, 3).broken.size(), 1u);
  EXPECT_TRUE(claims_of(grown, 4).broken.empty());
  for (const char* const shape : {"fib:10", "any:1", "any:2"}) {
    const proof_subject of(expand(*open_computation(shape)));
    proof_report seen = watch(of, 16, 1);
    EXPECT_TRUE(claims_of(seen.queued, of.most_successors()).broken.empty()) << shape;
  }
}

TEST(LinearWeights, GrowAtTheFirstSpawn) {
  const proof_subject s(expand(*open_computation("fib:10")));
  proof_report r = watch(s, 8, 1);
  EXPECT_EQ(r.queued.growths, 0u);
  EXPECT_GT(r.linear.growths, 0u);
  EXPECT_EQ(r.linear.steps, r.run.time);
  ASSERT_TRUE(r.linear.first);
  const auto span = static_cast<std::int64_t>(s.span());
  EXPECT_EQ(r.linear.first->step, 1u);
  EXPECT_TRUE(r.linear.spawned);
  EXPECT_EQ(r.linear.first->it, 2 * span - 1);
  EXPECT_EQ(r.linear.first->enabled, 4 * span - 5);
  EXPECT_EQ(r.linear.first->before, r.linear.first->it);
  EXPECT_GT(r.linear.first->after, r.linear.first->before);
  EXPECT_LT(r.linear.tops.min(), 0.75);
  // Where nothing is spawned, they fall.
  EXPECT_EQ(watch(proof_subject(expand(*open_computation("fib:1"))), 2, 1).linear.growths, 0u);
}

TEST(Bounds, HoldOnASliceOfRandomComputations) {
  bounds_options o;
  o.computations = 40;
  o.seeds = 1;
  o.largest = 5000;
  o.processors = {1, 3, 16, 200};
  bounds_result r = check_bounds(o, [] {});
  EXPECT_EQ(r.runs, 40u * 4 * 3);
  EXPECT_TRUE(r.violations.empty()) << r.violations[0];
  for (auto& [p, row] : r.by_processors) {
    EXPECT_LE(row.c.max(), 2) << p;  // no theorem: what is seen is 1.3
    EXPECT_LE(row.attempts.mean(), 1) << p;
    EXPECT_LE(row.wait, row.steal) << p;
  }
}

TEST(Proof, WatchesOnlyThePotentialOfComputationsThatAreNotFullyStrict) {
  const proof_subject s(read_file(EXAMPLES "not_strict.dag"));
  EXPECT_NE(s.no_delays(), "");
  const proof_report r = watch(s, 2, 1);
  EXPECT_EQ(r.queued.growths, 0u);
  EXPECT_TRUE(r.delays.path.empty());
}

TEST(DelaySequences, OccurInEveryRun) {
  std::uint64_t rounds = 0, groups = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const proof_subject s(random_dag(seed, 1000, random_kind::fully_strict));
    for (const std::uint32_t p : {1u, 2u, 3u, 8u, 32u}) {
      const delay_report r = watch_delays(s, p, seed);
      EXPECT_TRUE(r.broken.empty()) << seed << " on " << p << ": " << r.broken[0];
      EXPECT_EQ(r.rounds, r.run.attempts / (4 * p));
      // Some instruction of U is critical in every step.
      std::uint64_t step = 0;
      for (const auto& part : r.path) {
        if (!part.when.ever()) continue;
        EXPECT_EQ(part.when.after, step);
        step = part.when.until;
      }
      EXPECT_EQ(step, r.run.time);
      rounds += r.rounds;
      groups += r.groups.size();
    }
  }
  EXPECT_GT(rounds, 100u);
  EXPECT_GT(groups, 0u);
}

TEST(DelaySequences, AreRefusedIfAnythingIsWrongWithThem) {
  // Every part of a sequence that occurs is changed in turn, as little as possible.
  const proof_subject s(random_dag(4, 1000, random_kind::fully_strict));
  options o;
  o.processors = 8;
  machine m(s.single(), o);
  critical_watch seen(s.units());
  m.add(seen);
  m.run();
  const delay_sequence good = find_delay_sequence(s.units(), seen, 8);
  ASSERT_GT(good.rounds, 0u);
  ASSERT_TRUE(check_delay_sequence(good, s.units(), seen).empty());
  const auto refused = [&](auto change) {
    delay_sequence bad = good;
    change(bad);
    return !check_delay_sequence(bad, s.units(), seen).empty();
  };
  EXPECT_TRUE(refused([](auto& x) { x.path.clear(); }));
  EXPECT_TRUE(refused([](auto& x) { x.path.erase(x.path.begin()); }));
  EXPECT_TRUE(refused([](auto& x) { x.path.pop_back(); }));
  EXPECT_TRUE(refused([](auto& x) { x.path.erase(x.path.begin() + 3); }));
  EXPECT_TRUE(refused([](auto& x) { ++x.rounds; }));
  EXPECT_TRUE(refused([](auto& x) { ++x.path[2].rounds; }));
  EXPECT_TRUE(refused([](auto& x) {
    // Before u_1 was executed there was no round: its group comes too early.
    x.path[0].rounds = x.rounds;
    for (std::size_t i = 0; i < x.path.size(); ++i) x.path[i] = {x.path[i].instruction, i == 0 ? x.rounds : 0, 0};
  }));
  EXPECT_TRUE(refused([](auto& x) {
                for (auto& part : x.path) part.rounds = part.between = 0;
                x.path[5].between = x.rounds;
              }) ||
              good.rounds < 2);
}

TEST(UnionBound, FallsOnceItSaysAnything) {
  const dag d = read_file(EXAMPLES "figure1.dag");
  const union_bound counted = counted_bound(d), proved = paper_bound(10, augmented_degree(d));
  EXPECT_EQ(counted.length, 12);
  EXPECT_LE(counted.paths, proved.paths);
  for (const union_bound& b : {counted, proved}) {
    const auto r = static_cast<double>(b.rounds_for(1));
    EXPECT_LE(b.at(r), 0);
    EXPECT_GT(b.at(r - 1), 0);
    EXPECT_LT(b.at(r + 1), b.at(r));
    EXPECT_GE(b.rounds_for(1e-6), b.rounds_for(1e-3));
  }
  // At most one of 9P attempts: Lemma 11 for r = 4.
  for (const std::uint32_t p : {2u, 3u, 64u, 10'000u}) EXPECT_LE(chance_of_group(p, 4), std::exp(-5.0));
}

TEST(Sweeps, RunInParallelAndGiveWhatSingleRunsGive) {
  const auto c = make_shape("sp:3000,seed=2");
  std::vector<options> all;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    options o;
    o.processors = 6;
    o.seed = seed;
    all.push_back(o);
  }
  int done = 0;
  const std::vector<report> reports = sweep(*c, all, [&] { ++done; });
  EXPECT_EQ(done, 40);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(reports[i].time, simulate(*c, all[i]).time);
}

}  // namespace
