// The model: measures, classes, moved joins, shapes.

#include <analysis/dag/error.hpp>
#include <analysis/dag/io.hpp>
#include <analysis/dag/measure.hpp>
#include <analysis/dag/program.hpp>
#include <analysis/dag/random_dag.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/dag/strict.hpp>

#include <gtest/gtest.h>

namespace {

using namespace heist::analysis;

dag text(const char* t) { return read(t, "test"); }

TEST(Figure1, HasThePublishedMeasures) {
  const dag d = read_file(EXAMPLES "figure1.dag");
  const measures m = measure(d);
  EXPECT_EQ(m.work, 23u);
  EXPECT_EQ(m.span, 10u);
  EXPECT_EQ(m.stack, 3u);
  EXPECT_EQ(m.joins, 2u);
  EXPECT_EQ(m.threads, 6u);
  EXPECT_EQ(classify(d).kind, strictness::fully_strict);
  EXPECT_TRUE(oddities(d).empty());
}

TEST(Measures, CountFramesFromTheRootAndDurationsAsInstructions) {
  const dag d = text("thread a frame 5 : a1 a2*10 a3 a4\nthread b frame 7 : b1*20\nspawn a1 -> b1\njoin b1 -> a4");
  const measures m = measure(d);
  EXPECT_EQ(m.work, 33u);
  EXPECT_EQ(m.span, 22u);
  EXPECT_EQ(m.stack, 12u);
  EXPECT_EQ(m.frame, 7u);
  EXPECT_EQ(measure(unit(d)).work, 33u);
  EXPECT_EQ(measure(unit(d)).span, 22u);
  EXPECT_EQ(unit(d).instructions(), 33u);
}

// A proof of a computation with long instructions names those that the reader knows.
TEST(Units, KeepTheNamesOfTheirInstructions) {
  const dag named = unit(text("thread a : a1 a2*2 a3 thread b : b1 spawn a1 -> b1 join b1 -> a3"));
  std::string labels;
  for (id i = 0; i < named.instructions(); ++i) labels += named.label(i) + " ";
  EXPECT_EQ(labels, "a1 a2(1) a2(2) a3 b1 ");
  const dag shape = unit(expand(*open_computation("loop:2,work=3")));
  labels.clear();
  for (id i = 0; i < shape.instructions(); ++i) labels += shape.label(i) + " ";
  EXPECT_EQ(labels, "t0.1 t0.2 t0.3 t0.4 t1.1(1) t1.1(2) t1.1(3) t2.1(1) t2.1(2) t2.1(3) ");
}

TEST(Classes, NameTheJoinThatOffends) {
  const dag strict = text(
      "thread a : a1 a2 a3 a4 thread b : b1 b2 b3 thread c : c1 c2 spawn a1 -> b1 spawn b1 -> c1 join c1 -> a3 "
      "join c2 -> b3 join b3 -> a4");
  const classification c = classify(strict);
  ASSERT_EQ(c.kind, strictness::strict);
  EXPECT_EQ(strict.label(c.offender->from) + strict.label(c.offender->to), "c1a3");

  const dag neither = read_file(EXAMPLES "not_strict.dag");
  const classification n = classify(neither);
  ASSERT_EQ(n.kind, strictness::neither);
  EXPECT_EQ(neither.label(n.offender->from) + neither.label(n.offender->to), "p2c2");
}

TEST(Oddities, AreAJoinRightAfterASpawnAndAParentThatMayDieFirst) {
  const auto early = oddities(text("thread a : a1 a2 a3 thread b : b1 spawn a1 -> b1 join b1 -> a2"));
  ASSERT_EQ(early.size(), 1u);
  EXPECT_EQ(early[0], "the join b1 -> a2 goes into the instruction right after the spawn a1");
  const auto orphan = oddities(text("thread a : a1 a2 a3 thread b : b1 b2 spawn a1 -> b1 join b1 -> a3"));
  ASSERT_EQ(orphan.size(), 1u);
  EXPECT_EQ(orphan[0], "thread a can die before its child b");
  // By way of a grandparent is good enough.
  EXPECT_TRUE(oddities(text("thread a : a1 a2 a3 a4 thread b : b1 b2 b3 b4 thread c : c1 spawn a1 -> b1 spawn b1 -> c1 "
                            "join c1 -> a3 join b4 -> a4"))
                  .size() == 1u);
}

TEST(MakeStrict, MovesAJoinIntoTheSpawnOfItsBranch) {
  const dag d = read_file(EXAMPLES "not_strict.dag");
  const moved m = make_strict(d);
  EXPECT_EQ(m.joins, 1u);
  EXPECT_EQ(classify(m.result).kind, strictness::fully_strict);
  EXPECT_TRUE(oddities(m.result).empty());
  EXPECT_GE(measure(m.result).span, measure(d).span);
}

TEST(MakeStrict, SaysWhenNoOrderOfJoinsDoes) {
  // The first child waits for the second, which is spawned after it.
  const dag d = text(
      "thread a : a1 a2 a3 a4 thread b : b1 b2 thread c : c1 c2 spawn a1 -> b1 spawn a2 -> c1 join c1 -> b2 "
      "join b2 -> a4 join c2 -> a4");
  EXPECT_THROW(make_strict(d), bad_input);
}

TEST(MakeFullyStrict, TakesAStepInEveryThreadBetween) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const dag d = random_dag(seed, 300, random_kind::strict);
    const moved m = make_fully_strict(d);
    EXPECT_EQ(classify(m.result).kind, strictness::fully_strict) << seed;
    EXPECT_TRUE(oddities(m.result).empty()) << seed;
    EXPECT_EQ(topological_order(m.result).size(), m.result.instructions());
    EXPECT_GE(measure(m.result).span, measure(d).span);
    EXPECT_EQ(measure(m.result).work, measure(d).work + m.instructions);
  }
}

