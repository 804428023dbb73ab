// options::most_callers: how many callers are inside at once, and how many strands run.

#include "tests/pool/threads.hpp"
#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;

heist::options capped(unsigned workers, unsigned most_callers) {
  heist::options o;
  o.workers = workers;
  o.most_callers = most_callers;
  return o;
}

// How many are in there at once, at most.
class crowd {
 public:
  template <class F>
  auto with(F f) {
    const int here = ++now_;
    int seen = most_;
    while (here > seen && !most_.compare_exchange_weak(seen, here)) {
    }
    struct leave {
      std::atomic<int>& now;
      ~leave() { --now; }
    } const after{now_};
    return f();
  }
  int most() const { return most_; }

 private:
  std::atomic<int> now_{0}, most_{0};
};

// Leaves that are long enough to be seen beside each other.
void busy_leaves(crowd& strands, int depth) {
  if (depth == 0) return strands.with([] { std::this_thread::yield(); });
  heist::join([&] { busy_leaves(strands, depth - 1); }, [&] { busy_leaves(strands, depth - 1); });
}

template <class F>
void from_threads(int n, F f) {
  std::vector<std::thread> all;
  for (int i = 0; i < n; ++i) all.emplace_back([&f, i] { f(i); });
  for (std::thread& t : all) t.join();
}

struct cap {
  unsigned workers, callers;
};

class a_pool_with_a_cap : public testing::TestWithParam<cap> {
 protected:
  heist::pool pool{capped(GetParam().workers, GetParam().callers)};
};

INSTANTIATE_TEST_SUITE_P(of, a_pool_with_a_cap,
                         testing::Values(cap{1, 1}, cap{1, 8}, cap{2, 1}, cap{4, 2}, cap{3, 3}, cap{2, ~0u}),
                         [](const auto& p) {
                           return std::to_string(p.param.workers) + "_workers_and_" + std::to_string(p.param.callers);
                         });

TEST_P(a_pool_with_a_cap, has_no_more_callers_inside_and_no_more_strands_than_workers) {
  crowd callers, strands;
  std::atomic<int> strangers{0};
  from_threads(8, [&](int) {
    const auto me = std::this_thread::get_id();
    for (int round = 0; round < 50; ++round) {
      pool.run([&] { callers.with([&] { busy_leaves(strands, round % 5); }); });
      if (std::this_thread::get_id() != me) ++strangers;
    }
  });
  EXPECT_LE(callers.most(), static_cast<int>(std::min(GetParam().callers, 8u)));
  EXPECT_LE(strands.most(), static_cast<int>(GetParam().workers));
  EXPECT_EQ(strangers, 0);
  EXPECT_EQ(pool.stats().workers.size(), GetParam().workers);  // nobody has brought a seat
}

