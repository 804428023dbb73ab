// The schedulers: the published schedule, the buckets, the invariants.

#include <analysis/dag/io.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/sim/invariants.hpp>
#include <analysis/sim/table.hpp>

#include <gtest/gtest.h>

#include <deque>

namespace {

using namespace heist::analysis;

options with(policy p, std::uint32_t processors, std::uint64_t seed = 1) {
  options o;
  o.policy = p;
  o.processors = processors;
  o.seed = seed;
  return o;
}

constexpr policy all_policies[] = {policy::greedy,     policy::busy_leaves, policy::work_stealing,
                                   policy::help_first, policy::sharing,     policy::static_partition,
                                   policy::depth_first, policy::burton_simpson};

TEST(Figure2, BusyLeavesRunsThePublishedSchedule) {
  const stored_computation figure1(read_file(EXAMPLES "figure1.dag"), stretches::single_instructions);
  machine m(figure1, with(policy::busy_leaves, 2));
  step_table table;
  m.add(table);
  const report r = m.run();
  using row = std::vector<std::string>;
  const std::vector<std::pair<row, row>> published = {
      {{"v1", ""}, {}},
      {{"v2", ""}, {}},
      {{"v3", "v16"}, {}},
      {{"v4", "v17"}, {"Γ2 r"}},
      {{"v5", "v18"}, {"Γ1 r", "Γ2 r"}},
      {{"v6", "v19"}, {"Γ1 r"}},
      {{"v7", "v20"}, {"Γ1 r", "Γ2 r"}},
      {{"v8", "v21"}, {"Γ2 r"}},
      {{"v9", ""}, {"Γ1 s"}},
      {{"v10", "v13"}, {"Γ1 s"}},
      {{"v11", "v14"}, {"Γ1 r"}},
      {{"v12", "v22"}, {"Γ2 s"}},
      {{"v15", ""}, {"Γ1 s"}},
      {{"v23", ""}, {}},
  };
  ASSERT_EQ(table.rows().size(), published.size()) << table.to_string();
  for (std::size_t s = 0; s < published.size(); ++s) {
    EXPECT_EQ(table.rows()[s].executed, published[s].first) << "step " << s + 1;
    EXPECT_EQ(table.rows()[s].pool, published[s].second) << "step " << s + 1;
  }
  EXPECT_EQ(r.time, 14u);
  EXPECT_EQ(r.work, 23u);
  EXPECT_EQ(r.idle, 5u);
}

TEST(Buckets, AddUpAndWorkIsT1UnderEverySchedulerAndOption) {
  for (const char* const shape :
       {"fib:9", "loop:50,work=7", "sp:2000,frame=9,seed=4", "chain:20", "balanced:0,work=100"}) {
    const auto c = make_shape(shape);
    const measures m = measure(expand(*c));
    for (const policy p : all_policies) {
      for (const std::uint32_t processors : {1u, 2u, 3u, 16u}) {
        options o = with(p, processors);
        for (const std::uint32_t latency : {1u, 2u, 7u}) {
          for (const contention meet : {contention::queued, contention::denied}) {
            o.latency = latency;
            o.contention = meet;
            o.amount = latency == 2 ? amount::half : amount::one;
            o.victims = latency == 7 ? victims::near : victims::uniform;
            o.adversary = latency == 7 ? adversary::random : adversary::last;
            const report r = simulate(*c, o);  // throws if the buckets do not add up
            EXPECT_EQ(r.work, m.work);
            EXPECT_EQ(r.of.work, m.work);
            EXPECT_EQ(r.of.span, m.span) << shape << to_string(p);
            EXPECT_EQ(r.of.stack, m.stack);
            EXPECT_EQ(r.of.threads, m.threads);
            EXPECT_EQ(r.granted, r.time * processors);
            EXPECT_GE(r.time, m.span);
            EXPECT_GE(r.time * processors, m.work);
            EXPECT_TRUE(processors > 1 || r.time == m.work);
          }
        }
      }
    }
  }
}

TEST(Stretches, MakeNoDifference) {
  for (const policy p : all_policies) {
    const dag d = expand(*make_shape("sp:3000,work=40,seed=7"));
    const stored_computation whole(d), single(unit(d), stretches::single_instructions);
    const auto shape = make_shape("sp:3000,work=40,seed=7");
    const report a = simulate(whole, with(p, 5)), b = simulate(single, with(p, 5)), c = simulate(*shape, with(p, 5));
    for (const report& r : {b, c}) {
      EXPECT_EQ(a.of.span, r.of.span);
      EXPECT_EQ(a.work, r.work);
      EXPECT_EQ(a.of.stack, r.of.stack);
    }
    // The order of processors in a step is another, so the schedule may be: the time is about the same.
    EXPECT_NEAR(static_cast<double>(a.time), static_cast<double>(b.time), 0.2 * static_cast<double>(b.time));
  }
}

// An observed machine executes first and hands on then; others do both in one visit.
TEST(LargeMachines, RunTheSameObservedOrNot) {
  for (const auto& [shape, processors] : {std::pair{"fib:12", 64u}, {"fib:16", 6000u}, {"balanced:12,work=7", 5000u},
                                          {"skewed:3000", 10'000u}, {"loop:2000,work=3", 4097u}})
    for (const policy p : {policy::work_stealing, policy::help_first}) {
      const auto c = make_shape(shape);
      machine one(*c, with(p, processors, 3)), other(*c, with(p, processors, 3));
      observer looks_on;
      other.add(looks_on);
      const report a = one.run(), b = other.run();
      EXPECT_EQ(a.time, b.time) << shape;
      EXPECT_EQ(a.attempts, b.attempts) << shape;
      EXPECT_EQ(a.steals, b.steals) << shape;
      EXPECT_EQ(a.bytes, b.bytes) << shape;
      EXPECT_EQ(a.space, b.space) << shape;
      EXPECT_EQ(a.of.span, b.of.span) << shape;
      EXPECT_EQ(a.of.stack, b.of.stack) << shape;
    }
}

TEST(ThreadDeque, KeepsItsOrderWhenItGrows) {
  thread_deque d;
  std::deque<id> same;
  stream random(5);
  for (id t = 0; t < 5000; ++t) {
    const std::uint32_t what = random.below(8);
    if (what < 5 || same.empty()) {
      d.push_bottom(t);
      same.push_back(t);
    } else if (what == 5) {
      EXPECT_EQ(d.pop_bottom(), same.back());
      same.pop_back();
    } else if (what == 6) {
      EXPECT_EQ(d.pop_top(), same.front());
      same.pop_front();
    } else {
      const std::uint32_t i = random.below(static_cast<std::uint32_t>(same.size()));
      d.erase(same[i]);
      same.erase(same.begin() + i);
    }
    ASSERT_EQ(d.size(), same.size());
    EXPECT_EQ(d.top(), same.empty() ? none : same.front());
    EXPECT_EQ(d.bottom(), same.empty() ? none : same.back());
    if (!same.empty()) EXPECT_EQ(d[d.size() / 2], same[same.size() / 2]);
  }
}

TEST(Seeds, DecideTheRun) {
  const auto c = make_shape("fib:14");
  const report a = simulate(*c, with(policy::work_stealing, 8, 5)), b = simulate(*c, with(policy::work_stealing, 8, 5));
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.attempts, b.attempts);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_NE(a.attempts, simulate(*c, with(policy::work_stealing, 8, 6)).attempts);
}

TEST(Invariants, HoldOnRandomComputationsOfTheirClass) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const random_kind kind : {random_kind::fully_strict, random_kind::strict, random_kind::any}) {
      const stored_computation c(random_dag(seed, 300, kind));
      for (const std::uint32_t processors : {1u, 2u, 5u, 32u}) {
        for (const policy p : all_policies) {
          options o = with(p, processors, seed);
          o.check = true;
          o.contention = seed % 2 == 0 ? contention::queued : contention::denied;
          const report r = simulate(c, o);
          ASSERT_TRUE(r.violations.empty())
              << r.violations[0] << ", " << to_string(p) << " on " << processors << " processors, seed " << seed;
          const bool pooled = p == policy::greedy || p == policy::busy_leaves;
          const bool proved = p == policy::work_stealing && kind == random_kind::fully_strict;
          EXPECT_TRUE((!pooled && !proved) || !r.checked.empty());
        }
      }
    }
  }
}

