// Threads that are sent to other processors while they work.

#include "tests/harsh/masks.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <sched.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

namespace {

using namespace heist_test;

void send_all_threads(const cpu_set_t& where) {
  std::error_code ended;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended))
    ::sched_setaffinity(std::stoi(task.path().filename()), sizeof where, &where);
}

TEST(an_affinity_mask_that_changes, changes_no_answer) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  heist::pool p(workers(4));
  std::atomic<bool> over{false};
  std::atomic<int> changes{0};
  std::thread mover([&] {
    while (!over) {
      for (int cpu = 0; cpu < CPU_SETSIZE && !over; ++cpu) {
        if (!CPU_ISSET(cpu, &all)) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        send_all_threads(one);
        ++changes;
      }
      send_all_threads(all);
    }
  });
  int rounds = 0;
  while (changes < 200 || rounds < 50) {
    meet(p, 3);
    EXPECT_EQ(p.run([] { return fib(18); }), 2584);
    ++rounds;
  }
  over = true;
  mover.join();
  send_all_threads(all);
}

// Workers are told where to begin when they are woken (sleep/placement.hpp); nothing of that stays.
TEST(a_pools_threads, may_run_wherever_the_process_may) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  heist::pool p(workers(4));
  for (int round = 0; round < 50; ++round) {
    meet(p, 4);
    std::this_thread::sleep_for(std::chrono::microseconds(round % 2 == 0 ? 1000 : 0));
  }
  EXPECT_TRUE(eventually([&] { return all_threads_have(all); }));
}

// How many workers there are is decided when the pool is made.
TEST(a_pool, keeps_its_workers_when_the_mask_shrinks) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  heist::pool p;
  const unsigned before = p.workers();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  send_all_threads(one);
  EXPECT_EQ(p.workers(), before);
  EXPECT_EQ(p.run([] { return fib(18); }), 2584);
  EXPECT_EQ(heist::pool().workers(), 1u);
  send_all_threads(all);
}

}  // namespace
