// Found by a program that detached work while its other threads called run(): callers had the workers' places, or workers had
// parts of the callers' roots, and what came from outside waited until a root ended.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <time.h>

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

// All places of the pool are taken until the object is gone, by roots that neither fork nor wait: no worker comes.
class no_worker_is_free {
 public:
  explicit no_worker_is_free(heist::pool& p) {
    for (unsigned i = 0; i < p.workers(); ++i)
      threads_.emplace_back([&] {
        p.run([&] {
          ++inside_;
          over_.wait(false);  // on a seat of the pool's, whose thread sleeps meanwhile
        });
      });
    while (inside_ < p.workers()) std::this_thread::yield();
  }
  ~no_worker_is_free() {
    over_ = true;
    over_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<unsigned> inside_{0};
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

// Whoever waits for a future from outside runs what it needs, if that has not begun. After a while the pool brings in
// another thread, which may be first.
TEST(a_future_from_outside, is_fulfilled_by_the_thread_that_waits_while_no_worker_is_free) {
  heist::pool p({.workers = 2});
  const no_worker_is_free busy(p);
  int here = 0, begun = 0;
  const auto me = std::this_thread::get_id();
  auto count = [&] {
    ++begun;  // one at a time
    if (me == std::this_thread::get_id()) ++here;
    return begun;
  };
  for (int i = 1; i <= 100; ++i) ASSERT_EQ(heist::async(p, count).get(), i);
  EXPECT_GT(here, 0);
  here = 0;
  for (int i = 0; i < 100; ++i) heist::async(p, count).then([](int n) { return n + 1; }).then([](int) {}).wait();
  EXPECT_GT(here, 0);
  here = 0;
  for (int i = 0; i < 100; ++i) heist::async(p, count).shared().wait();
  EXPECT_GT(here, 0);
}

TEST(a_future_from_outside, is_one_of_several_that_are_asked_together) {
  heist::pool p({.workers = 2});
  const no_worker_is_free busy(p);
  std::atomic<int> here{0};
  const auto me = std::this_thread::get_id();
  auto one = [&](int i) {
    return heist::async(p, [&, i] {
      if (me == std::this_thread::get_id()) ++here;
      return i;
    });
  };
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(heist::when_all(one(1), one(2).then([](int n) { return 2 * n; })).get(), std::tuple(1, 4));
  EXPECT_GT(here, 0);
  here = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<heist::future<int>> many;
    for (int i = 0; i < 100; ++i) many.push_back(one(i));
    ASSERT_EQ(heist::when_all(std::move(many)).get()[99], 99);
  }
  EXPECT_GT(here, 0);
}

// As any root, what it runs may fail, fork and wait.
TEST(a_future_from_outside, may_fail_fork_and_wait_where_it_is_asked) {
  heist::pool p({.workers = 2});
  const no_worker_is_free busy(p);
  for (int i = 0; i < 20; ++i) {
    EXPECT_THROW(heist::async(p, [] { throw 3; }).get(), int);
    EXPECT_EQ(heist::async(p, [] { return std::get<1>(heist::join([] { return 1; }, [] { return 2; })); }).get(), 2);
    EXPECT_EQ(heist::async(p, [] { return heist::sleep_for(1ms), 4; }).get(), 4);
  }
}

// In any order, beside others that nobody asks for.
TEST(a_future_from_outside, is_taken_out_of_turn) {
  heist::pool p({.workers = 2});
  std::atomic<int> others{0};
  {
    const no_worker_is_free busy(p);
    for (int round = 0; round < 20; ++round) {
      std::vector<heist::future<int>> some;
      for (int i = 0; i < 100; ++i) {
        p.detach([&] { ++others; });
        some.push_back(heist::async(p, [i] { return i; }));
      }
      for (int i = 99; i >= 0; i -= 2) ASSERT_EQ(some[static_cast<std::size_t>(i)].get(), i);
      for (int i = 0; i < 100; i += 2) ASSERT_EQ(some[static_cast<std::size_t>(i)].get(), i);
    }
  }
  p.wait_idle();
  EXPECT_EQ(others, 2000);
}

// The one that runs it may be the last that uses the pool.
TEST(a_future_from_outside, may_be_asked_while_its_pool_ends) {
  for (int round = 0; round < 200; ++round) {
    heist::future<int> f;
    std::thread asks;
    {
      heist::pool p({.workers = 2});
      f = heist::async(p, [] { return 7; });
      asks = std::thread([&] { EXPECT_EQ(f.get(), 7); });
    }
    asks.join();
  }
}

// A wait that may end before must not run what may take longer.
TEST(a_future_from_outside, is_left_to_workers_by_a_wait_with_a_deadline_or_a_stop) {
  heist::pool p({.workers = 2});
  const no_worker_is_free busy(p);
  const auto me = std::this_thread::get_id();
  const std::stop_source never;
  for (int i = 0; i < 20; ++i) {
    auto elsewhere = heist::async(p, [=] { return me != std::this_thread::get_id(); });
    ASSERT_EQ(elsewhere.wait_for(60s), std::future_status::ready);
    EXPECT_TRUE(elsewhere.get());
    EXPECT_TRUE(heist::async(p, [=] { return me != std::this_thread::get_id(); }).get(never.get_token()));
  }
}

// Futures that meet again and again have very many paths to the first one; a thread that waits looks at each future once.
TEST(from_outside, many_paths_to_a_future_are_no_work) {
  heist::promise<int> first;
  heist::shared_future<int> x = first.get_future().shared();
  for (int level = 0; level < 40; ++level)
    x = heist::when_all(x.then([](int n) { return n; }), x.then([](int n) { return n + 1; }))
            .then([](const std::tuple<int, int>& t) { return std::get<1>(t); })
            .shared();
  std::thread later([&] {
    std::this_thread::sleep_for(300ms);
    first.set_value(2);
  });
  const auto used = [] {
    timespec t;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
  };
  const auto before = used();
  EXPECT_EQ(x.get(), 42);
  EXPECT_LT(used() - before, 100ms);  // of processor time: it sleeps
  later.join();
}

}  // namespace
