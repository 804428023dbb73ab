#include "tests/join/support.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

class spawn_later : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, spawn_later, testing::Values(1u, 2u, 3u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

constexpr int bound = 1024;

TEST_P(spawn_later, runs_every_child_once_before_sync_returns) {
  for (int i = 0; i < rounds(100); ++i) {
    pool.run([] {
      std::vector<std::atomic<int>> runs(3000);
      heist::scope s;
      for (auto& r : runs) s.spawn_later([&r] { ++r; });
      s.sync();
      for (const auto& r : runs) ASSERT_EQ(r.load(), 1);
    });
  }
}

TEST_P(spawn_later, runs_every_child_before_the_scope_ends) {
  for (int i = 0; i < rounds(300); ++i) {
    pool.run([] {
      std::atomic<int> n{0};
      {
        heist::scope s;
        for (int k = 0; k < 7; ++k) s.spawn_later([&] { ++n; });
      }
      ASSERT_EQ(n.load(), 7);
    });
  }
}

TEST(spawn_later_alone, leaves_children_waiting_until_sync) {
  heist::pool p({.workers = 1});
  p.run([] {
    int n = 0;
    heist::scope s;
    for (int i = 0; i < bound; ++i) s.spawn_later([&] { ++n; });
    EXPECT_EQ(n, 0);
    s.sync();
    EXPECT_EQ(n, bound);
  });
}

TEST(spawn_later_alone, runs_a_child_at_once_when_too_many_wait) {
  heist::pool p({.workers = 1});
  p.run([] {
    heist::scope s;
    for (int round = 0; round < 3; ++round) {
      int n = 0;
      for (int i = 0; i < 5000; ++i) {
        bool ran = false;
        s.spawn_later([&n, &ran, i] {
          ++n;
          if (i >= bound) ran = true;  // if later, `ran` is gone
        });
        ASSERT_EQ(ran, i >= bound);
      }
      ASSERT_EQ(n, 5000 - bound);
      s.sync();
      ASSERT_EQ(n, 5000);
    }
  });
}

// The bound is on the closures that exist at one time, whoever takes them.
TEST_P(spawn_later, keeps_a_bounded_number_of_children) {
  pool.run([&] {
    heist::scope s;
    int most = 0;
    for (int i = 0; i < rounds(50'000); ++i) {
      s.spawn_later([c = counted(1)] { EXPECT_EQ(c.value, 1); });
      most = std::max(most, counted::live());
    }
    s.sync();
    // Those in the deque, and those in thieves' hands.
    EXPECT_LE(most, bound + 4 * static_cast<int>(GetParam()));
  });
  EXPECT_EQ(counted::live(), 0);
}

TEST_P(spawn_later, bounds_each_scope_of_a_nest) {
  pool.run([] {
    std::atomic<int> n{0};
    heist::scope outer;
    for (int i = 0; i < 3 * bound; ++i) outer.spawn_later([&n] { ++n; });
    heist::join(
        [&] {
          heist::scope s;
          for (int i = 0; i < 3 * bound; ++i) s.spawn_later([&n] { ++n; });
        },
        [&] {
          heist::scope s;
          for (int i = 0; i < 3 * bound; ++i) s.spawn_later([&n] { ++n; });
        });
    EXPECT_GE(n.load(), 6 * bound);
    outer.sync();
    EXPECT_EQ(n.load(), 9 * bound);
  });
}

TEST_P(spawn_later, lets_thieves_have_the_children_while_the_caller_goes_on) {
  if (GetParam() == 1) GTEST_SKIP() << "there is no thief";
  pool.run([] {
    event ran;
    heist::scope s;
    s.spawn_later([&] { ran.raise(); });
    EXPECT_TRUE(ran.come());
  });
}

TEST_P(spawn_later, has_children_that_fork_and_spawn) {
  for (int i = 0; i < rounds(200); ++i) {
    pool.run([] {
      std::atomic<int> n{0};
      heist::scope s;
      for (int k = 0; k < 10; ++k)
        s.spawn_later([&] {
          heist::join([&] { ++n; }, [&] { ++n; });
          heist::scope inner;
          inner.spawn_later([&] { ++n; });
          inner.spawn([&] { ++n; });
        });
      s.sync();
      ASSERT_EQ(n.load(), 40);
    });
  }
}

TEST_P(spawn_later, mixes_with_spawn_and_join) {
  for (int i = 0; i < rounds(200); ++i) {
    pool.run([] {
      std::atomic<int> n{0};
      heist::scope s;
      for (int k = 0; k < 10; ++k) {
        s.spawn_later([&] { ++n; });
        s.spawn([&] {
          std::this_thread::yield();
          ++n;
        });
        heist::join([&] { ++n; }, [&] { ++n; });
      }
      s.sync();
      ASSERT_EQ(n.load(), 40);
    });
  }
}

// One strand, two scopes: the children of both wait in one deque.
TEST_P(spawn_later, waits_for_its_own_scopes_children_when_two_scopes_take_turns) {
  for (int i = 0; i < rounds(300) && !HasFailure(); ++i) {
    pool.run([] {
      std::atomic<int> in_a{0}, in_b{0};
      heist::scope a, b;
      for (int k = 0; k < 5; ++k) {
        a.spawn_later([&] { ++in_a; });
        b.spawn_later([&] { ++in_b; });
      }
      b.sync();
      ASSERT_EQ(in_b.load(), 5);
      a.sync();
      ASSERT_EQ(in_a.load(), 5);
    });
  }
}

TEST_P(spawn_later, waits_for_the_younger_scopes_children_while_an_older_scopes_wait) {
  for (int i = 0; i < rounds(300) && !HasFailure(); ++i) {
    pool.run([] {
      std::atomic<int> in_a{0}, in_b{0};
      heist::scope a;
      a.spawn_later([&] { ++in_a; });
      {
        heist::scope b;
        b.spawn_later([&] { ++in_b; });
        b.spawn_later([&] { ++in_b; });
      }
      ASSERT_EQ(in_b.load(), 2);
      a.spawn_later([&] { ++in_a; });
      a.sync();
      ASSERT_EQ(in_a.load(), 2);
    });
  }
}

TEST_P(spawn_later, can_be_used_inside_children_and_branches) {
  for (int i = 0; i < rounds(200); ++i) {
    pool.run([] {
      std::atomic<int> n{0};
      auto some = [&n] {
        heist::scope s;
        for (int k = 0; k < 20; ++k) s.spawn_later([&n] { ++n; });
      };
      heist::scope s;
      s.spawn_later(some);
      s.spawn(some);
      heist::join(some, some);
      s.sync();
      ASSERT_EQ(n.load(), 80);
    });
  }
}

TEST(spawn_later_outside, returns_on_the_calling_thread_and_is_bounded_too) {
  const std::thread::id me = this_thread();
  event open;
  std::atomic<int> n{0};
  int most = 0;
  heist::scope s;
  const int workers = static_cast<int>(heist::default_pool().workers());
  // No worker is free to take what waits.
  for (int i = 0; i < workers; ++i) s.spawn_later([&] { EXPECT_TRUE(open.come()); });
  for (int i = 0; i < 3 * bound; ++i) {
    s.spawn_later([&n, c = counted(1)] { n += c.value; });
    ASSERT_EQ(this_thread(), me);
    most = std::max(most, counted::live());
  }
  EXPECT_LE(most, bound + 1);
  EXPECT_GE(n.load(), 2 * bound);
  open.raise();
  s.sync();
  EXPECT_EQ(this_thread(), me);
  EXPECT_EQ(n.load(), 3 * bound);
  EXPECT_EQ(counted::live(), 0);
}

}  // namespace
