// heist::mutex as a lock: whoever takes it, strands or threads.

#include "tests/join/support.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace heist_test;

class a_mutex : public testing::TestWithParam<unsigned> {
 protected:
  heist::pool pool{{.workers = GetParam()}};
  heist::mutex m;
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, a_mutex, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

// A plain counter that only the lock protects, and a witness that two are never inside.
struct guarded {
  long count = 0;
  std::atomic<int> inside{0};

  void visit() {
    EXPECT_EQ(inside.fetch_add(1), 0);
    ++count;
    if (count % 16 == 0) std::this_thread::yield();
    EXPECT_EQ(inside.fetch_sub(1), 1);
  }
};

TEST_P(a_mutex, lets_one_strand_in_at_a_time) {
  guarded g;
  const int n = rounds(20'000);
  pool.run([&] {
    heist::for_each_index(0, n, [&](int) {
      const std::lock_guard hold(m);
      g.visit();
    }, heist::grain{1});
  });
  EXPECT_EQ(g.count, n);
}

TEST_P(a_mutex, lets_one_child_in_at_a_time) {
  guarded g;
  const int n = rounds(10'000);
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < n; ++i) {
      auto visit = [&] {
        const std::lock_guard hold(m);
        g.visit();
      };
      if (i % 2 == 0)
        s.spawn(visit);
      else
        s.spawn_later(visit);
    }
  });
  EXPECT_EQ(g.count, n);
}

TEST_P(a_mutex, lets_one_thread_in_at_a_time_outside_any_pool) {
  guarded g;
  const int n = rounds(20'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < n; ++i) {
        const std::lock_guard hold(m);
        g.visit();
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(g.count, 4L * n);
}

TEST_P(a_mutex, lets_one_in_at_a_time_when_strands_and_threads_want_it) {
  guarded g;
  const int n = rounds(5'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < n; ++i) {
        const std::lock_guard hold(m);
        g.visit();
      }
    });
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      pool.run([&] {
        heist::for_each_index(0, n, [&](int) {
          const std::lock_guard hold(m);
          g.visit();
        }, heist::grain{1});
      });
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(g.count, 4L * n);
}

