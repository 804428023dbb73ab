// Those that wait for a heist::mutex for some time only, or until a stop.

#include "tests/waiting/together.hpp"

#include <chrono>
#include <mutex>
#include <stop_token>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

class a_mutex_waited_for : public together {
 protected:
  heist::mutex m;

  void expect_free() {
    ASSERT_TRUE(m.try_lock());
    ASSERT_FALSE(m.try_lock());
    m.unlock();
  }
};
INSTANTIATE_TEST_SUITE_P(used, a_mutex_waited_for, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_mutex_waited_for, is_not_given_to_those_whose_time_is_over) {
  run([&] {
    m.lock();
    const auto start = clock::now();
    EXPECT_FALSE(m.try_lock_for(2ms));
    EXPECT_GE(clock::now() - start, 2ms);
    EXPECT_FALSE(m.try_lock_until(std::chrono::system_clock::now() + 1ms));
    EXPECT_FALSE(m.try_lock_for(-1h));
    EXPECT_FALSE(m.try_lock_until(clock::time_point::min()));
    m.unlock();
    expect_free();
    EXPECT_TRUE(m.try_lock_for(-1h));  // it is free
    m.unlock();
  });
}

TEST_P(a_mutex_waited_for, is_given_to_those_whose_time_is_not_over) {
  std::atomic<int> come{0};
  m.lock();
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 3; }));
    m.unlock();
  });
  int served = 0;
  run_each(3, [&](int i) {
    ++come;
    const bool mine = i == 0   ? m.try_lock_for(1h)
                      : i == 1 ? m.try_lock_until(std::chrono::system_clock::now() + 1h)
                               : m.try_lock_for(std::chrono::hours::max());
    EXPECT_TRUE(mine);
    ++served;
    m.unlock();
  });
  EXPECT_EQ(served, 3);
  expect_free();
}

TEST_P(a_mutex_waited_for, throws_cancelled_at_a_stop) {
  std::stop_source source;
  std::atomic<int> come{0};
  m.lock();
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 4; }));
    source.request_stop();
  });
  run_each(4, [&](int) {
    ++come;
    EXPECT_THROW(m.lock(source.get_token()), heist::cancelled);
  });
  run([&] {
    EXPECT_THROW(m.lock(source.get_token()), heist::cancelled);
    EXPECT_THROW(static_cast<void>(m.try_lock_for(1h, source.get_token())), heist::cancelled);
    EXPECT_FALSE(m.try_lock_for(0s, source.get_token()));
  });
  m.unlock();
  m.lock(source.get_token());  // it need not wait
  m.unlock();
  expect_free();
}

TEST_P(a_mutex_waited_for, is_lost_to_nobody_while_some_leave_and_others_stay) {
  long count = 0;
  std::atomic<long> left{0};
  const int n = rounds(300);
  run_each(8, [&](int i) {
    for (int k = 0; k < n; ++k) {
      bool mine = true;
      if (i % 4 == 0) {
        mine = m.try_lock_for(std::chrono::microseconds(k % 40));
      } else if (i % 4 == 1) {
        std::stop_source source;
        std::jthread stopper;
        if (k % 8 == 0) stopper = std::jthread([&] { source.request_stop(); });
        try {
          m.lock(source.get_token());
        } catch (const heist::cancelled&) {
          mine = false;
        }
      } else {
        m.lock();
      }
      if (!mine) {
        ++left;
        continue;
      }
      const long before = count;
      if (k % 8 == 0) std::this_thread::yield();
      count = before + 1;
      m.unlock();
    }
  });
  EXPECT_EQ(count, 8L * n - left);
  expect_free();
}

// One that starves leaves before it is served: the mutex goes to the next, or comes free.
TEST_P(a_mutex_waited_for, does_not_wait_for_one_that_starved_and_has_left) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> ended{0};
    std::jthread hog([&] {
      while (ended < 4) {
        m.lock();
        std::this_thread::sleep_for(200us);
        m.unlock();
      }
    });
    run_each(4, [&](int i) {
      if (m.try_lock_for(std::chrono::milliseconds(1 + i))) m.unlock();
      ++ended;
    });
    hog.join();
    expect_free();
  }
}

}  // namespace
