// Found by a program that detached work while its other threads called run(): callers had the workers' places, or workers had
// parts of the callers' roots, and what came from outside waited until a root ended.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using heist_test::eventually;

namespace {

// Threads that call run() with a function that lasts until they are dismissed.
class long_callers {
 public:
  long_callers(heist::pool& p, int n, const std::function<void()>& step) {
    for (int i = 0; i < n; ++i)
      threads_.emplace_back([&, step] {
        p.run([&] {
          ++inside_;
          while (!dismissed_) step();
        });
      });
  }
  ~long_callers() {
    dismissed_ = true;
    for (std::thread& t : threads_) t.join();
  }

  bool all_inside() const { return inside_ == static_cast<int>(threads_.size()); }

 private:
  std::atomic<bool> dismissed_{false};
  std::atomic<int> inside_{0};
  std::vector<std::thread> threads_;
};

void without_forks() { std::this_thread::yield(); }
void with_forks() { heist::join([] {}, [] {}); }

// A fork whose second branch is long: a worker that has stolen it stays with it.
void with_long_branches(const std::atomic<bool>& until) {
  auto busy = [&] {
    while (!until) with_forks();
  };
  heist::join(busy, busy, busy, busy);
}

TEST(work_from_outside, begins_while_callers_have_all_places_and_do_not_fork) {
  for (const int callers : {2, 3, 6}) {
    heist::pool p({.workers = 2});
    long_callers busy(p, callers, without_forks);
    ASSERT_TRUE(eventually([&] { return busy.all_inside(); }));
    std::atomic<int> ran{0};
    for (int i = 0; i < 20; ++i) p.detach([&] { ++ran; });
    EXPECT_TRUE(eventually([&] { return ran == 20; })) << callers;
    EXPECT_EQ(heist::async(p, [] { return 3; }).get(), 3);
  }
}

TEST(work_from_outside, begins_while_workers_have_long_parts_of_a_root) {
  heist::pool p({.workers = 2});
  std::atomic<bool> end{false};
  std::thread caller([&] { p.run([&] { with_long_branches(end); }); });
  ASSERT_TRUE(eventually([&] { return p.stats().steals > 0; }));
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) p.detach([&] { ++ran; });
  EXPECT_TRUE(eventually([&] { return ran == 20; }));
  end = true;
  caller.join();
}

TEST(work_from_outside, begins_in_a_pool_with_a_cap_whose_callers_fork) {
  heist::pool p({.workers = 2, .most_callers = 2});
  std::atomic<int> ran{0}, now{0}, most{0};
  {
    long_callers busy(p, 2, [&] {
      const int here = ++now;
      int seen = most;
      while (here > seen && !most.compare_exchange_weak(seen, here)) {
      }
      --now;
      with_forks();
    });
    ASSERT_TRUE(eventually([&] { return busy.all_inside(); }));
    for (int i = 0; i < 20; ++i) p.detach([&] { ++ran; });
    EXPECT_TRUE(eventually([&] { return ran == 20; }));
  }
  EXPECT_LE(most, 2);
}

TEST(work_from_outside, begins_while_strands_go_on_for_ever) {
  heist::pool p({.workers = 1});
  std::atomic<bool> end{false}, ran{false};
  for (int i = 0; i < 4; ++i)
    p.detach([&] {
      while (!end) heist::sleep_for(0s);  // gives way to any other
    });
  p.detach([&] { ran = true; });
  EXPECT_TRUE(eventually([&] { return ran.load(); }));
  end = true;
}

TEST(work_from_outside, goes_on_after_a_wait_while_callers_have_all_places) {
  heist::pool p({.workers = 2});
  heist::promise<void> event;
  std::atomic<bool> waits{false}, ended{false};
  p.detach([&, come = event.get_future()]() mutable {
    waits = true;
    come.get();
    ended = true;
  });
  ASSERT_TRUE(eventually([&] { return waits && p.stats().waiting == 1; }));
  long_callers busy(p, 3, without_forks);
  ASSERT_TRUE(eventually([&] { return busy.all_inside(); }));
  event.set_value();
  EXPECT_TRUE(eventually([&] { return ended.load(); }));
}

// A pool of one worker is a queue: what is detached runs one by one, whoever else is inside.
TEST(work_from_outside, runs_on_no_more_threads_than_there_are_workers) {
  heist::pool p({.workers = 1});
  std::atomic<int> now{0}, most{0}, ran{0};
  auto body = [&] {
    const int here = ++now;
    most = std::max(most.load(), here);
    std::this_thread::sleep_for(2ms);
    --now;
    ++ran;
  };
  for (int round = 0; round < 5; ++round) {
    {
      long_callers busy(p, 1, without_forks);
      ASSERT_TRUE(eventually([&] { return busy.all_inside(); }));
      for (int i = 0; i < 10; ++i) p.detach(body);
      ASSERT_TRUE(eventually([&] { return ran > 10 * round; }));
    }  // the caller gives its place back while some are left
    p.wait_idle();
  }
  EXPECT_EQ(ran, 50);
  EXPECT_EQ(most, 1);
}

// Each lasts for several turns, and forks: none may be left for the next that has not begun.
TEST(work_from_outside, is_ended_before_more_of_it_is_begun) {
  heist::pool p({.workers = 2});
  std::atomic<int> ran{0};
  for (int i = 0; i < 40; ++i)
    p.detach([&] {
      const auto end = std::chrono::steady_clock::now() + 5ms;
      while (std::chrono::steady_clock::now() < end) with_forks();
      ++ran;
    });
  p.wait_idle();
  EXPECT_EQ(ran, 40);
  EXPECT_LE(p.stats().waiting_peak, 2u);
}

}  // namespace
