// heist::condition_variable, from strands and threads.

#include "tests/waiting/together.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <system_error>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

class a_condition_variable : public together {
 protected:
  heist::mutex m;
  heist::condition_variable changed;
};
INSTANTIATE_TEST_SUITE_P(used, a_condition_variable, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_condition_variable, lets_producers_and_consumers_wait_for_each_other) {
  constexpr std::size_t room = 3;
  heist::condition_variable taken;
  std::deque<int> items;
  long sum = 0;
  const int n = rounds(500);
  run_each(6, [&](int i) {
    for (int k = 1; k <= n; ++k) {
      std::unique_lock hold(m);
      if (i % 2 == 0) {
        taken.wait(hold, [&] { return items.size() < room; });
        items.push_back(k);
        hold.unlock();
        changed.notify_one();
      } else {
        while (items.empty()) changed.wait(hold);
        sum += items.front();
        items.pop_front();
        taken.notify_one();
      }
    }
  });
  EXPECT_EQ(sum, 3L * n * (n + 1) / 2);
}

TEST_P(a_condition_variable, wakes_one_for_each_notification) {
  int waiting = 0, woken = 0;
  std::jthread other([&] {
    for (int k = 1; k <= 4; ++k) {
      EXPECT_TRUE(eventually([&] {
        const std::lock_guard hold(m);
        return waiting == 4 && woken == k - 1;
      }));
      std::this_thread::sleep_for(1ms);
      {
        const std::lock_guard hold(m);
        EXPECT_EQ(woken, k - 1);
      }
      changed.notify_one();
    }
  });
  run_each(4, [&](int) {
    std::unique_lock hold(m);
    ++waiting;
    changed.wait(hold);  // without a predicate: a wake-up without reason would be counted
    EXPECT_TRUE(hold.owns_lock());
    ++woken;
  });
  EXPECT_EQ(woken, 4);
}

TEST(waiters_for_a_condition_variable, are_woken_in_the_order_they_came) {
  // With one worker each begins when the one before waits.
  heist::pool pool({.workers = 1});
  heist::mutex m;
  heist::condition_variable changed;
  std::vector<int> woken;
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < 6; ++i)
      s.spawn([&, i] {
        std::unique_lock hold(m);
        changed.wait(hold);
        woken.push_back(i);
        changed.notify_one();
      });
    changed.notify_one();
  });
  EXPECT_EQ(woken, (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST_P(a_condition_variable, wakes_all_at_once) {
  for (int round = 0; round < rounds(100); ++round) {
    int waiting = 0;
    bool open = false;
    run_each(8, [&](int) {
      std::unique_lock hold(m);
      if (++waiting == 8) {
        open = true;
        changed.notify_all();
      } else {
        changed.wait(hold, [&] { return open; });
      }
    });
    EXPECT_EQ(waiting, 8);
  }
}

TEST_P(a_condition_variable, forgets_notifications_that_nobody_waited_for) {
  run([&] {
    changed.notify_one();
    changed.notify_all();
    std::unique_lock hold(m);
    EXPECT_EQ(changed.wait_for(hold, 1ms), std::cv_status::timeout);
    changed.notify_one();
    EXPECT_EQ(changed.wait_for(hold, 1ms), std::cv_status::timeout);
  });
}

TEST_P(a_condition_variable, gives_up_when_the_time_is_over) {
  run_each(2, [&](int) {
    heist::mutex own;
    std::unique_lock hold(own);
    const auto start = clock::now();
    EXPECT_EQ(changed.wait_for(hold, 2ms), std::cv_status::timeout);
    EXPECT_GE(clock::now() - start, 2ms);
    EXPECT_EQ(changed.wait_until(hold, clock::now() + 1ms), std::cv_status::timeout);
    EXPECT_FALSE(changed.wait_for(hold, 1ms, [] { return false; }));
    EXPECT_FALSE(changed.wait_until(hold, std::chrono::system_clock::now() + 1ms, [] { return false; }));
    EXPECT_EQ(changed.wait_for(hold, -1h), std::cv_status::timeout);
    EXPECT_TRUE(changed.wait_for(hold, -1h, [] { return true; }));
    EXPECT_FALSE(changed.wait_for(hold, std::stop_token(), 1ms, [] { return false; }));
    EXPECT_FALSE(changed.wait_until(hold, std::stop_token(), clock::now() + 1ms, [] { return false; }));
    EXPECT_TRUE(hold.owns_lock());
  });
}

TEST_P(a_condition_variable, wakes_those_whose_time_is_not_over) {
  int waiting = 0;
  bool open = false;
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard hold(m);
      return waiting == 5;
    }));
    const std::lock_guard hold(m);
    open = true;
    changed.notify_all();
  });
  auto is_open = [&] { return open; };
  run_each(5, [&](int i) {
    std::unique_lock hold(m);
    ++waiting;
    switch (i) {
      case 0: EXPECT_EQ(changed.wait_for(hold, 1h), std::cv_status::no_timeout); break;
      case 1: EXPECT_EQ(changed.wait_until(hold, std::chrono::system_clock::now() + 1h), std::cv_status::no_timeout); break;
      case 2: EXPECT_TRUE(changed.wait_for(hold, std::chrono::hours::max(), is_open)); break;
      case 3: EXPECT_TRUE(changed.wait_until(hold, clock::time_point::max(), is_open)); break;
      default: EXPECT_TRUE(changed.wait_for(hold, std::stop_token(), 1h, is_open));
    }
    EXPECT_TRUE(open);
  });
}

