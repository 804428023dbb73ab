// Deques step by step and as pictures; the schedulers that run depth first; the family that communicates as much as it
// may.

#include <analysis/dag/io.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/sim/deque_figure.hpp>
#include <analysis/sim/invariants.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {

using namespace heist::analysis;

options on(policy p, std::uint32_t processors, std::uint64_t seed = 1) {
  options o;
  o.policy = p;
  o.processors = processors;
  o.seed = seed;
  o.check = true;
  return o;
}

struct watched {
  explicit watched(const dag& d, std::uint32_t processors, std::uint64_t seed = 1)
      : single(unit(d), stretches::single_instructions),
        m(single, on(policy::work_stealing, processors, seed)),
        table(*single.stored()) {
    m.add(table);
    ran = m.run();
  }
  stored_computation single;
  machine m;
  deque_table table;
  report ran;
};

TEST(Deques, AreThoseOfThePapersExampleStepByStep) {
  const watched w(read_file(EXAMPLES "figure1.dag"), 2);
  const std::string text = w.table.to_string();
  for (const char* const line :
       {"    2  p1   v2 spawns Γ2                      Γ2 at v3\n       p2   steals Γ1 from p1                 Γ1 at v16\n",
        "    3  p1   v3 spawns Γ3                      Γ3 at v4        Γ2 at v6\n",
        "       p2   v21 Γ1 stalls                     -\n",
        "       p2   v13 enables Γ1                    Γ2 at v14       Γ1 at v22\n",
        "   12  p1   v12 enables Γ2, Γ5 dies           Γ2 at v15\n"})
    EXPECT_NE(text.find(line), text.npos) << line << "is not in\n" << text;
}

// What is executed in a step is what was worked on after the one before; and what happens fits the dag.
TEST(Deques, FollowFromEachOtherInEveryStep) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const watched w(expand(*open_computation("fib:9")), 4, seed);
    const dag& d = *w.single.stored();
    std::uint64_t thefts = 0;
    std::set<id> born, dead;
    for (std::size_t s = 0; s < w.table.steps().size(); ++s) {
      for (id p = 0; p < 4; ++p) {
        const deque_step::processor& now = w.table.at(s, p);
        const deque_view before = w.table.before(s, p);
        if (s > 0) {
          ASSERT_EQ(now.executed, before.works_on.next);
        }
        for (const auto& e : now.events) {
          if (e.what == deque_event::theft) {
            ++thefts;
            ASSERT_NE(e.from, p);
          }
          if (e.what == deque_event::death) {
            ASSERT_TRUE(dead.insert(e.thread).second);
          }
          if (e.what == deque_event::spawn) {
            ASSERT_TRUE(born.insert(e.thread).second);
            ASSERT_EQ(now.after.works_on.thread, e.thread);
            ASSERT_EQ(d.threads[e.thread].spawner, now.executed);
          }
        }
        // Each is the parent of the one below it.
        for (std::size_t i = 1; i < now.after.deque.size(); ++i)
          ASSERT_EQ(d.parent(now.after.deque[i].thread), now.after.deque[i - 1].thread);
      }
    }
    EXPECT_EQ(thefts, w.ran.steals);
    EXPECT_EQ(dead.size(), d.threads.size());
    EXPECT_EQ(born.size() + 1, d.threads.size());
  }
}