TEST_P(a_mutex, lets_one_in_at_a_time_when_strands_of_two_pools_want_it) {
  guarded g;
  heist::pool other({.workers = 2});
  const int n = rounds(5'000);
  auto loop = [&] {
    heist::for_each_index(0, n, [&](int) {
      const std::lock_guard hold(m);
      g.visit();
    }, heist::grain{1});
  };
  std::thread t([&] { other.run(loop); });
  pool.run(loop);
  t.join();
  EXPECT_EQ(g.count, 2L * n);
}

// A strand that waits in the middle of a join must find its own branches afterwards, and nobody else's.
TEST_P(a_mutex, wanted_below_a_fork_does_not_mix_up_the_branches) {
  const int n = rounds(2'000);
  for (int i = 0; i < n; ++i) {
    std::atomic<int> runs[8]{};
    long count = 0;
    auto lock_and_count = [&] {
      const std::lock_guard hold(m);
      const long before = count;
      std::this_thread::yield();
      count = before + 1;
    };
    // The first branch of each pair waits while the second lies in the deque.
    auto pair = [&](int k) {
      heist::join(
          [&, k] {
            lock_and_count();
            ++runs[k];
          },
          [&, k] { ++runs[k + 1]; });
    };
    pool.run([&] { heist::join([&] { pair(0); }, [&] { pair(2); }, [&] { pair(4); }, [&] { pair(6); }); });
    for (const auto& r : runs) ASSERT_EQ(r.load(), 1);
    ASSERT_EQ(count, 4);
  }
}

TEST_P(a_mutex, wanted_below_a_spawn_does_not_mix_up_the_children) {
  const int n = rounds(1'000);
  for (int i = 0; i < n; ++i) {
    std::atomic<int> runs[8]{};
    long count = 0;
    pool.run([&] {
      heist::scope s;
      for (int k = 0; k < 8; ++k)
        s.spawn([&, k] {
          heist::scope inner;
          inner.spawn([&] {
            const std::lock_guard hold(m);
            const long before = count;
            std::this_thread::yield();
            count = before + 1;
          });
          inner.spawn_later([&, k] { ++runs[k]; });
        });
    });
    for (const auto& r : runs) ASSERT_EQ(r.load(), 1);
    ASSERT_EQ(count, 8);
  }
}

TEST_P(a_mutex, can_be_tried) {
  pool.run([&] {
    EXPECT_TRUE(m.try_lock());
    EXPECT_FALSE(m.try_lock());
    heist::join([&] { EXPECT_FALSE(m.try_lock()); }, [&] { EXPECT_FALSE(m.try_lock()); });
    m.unlock();
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  });
  EXPECT_TRUE(m.try_lock());
  std::thread([&] { EXPECT_FALSE(m.try_lock()); }).join();
  m.unlock();
}

TEST_P(a_mutex, is_free_again_after_those_who_waited) {
  // After a contended time the fast path works as before.
  for (int i = 0; i < rounds(300); ++i) {
    pool.run([&] {
      heist::join([&] { const std::lock_guard hold(m); }, [&] { const std::lock_guard hold(m); },
                  [&] { const std::lock_guard hold(m); });
    });
    ASSERT_TRUE(m.try_lock());
    ASSERT_FALSE(m.try_lock());
    m.unlock();
  }
}

TEST_P(a_mutex, works_with_the_standard_guards) {
  static_assert(!std::is_copy_constructible_v<heist::mutex>);
  pool.run([&] {
    std::unique_lock a(m);
    EXPECT_TRUE(a.owns_lock());
    std::unique_lock b(m, std::try_to_lock);
    EXPECT_FALSE(b.owns_lock());
    a.unlock();
    EXPECT_TRUE(b.try_lock());
    b.unlock();
    heist::mutex other;
    {
      const std::scoped_lock both(m, other);
      EXPECT_FALSE(m.try_lock());
      EXPECT_FALSE(other.try_lock());
    }
    const std::lock_guard hold(m);
    EXPECT_FALSE(m.try_lock());
  });
}

TEST_P(a_mutex, is_released_when_an_exception_passes_its_guard) {
  EXPECT_EQ(thrower([&] {
    pool.run([&] {
      const std::lock_guard hold(m);
      heist::join([] {}, [] { throw failure(1); });
    });
  }), 1);
  EXPECT_TRUE(m.try_lock());
  m.unlock();
}

TEST_P(a_mutex, shows_the_next_holder_what_the_last_one_wrote) {
  std::vector<int> log;
  const int n = rounds(2'000);
  pool.run([&] {
    heist::for_each_index(0, n, [&](int i) {
      const std::lock_guard hold(m);
      log.push_back(i);
    }, heist::grain{1});
  });
  std::sort(log.begin(), log.end());
  ASSERT_EQ(log.size(), static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) ASSERT_EQ(log[static_cast<std::size_t>(i)], i);
}

// The last one out takes the lock down, as one may with std::mutex.
TEST_P(a_mutex, may_be_destroyed_by_the_last_who_held_it) {
  struct shared {
    heist::mutex lock;
    int users = 3;
    static void leave(shared* s) {
      s->lock.lock();
      const bool last = --s->users == 0;
      s->lock.unlock();
      if (last) delete s;
    }
  };
  const int n = rounds(3'000);
  for (int i = 0; i < n; ++i) {
    auto* const s = new shared;
    pool.run([=] { heist::join([=] { shared::leave(s); }, [=] { shared::leave(s); }, [=] { shared::leave(s); }); });
  }
  // And threads outside, let go at the same time.
  for (int i = 0; i < n / 10; ++i) {
    auto* const s = new shared;
    std::atomic<int> here{0};
    auto leave_together = [&here, s] {
      ++here;
      while (here.load() < 3) std::this_thread::yield();
      shared::leave(s);
    };
    std::thread a(leave_together), b(leave_together);
    leave_together();
    a.join();
    b.join();
  }
}

}  // namespace