TEST_P(a_condition_variable, says_at_a_stop_what_the_predicate_says) {
  std::stop_source source;
  int waiting = 0;
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard hold(m);
      return waiting == 3;
    }));
    source.request_stop();
  });
  auto never = [] { return false; };
  run_each(3, [&](int i) {
    const std::stop_token token = source.get_token();
    std::unique_lock hold(m);
    ++waiting;
    EXPECT_FALSE(i == 0   ? changed.wait(hold, token, never)
                 : i == 1 ? changed.wait_for(hold, token, 1h, never)
                          : changed.wait_until(hold, token, clock::now() + 1h, never));
    EXPECT_TRUE(hold.owns_lock());
  });
  run([&] {
    std::unique_lock hold(m);
    EXPECT_TRUE(changed.wait(hold, source.get_token(), [] { return true; }));
    EXPECT_FALSE(changed.wait(hold, source.get_token(), never));
  });
}

TEST_P(a_condition_variable, throws_cancelled_at_a_stop_if_the_token_comes_last) {
  std::stop_source source;
  int waiting = 0;
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] {
      const std::lock_guard hold(m);
      return waiting == 6;
    }));
    source.request_stop();
  });
  auto never = [] { return false; };
  run_each(6, [&](int i) {
    const std::stop_token token = source.get_token();
    std::unique_lock hold(m);
    ++waiting;
    switch (i) {
      case 0: EXPECT_THROW(changed.wait(hold, token), heist::cancelled); break;
      case 1: EXPECT_THROW(changed.wait(hold, never, token), heist::cancelled); break;
      case 2: EXPECT_THROW(changed.wait_for(hold, 1h, token), heist::cancelled); break;
      case 3: EXPECT_THROW(changed.wait_for(hold, 1h, never, token), heist::cancelled); break;
      case 4: EXPECT_THROW(changed.wait_until(hold, clock::now() + 1h, token), heist::cancelled); break;
      default: EXPECT_THROW(changed.wait_until(hold, clock::now() + 1h, never, token), heist::cancelled);
    }
    EXPECT_TRUE(hold.owns_lock());
  });
}

// A notification goes to one that waits, not to one that is leaving.
TEST_P(a_condition_variable, loses_no_notification_to_those_that_leave) {
  std::atomic<int> permits{0};
  int taken = 0;
  const int n = rounds(300);
  run_each(6, [&](int i) {
    if (i < 2) {
      for (int k = 0; k < n; ++k) {
        const std::lock_guard hold(m);
        ++permits;
        changed.notify_one();
      }
    } else if (i < 4) {
      for (int k = 0; k < n; ++k) {
        std::unique_lock hold(m);
        // One that is notified passes it on: it wants nothing.
        if (changed.wait_for(hold, std::chrono::microseconds(k % 20)) == std::cv_status::no_timeout) changed.notify_one();
      }
    } else {
      for (int k = 0; k < n; ++k) {
        std::unique_lock hold(m);
        changed.wait(hold, [&] { return permits > 0; });
        --permits;
        ++taken;
      }
    }
  });
  EXPECT_EQ(taken, 2 * n);
  EXPECT_EQ(permits, 0);
}

TEST_P(a_condition_variable, works_with_any_lock) {
  std::mutex standard;
  heist::shared_mutex shared;
  heist::counting_semaphore<> waiting(0);
  int open = 0;
  std::jthread other([&] {
    waiting.acquire();
    waiting.acquire();
    {
      const std::lock_guard a(standard);
      const std::lock_guard b(shared);
      open = 1;
    }
    changed.notify_all();
  });
  run(
      [&] {
        std::unique_lock hold(standard);
        waiting.release();
        changed.wait(hold, [&] { return open == 1; });
      },
      [&] {
        std::shared_lock hold(shared);
        waiting.release();
        changed.wait(hold, [&] { return open == 1; });
      });
}

TEST_P(a_condition_variable, lets_the_exception_of_a_lock_that_is_not_held_through) {
  run([&] {
    std::unique_lock hold(m, std::defer_lock);
    EXPECT_THROW(changed.wait(hold), std::system_error);
    EXPECT_THROW(static_cast<void>(changed.wait_for(hold, 1h)), std::system_error);
    changed.notify_all();  // it finds nobody
    EXPECT_TRUE(m.try_lock());
    m.unlock();
  });
}

// The first that waits is notified while it unlocks, which fails: the notification goes to the one behind it.
TEST_P(a_condition_variable, passes_the_notification_of_one_that_fails_to_the_next) {
  heist::latch first_waits(1), second_holds(1);
  auto notify_and_fail = [&] {
    first_waits.count_down();
    second_holds.wait();
    { const std::lock_guard hold(m); }  // now the second waits, too
    changed.notify_one();
    throw failure(1);
  };
  struct failing {
    decltype(notify_and_fail)& fail;
    void lock() {}
    void unlock() { fail(); }
  };
  run(
      [&] {
        failing lock{notify_and_fail};
        EXPECT_EQ(thrower([&] { changed.wait(lock); }), 1);
      },
      [&] {
        first_waits.wait();
        std::unique_lock hold(m);
        second_holds.count_down();
        changed.wait(hold);
      });
}

TEST_P(a_condition_variable, may_be_destroyed_when_all_have_been_notified) {
  for (int i = 0; i < rounds(500); ++i) {
    auto gone = std::make_unique<heist::condition_variable>();
    bool open = false;
    run(
        [&] {
          std::unique_lock hold(m);
          gone->wait(hold, [&] { return open; });
          gone.reset();
        },
        [&] {
          const std::lock_guard hold(m);
          open = true;
          gone->notify_one();
        });
  }
}

}  // namespace
