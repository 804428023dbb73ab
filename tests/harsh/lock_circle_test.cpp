// Strands that wait for each other's mutexes in a circle: a checked build names them.

#include "tests/harsh/process.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace {

using namespace heist_test;

class mutexes_in_a_circle : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
#if !defined(HEIST_CHECKED)
    GTEST_SKIP() << "only checked builds look";
#elif defined(HEIST_TSAN)
    GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a process with threads";
#endif
  }

  // `n` strands, of which each has one mutex and then wants the next one's.
  static ending circle_of(unsigned n, unsigned workers_of_pool) {
    return in_child([=] {
      ::alarm(30);
      heist::mutex m[8];
      heist::latch all_have_one(n);
      heist::pool p(workers(workers_of_pool));
      p.run([&] {
        heist::scope s;
        for (unsigned i = 0; i < n; ++i)
          s.spawn([&, i] {
            const std::lock_guard first(m[i]);
            all_have_one.arrive_and_wait();
            const std::lock_guard second(m[(i + 1) % n]);
          });
      });
    });
  }

  static std::size_t times(const std::string& what, const std::string& in) {
    std::size_t n = 0;
    for (auto at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++n;
    return n;
  }
  static void expect_named(const ending& e, std::size_t strands) {
    EXPECT_EQ(e.signal, SIGABRT) << "code " << e.code << ": " << e.said;
    EXPECT_TRUE(e.said.starts_with("heist: strands wait for each other's mutexes in a circle")) << e.said;
    EXPECT_EQ(times("waits for mutex 0x", e.said), strands) << e.said;
  }
};
INSTANTIATE_TEST_SUITE_P(in_a_pool, mutexes_in_a_circle, testing::Values(1u, 2u, 8u),
                         [](const auto& p) { return "of_" + std::to_string(p.param); });

TEST_P(mutexes_in_a_circle, are_named_with_their_strands) {
  expect_named(circle_of(2, GetParam()), 2);
  expect_named(circle_of(5, GetParam()), 5);
}

TEST_P(mutexes_in_a_circle, may_be_one_that_a_strand_wants_twice) {
  expect_named(circle_of(1, GetParam()), 1);
}

TEST_P(mutexes_in_a_circle, may_be_wanted_by_a_thread_outside) {
  const unsigned n = GetParam();
  expect_named(in_child([n] {
                 ::alarm(30);
                 heist::mutex a, b;
                 heist::latch both(2);
                 heist::pool p(workers(n));
                 std::thread outside([&] {
                   a.lock();
                   both.arrive_and_wait();
                   b.lock();
                 });
                 p.run([&] {
                   b.lock();
                   both.arrive_and_wait();
                   a.lock();
                 });
               }),
               2);
}

// Its forker cannot release it before the join has ended.
TEST_P(mutexes_in_a_circle, may_be_one_that_a_branch_wants_and_its_forker_holds) {
  const unsigned n = GetParam();
  for (const int depth : {1, 3}) {
    const ending e = in_child([=] {
      ::alarm(30);
      heist::mutex m;
      heist::pool p(workers(n));
      const std::function<void(int)> branch = [&](int left) {
        auto deeper = [&] {
          if (left > 1) return branch(left - 1);
          const std::lock_guard again(m);
        };
        if (left % 2 == 0)
          heist::join(deeper, [] {});
        else
          heist::join([] { std::this_thread::yield(); }, deeper);
      };
      p.run([&] {
        const std::lock_guard hold(m);
        branch(depth);
      });
    });
    expect_named(e, 1);
    EXPECT_EQ(times(" joins strand 0x", e.said), 1u) << e.said;
  }
}

TEST_P(mutexes_in_a_circle, may_be_closed_by_joins) {
  const unsigned n = GetParam();
  const ending e = in_child([n] {
    ::alarm(30);
    heist::mutex m[2];
    heist::latch both(2);
    heist::pool p(workers(n));
    auto side = [&](int mine) {
      const std::lock_guard hold(m[mine]);
      both.arrive_and_wait();
      heist::join([] {}, [&] { const std::lock_guard other(m[1 - mine]); });
    };
    p.run([&] { heist::join([&] { side(0); }, [&] { side(1); }); });
  });
  expect_named(e, 2);
  EXPECT_EQ(times(" joins strand 0x", e.said), 2u) << e.said;
}

// Its parent cannot release it before the sync has ended; whichever of the two begins to wait first.
TEST_P(mutexes_in_a_circle, may_be_one_that_a_child_wants_and_its_parent_holds) {
  const unsigned n = GetParam();
  enum { spawned, later, below_a_join, from_outside };
  for (const int how : {spawned, later, below_a_join, from_outside}) {
    const ending e = in_child([=] {
      ::alarm(30);
      heist::mutex m;
      heist::pool p(workers(n));
      auto child = [&] {
        if (how != below_a_join) return static_cast<void>(std::lock_guard(m));
        heist::join([] {}, [&] { const std::lock_guard again(m); });
      };
      auto parent = [&] {
        heist::scope s;
        const std::lock_guard hold(m);
        how == later ? s.spawn_later(child) : s.spawn(child);
        s.sync();
      };
      how == from_outside ? parent() : p.run(parent);
    });
    expect_named(e, 1);
    EXPECT_EQ(times(" joins strand 0x", e.said), 1u) << e.said;
  }
}

TEST_P(mutexes_in_a_circle, are_none_if_the_parent_unlocks_before_it_syncs) {
  const unsigned n = GetParam();
  EXPECT_ENDS_WELL(in_child([n] {
    ::alarm(60);
    heist::pool p(workers(n));
    for (int round = 0; round < 200; ++round)
      p.run([] {
        heist::mutex m;
        heist::scope s;
        m.lock();
        for (int i = 0; i < 3; ++i) s.spawn([&] { const std::lock_guard mine(m); });
        m.unlock();
        s.sync();
      });
  }));
}

