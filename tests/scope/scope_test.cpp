#include "tests/join/support.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

class a_scope : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_scope, testing::Values(1u, 2u, 3u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// Children ------------------------------------------------------------------------------------------------------------

TEST_P(a_scope, waits_for_its_children_at_sync) {
  for (int i = 0; i < rounds(50); ++i) {
    const long sum = pool.run([] {
      std::atomic<long> n{0};
      heist::scope s;
      for (int k = 0; k < 1000; ++k) s.spawn([&n, k] { n += k; });
      s.sync();
      return n.load();
    });
    ASSERT_EQ(sum, 499'500);
  }
}

TEST_P(a_scope, waits_for_its_children_at_its_end) {
  for (int i = 0; i < rounds(500); ++i) {
    std::atomic<int> ended{0};
    pool.run([&] {
      {
        heist::scope s;
        for (int k = 0; k < 10; ++k)
          s.spawn([&] {
            std::this_thread::yield();
            ++ended;
          });
      }
      ASSERT_EQ(ended.load(), 10);
    });
  }
}

TEST_P(a_scope, may_have_no_children) {
  pool.run([] {
    heist::scope s;
    s.sync();
    s.sync();
  });
  heist::scope outside;
  outside.sync();
}

TEST_P(a_scope, can_be_used_again_after_sync) {
  pool.run([] {
    heist::scope s;
    std::atomic<int> n{0};
    for (int i = 1; i <= rounds(300); ++i) {
      for (int k = 0; k < 3; ++k) s.spawn([&] { ++n; });
      s.sync();
      ASSERT_EQ(n.load(), 3 * i);
    }
  });
}

TEST_P(a_scope, calls_what_can_only_be_moved_and_destroys_it_before_sync_returns) {
  for (int i = 0; i < rounds(300); ++i) {
    pool.run([] {
      heist::scope s;
      std::atomic<int> sum{0};
      auto named = [c = counted(1), &sum] { sum += c.value; };
      s.spawn(std::move(named));
      s.spawn([c = counted(2), p = std::make_unique<int>(3), &sum] { sum += c.value + *p; });
      s.sync();
      ASSERT_EQ(sum.load(), 6);
      ASSERT_EQ(counted::live(), 1);  // the one that was moved from
    });
    ASSERT_EQ(counted::live(), 0);
  }
}

TEST_P(a_scope, copies_an_lvalue_functor_so_that_it_may_end_before_the_child) {
  struct functor {
    std::shared_ptr<std::atomic<int>> calls;
    void operator()() const { ++*calls; }
  };
  auto calls = std::make_shared<std::atomic<int>>(0);
  const int n = rounds(300);
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < n; ++i) {
      const functor f{calls};
      s.spawn(f);
    }
    s.sync();
    EXPECT_EQ(*calls, n);
    EXPECT_EQ(calls.use_count(), 1);
  });
}