TEST(Invariants, SayWhichWereOff) {
  const auto c = make_shape("fib:8");
  options o = with(policy::work_stealing, 4);
  o.check = true;
  EXPECT_EQ(simulate(*c, o).checked.size(), 3u);
  o.latency = 3;
  const report r = simulate(*c, o);
  EXPECT_TRUE(r.checked.empty());
  ASSERT_EQ(r.unchecked.size(), 3u);
  EXPECT_EQ(r.unchecked[0], "every leaf is busy: steals take longer than a step");
}

TEST(HelpFirst, HoldsALeafForEveryChildOfALoopAndContinuationStealingDoesNot) {
  const auto c = make_shape("loop:1000,work=2000");
  EXPECT_EQ(simulate(*c, with(policy::help_first, 1)).leaves, 1000u);
  EXPECT_GE(simulate(*c, with(policy::help_first, 4)).leaves, 990u);
  const report r = simulate(*c, with(policy::work_stealing, 4));
  EXPECT_LE(r.leaves, 4u);
  EXPECT_LE(r.space, 4u * 2);
}

TEST(Processors, MayComeAndGo) {
  for (const policy p : {policy::greedy, policy::busy_leaves, policy::work_stealing, policy::help_first}) {
    for (const std::uint32_t latency : {1u, 5u}) {
      for (const char* const shape : {"fib:12", "loop:40,work=30"}) {
        const auto c = make_shape(shape);
        options o = with(p, 8);
        o.latency = latency;
        o.grants = grants::listed;
        o.changes = {{10, 2}, {60, 7}, {90, 1}, {140, 8}};
        const report r = simulate(*c, o);
        EXPECT_EQ(r.work, measure(expand(*c)).work);
        EXPECT_EQ(r.granted, r.work + r.steal + r.wait + r.idle);
        EXPECT_LT(r.granted, 8 * r.time);
      }
    }
  }
}

TEST(FourWorkers, AreHalfIdleUnderStaticPartitionAndBusyUnderStealing) {
  const stored_computation c(read_file(EXAMPLES "four_workers.prog"));
  const report fixed = simulate(c, with(policy::static_partition, 4)),
               free = simulate(c, with(policy::work_stealing, 4));
  auto utilisation = [](const report& r) { return static_cast<double>(r.work) / static_cast<double>(r.granted); };
  EXPECT_NEAR(utilisation(fixed), 0.53, 0.02);
  EXPECT_GT(utilisation(free), 0.95);
}

}  // namespace
