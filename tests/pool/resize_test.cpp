// pool::resize: more and fewer workers while roots run.

#include "tests/private.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>

#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {
struct quota_paths {
  using type = heist::detail::system_paths heist::detail::allotment::*;
};
}  // namespace

template struct heist_test::opened<quota_paths, &heist::detail::allotment::paths_>;

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

TEST(resize, is_seen_at_once_by_workers) {
  heist::pool p(workers(2));
  for (const unsigned n : {5u, 1u, 4096u, 2u}) {
    p.resize(n);
    EXPECT_EQ(p.workers(), n);
    EXPECT_EQ(p.run([] { return fib(12); }), 144);
  }
}

TEST(resize, refuses_what_is_out_of_range) {
  heist::pool p(workers(2));
  EXPECT_THROW(p.resize(0), std::invalid_argument);
  EXPECT_THROW(p.resize(4097), std::invalid_argument);
  EXPECT_EQ(p.workers(), 2u);
}

TEST(resize, stops_at_workers_least) {
  heist::options o = workers(4);
  o.workers_least = 3;
  heist::pool p(o);
  p.resize(1);
  EXPECT_EQ(p.workers(), 3u);
  o.workers = 1;
  EXPECT_EQ(heist::pool(o).workers(), 3u);
  o.workers_least = 0;
  EXPECT_THROW(heist::pool{o}, std::invalid_argument);
}

TEST(resize, brings_workers_to_a_root_that_runs) {
  heist::pool p(workers(1));
  std::atomic<int> here{0};
  p.run([&] {
    auto arrive = [&] {
      ++here;
      EXPECT_TRUE(eventually([&] { return here >= 4; }));
    };
    heist::scope s;
    for (int i = 0; i < 3; ++i) s.spawn_later(arrive);
    p.resize(4);
    arrive();
  });
  EXPECT_EQ(here, 4);
}

// Forks until told to end, and says how many such strands have forked of late.
class busy_strands {
 public:
  void run(int n) {
    heist::for_each_index(0, n, [this](int) { spin(); }, heist::grain{1});
  }
  void end() { ended_ = true; }
  int all_moved() {
    ++round_;
    return moved_.exchange(0);
  }

 private:
  void spin() {
    unsigned seen = 0;
    while (!ended_) {
      heist::join([] {}, [] {});
      if (const unsigned now = round_; seen != now) seen = now, ++moved_;
    }
  }

  std::atomic<bool> ended_{false};
  std::atomic<unsigned> round_{1};
  std::atomic<int> moved_{0};
};

TEST(resize, takes_a_worker_from_a_strand_that_forks_and_the_strand_goes_on_elsewhere) {
  heist::pool p(workers(4));
  busy_strands strands;
  std::thread caller([&] { p.run([&] { strands.run(4); }); });
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(1ms);
    return strands.all_moved() == 4;
  }));
  p.resize(2);
  // The caller keeps its strand. The other three take turns on one thread.
  for (int i = 0; i < 3; ++i) {
    strands.all_moved();
    int moved = 0;
    EXPECT_TRUE(eventually([&] {
      std::this_thread::sleep_for(1ms);
      return (moved += strands.all_moved()) >= 8;
    }));
  }
  strands.end();
  caller.join();
  EXPECT_EQ(p.workers(), 2u);
}

TEST(resize, leaves_no_more_threads_at_work_than_it_says) {
  heist::options o = workers(4);
  o.most_callers = 1;
  heist::pool p(o);
  std::atomic<int> now{0}, most{0};
  auto body = [&](int) {
    const int here = ++now;
    int seen = most;
    while (here > seen && !most.compare_exchange_weak(seen, here)) {
    }
    std::this_thread::sleep_for(100us);
    --now;
  };
  p.run([&] {
    heist::for_each_index(0, 400, body, heist::grain{1});
    p.resize(1);
    heist::for_each_index(0, 400, body, heist::grain{1});  // those that were searching have gone
    most = 0;
    heist::for_each_index(0, 400, body, heist::grain{1});
    EXPECT_EQ(most, 1);
    p.resize(3);
    EXPECT_TRUE(eventually([&] {
      heist::for_each_index(0, 100, body, heist::grain{1});
      return most == 3;
    }));
  });
}

TEST(resize, keeps_the_workers_that_were_in_stats) {
  heist::pool p(workers(3));
  meet(p, 3);
  p.resize(1);
  EXPECT_GE(p.stats().workers.size(), 3u);
  p.resize(8);
  EXPECT_GE(p.stats().workers.size(), 8u);
  const auto made = p.stats().workers.size();
  p.resize(2);
  p.resize(8);
  EXPECT_EQ(p.stats().workers.size(), made);  // those in reserve came back
}

TEST(resize, lets_a_caller_begin_that_found_no_worker) {
  heist::options o = workers(1);
  o.most_callers = 2;
  heist::pool p(o);
  std::atomic<int> here{0};
  auto enter = [&] {
    p.run([&] {
      ++here;
      EXPECT_TRUE(eventually([&] { return here >= 2; }));
    });
  };
  std::thread a(enter), b(enter);
  EXPECT_TRUE(eventually([&] { return here == 1; }));
  p.resize(2);  // the second comes in, too
  a.join();
  b.join();
}

TEST(resize, serves_strands_that_wait) {
  heist::pool p(workers(4));
  p.run([&] {
    heist::channel<int> c(0);
    heist::scope s;
    s.spawn([&] {
      for (int i = 0; i < 200; ++i) c.push(i);
      c.close();
    });
    s.spawn([&] {
      for (int i = 0; i < 20; ++i) p.resize(static_cast<unsigned>(1 + i % 4)), heist::sleep_for(100us);
    });
    int sum = 0;
    while (auto v = c.pop()) sum += *v;
    EXPECT_EQ(sum, 199 * 100);
    s.sync();
  });
}

