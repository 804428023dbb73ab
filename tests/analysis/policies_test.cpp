// The extensions of the theory, simulated: processors that come and go, feedback, near victims, steal-half, affinity, backoff.

#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/proof/shares.hpp>
#include <analysis/sim/distances.hpp>
#include <analysis/sim/invariants.hpp>

#include <gtest/gtest.h>

#include <map>

namespace {

using namespace heist::analysis;
namespace detail = heist::detail;

options on(std::uint32_t processors, std::uint64_t seed = 1) {
  options o;
  o.processors = processors;
  o.seed = seed;
  return o;
}

options against(grants g, yields y, std::uint32_t slice, std::uint32_t processors) {
  options o = on(processors);
  o.grants = g;
  o.yields = y;
  o.slice = slice;
  return o;
}

// T_P / (T₁/P_A + T∞·P/P_A)
double c(const report& r, const options& o) {
  return static_cast<double>(r.granted) /
         (static_cast<double>(r.of.work) + o.processors * static_cast<double>(r.of.span));
}

TEST(Adversaries, AreBoundedByTheYieldsThatTheirTheoremAsksFor) {
  std::vector<std::unique_ptr<computation>> all;
  for (const char* const shape : {"chain:100", "fib:12", "loop:60,work=20"}) all.push_back(make_shape(shape));
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    all.push_back(std::make_unique<stored_computation>(random_dag(seed, 500, random_kind::any)));
  for (const auto& what : all) {
    const measures m = measure(expand(*what));
    for (const std::uint32_t p : {2u, 48u}) {
      for (const std::uint32_t slice : {7u, 100'000u}) {
        for (const options& o : {against(grants::random, yields::to_random, slice, p),
                                 against(grants::random, yields::to_all, slice, p),
                                 against(grants::oblivious, yields::to_random, slice, p),
                                 against(grants::oblivious, yields::to_all, slice, p),
                                 against(grants::adaptive, yields::to_all, slice, p)}) {
          const report r = simulate(*what, o);  // throws if the buckets do not add up
          EXPECT_EQ(r.work, m.work);
          EXPECT_EQ(r.of.span, m.span);
          EXPECT_EQ(r.granted, r.work + r.steal);
          EXPECT_LT(c(r, o), 2.5) << static_cast<int>(o.grants) << ' ' << static_cast<int>(o.yields) << ' ' << p;
        }
      }
    }
  }
}

TEST(Adversaries, WinWithoutTheseYields) {
  const auto chain = make_shape("chain:100");
  for (const grants g : {grants::oblivious, grants::adaptive}) {
    const options patient = against(g, yields::never, 1000, 64), hasty = against(g, yields::never, 10, 64);
    EXPECT_GT(c(simulate(*chain, patient), patient), 50 * c(simulate(*chain, hasty), hasty));
  }
  // To yield to one is not enough where the kernel sees who that is: it costs a factor that grows with P.
  const options few = against(grants::adaptive, yields::to_random, 100'000, 16),
                many = against(grants::adaptive, yields::to_random, 100'000, 512);
  EXPECT_GT(c(simulate(*chain, many), many), 1.5 * c(simulate(*chain, few), few));
}

TEST(Adversaries, TakeTurnsInStretchesAsInSingleSteps) {
  struct nobody final : observer {};
  const auto what = make_shape("loop:40,work=300");
  const options o = against(grants::random, yields::never, 17, 8);
  nobody look;
  machine observed(*what, o);
  observed.add(look);
  const report a = observed.run(), b = simulate(*what, o);
  EXPECT_EQ(a.work, b.work);
  EXPECT_NEAR(static_cast<double>(a.time), static_cast<double>(b.time), 0.3 * static_cast<double>(b.time));
}

TEST(Leaving, LeavesDequesThatAreTakenOverWhole) {
  const auto what = make_shape("fib:16");
  options o = on(16);
  o.grants = grants::listed;
  for (std::uint64_t step = 20; step < 4000; step += 20)
    o.changes.push_back({step, (step / 20) % 2 == 0 ? 16u : 2u});
  const report r = simulate(*what, o);
  EXPECT_EQ(r.work, measure(expand(*what)).work);
  EXPECT_GT(r.mugs, 5u);
  EXPECT_LT(c(r, o), 2);
  EXPECT_NEAR(r.average(), 9, 2);
}

TEST(Feedback, WastesAndDelaysNoMoreThanTheTheoremAllows) {
  for (std::uint64_t job = 1; job <= 40; ++job) {
    const auto what = job % 2 == 0
                          ? make_shape("sp:20000,sync=0.1,seed=" + std::to_string(job))
                          : make_shape("rounds:10,work=40,serial=" + std::to_string(10 * job) +
                                       ",parts=" + std::to_string(2 * job));
    for (const share rule : {share::feedback, share::paper}) {
      for (const availability there : {availability::full, availability::random, availability::adverse}) {
        for (const double delta : {0.5, 0.8}) {
          options o = on(32, job);
          o.share = rule;
          o.available = there;
          o.quantum = 50;
          o.utilisation = delta;
          const report r = simulate(*what, o);
          const share_bounds b = judge_share(r, o);
          EXPECT_LE(b.waste, b.most_waste) << job;
          EXPECT_LT(b.c, 6) << job;  // the theorem has a constant; 3.4 was the worst of 1,000 jobs
          std::uint64_t steps = 0, worked = 0;
          for (const quantum_record& q : r.quanta) {
            EXPECT_EQ(q.allotted, std::min(q.desire, q.available));
            steps += q.steps;
            worked += q.worked;
          }
          EXPECT_EQ(steps, r.time);
          EXPECT_EQ(worked, r.work);
        }
      }
    }
  }
}

TEST(Feedback, GivesProcessorsBackInASerialPhase) {
  const auto what = make_shape("rounds:2,parts=640,work=50,serial=2000");
  options o = on(64);
  o.share = share::feedback;
  o.quantum = 100;
  const report r = simulate(*what, o);
  std::uint32_t most = 0;
  for (const quantum_record& q : r.quanta) most = std::max(most, q.allotted);
  EXPECT_GT(most, 16u);
  std::size_t serial = 0;
  for (const quantum_record& q : r.quanta) serial += q.allotted <= 2 ? 1 : 0;
  EXPECT_GT(serial, 20u);  // of the forty that both serial stretches take
  EXPECT_LT(static_cast<double>(r.granted - r.work) / static_cast<double>(r.work), 0.6);
}

TEST(NearVictims, KeepHalfOfAUniformThiefsChanceHoweverFar) {
  options o = on(64);
  o.victims = victims::near;
  o.per_cache = 4;
  o.per_node = 16;
  const distances d(o);
  stream random(3);
  std::map<std::uint32_t, int> drawn;
  constexpr int draws = 400'000;
  for (int i = 0; i < draws; ++i) ++drawn[d.draw(5, random)];
  EXPECT_EQ(drawn.size(), 63u);
  EXPECT_EQ(drawn.count(5), 0u);
  const double uniform = draws / 63.0;
  for (const auto& [victim, times] : drawn) EXPECT_GT(times, 0.5 * uniform) << victim;
  EXPECT_GT(drawn[6], 1.4 * drawn[60]);  // behind the same cache; on another node
  EXPECT_EQ(d.between(5, 6), detail::distance::cache);
  EXPECT_EQ(d.between(5, 12), detail::distance::node);
  EXPECT_EQ(d.between(5, 16), detail::distance::far);
}

TEST(NearVictims, AreRobbedMoreOftenAndAttemptsStayBounded) {
  const auto what = make_shape("fib:18");
  options o = on(64);
  const report uniform = simulate(*what, o);
  o.victims = victims::near;
  const report near = simulate(*what, o);
  EXPECT_EQ(near.attempts, near.attempts_at[1] + near.attempts_at[2] + near.attempts_at[3]);
  EXPECT_EQ(near.steals, near.steals_at[1] + near.steals_at[2] + near.steals_at[3]);
  EXPECT_LT(static_cast<double>(near.attempts), 2.0 * static_cast<double>(uniform.attempts));
  EXPECT_LT(static_cast<double>(near.attempts_at[3]) / static_cast<double>(near.attempts), 0.45);  // 32 of 63 are far
}

TEST(StealHalf, SpreadsABurstInLogarithmicallyManySteals) {
  const auto what = make_shape("loop:2000,work=500");
  options o = on(128);
  o.policy = policy::help_first;
  o.latency = 20;
  const report one = simulate(*what, o);
  o.amount = amount::half;
  const report half = simulate(*what, o);
  EXPECT_EQ(one.catches, one.steals);
  EXPECT_LT(3 * half.catches, half.steals);
  EXPECT_LT(half.time, one.time);
  EXPECT_EQ(half.work, one.work);
}

TEST(Affinity, BringsPartsBackToTheProcessorThatHadThem) {
  for (const char* const shape : {"rounds:30,parts=64,work=100", "rounds:30,parts=64,work=100,arity=64"}) {
    const auto what = make_shape(shape);
    options o = on(8);
    const report without = simulate(*what, o);
    o.affinity = true;
    const report with = simulate(*what, o);
    EXPECT_EQ(with.parts, 29u * 64);
    EXPECT_EQ(without.parts, 29u * 64);
    EXPECT_GT(with.parts_kept, 2 * without.parts_kept) << shape;
    EXPECT_GT(with.letters, 0u);
    EXPECT_LT(static_cast<double>(with.time), 1.2 * static_cast<double>(without.time));
  }
}

// A step table and `heist sim show` need them stored.
TEST(Rounds, CanBeStored) {
  for (const char* const shape : {"rounds:3,parts=4,work=2", "rounds:3,parts=4,work=2,serial=5", "rounds:2,parts=1,arity=3"}) {
    const auto what = make_shape(shape);
    const stored_computation as_dag(expand(*what));
    const report r = simulate(*what, on(1)), stored = simulate(as_dag, on(1));
    // If a round's serial stretch is one instruction, it waits for the last round and spawns, which takes two when stored.
    EXPECT_LE(stored.work - r.work, 2u) << shape;
  }
}

TEST(Backoff, TradesAttemptsForTime) {
  const auto what = make_shape("fib:16");
  options o = on(128);
  const report eager = simulate(*what, o);
  o.backoff = 64;
  const report patient = simulate(*what, o);
  EXPECT_LT(patient.attempts, eager.attempts);
  EXPECT_LT(patient.wait, eager.wait / 2);
  EXPECT_GT(patient.idle, 0u);
  EXPECT_GE(patient.time, eager.time);
}

}  // namespace