TEST(RandomDags, AreOfTheClassAskedFor) {
  int beyond = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const dag d = random_dag(seed, 500, random_kind::fully_strict);
    EXPECT_EQ(classify(d).kind, strictness::fully_strict);
    EXPECT_TRUE(oddities(d).empty()) << seed << ": " << oddities(d)[0];
    beyond += measure(d).joins > 1;
    const dag any = random_dag(seed, 500, random_kind::any);
    EXPECT_EQ(topological_order(any).size(), any.instructions());
    EXPECT_NE(classify(random_dag(seed, 500, random_kind::strict)).kind, strictness::neither);
  }
  EXPECT_GT(beyond, 25);
}

TEST(Programs, AreFullyStrictAndWaitForAllTheirChildren) {
  const dag d = text(
      "program frame 2 work 3 spawn frame 4 { work 5 spawn { work 100 } } repeat 3 { spawn { } work 2 } sync work 1");
  EXPECT_EQ(classify(d).kind, strictness::fully_strict);
  EXPECT_TRUE(oddities(d).empty());
  const measures m = measure(d);
  EXPECT_EQ(m.threads, 6u);
  EXPECT_EQ(m.stack, 7u);
  // 3 and the spawn; 5, a spawn and 100 of the grandchild, whose end the child waits for; the sync and 1.
  EXPECT_EQ(m.span, 3u + 1 + 5 + 1 + 100 + 1 + 1 + 1);
}

TEST(Shapes, HaveTheMeasuresOfTheirFormulas) {
  const measures fib = measure(expand(*make_shape("fib:10")));
  EXPECT_EQ(fib.threads, 177u);       // 2·F(11) − 1
  EXPECT_EQ(fib.work, 88u * 4 + 89);  // four instructions in a fork, one in a leaf
  EXPECT_EQ(fib.stack, 10u);
  const measures tree = measure(expand(*make_shape("balanced:8,work=7")));
  EXPECT_EQ(tree.work, 255u * 4 + 256 * 7);
  EXPECT_EQ(tree.span, 8u * 3 + 7);
  const measures loop = measure(expand(*make_shape("loop:100,work=10")));
  EXPECT_EQ(loop.work, 102u + 1000);
  EXPECT_EQ(loop.stack, 2u);
  const measures chain = measure(expand(*make_shape("chain:50")));
  EXPECT_EQ(chain.work, 151u);
  EXPECT_EQ(chain.stack, 51u);
  const measures graph = measure(expand(*make_shape("graph:1000,degree=8")));
  EXPECT_LE(graph.threads, 1000u);
  EXPECT_GT(graph.threads, 980u);  // one vertex in e^8 has no edge to it
  EXPECT_LE(graph.stack, 10u);
  EXPECT_EQ(measure(expand(*make_shape("graph:1,degree=5"))).work, 5u);
  for (const char* const s : {"skewed:1000", "graph:300,seed=2", "uts:20", "sp:5000,frame=9", "chain:3", "balanced:0"}) {
    const dag d = expand(*make_shape(s));
    EXPECT_EQ(classify(d).kind, strictness::fully_strict) << s;
    EXPECT_TRUE(oddities(d).empty()) << s;
  }
}

TEST(Shapes, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(make_shape("nothing:3"), nullptr);
  try {
    make_shape("fib:1\n2");
    ADD_FAILURE();
  } catch (const bad_input& e) {
    EXPECT_STREQ(e.what(), "fib:1?2: n must be a number from 0 to 60, not \"1?2\"");
  }
  for (const char* const s : {"fib:x", "fib:99", "fib:3,m=4", "fib:3,n=4", "balanced:3,work", "skewed:5,share=nan",
                              "loop:-1", "uts:4,chance=0.9"}) {
    EXPECT_THROW(make_shape(s), bad_input) << s;
  }
}

}  // namespace