// Shared mutexes ------------------------------------------------------------------------------------------------------

TEST_P(mutexes_in_a_circle, may_be_shared_ones) {
  const unsigned n = GetParam();
  enum { alone_and_shared, shared_and_alone, both_held_shared };
  for (const int how : {alone_and_shared, shared_and_alone, both_held_shared})
    expect_named(in_child([=] {
                   ::alarm(30);
                   heist::shared_mutex a, b;
                   heist::latch both(2);
                   heist::pool p(workers(n));
                   auto side = [&](heist::shared_mutex& mine, heist::shared_mutex& other) {
                     how == alone_and_shared ? mine.lock() : mine.lock_shared();
                     both.arrive_and_wait();
                     how == alone_and_shared ? other.lock_shared() : other.lock();
                   };
                   p.run([&] { heist::join([&] { side(a, b); }, [&] { side(b, a); }); });
                 }),
                 2);
}

TEST_P(mutexes_in_a_circle, may_be_a_shared_one_and_one_that_is_not) {
  const unsigned n = GetParam();
  expect_named(in_child([=] {
                 ::alarm(30);
                 heist::shared_mutex a;
                 heist::mutex b;
                 heist::latch both(2);
                 heist::pool p(workers(n));
                 p.run([&] {
                   heist::join(
                       [&] {
                         const std::shared_lock first(a);
                         both.arrive_and_wait();
                         b.lock();
                       },
                       [&] {
                         const std::lock_guard first(b);
                         both.arrive_and_wait();
                         a.lock();
                       });
                 });
               }),
               2);
}

TEST_P(mutexes_in_a_circle, may_be_a_shared_one_that_a_strand_has_and_wants_alone) {
  const unsigned n = GetParam();
  expect_named(in_child([=] {
                 ::alarm(30);
                 heist::shared_mutex m;
                 heist::pool p(workers(n));
                 p.run([&] {
                   const std::shared_lock first(m);
                   m.lock();
                 });
               }),
               1);
}

// One that wants it alone waits for both that share it, and they for one that comes to share it behind that one.
TEST_P(mutexes_in_a_circle, may_be_a_shared_one_that_a_branch_wants_to_share_behind_another_strand) {
  const unsigned n = GetParam();
  const ending e = in_child([=] {
    ::alarm(30);
    heist::shared_mutex m;
    heist::latch shared(1);
    heist::pool p(workers(n));
    p.run([&] {
      heist::join(
          [&] {
            const std::shared_lock mine(m);
            shared.count_down();
            heist::join([&] { while (m.try_lock_shared()) m.unlock_shared(), heist::sleep_for(std::chrono::milliseconds(1)); },
                        [] {});
            heist::join([] {}, [&] { const std::shared_lock again(m); });
          },
          [&] {
            shared.wait();
            const std::lock_guard alone(m);
          });
    });
  });
  expect_named(e, 1);
  EXPECT_EQ(times(" joins strand 0x", e.said), 1u) << e.said;
}

// Several are let in together: none of them waits any more, whether or not it has gone on.
TEST_P(mutexes_in_a_circle, are_none_if_those_that_share_a_mutex_let_each_other_pass) {
  const unsigned n = GetParam();
  EXPECT_ENDS_WELL(in_child([n] {
    ::alarm(60);
    heist::shared_mutex m, other;
    heist::pool p(workers(n));
    for (int round = 0; round < 100; ++round)
      p.run([&] {
        heist::scope s;
        for (int i = 0; i < 8; ++i)
          s.spawn([&, i] {
            if (i % 4 == 0) {
              const std::lock_guard alone(m);
              heist::sleep_for(std::chrono::microseconds(10));
              const std::shared_lock second(other);
            } else {
              const std::shared_lock together(m);
              if (i % 4 == 1) heist::sleep_for(std::chrono::microseconds(10));
              i % 4 == 2 ? other.lock() : other.lock_shared();
              heist::sleep_for(std::chrono::microseconds(1));
              i % 4 == 2 ? other.unlock() : other.unlock_shared();
            }
          });
      });
  }));
}

// Nothing is said while the circle is open, or somebody in it does not wait for ever.
TEST_P(mutexes_in_a_circle, are_none_if_one_of_them_gives_up) {
  const unsigned n = GetParam();
  EXPECT_ENDS_WELL(in_child([n] {
    ::alarm(30);
    heist::mutex a, b;
    heist::latch both(2);
    heist::pool p(workers(n));
    p.run([&] {
      heist::scope s;
      s.spawn([&] {
        const std::lock_guard first(a);
        both.arrive_and_wait();
        if (b.try_lock_for(std::chrono::milliseconds(20))) b.unlock();
      });
      s.spawn([&] {
        const std::lock_guard first(b);
        both.arrive_and_wait();
        const std::lock_guard second(a);
      });
    });
  }));
}

TEST_P(mutexes_in_a_circle, are_none_if_all_lock_them_in_one_order) {
  const unsigned n = GetParam();
  EXPECT_ENDS_WELL(in_child([n] {
    ::alarm(60);
    heist::mutex m[4];
    heist::pool p(workers(n));
    p.run([&] {
      heist::for_each_index(
          0, 2'000,
          [&](int i) {
            const std::lock_guard first(m[i % 2]);
            const std::lock_guard second(m[2 + i / 2 % 2]);
            if (i % 64 == 0) std::this_thread::yield();
          },
          heist::grain{1});
    });
  }));
}

}  // namespace