TEST(DequeFigures, ShowWhatHappened) {
  const watched w(expand(*open_computation("fib:7")), 3);
  const dag& d = *w.single.stored();
  for (const deque_event e : {deque_event::spawn, deque_event::stall, deque_event::death, deque_event::enable, deque_event::theft}) {
    const auto when = best_moment(w.table, e);
    ASSERT_TRUE(when) << to_string(e);
    EXPECT_TRUE(std::ranges::any_of(w.table.at(when->step, when->processor).events, [&](const auto& x) { return x.what == e; }));
    const std::string svg = before_and_after(d, w.table, *when, "title");
    EXPECT_NE(svg.find("before step " + std::to_string(when->step + 1)), svg.npos);
    EXPECT_NE(svg.find("</svg>"), svg.npos);
  }
  const auto longest = longest_deque(w.table);
  ASSERT_TRUE(longest);
  const deque_view& v = w.table.at(longest->step, longest->processor).after;
  const std::string svg = structure(d, w.table, *longest, "title");
  std::size_t edges = 0;
  for (std::size_t at = 0; (at = svg.find("class=\"spawn\"", at)) != svg.npos; ++at) ++edges;
  EXPECT_EQ(edges, v.deque.size());  // each thread spawned the one below it, the lowest what is worked on
}

// The first number after `name="` in a picture.
int number_of(const std::string& svg, const std::string& name) {
  return std::stoi(svg.substr(svg.find(name + "=\"") + name.size() + 2));
}

// Labels of seven characters were wider than their circles, and a long title was cut off.
TEST(DequeFigures, AreWideEnoughForTheirTexts) {
  const watched w(expand(*open_computation("any:1,size=200")), 3);
  const dag& d = *w.single.stored();
  const auto when = best_moment(w.table, deque_event::stall);
  ASSERT_TRUE(when);
  const std::string title(100, 'x'), svg = before_and_after(d, w.table, *when, title);
  EXPECT_GE(number_of(svg, "width"), 9 * 100);
  const std::string long_label = ">t13.12<";
  const auto at = svg.find(long_label);
  ASSERT_NE(at, svg.npos);
  const std::string shape = svg.substr(svg.rfind("<rect", at));
  EXPECT_GE(number_of(shape, "width"), 7 * 6);
}

TEST(DepthFirst, KeepsItsBoundsOnRandomComputations) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const stored_computation c(seed % 2 == 0 ? random_dag(seed, 400, random_kind::fully_strict) : expand(*open_computation("sp:400,frame=3,seed=" + std::to_string(seed))));
    for (const policy p : {policy::depth_first, policy::burton_simpson}) {
      for (const std::uint32_t processors : {1u, 3u, 16u}) {
        const report r = simulate(c, on(p, processors, seed));
        ASSERT_TRUE(r.violations.empty()) << to_string(p) << ", seed " << seed << ": " << r.violations[0];
        ASSERT_TRUE(r.unchecked.empty()) << r.unchecked[0];
        ASSERT_EQ(r.checked.size(), p == policy::depth_first ? 2u : 3u);
        if (processors == 1) {
          ASSERT_EQ(r.space, r.of.stack);
        }
      }
    }
  }
}

// Where a parent runs ahead of its children or not: a loop has few frames.
TEST(DepthFirst, HasFewFramesInALoop) {
  const auto loop = open_computation("loop:1000,work=10");
  EXPECT_LE(simulate(*loop, on(policy::depth_first, 8)).space, 10u);
  EXPECT_LE(simulate(*loop, on(policy::burton_simpson, 8)).space, 10u);
  EXPECT_GT(simulate(*loop, on(policy::greedy, 8)).space, 100u);
}

TEST(Spines, CommunicateAConstantPartOfTheBound) {
  for (const std::uint32_t p : {4u, 16u, 64u}) {
    const auto c = open_computation("spines:" + std::to_string(p / 2) + ",length=200,frame=64");
    const measures m = measure(expand(*c));
    EXPECT_EQ(m.joins, 1u);
    EXPECT_EQ(m.threads, (p / 2) * (2 * 200 + 1) + p / 2 - 1);
    const report r = simulate(*c, on(policy::work_stealing, p));
    const double bound = double(p) * double(m.span) * 2 * 64;
    EXPECT_GT(double(r.bytes), 0.1 * bound) << p;
    EXPECT_LT(double(r.bytes), 0.3 * bound) << p;
  }
}

}  // namespace