TEST_P(a_scope, takes_closures_of_any_size) {
  struct big {
    unsigned char bytes[20'000];
  };
  pool.run([] {
    big b;
    std::fill(std::begin(b.bytes), std::end(b.bytes), static_cast<unsigned char>(3));
    std::atomic<long> sum{0};
    heist::scope s;
    for (int i = 0; i < rounds(200); ++i)
      s.spawn([b, &sum] {
        std::this_thread::yield();
        for (const unsigned char c : b.bytes) sum += c == 3 ? 0 : 1;
        ++sum;
      });
    std::fill(std::begin(b.bytes), std::end(b.bytes), static_cast<unsigned char>(4));
    s.sync();
    EXPECT_EQ(sum.load(), rounds(200));
  });
}

// The order -----------------------------------------------------------------------------------------------------------

TEST(a_scope_alone, runs_the_program_in_serial_order_with_at_most_one_child_alive) {
  heist::pool p({.workers = 1});
  chronicle order;
  std::atomic<int> alive{0}, most{0};
  p.run([&] {
    heist::scope s;
    for (char c = 'a'; c < 'f'; ++c) {
      s.spawn([&, c] {
        most = std::max(most.load(), ++alive);
        order.note(c);
        --alive;
      });
      order.note(static_cast<char>(c - 'a' + 'A'));
    }
    order.note('|');
    s.sync();
    order.note('.');
  });
  EXPECT_EQ(order.text(), "aAbBcCdDeE|.");
  EXPECT_EQ(most.load(), 1);
}

TEST(a_scope_alone, runs_nested_scopes_and_joins_in_serial_order) {
  heist::pool p({.workers = 1});
  chronicle order;
  p.run([&] {
    heist::scope s;
    s.spawn([&] {
      heist::scope inner;
      inner.spawn([&] { order.note('a'); });
      order.note('b');
      heist::join([&] { order.note('c'); }, [&] { order.note('d'); });
      inner.spawn([&] { order.note('e'); });
    });
    order.note('f');
    heist::join([&] { order.note('g'); },
                [&] {
                  heist::scope branch;
                  branch.spawn([&] { order.note('h'); });
                  order.note('i');
                });
    s.spawn([&] { order.note('j'); });
    order.note('k');
  });
  EXPECT_EQ(order.text(), "abcdefghijk");
}

TEST(a_spawn, leaves_the_rest_of_the_caller_to_a_thief_while_the_child_runs) {
  heist::pool p({.workers = 2});
  for (int i = 0; i < rounds(300); ++i) {
    p.run([&] {
      event went_on;
      const std::thread::id before = this_thread();
      std::thread::id child, after;
      heist::scope s;
      s.spawn([&] {
        child = this_thread();
        EXPECT_TRUE(went_on.come());
      });
      after = this_thread();
      went_on.raise();
      s.sync();
      ASSERT_EQ(child, before);  // the child runs now, here
      ASSERT_NE(after, before);
    });
  }
  EXPECT_GE(p.stats().steals, static_cast<std::size_t>(rounds(300)));
}

// Every child waits for the next one: so many must be alive at once.
// A worker that stays with a long child has shared the rest of the loop before: its thief need not interrupt it.
TEST(a_spawn, of_a_long_child_is_stolen_from_without_a_heavy_fence) {
  heist::pool p({.workers = 2});
  p.run([] {
    heist::scope s;
    for (int i = 0; i < 1000; ++i)
      s.spawn([] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
        while (std::chrono::steady_clock::now() < end) {
        }
      });
    s.sync();
  });
  const heist::counters seen = p.stats();
  EXPECT_LE(seen.heavy_fences, seen.steals / 5 + 10) << seen.steals << " steals";
}

TEST(a_spawn, has_as_many_children_alive_as_there_are_workers) {
  constexpr int workers = 8;
  heist::pool p({.workers = workers});
  for (int i = 0; i < rounds(50); ++i) {
    p.run([&] {
      std::atomic<int> here{0};
      heist::scope s;
      for (int k = 0; k < workers; ++k)
        s.spawn([&] {
          ++here;
          EXPECT_TRUE(eventually([&] { return here.load() == workers; }));
        });
    });
  }
}

// Nested --------------------------------------------------------------------------------------------------------------

// The leaves of a tree whose inner nodes fork in turn by join, scope and both.
void count_leaves(int depth, std::atomic<long>& leaves) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  switch (depth % 3) {
    case 0:
      heist::join([=, &leaves] { count_leaves(depth - 1, leaves); }, [=, &leaves] { count_leaves(depth - 1, leaves); },
                  [=, &leaves] { count_leaves(depth - 1, leaves); });
      break;
    case 1: {
      heist::scope s;
      for (int i = 0; i < 3; ++i) s.spawn([=, &leaves] { count_leaves(depth - 1, leaves); });
      break;
    }
    default: {
      heist::scope s;
      s.spawn([=, &leaves] { count_leaves(depth - 1, leaves); });
      heist::join([=, &leaves] { count_leaves(depth - 1, leaves); },
                  [=, &leaves] {
                    heist::scope inner;
                    inner.spawn([=, &leaves] { count_leaves(depth - 1, leaves); });
                    inner.sync();
                  });
      s.sync();
    }
  }
}

TEST_P(a_scope, nests_with_joins_and_scopes) {
  for (int i = 0; i < rounds(150); ++i) {
    std::atomic<long> leaves{0};
    pool.run([&] { count_leaves(6, leaves); });
    ASSERT_EQ(leaves.load(), 729);
  }
}

TEST_P(a_scope, may_live_beside_others_of_the_same_strand) {
  for (int i = 0; i < rounds(300); ++i) {
    pool.run([] {
      std::atomic<int> in_a{0}, in_b{0};
      heist::scope a, b;
      for (int k = 0; k < 4; ++k) {
        a.spawn([&] {
          std::this_thread::yield();
          ++in_a;
        });
        b.spawn([&] {
          std::this_thread::yield();
          ++in_b;
        });
      }
      b.sync();
      ASSERT_EQ(in_b.load(), 4);
      a.spawn([&] { ++in_a; });
      b.spawn([&] { ++in_b; });
      b.sync();
      ASSERT_EQ(in_b.load(), 5);
      a.sync();
      ASSERT_EQ(in_a.load(), 5);
    });
  }
}

