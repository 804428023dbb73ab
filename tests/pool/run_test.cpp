// pool::run: what comes back, and on which thread.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

class a_pool : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{workers(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(of, a_pool, testing::Values(1u, 2u, 8u), [](const auto& p) {
  return std::to_string(p.param) + (p.param == 1 ? "_worker" : "_workers");
});

TEST_P(a_pool, has_as_many_workers_as_asked_for) { EXPECT_EQ(pool.workers(), GetParam()); }

TEST_P(a_pool, returns_what_the_root_returns) {
  EXPECT_EQ(pool.run([] { return fib(15); }), 610);
  EXPECT_EQ(pool.run([] { return std::string(100, 'x'); }), std::string(100, 'x'));
  EXPECT_EQ(*pool.run([] { return std::make_unique<int>(3); }), 3);
  struct no_default {
    explicit no_default(int v) : value(v) {}
    int value;
  };
  EXPECT_EQ(pool.run([] { return no_default(4); }).value, 4);
  bool ran = false;
  pool.run([&] { ran = true; });
  EXPECT_TRUE(ran);
  auto move_only = [p = std::make_unique<int>(5)] { return *p; };
  EXPECT_EQ(pool.run(std::move(move_only)), 5);
}

TEST_P(a_pool, throws_what_the_root_throws) {
  for (int i = 0; i < 100; ++i) {
    try {
      pool.run([i] {
        heist::join([] { fib(8); }, [i] { throw std::runtime_error("from round " + std::to_string(i)); });
      });
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(e.what(), "from round " + std::to_string(i));
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  }
}

// The root's last strand may have run anywhere: it is forced onto another thread here, where there is one.
TEST_P(a_pool, returns_and_throws_on_the_calling_thread) {
  const auto me = std::this_thread::get_id();
  const bool alone = GetParam() == 1;
  for (int i = 0; i < 200; ++i) {
    std::atomic<bool> started{false}, left_is_over{false};
    std::thread::id ended_on;
    auto root = [&] {
      heist::join(
          [&] {
            EXPECT_TRUE(alone || eventually([&] { return started.load(); }));
            left_is_over = true;
          },
          [&] {
            started = true;
            EXPECT_TRUE(alone || eventually([&] { return left_is_over.load(); }));
            if (!alone) std::this_thread::yield();
          });
      ended_on = std::this_thread::get_id();
      if (i % 2 == 1) throw 7;
    };
    try {
      pool.run(root);
      EXPECT_EQ(i % 2, 0);
    } catch (int e) {
      EXPECT_EQ(e, 7);
      EXPECT_EQ(i % 2, 1);
    }
    ASSERT_EQ(std::this_thread::get_id(), me);
    ASSERT_TRUE(!alone || ended_on == me);
  }
}

TEST_P(a_pool, calls_a_root_from_inside_directly) {
  pool.run([&] {
    const char mark = 0;
    const auto me = std::this_thread::get_id();
    const auto before = pool.stats().workers.size();
    EXPECT_EQ(pool.run([&] { return std::this_thread::get_id(); }), me);
    // On the same stack.
    const auto distance = pool.run([&] {
      const char inner = 0;
      return reinterpret_cast<std::intptr_t>(&mark) - reinterpret_cast<std::intptr_t>(&inner);
    });
    EXPECT_LT(std::abs(distance), 64 * 1024);
    EXPECT_EQ(pool.stats().workers.size(), before);  // no seat was taken for it
    EXPECT_THROW(pool.run([] { throw 1; }), int);
  });
}

TEST_P(a_pool, is_used_inside_a_pool_inside_a_pool) {
  heist::pool middle(workers(2)), inner(workers(GetParam()));
  for (int i = 0; i < 20; ++i) {
    const auto sum = pool.run([&] {
      auto [a, b] = heist::join(
          [&] {
            return middle.run([&] {
              auto [c, d] = heist::join([&] { return inner.run([] { return fib(12); }); }, [] { return fib(11); });
              return c + d;
            });
          },
          [&] { return middle.run([&] { return inner.run([] { return fib(10); }); }); });
      return a + b;
    });
    ASSERT_EQ(sum, 144 + 89 + 55);
  }
}

TEST_P(a_pool, is_called_back_from_the_pool_its_task_calls) {
  heist::pool other(workers(GetParam()));
  for (int i = 0; i < 50; ++i) {
    const auto sum = pool.run([&] {
      auto [a, b] = heist::join([&] { return other.run([&] { return pool.run([] { return fib(10); }) + fib(9); }); },
                                [] { return fib(8); });
      return a + b;
    });
    ASSERT_EQ(sum, 55 + 34 + 21);
  }
  EXPECT_THROW(pool.run([&] { other.run([&] { pool.run([] { throw std::logic_error("deep"); }); }); }), std::logic_error);
}

// Back and forth until both pools have more callers than workers.
TEST_P(a_pool, takes_a_long_way_through_two_pools) {
  heist::pool other(workers(GetParam()));
  struct walk {
    heist::pool *here, *there;
    long down(int n) {
      if (n == 0) return 1;
      walk back{there, here};
      return here->run([&] {
        auto [a, b] = heist::join([&] { return back.down(n - 1); }, [&] { return fib(5); });
        return a + b;
      });
    }
  };
  EXPECT_EQ((walk{&pool, &other}.down(12)), 1 + 12 * 5);
}

TEST_P(a_pool, made_and_destroyed_inside_a_task_leaves_the_task_in_its_own_pool) {
  pool.run([&] {
    for (int i = 0; i < 10; ++i) {
      heist::pool inner(workers(2));
      EXPECT_EQ(inner.run([] { return fib(12); }), 144);
    }
    EXPECT_EQ(fib(12), 144);
    EXPECT_EQ(heist::detail::workers_here(), GetParam());
  });
}

// Callers from outside -----------------------------------------------------------------------------------------------

// Who the calling thread is: −1 unless it is one of the callers below. Out of line: the compiler must not keep a
// thread-local's address across a join. Not instrumented: ThreadSanitizer takes a thread's stacks for threads.
constinit thread_local int caller_number = -1;
[[gnu::noinline]] HEIST_NO_TSAN int this_caller() {
  asm volatile("");
  return caller_number;
}

struct witness {
  int root;
  std::atomic<int>* foreign;
  std::atomic<int>* elsewhere;
  void look() const {
    const int here = this_caller();
    if (here == -1) elsewhere->fetch_add(1, std::memory_order_relaxed);
    if (here != -1 && here != root) foreign->fetch_add(1, std::memory_order_relaxed);
  }
};

long watched_fib(const witness& w, int n) {
  w.look();
  if (n < 2) return n;
  auto [a, b] = heist::join([&w, n] { return watched_fib(w, n - 1); }, [&w, n] { return watched_fib(w, n - 2); });
  w.look();
  return a + b;
}

long watched_spawns(const witness& w, int n) {
  std::atomic<long> sum{0};
  heist::scope s;
  for (int i = 0; i < n; ++i) {
    s.spawn([&] {
      w.look();
      sum += watched_fib(w, 5);
    });
    w.look();
  }
  s.sync();
  w.look();
  return sum;
}

TEST_P(a_pool, serves_64_callers_at_once_and_none_of_them_runs_foreign_work) {
  constexpr int callers = 64;
  std::atomic<int> foreign{0}, elsewhere{0}, ready{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      caller_number = i;
      const witness w{i, &foreign, &elsewhere};
      ++ready;
      while (ready < callers) std::this_thread::yield();
      for (int round = 0; round < 10; ++round) {
        if (pool.run([&] { return watched_fib(w, 12); }) != 144) ++wrong;
        if (pool.run([&] { return watched_spawns(w, 20); }) != 100) ++wrong;
        if (this_caller() != i) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(foreign, 0);
  EXPECT_EQ(pool.stats().suspends, pool.stats().resumes);
}

// All of them at the same time, whatever the number of workers: none waits for a seat.
TEST_P(a_pool, gives_every_caller_a_seat) {
  constexpr int callers = 64;
  std::atomic<int> inside{0}, given_up{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&] {
      pool.run([&] {
        ++inside;
        if (!eventually([&] { return inside == callers; })) ++given_up;
      });
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(given_up, 0);
  // The pool's own seats first, then the temporary ones.
  EXPECT_GE(pool.stats().workers.size(), static_cast<std::size_t>(callers));
}

// With its deque empty a caller that waits holds nothing: here one waits at a join for a branch that only goes on when a
// second caller's root has run.
TEST_P(a_pool, lets_a_caller_in_while_another_waits_at_a_join) {
  if (GetParam() == 1) GTEST_SKIP() << "nobody steals";
  std::atomic<bool> started{false}, second_ran{false};
  std::thread first([&] {
    pool.run([&] {
      heist::join([&] { EXPECT_TRUE(eventually([&] { return started.load(); })); },
                  [&] {
                    started = true;
                    EXPECT_TRUE(eventually([&] { return second_ran.load(); }));
                  });
    });
  });
  EXPECT_TRUE(eventually([&] { return started.load(); }));
  EXPECT_TRUE(eventually([&] { return pool.stats().suspends > 0; }));
  pool.run([&] { second_ran = true; });
  first.join();
}

TEST(two_pools, work_side_by_side_for_callers_of_both) {
  heist::pool one(workers(2)), two(workers(3));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      heist::pool& mine = i % 2 == 0 ? one : two;
      heist::pool& others = i % 2 == 0 ? two : one;
      for (int round = 0; round < 50; ++round) {
        const long sum = mine.run([&] {
          auto [a, b] = heist::join([] { return fib(10); }, [&] { return others.run([] { return fib(11); }); });
          return a + b;
        });
        if (sum != 55 + 89) ++wrong;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(many_pools, come_and_go) {
  for (unsigned i = 0; i < 200; ++i) {
    heist::pool p(workers(1 + i % 4));
    if (i % 3 == 0) continue;  // some are never used
    ASSERT_EQ(p.run([] { return fib(10); }), 55);
  }
}

}  // namespace
