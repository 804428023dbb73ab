// A heist::mutex held across a fork: the program ends, whoever wants it meanwhile.

#include "tests/join/support.hpp"

#include <heist/base/sanitizer.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

class a_mutex_held_across_a_join : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
  heist::mutex m;
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_mutex_held_across_a_join, testing::Values(2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// Work under a lock: forks that want nothing.
int fork(int depth) {
  if (depth == 0) {
    std::this_thread::yield();
    return 1;
  }
  const auto [a, b] = heist::join([=] { return fork(depth - 1); }, [=] { return fork(depth - 1); });
  return a + b;
}

// Takes the lock, forks under it, and counts without any other protection.
void hold_across_a_join(heist::mutex& m, long& count, int depth) {
  const std::lock_guard hold(m);
  const long before = count;
  EXPECT_EQ(fork(depth), 1 << depth);
  count = before + 1;
}

// All workers of a pool are at work as long as it lives.
class occupier {
 public:
  occupier(heist::pool& pool, unsigned workers)
      : thread_([this, &pool, workers] {
          pool.run([this, workers] {
            heist::for_each_index(0u, workers, [this](unsigned) {
              ++busy_;
              EXPECT_TRUE(released_.come());
            }, heist::grain{1});
          });
        }) {
    EXPECT_TRUE(eventually([&] { return busy_.load() == workers; }));
  }
  ~occupier() {
    released_.raise();
    thread_.join();
  }

 private:
  std::atomic<unsigned> busy_{0};
  event released_;
  std::thread thread_;
};

TEST_P(a_mutex_held_across_a_join, may_be_wanted_by_its_siblings) {
  for (int i = 0; i < rounds(3'000); ++i) {
    long count = 0;
    pool.run([&] {
      heist::join([&] { hold_across_a_join(m, count, 2); }, [&] { hold_across_a_join(m, count, 2); },
                  [&] { hold_across_a_join(m, count, 2); }, [&] { hold_across_a_join(m, count, 2); });
    });
    ASSERT_EQ(count, 4);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_wanted_by_its_siblings_deep_in_a_tree) {
  struct tree {
    static void walk(int depth, heist::mutex& lock, long& count) {
      if (depth == 0) return hold_across_a_join(lock, count, 1);
      heist::join([=, &lock, &count] { walk(depth - 1, lock, count); }, [=, &lock, &count] { walk(depth - 1, lock, count); });
    }
  };
  for (int i = 0; i < rounds(300); ++i) {
    long count = 0;
    pool.run([&] { tree::walk(5, m, count); });
    ASSERT_EQ(count, 32);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_wanted_by_children) {
  for (int i = 0; i < rounds(500); ++i) {
    long count = 0;
    pool.run([&] {
      heist::scope s;
      for (int k = 0; k < 10; ++k) s.spawn([&] { hold_across_a_join(m, count, 2); });
    });
    ASSERT_EQ(count, 10);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_held_across_spawns_and_syncs) {
  for (int i = 0; i < rounds(500); ++i) {
    long count = 0;
    auto hold_across_a_scope = [&] {
      const std::lock_guard hold(m);
      const long before = count;
      std::atomic<int> n{0};
      heist::scope s;
      for (int k = 0; k < 4; ++k)
        s.spawn([&] {
          std::this_thread::yield();
          ++n;
        });
      s.sync();
      EXPECT_EQ(n.load(), 4);
      count = before + 1;
    };
    pool.run([&] {
      heist::join(hold_across_a_scope, hold_across_a_scope, [&] {
        heist::scope s;
        s.spawn(hold_across_a_scope);
        s.spawn(hold_across_a_scope);
      });
    });
    ASSERT_EQ(count, 4);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_one_of_two_taken_in_order) {
  heist::mutex second;
  for (int i = 0; i < rounds(500); ++i) {
    long count = 0, both = 0;
    auto hold_both = [&] {
      const std::lock_guard hold(m);
      const long before = both;
      heist::join([&] { hold_across_a_join(second, count, 1); }, [&] { hold_across_a_join(second, count, 1); });
      both = before + 1;
    };
    pool.run([&] { heist::join(hold_both, [&] { hold_across_a_join(second, count, 1); }, hold_both); });
    ASSERT_EQ(both, 2);
    ASSERT_EQ(count, 5);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_released_on_another_thread) {
  int moved = 0;
  for (int i = 0; i < rounds(500); ++i) {
    pool.run([&] {
      m.lock();
      const std::thread::id before = this_thread();
      event went_on;
      heist::scope s;
      s.spawn([&] { EXPECT_TRUE(went_on.come()); });
      moved += this_thread() != before ? 1 : 0;
      m.unlock();
      went_on.raise();
    });
    ASSERT_TRUE(m.try_lock());
    m.unlock();
  }
  EXPECT_EQ(moved, rounds(500));
}

// Callers from outside --------------------------------------------------------------------------------------------------

TEST_P(a_mutex_held_across_a_join, may_be_held_by_an_outside_thread_around_run) {
  long count = 0;
  const int n = rounds(1'500);
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < n; ++i) {
        const std::lock_guard hold(m);
        const long before = count;
        EXPECT_EQ(pool.run([] { return fork(3); }), 8);
        count = before + 1;
      }
    });
  // Meanwhile strands of the pool want it.
  for (int i = 0; i < n; ++i)
    pool.run([&] {
      heist::join([&] { hold_across_a_join(m, count, 1); }, [&] { hold_across_a_join(m, count, 1); });
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(count, 4L * n);
}

// All workers are busy with branches that wait for the lock, and there are more callers than workers.
TEST_P(a_mutex_held_across_a_join, may_be_held_around_run_when_no_seat_is_free) {
  const unsigned callers = 2 * GetParam() + 2;
  for (int i = 0; i < rounds(30); ++i) {
    long count = 0;
    std::atomic<unsigned> ready{0};
    std::vector<std::thread> threads;
    {
      const std::unique_lock hold(m);
      for (unsigned t = 0; t < callers; ++t)
        threads.emplace_back([&] {
          pool.run([&] {
            ++ready;
            heist::join([&] { hold_across_a_join(m, count, 1); }, [&] { hold_across_a_join(m, count, 1); });
          });
        });
      EXPECT_TRUE(eventually([&] { return ready.load() == callers; }));
      // The holder needs the pool itself.
      EXPECT_EQ(pool.run([] { return fork(4); }), 16);
    }
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(count, 2L * callers);
  }
}

// The same, with workers that do not wait for the lock but work until it has been released.
TEST_P(a_mutex_held_across_a_join, may_be_held_around_run_when_all_workers_work) {
  for (int i = 0; i < rounds(30); ++i) {
    const occupier all_at_work(pool, GetParam());
    std::vector<std::thread> threads;
    long count = 0;
    for (unsigned t = 0; t < GetParam() + 1; ++t)
      threads.emplace_back([&] {
        const std::lock_guard hold(m);
        const long before = count;
        EXPECT_EQ(pool.run([] { return fork(3); }), 8);
        count = before + 1;
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(count, GetParam() + 1);
  }
}

// And when the callers want it inside their roots: each has a seat for that, and needs no worker of the pool.
TEST_P(a_mutex_held_across_a_join, may_be_wanted_inside_run_when_all_workers_work) {
  for (int i = 0; i < rounds(30) && !HasFailure(); ++i) {
    const occupier all_at_work(pool, GetParam());
    std::vector<std::thread> threads;
    long count = 0;
    for (unsigned t = 0; t < GetParam() + 1; ++t)
      threads.emplace_back([&] {
        pool.run([&] {
          heist::join([&] { hold_across_a_join(m, count, 1); }, [&] { hold_across_a_join(m, count, 1); });
        });
      });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(count, 2 * (GetParam() + 1));
  }
}

// The calling thread: std::thread::id is used again for a thread that starts when another has been joined. Not
// instrumented by ThreadSanitizer, which takes a thread's stacks for threads.
[[gnu::noinline]] HEIST_NO_TSAN unsigned thread_number() {
  static constinit std::atomic<unsigned> last{0};
  static constinit thread_local unsigned mine = 0;
  asm volatile("");
  if (mine == 0) mine = last.fetch_add(1) + 1;
  return mine;
}

// A caller works on its own root only: what it holds must not hang on foreign work.
TEST_P(a_mutex_held_across_a_join, never_has_a_caller_go_on_with_another_callers_strand) {
  for (int i = 0; i < rounds(100); ++i) {
    heist::pool fresh({.workers = 1});
    heist::mutex gate;
    gate.lock();
    std::atomic<unsigned> waiting{0};
    event over;
    // The only seat is taken, so that no thread of the pool has been started yet.
    std::thread sitter([&] {
      fresh.run([&] {
        ++waiting;
        EXPECT_TRUE(over.come());
      });
    });
    EXPECT_TRUE(eventually([&] { return waiting.load() == 1; }));
    constexpr int callers = 4;
    std::atomic<unsigned> callers_ids[callers]{};
    std::vector<std::thread> threads;
    std::atomic<int> foreign{0}, passed{0};
    for (int t = 0; t < callers; ++t)
      threads.emplace_back([&, t] {
        callers_ids[t] = thread_number();
        fresh.run([&, t] {
          ++waiting;
          const std::lock_guard hold(gate);
          for (int other = 0; other < callers; ++other)
            foreign += other != t && callers_ids[other].load() == thread_number() ? 1 : 0;
          ++passed;
        });
      });
    EXPECT_TRUE(eventually([&] { return waiting.load() == callers + 1; }));
    gate.unlock();
    // Either they pass on their own threads, or they wait for a seat.
    over.raise();
    sitter.join();
    for (std::thread& t : threads) t.join();
    ASSERT_EQ(passed.load(), callers);
    ASSERT_EQ(foreign.load(), 0);
  }
}

// Two pools -------------------------------------------------------------------------------------------------------------

TEST_P(a_mutex_held_across_a_join, may_be_held_by_a_strand_around_another_pools_run) {
  heist::pool other({.workers = GetParam()});
  for (int i = 0; i < rounds(500); ++i) {
    long count = 0;
    auto hold_around_run = [&] {
      const std::lock_guard hold(m);
      const long before = count;
      EXPECT_EQ(other.run([] { return fork(3); }), 8);
      count = before + 1;
    };
    pool.run([&] { heist::join(hold_around_run, hold_around_run, [&] { hold_across_a_join(m, count, 1); }); });
    ASSERT_EQ(count, 3);
  }
}

TEST_P(a_mutex_held_across_a_join, may_be_held_around_another_pools_run_whose_strands_want_it) {
  heist::pool other({.workers = GetParam()});
  const int n = rounds(300);
  long count = 0;
  // The other pool's own strands want the lock all the time.
  std::thread wanting([&] {
    for (int i = 0; i < n; ++i)
      other.run([&] { heist::join([&] { hold_across_a_join(m, count, 1); }, [&] { hold_across_a_join(m, count, 1); }); });
  });
  auto hold_around_run = [&] {
    const std::lock_guard hold(m);
    const long before = count;
    EXPECT_EQ(other.run([] { return fork(2); }), 4);
    count = before + 1;
  };
  for (int i = 0; i < n; ++i) pool.run([&] { heist::join(hold_around_run, hold_around_run); });
  wanting.join();
  EXPECT_EQ(count, 4L * n);
}

TEST_P(a_mutex_held_across_a_join, may_be_held_around_calls_both_ways) {
  heist::pool other({.workers = GetParam()});
  const int n = rounds(200);
  long count = 0;
  auto there_and_back = [&](heist::pool& a, heist::pool& b) {
    a.run([&] {
      heist::join(
          [&] {
            const std::lock_guard hold(m);
            const long before = count;
            b.run([&] { EXPECT_EQ(fork(1) + a.run([] { return fork(2); }), 6); });
            count = before + 1;
          },
          [&] { hold_across_a_join(m, count, 1); });
    });
  };
  std::thread t([&] {
    for (int i = 0; i < n; ++i) there_and_back(other, pool);
  });
  for (int i = 0; i < n; ++i) there_and_back(pool, other);
  t.join();
  EXPECT_EQ(count, 4L * n);
}

}  // namespace
