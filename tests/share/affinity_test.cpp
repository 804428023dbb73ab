// heist::affinity: loops over the same data, again and again.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

TEST(affinity, runs_every_index_once) {
  for (const unsigned n : {1u, 2u, 8u}) {
    heist::pool p(workers(n));
    heist::affinity a;
    for (const int length : {0, 1, 7, 1000, 1000, 1000, 33, 1000}) {
      std::vector<std::atomic<int>> count(static_cast<std::size_t>(length));
      p.run([&] { heist::for_each_index(0, length, [&](int i) { ++count[static_cast<std::size_t>(i)]; }, a); });
      for (const auto& c : count) EXPECT_EQ(c, 1);
    }
  }
}

TEST(affinity, takes_ranges_and_works_outside_pools) {
  heist::affinity a;
  std::vector<int> v(500, 1);
  for (int round = 0; round < 3; ++round) heist::for_each(v, [](int& x) { ++x; }, a);
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 2000);
}

TEST(affinity, goes_with_other_options_and_other_loops) {
  const heist::affinity a;
  for (const unsigned n : {1u, 2u, 300u}) {
    heist::pool p(workers(n));
    std::stop_source stop;
    heist::progress counted(1000);
    std::atomic<int> runs{0};
    std::vector<int> v(1000, 1), out(1000);
    std::list<int> fed(100, 1);
    p.run([&] {
      auto count = [&](int) { ++runs; };
      heist::for_each_index(0, 1000, count, a, heist::grain{8});
      heist::for_each_index(0, 1000, count, stop.get_token(), a, counted);
      heist::for_each_index(0, 1000, count, heist::limit{3}, a);
      heist::for_each(v.begin(), v.end(), count, a);
      heist::for_each(v, count, std::negate<>(), a);
      heist::for_each_n(v.begin(), 10, [](int& x) { x = 3; }, a);
      heist::transform(v, out.begin(), [](int x) { return 2 * x; }, a);
      heist::par(out).for_each([](int& x) { ++x; }, a);
      heist::for_each(fed, count, a);
    });
    EXPECT_EQ(runs, 5100);
    EXPECT_EQ(counted.done(), 1000u);
    EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0), 10 * 7 + 990 * 3);
    stop.request_stop();
    EXPECT_THROW(heist::for_each_index(0, 1000, [](int) {}, a, stop.get_token()), heist::cancelled);
  }
}

TEST(affinity, has_pieces_of_the_grain) {
  heist::affinity a;
  std::atomic<std::size_t> longest{0}, sum{0};
  struct lengths {
    std::atomic<std::size_t>&longest, &sum;
  } both{longest, sum};
  a.run(1000, [](void* p, std::size_t b, std::size_t e) {
    auto& [most, all] = *static_cast<lengths*>(p);
    std::size_t seen = most;
    while (e - b > seen && !most.compare_exchange_weak(seen, e - b)) {
    }
    all += e - b;
  }, &both, 5);
  EXPECT_LE(longest, 5u);
  EXPECT_EQ(sum, 1000u);
}

TEST(affinity, runs_in_order_on_one_worker) {
  heist::pool p(workers(1));
  heist::affinity a;
  std::vector<int> seen;
  for (int round = 0; round < 2; ++round) p.run([&] { heist::for_each_index(0, 50, [&](int i) { seen.push_back(i); }, a); });
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<int>(i % 50));
}

TEST(affinity, gives_a_worker_what_it_had_before) {
  heist::pool p(workers(2));
  heist::affinity a;
  constexpr int length = 64;
  std::vector<std::size_t> where(length), before;
  // All workers come, and stay until everybody has.
  auto loop = [&] {
    std::atomic<int> here{0};
    p.run([&] {
      heist::for_each_index(
          0, length,
          [&](int i) {
            where[static_cast<std::size_t>(i)] = heist::worker_index();
            ++here;
            const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
            while (here < length && std::chrono::steady_clock::now() < until) std::this_thread::yield();
          },
          a);
    });
  };
  loop();
  // On a busy machine a worker may come late; in some round it does not.
  EXPECT_TRUE(eventually([&] {
    before = where;
    loop();
    int same = 0;
    for (std::size_t i = 0; i < length; ++i) same += before[i] == where[i];
    return same >= length * 3 / 4;
  }));
}

