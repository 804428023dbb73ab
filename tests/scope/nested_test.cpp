// Children that spawn into the scope they belong to, and others that do.

#include "tests/join/support.hpp"

#include <heist/measure.hpp>

#include <numeric>
#include <set>

namespace {

using namespace heist_test;

class nested_spawns : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, nested_spawns, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// A tree whose every node is a child of one scope.
template <class Visit>
void walk(heist::scope& s, int depth, const Visit& visit) {
  visit();
  if (depth == 0) return;
  for (int i = 0; i < 3; ++i) {
    auto child = [&s, depth, visit] { walk(s, depth - 1, visit); };  // its parent may end before it
    i == 1 ? s.spawn_later(child) : s.spawn(child);
  }
}
constexpr long nodes_of(int depth) { return depth == 0 ? 1 : 1 + 3 * nodes_of(depth - 1); }

TEST_P(nested_spawns, have_all_ended_when_the_scope_is_synced) {
  for (int i = 0; i < rounds(60) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<long> n{0};
      heist::scope s;
      for (int again = 0; again < 2; ++again) {
        s.spawn([&] { walk(s, 4, [&] { ++n; }); });
        s.spawn_later([&] { walk(s, 3, [&] { ++n; }); });
        s.sync();
        ASSERT_EQ(n.exchange(0), nodes_of(4) + nodes_of(3));
      }
    });
  }
}

TEST_P(nested_spawns, may_come_from_a_scope_outside_every_pool) {
  for (int i = 0; i < rounds(20) && !HasFailure(); ++i) {
    std::atomic<long> n{0};
    heist::scope s;
    s.spawn([&] { walk(s, 4, [&] { ++n; }); });
    s.spawn_later([&] { walk(s, 3, [&] { ++n; }); });
    s.sync();
    ASSERT_EQ(n.load(), nodes_of(4) + nodes_of(3));
  }
}

TEST_P(nested_spawns, may_come_from_branches_of_joins_inside) {
  for (int i = 0; i < rounds(200) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<int> n{0};
      heist::scope s;
      s.spawn_later([&] { ++n; });
      heist::join([&] { s.spawn([&] { ++n; }); s.spawn_later([&] { ++n; }); },
                  [&] { s.spawn_later([&] { ++n; }); s.spawn([&] { ++n; }); },
                  [&] { heist::join([&] { s.spawn([&] { ++n; }); }, [&] { s.spawn_later([&] { ++n; }); }); });
      s.sync();
      ASSERT_EQ(n.load(), 7);
    });
  }
}

TEST_P(nested_spawns, may_come_from_another_pool_and_from_a_thread) {
  heist::pool other({.workers = 2});
  for (int i = 0; i < rounds(20) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<int> n{0};
      heist::scope s;
      s.spawn([&] { other.run([&] { for (int k = 0; k < 10; ++k) s.spawn([&] { ++n; }); }); });
      s.spawn([&] { std::thread([&] { for (int k = 0; k < 10; ++k) s.spawn([&] { ++n; }); }).join(); });
      s.sync();
      ASSERT_EQ(n.load(), 20);
    });
  }
}

// What is queued inside a branch must not be taken for the other branch, which may have been stolen.
TEST_P(nested_spawns, may_come_later_from_both_branches_of_a_join) {
  for (int i = 0; i < rounds(20'000) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<int> n{0};
      heist::scope s;
      s.spawn_later([&] { ++n; });
      heist::join([&] { s.spawn_later([&] { ++n; }); }, [&] { s.spawn_later([&] { ++n; }); });
      s.sync();
      ASSERT_EQ(n.load(), 3);
    });
  }
}

// Nothing was stolen from the strand itself: only the children know of what they have spawned.
TEST_P(nested_spawns, may_come_from_children_that_the_sync_runs) {
  heist::pool other({.workers = 1});
  for (int i = 0; i < rounds(300) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<int> n{0};
      heist::scope s;
      s.spawn_later([&] { other.run([&] { s.spawn([&] { ++n; }); }); });
      s.spawn_later([&] { heist::join([&] { s.spawn([&] { ++n; }); }, [&] { s.spawn([&] { std::this_thread::yield(), ++n; }); }); });
      s.sync();
      ASSERT_EQ(n.load(), 3);
    });
  }
}

