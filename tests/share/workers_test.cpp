// What each worker has: a number, a value, its turn in a broadcast, and threads with names, hooks and masks.

#include "tests/harsh/process.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <pthread.h>
#include <sys/resource.h>

#include <csignal>
#include <mutex>
#include <set>
#include <stdexcept>

using heist_test::eventually;
using heist_test::workers;

TEST(worker_index, differs_between_strands_that_run_at_once) {
  EXPECT_EQ(heist::worker_index(), heist::no_worker);
  heist::pool p(workers(4));
  std::mutex lock;
  std::set<std::size_t> seen;
  std::atomic<int> here{0};
  p.run([&] {
    heist::for_each_index(
        0, 4,
        [&](int) {
          ++here;
          EXPECT_TRUE(eventually([&] { return here >= 4; }));
          const std::lock_guard hold(lock);
          EXPECT_TRUE(seen.insert(heist::worker_index()).second);
        },
        heist::grain{1});
  });
  EXPECT_EQ(seen.size(), 4u);
}

TEST(per_worker, gives_each_strand_a_value_that_nobody_else_uses) {
  heist::pool p(workers(4));
  struct scratch {
    std::atomic<int> users{0};
    std::size_t uses = 0;
  };
  heist::per_worker<scratch> all;
  p.run([&] {
    heist::for_each_index(0, 20'000, [&](int) {
      auto mine = all.local();
      EXPECT_EQ(++mine->users, 1);
      ++mine->uses;
      --mine->users;
    });
  });
  all.with([](scratch& outside) { ++outside.uses; });
  std::size_t sum = 0;
  all.for_each([&](const scratch& s) { sum += s.uses; });
  EXPECT_EQ(sum, 20'001u);
  EXPECT_LE(all.size(), 6u);
  all.clear();
  EXPECT_EQ(all.size(), 0u);
}

TEST(per_worker, begins_with_a_value_or_what_a_function_returns) {
  heist::per_worker<int> seven(7);
  EXPECT_EQ(*seven.local(), 7);
  heist::per_worker<std::unique_ptr<int>> made([] { return std::make_unique<int>(8); });
  EXPECT_EQ(**made.local(), 8);
  EXPECT_EQ(seven.combine(0, std::plus<>()), 7);
  heist::per_worker<std::vector<int>> many;
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) threads.emplace_back([&] { many.local()->push_back(1); });
  for (auto& t : threads) t.join();
  std::size_t sum = 0;
  many.for_each([&](auto& v) { sum += v.size(); });
  std::size_t walked = 0;
  for (const std::vector<int>& v : many) walked += v.size();
  EXPECT_EQ(walked, sum);
  EXPECT_EQ(sum, 40u);
}

TEST(per_worker, must_not_be_kept_across_a_fork_or_a_wait) {
#if !defined(HEIST_CHECKED) || defined(HEIST_TSAN)
  GTEST_SKIP() << "only checked builds look";
#else
  const heist_test::ending fork = heist_test::in_child([] {
    heist::pool p(workers(1));
    heist::per_worker<int> all(0);
    p.run([&] {
      auto mine = all.local();
      heist::join([] {}, [] {});
    });
  });
  EXPECT_EQ(fork.signal, SIGABRT);
  EXPECT_TRUE(fork.said.starts_with("heist: a strand forks or waits while it uses a per_worker")) << fork.said;
  const heist_test::ending wait = heist_test::in_child([] {
    heist::pool p(workers(1));
    heist::per_worker<int> all(0);
    p.run([&] {
      auto mine = all.local();
      heist::sleep_for(std::chrono::minutes(1));
    });
  });
  EXPECT_EQ(wait.signal, SIGABRT);
  EXPECT_TRUE(wait.said.starts_with("heist: a strand forks or waits while it uses a per_worker")) << wait.said;
  const heist_test::ending twice = heist_test::in_child([] {
    heist::per_worker<int> all(0);
    auto mine = all.local();
    auto again = all.local();
  });
  EXPECT_TRUE(twice.said.starts_with("heist: a per_worker was used while")) << twice.said;
#endif
}

