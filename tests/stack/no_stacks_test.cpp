// A system that maps no more stacks. mmap is ours here and fails on demand.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <exception>
#include <thread>
#include <vector>

namespace {

using heist_test::eventually, heist_test::fib;

constexpr std::size_t stack_bytes = 1024 * 1024;
heist::options workers(unsigned n) {
  heist::options o;
  o.workers = n;
  o.stack_size = stack_bytes;
  return o;
}

// How many stacks may still be mapped.
int stacks_mappable = INT_MAX;
struct {
  void operator=(int n) { __atomic_store_n(&stacks_mappable, n, __ATOMIC_SEQ_CST); }
} stacks_left;

}  // namespace

// By the system call and not instrumented: a sanitizer maps memory before anything of its own can be called.
extern "C" HEIST_NO_TSAN void* mmap(void* at, std::size_t size, int protection, int flags, int file,
                                    off_t offset) noexcept {
  if ((flags & MAP_STACK) != 0 && __atomic_load_n(&stacks_mappable, __ATOMIC_SEQ_CST) != INT_MAX) {
    const int stacks = static_cast<int>(size / stack_bytes);  // mapped several at a time, and fewer where that is refused
    if (__atomic_sub_fetch(&stacks_mappable, stacks, __ATOMIC_SEQ_CST) < 0) {
      __atomic_add_fetch(&stacks_mappable, stacks, __ATOMIC_SEQ_CST);
      errno = ENOMEM;
      return MAP_FAILED;
    }
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
}

namespace {

long spawned_fib(int n) {
  if (n < 2) return n;
  long a = 0;
  heist::scope s;
  s.spawn([&] { a = spawned_fib(n - 1); });
  const long b = spawned_fib(n - 2);
  s.sync();
  return a + b;
}

// The number of stacks that can be had; then no more.
class a_pool_short_of_stacks : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { stacks_left = GetParam(); }
  void TearDown() override { stacks_left = INT_MAX; }
};

INSTANTIATE_TEST_SUITE_P(with, a_pool_short_of_stacks, testing::Values(0, 1, 2, 3, 5, 9), testing::PrintToStringParamName());

TEST_P(a_pool_short_of_stacks, joins_as_ever) {
  heist::pool p(workers(4));
  for (int i = 0; i < 50; ++i) ASSERT_EQ(p.run([] { return fib(16); }), 987);
}

TEST_P(a_pool_short_of_stacks, calls_spawned_children) {
  heist::pool p(workers(4));
  for (int i = 0; i < 20; ++i) ASSERT_EQ(p.run([] { return spawned_fib(14); }), 377);
  EXPECT_GT(p.stats().stackless, 0u);
}

TEST_P(a_pool_short_of_stacks, calls_spawned_children_in_order_and_whole) {
  heist::pool p(workers(1));
  stacks_left = 0;
  std::vector<int> order;
  const auto thread = std::this_thread::get_id();
  p.run([&] {
    heist::scope s;
    for (int i = 0; i < 10; ++i) {
      s.spawn([&, i] {
        order.push_back(i);
        EXPECT_EQ(std::this_thread::get_id(), thread);
      });
      order.push_back(-i);
    }
  });
  std::vector<int> expected;
  for (int i = 0; i < 10; ++i) expected.insert(expected.end(), {i, -i});
  EXPECT_EQ(order, expected);
  EXPECT_EQ(p.stats().stackless, 11u);  // ten children, and the root itself
}

TEST_P(a_pool_short_of_stacks, still_keeps_a_childs_exception_for_sync) {
  heist::pool p(workers(2));
  p.run([] {
    heist::scope s;
    int ran = 0;
    s.spawn([&] { ++ran; });
    s.spawn([] { throw 1; });
    try {
      s.sync();
      ADD_FAILURE();
    } catch (int e) {
      EXPECT_EQ(e, 1);
    }
    EXPECT_EQ(ran, 1);
  });
  EXPECT_THROW(p.run([] { heist::join([] { fib(5); }, [] { throw 2L; }); }), long);
}

// Both branches run at once, and the first ends first: its strand waits for the thief of the second.
TEST_P(a_pool_short_of_stacks, waits_at_a_join_whose_branch_was_stolen) {
  heist::pool p(workers(2));
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> started{false}, left_is_over{false};
    const int sum = p.run([&] {
      auto [a, b] = heist::join(
          [&] {
            EXPECT_TRUE(eventually([&] { return started.load(); }));
            left_is_over = true;
            return 1;
          },
          [&] {
            started = true;
            EXPECT_TRUE(eventually([&] { return left_is_over.load(); }));
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            return 2;
          });
      return a + b;
    });
    ASSERT_EQ(sum, 3);
  }
  EXPECT_GE(p.stats().stackless, GetParam() == 0 ? 20u : 0u);  // each root, at the least
}

// No other work is run on top of a frame that waits: the waiting thread is not seen anywhere else meanwhile.
TEST(a_join_without_a_stack_to_leave_for, runs_nothing_else_while_it_waits) {
  stacks_left = 0;
  heist::pool p(workers(2));
  std::atomic<bool> started{false}, waiting{false};
  std::atomic<int> seen_elsewhere{0};
  const auto caller = std::this_thread::get_id();
  p.run([&] {
    heist::join(
        [&] {
          EXPECT_TRUE(eventually([&] { return started.load(); }));
          waiting = true;
        },
        [&] {
          started = true;
          EXPECT_TRUE(eventually([&] { return waiting.load(); }));
          // Work that the waiting thread could steal.
          heist::for_each_index(
              0, 1000,
              [&](int) {
                if (std::this_thread::get_id() == caller) ++seen_elsewhere;
                fib(3);
              },
              heist::grain{1});
        });
  });
  stacks_left = INT_MAX;
  EXPECT_EQ(seen_elsewhere, 0);
  EXPECT_GE(p.stats().stackless, 2u);  // the root, and its wait
  EXPECT_EQ(p.stats().suspends, 0u);
}

TEST(a_pool_that_gets_stacks_again, uses_them) {
  stacks_left = 0;
  heist::pool p(workers(1));
  EXPECT_EQ(p.run([] { return spawned_fib(10); }), 55);
  stacks_left = INT_MAX;
  const auto before = p.stats().stackless;
  EXPECT_GT(before, 0u);
  EXPECT_EQ(p.run([] { return spawned_fib(10); }), 55);
  EXPECT_EQ(p.stats().stackless, before);
  EXPECT_GT(p.stats().stacks_peak, 1u);
}

TEST(a_mutex_without_stacks, is_handed_on) {
  stacks_left = 0;
  heist::pool p(workers(4));
  heist::mutex m;
  long guarded = 0;
  p.run([&] {
    heist::for_each_index(
        0, 2000,
        [&](int) {
          m.lock();
          ++guarded;
          m.unlock();
        },
        heist::grain{1});
  });
  stacks_left = INT_MAX;
  EXPECT_EQ(guarded, 2000);
}

}  // namespace