TEST_P(a_pool_with_a_cap, gives_each_caller_its_own_result_or_exception) {
  std::atomic<int> wrong{0};
  from_threads(6, [&](int i) {
    for (int round = 0; round < 50; ++round) {
      if (pool.run([&] { return fib(10) + i; }) != 55 + i) ++wrong;
      try {
        pool.run([&] { heist::join([] { fib(6); }, [&] { throw i; }); });
        ++wrong;
      } catch (int e) {
        if (e != i) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

// Whoever runs a root: what its strand takes along is the caller's.
TEST_P(a_pool_with_a_cap, brings_views_and_the_rounding_mode_along) {
  std::atomic<int> wrong{0};
  from_threads(6, [&](int i) {
    std::fesetround(i % 2 == 0 ? FE_UPWARD : FE_DOWNWARD);
    for (int round = 0; round < 30; ++round) {
      heist::reducer<long> sum;
      pool.run([&] {
        if (std::fegetround() != (i % 2 == 0 ? FE_UPWARD : FE_DOWNWARD)) ++wrong;
        heist::for_each_index(0, 64, [&](int k) { *sum += k; }, heist::grain{1});
      });
      if (sum.take() != 2016) ++wrong;
    }
    if (std::fegetround() != (i % 2 == 0 ? FE_UPWARD : FE_DOWNWARD)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

// A strand of another pool does not wait for a place: it may belong to the very root that has it.
TEST_P(a_pool_with_a_cap, is_called_back_from_the_pool_its_task_calls) {
  heist::pool other(capped(GetParam().workers, 1));
  struct walk {
    heist::pool *here, *there;
    long down(int n) {
      if (n == 0) return 1;
      walk back{there, here};
      return here->run([&] {
        auto [a, b] = heist::join([&] { return back.down(n - 1); }, [&] { return fib(5); });
        return a + b;
      });
    }
  };
  from_threads(4, [&](int) { EXPECT_EQ((walk{&pool, &other}.down(8)), 1 + 8 * 5); });
}

// All workers are in one long root. A second caller's root begins when one of them comes out of work, not when the long one
// has ended.
TEST(a_caller_that_finds_no_seat, has_its_root_run_by_a_worker) {
  heist::pool pool(capped(2, 2));
  std::atomic<int> busy{0};
  std::atomic<bool> second_ran{false};
  std::thread first([&] {
    pool.run([&] {
      auto stay_until = [&](auto&& over) {
        ++busy;
        EXPECT_TRUE(eventually(over));
      };
      heist::join([&] { stay_until([&] { return second_ran.load(); }); }, [&] { stay_until([&] { return busy == 3; }); });
    });
  });
  EXPECT_TRUE(eventually([&] { return busy == 2; }));
  std::thread second([&] {
    ++busy;
    pool.run([&] { second_ran = true; });
  });
  first.join();
  second.join();
  EXPECT_TRUE(second_ran);
}

// A root that waits keeps no seat, so a later caller can bring what it waits for.
TEST(a_caller_that_waits, leaves_a_worker_to_another_caller) {
  for (const unsigned most : {2u, 3u, 8u}) {
    heist::pool pool(capped(1, most));
    heist::promise<int> answer;
    heist::future<int> later = answer.get_future();
    std::atomic<bool> inside{false};
    std::thread first([&] {
      pool.run([&] {
        inside = true;
        EXPECT_EQ(later.get(), static_cast<int>(most));
      });
    });
    EXPECT_TRUE(eventually([&] { return inside.load(); }));
    pool.run([&] { answer.set_value(static_cast<int>(most)); });
    first.join();
  }
}

char state_of(int thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  char state = '?';
  for (std::string key; status >> key;)
    if (key == "State:") status >> state;
  return state;
}

TEST(callers_that_wait, are_served_first_come_first) {
  heist::pool pool(capped(2, 1));
  std::atomic<bool> go_on{false};
  std::atomic<int> inside{0};
  std::thread holder([&] {
    pool.run([&] {
      ++inside;
      EXPECT_TRUE(eventually([&] { return go_on.load(); }));
    });
  });
  EXPECT_TRUE(eventually([&] { return inside == 1; }));
  std::vector<std::thread> line;
  std::vector<int> order;  // one at a time is inside
  for (int i = 0; i < 6; ++i) {
    std::atomic<int> number{0};
    line.emplace_back([&, i] {
      number = ::gettid();
      pool.run([&] {
        ++inside;
        order.push_back(i);
      });
    });
    EXPECT_TRUE(eventually([&] { return number != 0; }));
    const int thread = number;
    // Asleep twice in a row with a moment in between: in line, not in the kernel for a page.
    EXPECT_TRUE(eventually([&] {
      const bool asleep = state_of(thread) == 'S';
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return (asleep && state_of(thread) == 'S') || inside > 1;
    }));
  }
  EXPECT_TRUE(order.empty());
  go_on = true;
  holder.join();
  for (std::thread& t : line) t.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(a_pool_without_a_cap, lets_all_callers_in_at_once) {
  heist::pool pool(workers(1));
  std::atomic<int> inside{0};
  from_threads(8, [&](int) {
    pool.run([&] {
      ++inside;
      EXPECT_TRUE(eventually([&] { return inside == 8; }));
    });
  });
}

}  // namespace