TEST(broadcast, runs_once_on_every_worker) {
  heist::pool p(workers(4));
  for (int round = 0; round < 20; ++round) {
    std::mutex lock;
    std::set<std::thread::id> threads;
    p.broadcast([&] {
      const std::lock_guard hold(lock);
      EXPECT_TRUE(threads.insert(std::this_thread::get_id()).second);
    });
    EXPECT_EQ(threads.size(), 4u);
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
    if (round % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(p.broadcast([](unsigned k) { return k * k; }), (std::vector<unsigned>{0, 1, 4, 9}));
}

TEST(broadcast, waits_for_workers_that_are_busy_and_leaves_the_others_to_work) {
  heist::pool p(workers(2));
  std::atomic<bool> begun{false}, ran_one{false}, over{false};
  p.detach([&] {
    begun = true;
    EXPECT_TRUE(eventually([&] { return ran_one.load(); }));
    over = true;
  });
  EXPECT_TRUE(eventually([&] { return begun.load(); }));
  std::atomic<int> runs{0};
  p.broadcast([&] {
    if (++runs == 2) {
      EXPECT_TRUE(over);
    }
    ran_one = true;
  });
  EXPECT_EQ(runs, 2);
}

TEST(broadcast, may_fork_and_throws_the_first_failure) {
  heist::pool p(workers(3));
  std::atomic<long> sum{0};
  p.broadcast([&] { sum += heist_test::fib(12); });
  EXPECT_EQ(sum, 3 * 144);
  try {
    p.broadcast([](unsigned k) {
      if (k > 0) throw std::runtime_error(std::to_string(k));
    });
    ADD_FAILURE();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "1");
  }
  // From another pool, and many at once.
  heist::pool other(workers(2));
  std::atomic<int> runs{0};
  other.run([&] { heist::for_each_index(0, 8, [&](int) { p.broadcast([&] { ++runs; }); }); });
  EXPECT_EQ(runs, 24);
}

TEST(broadcast, says_that_it_would_wait_for_its_own_worker) {
  const heist_test::ending inside = heist_test::in_child([] {
    heist::pool p(workers(2));
    p.run([&] { p.broadcast([] {}); });
  });
  EXPECT_EQ(inside.signal, SIGABRT);
  EXPECT_TRUE(inside.said.starts_with("heist: pool::broadcast was called by a task that runs in the pool")) << inside.said;
}

TEST(threads, have_names_masks_and_hooks) {
  std::atomic<int> started{0}, stopped{0};
  {
    heist::options o = workers(2);
    o.thread_name = "a-rather-long-name";
    o.nice = ::getpriority(PRIO_PROCESS, 0) + 1 > 19 ? 19 : ::getpriority(PRIO_PROCESS, 0) + 1;
    o.on_thread_start = [&] { ++started; };
    o.on_thread_stop = [&stopped](unsigned k) { stopped += k < 2; };
    heist::pool p(o);
    const auto names = p.broadcast([] {
      char name[16];
      ::pthread_getname_np(::pthread_self(), name, sizeof name);
      return std::string(name);
    });
    EXPECT_EQ(names, (std::vector<std::string>{"a-rather-long-0", "a-rather-long-1"}));
    for (const int nice : p.broadcast([] { return ::getpriority(PRIO_PROCESS, 0); })) EXPECT_EQ(nice, o.nice);
    EXPECT_EQ(started, 2);
    EXPECT_EQ(stopped, 0);
  }
  EXPECT_EQ(stopped, 2);

  cpu_set_t mine;
  ASSERT_EQ(::sched_getaffinity(0, sizeof mine, &mine), 0);
  int first = 0;
  while (!CPU_ISSET(first, &mine)) ++first;
  const std::string one = std::to_string(first);
  heist::options o;
  o.processors = one.c_str();
  heist::pool pinned(o);
  EXPECT_EQ(pinned.workers(), 1u);
  const auto masks = pinned.broadcast([] {
    cpu_set_t mask;
    ::sched_getaffinity(0, sizeof mask, &mask);
    return CPU_COUNT(&mask);
  });
  EXPECT_EQ(masks, std::vector<int>{1});
  for (const char* const bad : {"", "x", "3-1", "1,", "1-", "99999"}) {
    o.processors = bad;
    EXPECT_THROW(heist::pool{o}, std::invalid_argument) << bad;
  }
  o.processors = nullptr;
  o.nice = 20;
  EXPECT_THROW(heist::pool{o}, std::invalid_argument);
}
