// thread_local objects of a task's own: one for each thread that asks, destroyed when that thread ends.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <set>
#include <thread>

namespace {

using namespace heist_test;

std::atomic<int> made{0}, destroyed{0}, spoilt{0};

struct witness {
  witness() { ++made; }
  ~witness() {
    if (owner != std::this_thread::get_id()) ++spoilt;
    ++destroyed;
  }
  const std::thread::id owner = std::this_thread::get_id();
};

// Out of line: the address is looked up on the thread that calls it.
[[gnu::noinline]] void touch_witness() {
  thread_local witness mine;
  asm volatile("" ::"r"(&mine) : "memory");
}

TEST(a_thread_local_object, lives_as_long_as_its_thread) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "two strands that share a thread share its object without an order that ThreadSanitizer could see";
#endif
  std::thread([] {
    heist::pool p(workers(4));
    for (int i = 0; i < 20; ++i)
      p.run([] {
        heist::for_each_index(
            0, 1000,
            [](int) {
              touch_witness();
              fib(5);
              touch_witness();
            },
            heist::grain{1});
      });
  }).join();
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 5);  // the caller and four workers
  EXPECT_EQ(destroyed, made.load());
  EXPECT_EQ(spoilt, 0);
}

// A destructor that runs while its thread ends may use heist: it is outside of every pool by then.
TEST(a_thread_local_object, may_use_heist_when_it_is_destroyed) {
#if defined(HEIST_TSAN)
  GTEST_SKIP() << "as above";
#endif
  static std::atomic<long> answer{0};
  struct late {
    ~late() { answer += heist::detail::this_worker() == nullptr ? fib(10) : 1; }
    void touch() {}
  };
  std::optional<heist::pool> p(workers(3));
  p->run([] {
    heist::for_each_index(
        0, 100,
        [](int) {
          static thread_local late mine;
          mine.touch();
        },
        heist::grain{1});
  });
  std::thread([] {
    static thread_local late mine;
    mine.touch();
    fib(5);
  }).join();
  EXPECT_GE(answer, 55);
  p.reset();  // and those of its threads
  EXPECT_EQ(answer % 55, 0);
}

}  // namespace