TEST(affinity, throws_the_first_in_serial_order_and_can_be_used_again) {
  heist::pool p(workers(4));
  heist::affinity a;
  auto throwing = [&] {
    heist::for_each_index(0, 1000, [](int i) {
      if (i % 100 == 99) throw std::runtime_error(std::to_string(i));
    }, a);
  };
  for (int round = 0; round < 20; ++round) {
    try {
      p.run(throwing);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "99");
    }
  }
  std::atomic<int> sum{0};
  p.run([&] { heist::for_each_index(0, 1000, [&](int) { ++sum; }, a); });
  EXPECT_EQ(sum, 1000);
}

TEST(affinity, is_used_by_one_loop_at_a_time) {
  heist::affinity a;
  std::atomic<int> sum{0};
  heist::for_each_index(0, 10, [&](int) { heist::for_each_index(0, 10, [&](int) { ++sum; }, a); }, a);
  EXPECT_EQ(sum, 100);
  heist::pool p(workers(2));
  std::thread other([&] { for (int i = 0; i < 50; ++i) p.run([&] { heist::for_each_index(0, 100, [&](int) { ++sum; }, a); }); });
  for (int i = 0; i < 50; ++i) p.run([&] { heist::for_each_index(0, 100, [&](int) { ++sum; }, a); });
  other.join();
  EXPECT_EQ(sum, 10100);
}

TEST(affinity, does_not_make_bodies_wait_for_each_other) {
  heist::pool p(workers(2));
  heist::affinity a;
  for (int i = 0; i < 3; ++i)
    p.run([&] { heist::for_each_index(0, 200, [](int) { heist::sleep_for(std::chrono::milliseconds(2)); }, a); });
  EXPECT_GT(p.stats().waiting_peak, 8u);
}

TEST(affinity, keeps_its_parts_when_the_pool_is_resized) {
  heist::pool p(workers(1));
  heist::affinity a;
  constexpr int length = 64;
  // With which index each worker begins; so many meet.
  auto beginnings = [&](std::size_t meeting) {
    std::mutex lock;
    std::map<std::size_t, int> first;
    std::atomic<std::size_t> come{0};
    p.run([&] {
      heist::for_each_index(
          0, length,
          [&](int i) {
            {
              const std::lock_guard hold(lock);
              if (first.emplace(heist::worker_index(), i).second) ++come;
            }
            EXPECT_TRUE(eventually([&] { return come >= meeting; }));
          },
          a);
    });
    std::set<int> all;
    for (const auto& [worker, i] : first) all.insert(i);
    return all;
  };
  EXPECT_EQ(beginnings(1), std::set<int>{0});  // all eight parts live at one place
  p.resize(2);
  // The other worker begins with the last part. If the parts were forgotten, it would begin in the middle.
  const std::set<int> two = beginnings(2);
  EXPECT_EQ(*two.begin(), 0);
  EXPECT_GE(*two.rbegin(), length - length / 8);
  p.resize(1);
  EXPECT_TRUE(eventually([&] { return beginnings(1).size() == 1; }));  // the other may work a little longer
}

TEST(affinity, goes_along_with_stops_and_resizes) {
  heist::pool p(workers(2));
  heist::affinity a;
  std::stop_source stop;
  EXPECT_THROW(p.run([&] { heist::for_each_index(0, 100000, [&](int i) { if (i == 5) stop.request_stop(); }, a); }, stop.get_token()),
               heist::cancelled);
  for (unsigned n = 1; n < 20; ++n) {
    p.resize(1 + n % 4);
    std::atomic<int> sum{0};
    p.run([&] { heist::for_each_index(0, 100, [&](int) { ++sum; }, a); });
    EXPECT_EQ(sum, 100);
  }
}

}  // namespace