TEST(resize, serves_threads_that_block) {
  heist::pool p(workers(2));
  p.run([&] {
    heist::for_each_index(
        0, 64,
        [&](int i) {
          if (i % 8 == 0) p.resize(static_cast<unsigned>(1 + i / 8 % 3));
          heist::blocking([] { std::this_thread::sleep_for(300us); });
        },
        heist::grain{1});
  });
  EXPECT_EQ(p.run([] { return fib(15); }), 610);
}

TEST(resize, goes_along_with_broadcasts) {
  heist::pool p(workers(3));
  std::atomic<bool> ended{false};
  std::thread changer([&] {
    for (unsigned i = 0; !ended; ++i) p.resize(1 + i % 4), std::this_thread::yield();
  });
  for (int i = 0; i < 200; ++i) {
    const auto numbers = p.broadcast([](unsigned k) { return k; });
    EXPECT_GE(numbers.size(), 1u);
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  }
  ended = true;
  changer.join();
  p.resize(3);
  EXPECT_TRUE(eventually([&] { return p.broadcast([] { return 1; }).size() == 3; }));
}

// Every ten milliseconds, or as fast as it goes, another number of workers.
void change_all_the_time(int rounds, unsigned most, std::chrono::microseconds pause) {
  heist::pool p(workers(2));
  std::atomic<bool> ended{false};
  std::thread changer([&] {
    std::mt19937 dice(1);
    while (!ended) {
      p.resize(std::uniform_int_distribution<unsigned>(1, most)(dice));
      std::this_thread::sleep_for(pause);
    }
  });
  for (int i = 0; i < rounds; ++i) {
    EXPECT_EQ(p.run([] { return fib(18); }), 2584);
    std::vector<int> v(2000);
    std::mt19937 dice(static_cast<unsigned>(i));
    for (int& x : v) x = static_cast<int>(dice());
    p.run([&] {
      heist::mutex m;
      long sum = 0;
      heist::for_each_index(0, 32, [&](int k) {
        const std::lock_guard hold(m);
        sum += k;
      }, heist::grain{1});
      EXPECT_EQ(sum, 496);
      auto f = heist::async([&] { heist::sort(v); });
      nest(20);
      f.get();
    });
    EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
  }
  ended = true;
  changer.join();
}

TEST(resize, at_random_all_the_time_gives_right_answers) { change_all_the_time(60, 64, 1ms); }
TEST(resize, at_full_speed_gives_right_answers) { change_all_the_time(20, 8, 0us); }

void allow_all_threads(const cpu_set_t& mask) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ::sched_setaffinity(std::stoi(task.path().filename()), sizeof mask, &mask);
}

TEST(resize, follows_the_affinity_mask_in_a_pool_of_the_machines_size) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one processor";
  const unsigned usual = heist::available_parallelism();
  heist::pool p, fixed(workers(usual)), named;
  named.resize(usual);
  auto becomes = [&](unsigned n) {
    return eventually([&] {
      for (heist::pool* each : {&p, &fixed, &named}) each->run([] { std::this_thread::sleep_for(3ms), fib(27); });
      std::this_thread::sleep_for(20ms);
      return p.workers() == n;
    });
  };
  EXPECT_EQ(p.workers(), usual);
  meet(p, static_cast<int>(usual));  // all threads are there
  cpu_set_t one;
  CPU_ZERO(&one);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_SET(first, &one);
  allow_all_threads(one);
  EXPECT_TRUE(becomes(1));
  allow_all_threads(all);
  EXPECT_TRUE(becomes(usual));
  EXPECT_EQ(fixed.workers(), usual);
  EXPECT_EQ(named.workers(), usual);
}

TEST(resize, follows_the_cgroups_quota_in_a_pool_of_the_machines_size) {
  const unsigned usual = heist::available_parallelism();
  if (usual < 2) GTEST_SKIP() << "one processor";
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / ("heist-quota-" + std::to_string(::getpid()));
  auto write = [&](const char* file, const std::string& text) {
    fs::create_directories((root / file).parent_path());
    const fs::path draft = root / "draft";
    std::ofstream(draft) << text;
    fs::rename(draft, root / file);  // whole at any moment
  };
  write("proc/self/mountinfo", "31 24 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("proc/self/cgroup", "0::/job\n");
  auto allow = [&](const std::string& quota) { write("sys/fs/cgroup/job/cpu.max", quota + " 100000\n"); };
  allow("max");
  heist::pool p, fixed(workers(usual));
  for (heist::pool* each : {&p, &fixed}) {
    // Its threads have not been started, and the next look is a second away.
    heist::detail::scheduler& inside = *each->run([] { return &heist::detail::this_seat()->pool; });
    inside.allotment.*member<quota_paths> = {root / "proc/self/cgroup", root / "proc/self/mountinfo", root};
  }
  auto becomes = [&](unsigned n) {
    return eventually([&] {
      for (heist::pool* each : {&p, &fixed}) each->run([] { std::this_thread::sleep_for(3ms), fib(25); });
      std::this_thread::sleep_for(20ms);
      return p.workers() == n;
    });
  };
  EXPECT_TRUE(becomes(usual));
  allow("100000");
  EXPECT_TRUE(becomes(1));
  allow("50000");
  EXPECT_TRUE(becomes(1));
  allow("150000");  // one and a half: all of it takes two
  EXPECT_TRUE(becomes(2));
  allow("max");
  EXPECT_TRUE(becomes(usual));
  EXPECT_EQ(fixed.workers(), usual);
  fs::remove_all(root);
}

}  // namespace
