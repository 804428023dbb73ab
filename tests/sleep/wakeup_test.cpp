// No wake-up is lost: work that is left while the others go to sleep is taken by one of them.

#include "tests/support.hpp"

#include <heist/base/cpu.hpp>
#include <heist/base/random.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace {

using namespace heist_test;

#if defined(HEIST_TSAN) || defined(HEIST_ASAN)
constexpr int rounds = 500;
#else
constexpr int rounds = 3000;
#endif

struct setting {
  unsigned workers;
  heist::fences fences;
};

// The pool's workers go to sleep as soon as they find nothing, so that every round meets some of them on their way.
class a_branch : public testing::TestWithParam<setting> {
 protected:
  heist::pool pool{options()};
  heist::detail::random dice{17};

  static heist::options options() {
    heist::options o;
    o.workers = GetParam().workers;
    o.fences = GetParam().fences;
    o.search_time = std::chrono::nanoseconds(0);
    return o;
  }

  // From nothing to a few times what it takes to fall asleep.
  void a_moment() {
    const unsigned turns = dice.below(dice.below(8) == 0 ? 20'000 : 400);
    for (unsigned i = 0; i < turns; ++i) heist::detail::relax();
  }
};

std::string name_of(const testing::TestParamInfo<setting>& p) {
  const char* const names[] = {"automatic", "asymmetric", "symmetric"};
  return "of_" + std::to_string(p.param.workers) + "_with_" + names[static_cast<int>(p.param.fences)] + "_fences";
}

INSTANTIATE_TEST_SUITE_P(left_to_a_pool, a_branch,
                         testing::Values(setting{2, heist::fences::asymmetric}, setting{2, heist::fences::symmetric},
                                         setting{2, heist::fences::automatic}, setting{3, heist::fences::asymmetric},
                                         setting{8, heist::fences::automatic}, setting{8, heist::fences::symmetric}),
                         name_of);

// The left branch ends only when another worker has started the right one.
bool stolen_in_time() {
  std::atomic<bool> started{false};
  auto [seen, ran] = heist::join([&] { return eventually([&] { return started.load(); }); },
                                 [&] { return started.store(true), true; });
  return seen && ran;
}

TEST_P(a_branch, is_stolen_by_a_worker_that_was_asleep_or_about_to_be) {
  for (int i = 0; i < rounds; ++i) {
    ASSERT_TRUE(pool.run([] { return stolen_in_time(); })) << "in round " << i;
    a_moment();
  }
}

// The fork comes while the root has been running for a while, and the moment passes inside.
TEST_P(a_branch, left_late_in_a_root_is_stolen) {
  pool.run([&] {
    for (int i = 0; i < rounds; ++i) {
      ASSERT_TRUE(stolen_in_time()) << "in round " << i;
      a_moment();
    }
  });
}

// From a strand that has moved: the one that forks is a pool's thread, and the caller waits outside.
TEST_P(a_branch, left_by_a_pools_thread_is_stolen) {
  const auto caller = std::this_thread::get_id();
  int on_pool_threads = 0;
  pool.run([&] {
    for (int i = 0; i < rounds / 5; ++i) {
      ASSERT_TRUE(stolen_in_time()) << "in round " << i;
      // The left branch ends early, the right one late: the strand goes on on the thief's thread.
      std::atomic<bool> left_is_over{false}, started{false};
      heist::join(
          [&] {
            ASSERT_TRUE(eventually([&] { return started.load(); }));
            left_is_over = true;
          },
          [&] {
            started = true;
            ASSERT_TRUE(eventually([&] { return left_is_over.load(); }));
            a_moment();
          });
      on_pool_threads += std::this_thread::get_id() != caller;
      a_moment();
    }
  });
  EXPECT_GT(on_pool_threads, 0);
}

TEST_P(a_branch, that_is_the_rest_of_a_spawner_is_stolen) {
  for (int i = 0; i < rounds; ++i) {
    const bool ok = pool.run([&] {
      std::atomic<bool> went_on{false};
      bool seen = false;
      heist::scope s;
      s.spawn([&] { seen = eventually([&] { return went_on.load(); }); });
      went_on = true;
      s.sync();
      return seen;
    });
    ASSERT_TRUE(ok) << "in round " << i;
    a_moment();
  }
}

// As many branches at once as there are workers: each one woken wakes the next.
TEST_P(a_branch, for_every_worker_wakes_every_worker) {
  const int n = static_cast<int>(GetParam().workers);
  for (int i = 0; i < rounds / 10; ++i) {
    std::atomic<int> here{0};
    std::atomic<bool> missed{false};
    pool.run([&] {
      heist::for_each_index(
          0, n,
          [&](int) {
            ++here;
            if (!eventually([&] { return here == n; })) missed = true;
          },
          heist::grain{1});
    });
    ASSERT_FALSE(missed) << "in round " << i;
    a_moment();
  }
}

// A strand whose wait for a mutex is over waits for a worker to take it up.
TEST_P(a_branch, that_gets_a_mutex_from_outside_is_taken_up) {
  heist::mutex m;
  for (int i = 0; i < rounds / 5; ++i) {
    m.lock();
    std::atomic<bool> through{false};
    std::thread caller([&] {
      pool.run([&] {
        m.lock();
        m.unlock();
        through = true;
      });
    });
    a_moment();
    m.unlock();
    ASSERT_TRUE(eventually([&] { return through.load(); })) << "in round " << i;
    caller.join();
  }
}

// Children from outside go through the default pool's queue.
TEST(a_child_from_outside, is_taken_by_a_worker_that_was_asleep_or_about_to_be) {
  heist::detail::random dice{18};
  for (int i = 0; i < rounds; ++i) {
    std::atomic<bool> ran{false};
    heist::scope s;
    s.spawn([&] { ran = true; });
    // Not by sync(): the child must start by itself.
    ASSERT_TRUE(eventually([&] { return ran.load(); })) << "in round " << i;
    s.sync();
    for (unsigned k = dice.below(dice.below(8) == 0 ? 20'000 : 400); k > 0; --k) heist::detail::relax();
  }
}

}  // namespace