// The strand that waits keeps its worker, as there is something in its deque, and the child waits for one.
TEST_P(nested_spawns, may_come_from_another_pool_into_a_scope_inside_a_branch_or_a_child) {
  heist::pool other({.workers = 1});
  for (int i = 0; i < rounds(50) && !HasFailure(); ++i) {
    pool.run([&] {
      std::atomic<int> n{0};
      heist::join([&] { heist::scope s; other.run([&] { s.spawn([&] { ++n; }); }); s.sync(); }, [] {});
      heist::scope around;
      around.spawn([&] {
        heist::scope s;
        s.spawn([&] { other.run([&] { s.spawn([&] { ++n; }); }); });
        s.sync();
      });
      around.sync();
      ASSERT_EQ(n.load(), 2);
    });
  }
}

TEST_P(nested_spawns, may_come_from_a_thread_into_a_capped_pool) {
  heist::pool capped({.workers = GetParam(), .most_callers = 1});
  std::atomic<int> n{0};
  capped.run([&] {
    heist::scope s;
    s.spawn([&] { std::thread([&] { for (int k = 0; k < 2000; ++k) s.spawn([&] { ++n; }); }).join(); });
    s.sync();
  });
  EXPECT_EQ(n.load(), 2000);
}

TEST_P(nested_spawns, lose_nothing_that_reducers_gather) {
  for (int i = 0; i < rounds(60) && !HasFailure(); ++i) {
    heist::reducer<long, heist::op::sum<long>> sum;
    pool.run([&] {
      heist::scope s;
      s.spawn([&] { walk(s, 4, [&] { *sum += 1; }); });
      s.sync();
    });
    ASSERT_EQ(*sum, nodes_of(4));
  }
}

// The rest of the parent comes after what it has added itself, whoever runs it.
TEST_P(nested_spawns, leave_their_parents_reducers_alone) {
  for (int i = 0; i < rounds(100) && !HasFailure(); ++i) {
    pool.run([&] {
      heist::scope s;
      s.spawn([&] {
        heist::reducer<long, heist::op::sum<long>> mine;
        for (int k = 0; k < 20; ++k) {
          *mine += 1;
          s.spawn([] { std::this_thread::yield(); });
        }
        ASSERT_EQ(*mine, 20);
      });
      s.sync();
    });
  }
}

TEST_P(nested_spawns, hand_one_exception_to_the_sync_and_those_of_its_own_strand_win) {
  for (int i = 0; i < rounds(60) && !HasFailure(); ++i) {
    pool.run([&] {
      heist::scope s;
      s.spawn([&] { s.spawn([&] { s.spawn([] { throw failure(1); }); }); });
      EXPECT_EQ(thrower([&] { s.sync(); }), 1);
      s.spawn([&] { s.spawn([] { throw failure(1); }); });
      s.spawn([] { throw failure(2); });
      const int who = thrower([&] { s.sync(); });
      EXPECT_TRUE(who == 1 || who == 2) << who;
      s.spawn([] {});
      EXPECT_EQ(thrower([&] { s.sync(); }), nobody);
    });
    EXPECT_EQ(failure::live(), 0);
  }
}

// In strands, and the same on every schedule.
TEST_P(nested_spawns, are_measured_as_what_they_are) {
  constexpr int children = 50;
  const auto measured = [](heist::pool& p, auto&& spawn_all) {
    return p.run([&] { return heist::measure([&] {
      heist::scope s;
      s.spawn([&] { spawn_all(s); });
      s.sync();
    }, heist::unit::strand); });
  };
  struct link {
    static void run(heist::scope& of, int left) {
      if (left > 0) of.spawn([&of, left] { run(of, left - 1); });
    }
  };
  heist::pool one({.workers = 1});
  for (int i = 0; i < rounds(20); ++i) {
    const auto wide = [](heist::scope& s) { for (int k = 0; k < children; ++k) s.spawn([] {}); };
    const auto chain = [](heist::scope& s) { link::run(s, children); };
    const auto w = measured(pool, wide), w1 = measured(one, wide);
    EXPECT_EQ(w.work, w1.work);
    EXPECT_EQ(w.span, w1.span);
    EXPECT_EQ(w.forks, children + 1u);
    // The spawner's own strands are the path; each child is one more beside it.
    EXPECT_LE(w.span, children + 5);
    EXPECT_GE(w.work, 2 * children);
    const auto c = measured(pool, chain), c1 = measured(one, chain);
    EXPECT_EQ(c.work, c1.work);
    EXPECT_EQ(c.span, c1.span);
    EXPECT_GE(c.span, children);
  }
}

}  // namespace
