// What else a measurement says, of whom, and when.

#include <tests/meter/measured.hpp>

#include <heist/measure/report.hpp>

#include <time.h>

#include <algorithm>
#include <chrono>
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

// Which figures can be trusted -----------------------------------------------------------------------------------------

// 64 leaves of a millisecond on two processors that nobody else wants.
measurement undisturbed() {
  measurement m;
  m.work = 64e6;
  m.span = 1.1e6;
  m.forks = 63;
  m.workers = {{95, 32e6}, {95, 32e6}};
  m.short_strands = 126;
  m.short_work = 4000;
  m.longest_strand = 1.05e6;
  m.interruptions = 1;  // when it began
  m.processor_time = 72e6;
  return m;
}

std::string doubted(const measurement& m) {
  std::string all;
  for (const heist::detail::doubt& d : heist::detail::doubts(m)) all += d.seen + '\n';
  return all;
}

TEST(a_measurement, of_long_strands_that_had_their_cores_is_not_doubted) { EXPECT_EQ(doubted(undisturbed()), ""); }

TEST(a_measurement, of_a_program_that_lost_its_cores_is_doubted) {
  measurement m = undisturbed();
  m.work = 140e6, m.span = 25e6, m.interruptions = 20;
  EXPECT_EQ(doubted(m), "the program lost its cores 20 times: strands took 140.00 ms in 72.00 ms of processor time\n");
  m.in = unit::strand;
  EXPECT_EQ(doubted(m), "");
}

TEST(a_measurement, of_a_program_that_lost_its_cores_often_is_doubted_whatever_came_of_it) {
  measurement m = undisturbed();
  m.interruptions = 6;
  EXPECT_EQ(doubted(m), "the program lost its cores 6 times\n");
}

// Strands that read a file or wait for a lock: that is the program's own time.
TEST(a_measurement, of_a_program_that_waits_is_not_doubted) {
  measurement m = undisturbed();
  m.work = 8e9, m.span = 1e9;
  EXPECT_EQ(doubted(m), "");
}

// fib(30) on a quiet machine, and with a neighbour for whom it waited three times as long as it ran.
TEST(a_measurement, of_strands_as_short_as_their_measuring_is_doubted) {
  measurement m;
  m.work = 40e6, m.span = 3000, m.forks = 1'346'268;
  m.workers = {{4'038'805, 40e6}};
  m.short_strands = 4'038'000, m.short_work = 39e6, m.longest_strand = 9000;
  m.processor_time = 120e6;
  const std::string fine = "100 % of the strands, with 98 % of the work, took less than 100 ns, about what it takes to measure one\n";
  EXPECT_EQ(doubted(m), fine);
  m.work = 400e6, m.span = 28e6, m.longest_strand = 27e6, m.interruptions = 5;
  EXPECT_EQ(doubted(m), "100 % of the strands, with 10 % of the work, took less than 100 ns, about what it takes to measure one\n"
                        "the program lost its cores 5 times: strands took 400.00 ms in 120.00 ms of processor time\n");
  // On a processor that the host took away the kernel knows nothing of it.
  m.interruptions = 0, m.processor_time = 450e6;
  EXPECT_EQ(doubted(m), "100 % of the strands, with 10 % of the work, took less than 100 ns, about what it takes to measure one\n");
}

// Runs two milliseconds of the thread's own time: that in which it has no processor is not the strand's.
void run_for_two_milliseconds() {
  const auto so_far = [] {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
  };
  for (const auto end = so_far() + std::chrono::milliseconds(2); so_far() < end;) {
  }
}

TEST(measure, counts_short_strands_and_finds_the_longest) {
  measurement m;
  // Time without a processor just before a strand may be taken off it, too: then once more.
  for (int i = 0; i < 20 && m.longest_strand < 1.9e6; ++i)
    m = heist::measure([] {
      balanced(8);
      run_for_two_milliseconds();
    });
  EXPECT_GE(m.longest_strand, 1.9e6);
  EXPECT_LE(m.longest_strand, m.span);
  EXPECT_LE(m.short_work, 100. * static_cast<double>(m.short_strands));
  EXPECT_LE(m.short_strands, 3u * 255 + 1);
  EXPECT_GT(m.processor_time, 0);
}

// A machine that is busy makes the rest longer: once is enough.
TEST(measure, in_time_counts_no_wait) {
  using namespace std::chrono_literals;
  const bool once = heist_test::eventually([] {
    const measurement m = heist::measure([] {
      heist::join([] { heist::sleep_for(200ms); }, [] { heist::sleep_for(100ms), heist::async([] { heist::sleep_for(50ms); }).get(); });
    });
    return m.work < 20'000'000 && m.span < 20'000'000;
  });
  EXPECT_TRUE(once);
}

TEST(measure, in_time_adds_up) {
  const measurement m = heist::measure([] { balanced(8); });
  EXPECT_GT(m.span, 0);
  EXPECT_GE(m.work, m.span);
  EXPECT_GE(m.burdened_span, m.span);
}

}  // namespace