TEST_P(a_scope, works_for_helpers_that_its_strand_calls) {
  struct helper {
    static void spawn_some(heist::scope& s, std::atomic<int>& n, int depth) {
      s.spawn([&n] { ++n; });
      if (depth > 0) spawn_some(s, n, depth - 1);
    }
  };
  for (int i = 0; i < rounds(200); ++i) {
    pool.run([] {
      std::atomic<int> n{0};
      heist::scope s;
      heist::join([] {}, [] {});
      helper::spawn_some(s, n, 20);
      s.sync();
      ASSERT_EQ(n.load(), 21);
    });
  }
}

// A chain of children, each the parent of the next: deeper than the workers' caches of stacks.
void chain(int depth, std::atomic<int>& n) {
  ++n;
  if (depth == 0) return;
  heist::scope s;
  s.spawn([depth, &n] { chain(depth - 1, n); });
}

TEST_P(a_scope, nests_deeper_than_the_caches_of_stacks) {
  for (int i = 0; i < rounds(20); ++i) {
    std::atomic<int> n{0};
    pool.run([&] { chain(200, n); });
    ASSERT_EQ(n.load(), 201);
  }
}

// Outside any pool ----------------------------------------------------------------------------------------------------

TEST(a_scope_outside, sends_its_children_to_the_default_pool_and_stays_on_its_thread) {
  const std::thread::id me = this_thread();
  for (int i = 0; i < rounds(300); ++i) {
    std::atomic<int> inside{0};
    heist::scope s;
    for (int k = 0; k < 5; ++k) {
      s.spawn([&] { inside += heist::detail::this_worker() != nullptr ? 1 : 0; });
      ASSERT_EQ(this_thread(), me);
      s.spawn_later([&] { inside += heist::detail::this_worker() != nullptr ? 1 : 0; });
      ASSERT_EQ(this_thread(), me);
    }
    s.sync();
    ASSERT_EQ(this_thread(), me);
    ASSERT_EQ(inside.load(), 10);
  }
}

// All workers of the default pool are busy until the scope has ended: whoever waits for it runs its children.
TEST(a_scope_outside, runs_its_children_itself_while_all_workers_are_busy) {
  std::atomic<unsigned> busy{0};
  event over;
  const unsigned workers = heist::default_pool().workers();
  std::vector<std::thread> callers;
  for (unsigned i = 0; i < workers; ++i)
    callers.emplace_back([&] {
      heist::default_pool().run([&] {  // on a seat of the pool's, whose thread sleeps meanwhile
        ++busy;
        EXPECT_TRUE(over.come());
      });
    });
  while (busy.load() < workers) std::this_thread::yield();
  std::atomic<int> n{0};
  {
    heist::scope s;
    for (int k = 0; k < 20; ++k) {
      s.spawn([&] { heist::join([&] { ++n; }, [&] { ++n; }); });
      s.spawn_later([&] { s.spawn([&] { ++n; }); });
    }
    s.sync();
  }
  EXPECT_EQ(n.load(), 60);
  over.raise();
  for (std::thread& c : callers) c.join();
}

TEST(a_scope_outside, goes_on_while_its_children_run) {
  event went_on;
  heist::scope s;
  s.spawn([&] { EXPECT_TRUE(went_on.come()); });
  went_on.raise();
}

TEST(a_scope_outside, has_children_that_fork) {
  for (int i = 0; i < rounds(100); ++i) {
    std::atomic<long> leaves{0};
    {
      heist::scope s;
      s.spawn([&] { count_leaves(4, leaves); });
      s.spawn([&] { count_leaves(3, leaves); });
    }
    ASSERT_EQ(leaves.load(), 81 + 27);
  }
}

TEST(a_scope_outside, is_one_of_many) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < rounds(200); ++i) {
        std::atomic<int> n{0};
        heist::scope s;
        for (int k = 0; k < 5; ++k) s.spawn([&] { ++n; });
        s.sync();
        ASSERT_EQ(n.load(), 5);
      }
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST(a_scope_outside, copies_and_destroys_closures_as_one_inside_does) {
  {
    heist::scope s;
    s.spawn([c = counted(1)] { EXPECT_EQ(c.value, 1); });
    s.spawn_later([c = counted(2)] { EXPECT_EQ(c.value, 2); });
    s.sync();
    EXPECT_EQ(counted::live(), 0);
  }
}

std::atomic<int> plain_calls{0};
void plain_function() { ++plain_calls; }

TEST(scope, spawns_a_plain_function) {
  heist::pool pool({.workers = 2});
  pool.run([] {
    heist::scope s;
    s.spawn(plain_function);
    s.spawn(&plain_function);
    s.spawn_later(plain_function);
  });
  EXPECT_EQ(plain_calls, 3);
}

}  // namespace
