// What else a measurement says, of whom, and when.

#include <tests/meter/measured.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

INSTANTIATE_TEST_SUITE_P(, measured, testing::Values(1u, 2u, 8u));

TEST_P(measured, every_fork_on_the_path_is_burdened) {
  const measurement m = pool.run([&] { return heist::measure([] { balanced(10); }, unit::strand); });
  EXPECT_EQ(m.burden, 1);
  EXPECT_EQ(m.burdened_span, m.span + 10);
  EXPECT_EQ(m.time_on(1).least, m.work);
  EXPECT_EQ(m.time_on(4096).least, m.span);
  EXPECT_EQ(m.time_on(4).most, m.work / 4 + m.burdened_span);
}

TEST_P(measured, strands_are_counted_for_the_workers_that_ran_them) {
  const measurement m = pool.run([&] { return heist::measure([] { balanced(10); }, unit::strand); });
  std::size_t strands = 0;
  for (const auto& w : m.workers) strands += w.strands;
  EXPECT_EQ(static_cast<double>(strands), m.work);
}

TEST_P(measured, regions_have_their_own_work_and_span) {
  for (int round = 0; round < rounds(100); ++round) {
    const measurement m = pool.run([&] {
      return heist::measure(
          [] {
            {
              const heist::region r{"tree"};
              balanced(8);
            }
            heist::join(
                [] {
                  const heist::region r{"leaf"};
                  heist::charge(5);
                },
                [] {
                  const heist::region r{"leaf"};
                  heist::charge(6);
                });
          },
          unit::strand);
    });
    ASSERT_EQ(m.regions.size(), 2u);
    const auto& tree = m.regions[0].name == "tree" ? m.regions[0] : m.regions[1];
    const auto& leaf = m.regions[0].name == "tree" ? m.regions[1] : m.regions[0];
    // A region begins and ends within strands: the tree's last strand ends after it.
    EXPECT_EQ(tree.work, 2 * 255 + 256 - 1);
    EXPECT_EQ(tree.span, 2 * 8 + 1 - 1);
    EXPECT_EQ(tree.burdened_span, tree.span + 8);
    EXPECT_EQ(tree.longest, tree.span);
    EXPECT_EQ(tree.forks, 255u);
    EXPECT_EQ(leaf.times, 2u);
    EXPECT_EQ(leaf.work, 11);
    EXPECT_EQ(leaf.span, 11);
    EXPECT_EQ(leaf.longest, 6);
    EXPECT_EQ(leaf.forks, 0u);
  }
}

TEST_P(measured, another_pools_root_is_part_of_the_strand_that_waits_for_it) {
  heist::pool inner({.workers = 2});
  constexpr int depth = 6;
  const double leaves = 1 << depth;
  // One strand before the root and one after it.
  expect({2 * (leaves - 1) + leaves + 2, 2 * depth + 1 + 2, (1 << depth) - 1}, [&] { inner.run([] { balanced(depth); }); });
}

TEST_P(measured, measurements_nest) {
  pool.run([&] {
    measurement inner;
    const measurement outer = heist::measure(
        [&] {
          heist::join([] { balanced(3); }, [&] { inner = heist::measure([] { balanced(4); }, unit::strand); });
        },
        unit::strand);
    EXPECT_EQ(inner.work, 2 * 15 + 16);
    EXPECT_EQ(outer.work, 4 + 2 * 7 + 8 + 2 * 15 + 16);
  });
}

TEST_P(measured, what_throws_is_thrown_and_the_next_run_is_right) {
  pool.run([&] {
    EXPECT_EQ(thrower([] {
      heist::measure([] { heist::join([] { balanced(4); }, [] { throw failure(3); }); }, unit::strand);
    }), 3);
  });
  expect({1, 1, 0}, [] {});
}

// A first branch of one strand that costs 1,000, and a second that costs 1; whoever throws, all that ran is counted.
TEST_P(measured, exceptions_do_not_change_the_sums) {
  for (int round = 0; round < rounds(200); ++round) {
    pool.run([&] {
      auto run = [](bool first_throws) {
        return heist::measure(
            [=] {
              EXPECT_EQ(thrower([=] {
                heist::join(
                    [=] {
                      heist::charge(1'000);
                      dawdle(5);
                      if (first_throws) throw failure(1);
                    },
                    [=] {
                      dawdle(5);
                      if (!first_throws) throw failure(2);
                    });
              }), first_throws ? 1 : 2);
            },
            unit::strand);
      };
      const measurement second = run(false);
      ASSERT_EQ(second.work, 4 + 1'000);
      ASSERT_EQ(second.span, 3 + 1'000);
      const measurement first = run(true);  // the second branch is not counted, whether a thief ran it or nobody
      ASSERT_EQ(first.work, 3 + 1'000);
      ASSERT_EQ(first.span, 3 + 1'000);
    });
  }
}

TEST_P(measured, both_units_in_each_other) {
  pool.run([&] {
    const measurement outer = heist::measure(
        [] {
          const measurement inner = heist::measure([] { balanced(4); });
          EXPECT_EQ(inner.in, unit::time);
        },
        unit::strand);
    EXPECT_EQ(outer.work, 2 * 15 + 16 + 2);
  });
}

TEST_P(measured, strands_see_the_same_reducers) {
  pool.run([&] {
    heist::reducer<int> r(5);
    int seen = 0;
    heist::measure([&] {
      *r += 1;
      seen = *r;
    });
    EXPECT_EQ(seen, 6);
    EXPECT_EQ(*r, 6);
  });
}

// The branch lay in the deque before the measurement began: it does not belong to it.
TEST(measure, leaves_older_branches_alone) {
  heist::pool pool({.workers = 2});
  for (int round = 0; round < rounds(100); ++round) {
    pool.run([&] {
      event taken, measured;
      measurement m;
      heist::join(
          [&] {
            m = heist::measure(
                [&] {
                  EXPECT_TRUE(taken.come());
                  balanced(3);
                },
                unit::strand);
            measured.raise();
          },
          [&] {
            taken.raise();
            EXPECT_TRUE(measured.come());
            heist::charge(1'000);
            heist::join([] {}, [] { heist::charge(1'000); });
          });
      ASSERT_EQ(m.work, 2 * 7 + 8);
      ASSERT_EQ(heist::measure([] {}, unit::strand).work, 1);
    });
  }
}

void plain_function() { balanced(2); }
TEST(measure, takes_a_plain_function) { EXPECT_EQ(heist::measure(plain_function, unit::strand).work, 2 * 3 + 4); }

TEST(measure, outside_every_pool_enters_the_default_one) {
  EXPECT_EQ(heist::measure([] { balanced(5); }, unit::strand).work, 2 * 31 + 32);
}

TEST(measure, counts_only_its_own) {
  heist::pool pool({.workers = 2});
  event stop;
  std::thread other([&] {
    pool.run([&] {
      while (!stop.raised()) balanced(6);
    });
  });
  for (int round = 0; round < rounds(50); ++round) {
    const measurement m = pool.run([&] { return heist::measure([] { balanced(8); }, unit::strand); });
    ASSERT_EQ(m.work, 2 * 255 + 256);
  }
  stop.raise();
  other.join();
}

TEST(measure, in_time_adds_up) {
  const measurement m = heist::measure([] { balanced(8); });
  EXPECT_GT(m.span, 0);
  EXPECT_GE(m.work, m.span);
  EXPECT_GE(m.burdened_span, m.span);
}

}  // namespace
