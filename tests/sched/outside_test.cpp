// A thief from outside takes a branch that can travel. Here it travels nowhere: the test itself is the other machine.

#include <heist/heist.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/suspend.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using heist::detail::outside;

// What is away, until the test brings it back.
struct away {
  std::mutex lock;
  std::vector<heist::resumption> strands;

  void put(heist::resumption r) {
    const std::lock_guard hold(lock);
    strands.push_back(std::move(r));
  }
  std::size_t count() {
    const std::lock_guard hold(lock);
    return strands.size();
  }
  void bring_back() {
    std::vector<heist::resumption> all;
    {
      const std::lock_guard hold(lock);
      all.swap(strands);
    }
    for (auto& r : all) r.resume();
  }
};

enum class way { here, elsewhere, throws };

struct traveller {
  static constexpr bool travels = true;
  away* to;
  way fails = way::elsewhere;
  std::atomic<bool>* returned = nullptr;

  way operator()() const { return way::here; }
  way travel() const {
    heist::suspend([&to = *to](heist::resumption r) { to.put(std::move(r)); });
    if (returned != nullptr) *returned = true;
    if (fails == way::throws) throw std::runtime_error("elsewhere");
    return fails;
  }
};

outside& outside_of(heist::pool& p) { return heist::detail::scheduler_of(p).outside; }

// A pool of its own for each test: its thread has never run, so its caller has the only seat, and no worker steals.
heist::options one_worker() {
  heist::options o;
  o.workers = 1;
  return o;
}

TEST(thief_from_outside, takes_a_branch_that_can_travel) {
  heist::pool p(one_worker());
  away other;
  auto [a, b] = p.run([&] {
    return heist::join(
        [&] {
          bool taken = false;
          std::thread([&] { taken = outside_of(p).steal(); }).join();
          EXPECT_EQ(other.count(), 1u);
          std::thread([&] { EXPECT_FALSE(outside_of(p).steal()); }).join();
          other.bring_back();
          return taken;
        },
        traveller{&other});
  });
  EXPECT_TRUE(a);
  EXPECT_EQ(b, way::elsewhere);
}

// The caller has the only worker's place, and is never idle: it gives way to a strand of its own root.
TEST(thief_from_outside, brings_back_what_gets_its_turn_while_the_caller_forks_on) {
  constexpr long most = 500'000'000;
  heist::pool p(one_worker());
  away other;
  std::atomic<bool> returned = false;
  auto [forks, b] = p.run([&] {
    return heist::join(
        [&] {
          std::thread([&] { EXPECT_TRUE(outside_of(p).steal()); }).join();
          std::thread([&] { other.bring_back(); }).join();
          long n = 0;
          while (!returned && n < most) heist::join([&] { ++n; }, [] {});
          return n;
        },
        traveller{&other, way::elsewhere, &returned});
  });
  EXPECT_LT(forks, most);
  EXPECT_EQ(b, way::elsewhere);
}

TEST(thief_from_outside, leaves_it_to_its_owner_if_it_does_not_come) {
  heist::pool p(one_worker());
  away other;
  auto [a, b] = p.run([&] { return heist::join([] { return 1; }, traveller{&other}); });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, way::here);
}

TEST(thief_from_outside, takes_no_branch_that_must_stay) {
  heist::pool p(one_worker());
  p.run([&] {
    heist::join([&] { std::thread([&] { EXPECT_FALSE(outside_of(p).steal()); }).join(); }, [] {});
  });
}

TEST(thief_from_outside, finds_one_below_others_which_still_run_once) {
  heist::pool p(one_worker());
  away other;
  std::atomic<int> plain{0};
  way got{};
  p.run([&] {
    heist::join(
        [&] {
          heist::join(
              [&] {
                auto [a, b] = heist::join(
                    [&] {
                      bool taken = false;
                      std::thread([&] { taken = outside_of(p).steal(); }).join();
                      EXPECT_TRUE(taken);
                      other.bring_back();
                      return 0;
                    },
                    traveller{&other});
                got = b;
              },
              [&] { ++plain; });
        },
        [&] { ++plain; });
  });
  EXPECT_EQ(plain, 2);
  EXPECT_EQ(got, way::elsewhere);
}

TEST(thief_from_outside, brings_an_exception_to_the_join) {
  heist::pool p(one_worker());
  away other;
  EXPECT_THROW(p.run([&] {
    heist::join(
        [&] {
          std::thread([&] { EXPECT_TRUE(outside_of(p).steal()); }).join();
          other.bring_back();
        },
        traveller{&other, way::throws});
  }),
               std::runtime_error);
}

TEST(thief_from_outside, takes_children_of_scopes) {
  heist::pool p(one_worker());
  away other;
  p.run([&] {
    heist::scope s;
    for (int i = 0; i < 3; ++i) s.spawn(traveller{&other});
    for (int i = 0; i < 3; ++i) std::thread([&] { EXPECT_TRUE(outside_of(p).steal()); }).join();
    EXPECT_EQ(other.count(), 3u);
    other.bring_back();
    s.sync();
  });
  EXPECT_EQ(other.count(), 0u);
}

// A tree of forks, half of which can travel, thieves inside and outside, and one that brings back.
struct tree {
  static constexpr bool travels = true;
  away* to;
  int depth;

  long operator()() const {
    if (depth == 0) return 1;
    auto left = [t = tree{to, depth - 1}] { return t(); };
    auto [a, b] = heist::join(left, tree{to, depth - 1});
    return a + b;
  }
  long travel() const {
    heist::suspend([&to = *to](heist::resumption r) { to.put(std::move(r)); });
    return (*this)();
  }
};

TEST(thief_from_outside, robs_a_busy_pool_and_nothing_is_lost_or_done_twice) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    heist::options o;
    o.workers = workers;
    heist::pool p(o);
    away other;
    std::atomic<bool> over{false};
    std::atomic<long> taken{0};
    std::vector<std::thread> thieves;
    for (int i = 0; i < 2; ++i)
      thieves.emplace_back([&] {
        while (!over) {
          taken += outside_of(p).steal();
          std::this_thread::yield();
          other.bring_back();
        }
      });
    long leaves = 0;
    for (int round = 0; round < 20; ++round) leaves += p.run([&] { return tree{&other, 12}(); });
    over = true;
    for (auto& t : thieves) t.join();
    EXPECT_EQ(leaves, 20l << 12);
  }
}

TEST(thief_from_outside, is_told_when_a_worker_lies_down) {
  heist::options o;
  o.workers = 2;
  heist::pool p(o);
  std::atomic<int> told{0};
  outside_of(p).tell([](void* count) noexcept { ++*static_cast<std::atomic<int>*>(count); }, &told);
  p.run([] { heist::join([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, [] {}); });
  while (told == 0) std::this_thread::yield();
  while (outside_of(p).idle_workers() < 2) std::this_thread::yield();
}

}  // namespace
