// heist::counting_semaphore and heist::binary_semaphore, from strands and threads.

#include "tests/waiting/together.hpp"

#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

class a_semaphore : public together {};
INSTANTIATE_TEST_SUITE_P(used, a_semaphore, testing::Values(0u, 1u, 2u, 8u), place_name);

TEST_P(a_semaphore, lets_in_as_many_at_once_as_it_has_permits) {
  heist::counting_semaphore<> permits(3);
  std::atomic<int> inside{0}, most{0}, visits{0};
  heist::latch three(3);
  run_each(12, [&](int i) {
    for (int k = 0; k < rounds(200); ++k) {
      permits.acquire();
      const int now = ++inside;
      for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
      EXPECT_LE(now, 3);
      if (k == 0 && i < 3) three.arrive_and_wait();  // three meet inside
      ++visits;
      --inside;
      permits.release();
    }
  });
  EXPECT_EQ(most, 3);
  EXPECT_EQ(visits, 12 * rounds(200));
}

TEST_P(a_semaphore, wakes_as_many_as_it_gets_permits) {
  heist::counting_semaphore<> permits(0);
  std::atomic<int> come{0}, served{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 6; }));
    EXPECT_EQ(served, 0);
    permits.release(2);
    EXPECT_TRUE(eventually([&] { return served == 2; }));
    permits.release(0);
    std::this_thread::yield();
    EXPECT_EQ(served, 2);
    permits.release(5);
  });
  run_each(6, [&](int) {
    ++come;
    permits.acquire();
    ++served;
  });
  other.join();
  EXPECT_EQ(served, 6);
  EXPECT_TRUE(permits.try_acquire());  // the seventh
  EXPECT_FALSE(permits.try_acquire());
}

TEST(waiters_for_a_semaphore, are_served_in_the_order_they_came) {
  // With one worker each begins when the one before waits.
  heist::pool pool({.workers = 1});
  heist::counting_semaphore<> permits(0);
  std::vector<int> served;
  pool.run([&] {
    heist::scope s;
    for (int i = 0; i < 6; ++i)
      s.spawn([&, i] {
        permits.acquire();
        served.push_back(i);
        permits.release();
      });
    permits.release();
  });
  EXPECT_EQ(served, (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST_P(a_semaphore, shows_what_was_written_before_its_release) {
  heist::binary_semaphore ping(0), pong(0);
  int plain = 0;
  const int n = rounds(2'000);
  run(
      [&] {
        for (int i = 0; i < n; ++i) {
          ping.acquire();
          EXPECT_EQ(plain, 2 * i + 1);
          ++plain;
          pong.release();
        }
      },
      [&] {
        for (int i = 0; i < n; ++i) {
          ++plain;
          ping.release();
          pong.acquire();
        }
      });
  EXPECT_EQ(plain, 2 * n);
}

TEST_P(a_semaphore, goes_to_and_fro_between_a_thread_and_a_strand) {
  heist::binary_semaphore ping(0), pong(0);
  const int n = rounds(1'000);
  std::jthread other([&] {
    for (int i = 0; i < n; ++i) {
      ping.release();
      pong.acquire();
    }
  });
  run([&] {
    for (int i = 0; i < n; ++i) {
      ping.acquire();
      pong.release();
    }
  });
}

TEST_P(a_semaphore, can_be_tried) {
  run([] {
    heist::counting_semaphore<5> permits(2);
    EXPECT_TRUE(permits.try_acquire());
    EXPECT_TRUE(permits.try_acquire());
    EXPECT_FALSE(permits.try_acquire());
    permits.release(2);
    EXPECT_TRUE(permits.try_acquire_for(0s));
    EXPECT_TRUE(permits.try_acquire_until(clock::time_point::min()));
    EXPECT_FALSE(permits.try_acquire());
  });
}

TEST_P(a_semaphore, gives_nothing_to_those_whose_time_is_over) {
  run_each(3, [](int) {
    heist::binary_semaphore permit(0);
    const auto start = clock::now();
    EXPECT_FALSE(permit.try_acquire_for(3ms));
    EXPECT_GE(clock::now() - start, 3ms);
    EXPECT_FALSE(permit.try_acquire_until(std::chrono::system_clock::now() + 2ms));
    EXPECT_FALSE(permit.try_acquire_for(-1h));
    EXPECT_FALSE(permit.try_acquire_until(clock::now() - 1h));
    permit.release();  // those that have left do not get it
    EXPECT_TRUE(permit.try_acquire());
  });
}

TEST_P(a_semaphore, serves_those_whose_time_is_not_over) {
  heist::counting_semaphore<> permits(0);
  std::atomic<int> come{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 3; }));
    permits.release(3);
  });
  run(
      [&] {
        ++come;
        EXPECT_TRUE(permits.try_acquire_for(1h));
      },
      [&] {
        ++come;
        EXPECT_TRUE(permits.try_acquire_until(std::chrono::system_clock::now() + 1h));
      },
      [&] {
        ++come;
        EXPECT_TRUE(permits.try_acquire_for(std::chrono::hours::max()));
      });
}

TEST_P(a_semaphore, throws_cancelled_at_a_stop) {
  heist::counting_semaphore<> permits(0);
  std::stop_source source;
  std::atomic<int> come{0}, cancelled{0};
  std::jthread other([&] {
    EXPECT_TRUE(eventually([&] { return come == 4; }));
    source.request_stop();
  });
  run_each(4, [&](int) {
    ++come;
    EXPECT_THROW(permits.acquire(source.get_token()), heist::cancelled);
    ++cancelled;
  });
  other.join();
  EXPECT_EQ(cancelled, 4);
  // Already stopped: what need not wait does not ask.
  run([&] {
    EXPECT_THROW(permits.acquire(source.get_token()), heist::cancelled);
    EXPECT_THROW(static_cast<void>(permits.try_acquire_for(1h, source.get_token())), heist::cancelled);
    EXPECT_FALSE(permits.try_acquire_for(0s, source.get_token()));
    permits.release();
    permits.acquire(source.get_token());
    EXPECT_FALSE(permits.try_acquire());
  });
}

TEST_P(a_semaphore, loses_no_permit_while_some_leave_and_others_stay) {
  constexpr int permits_in_all = 2;
  heist::counting_semaphore<> permits(permits_in_all);
  std::atomic<long> held{0}, left{0};
  run_each(8, [&](int i) {
    for (int k = 0; k < rounds(150); ++k) {
      std::stop_source source;
      bool mine = true;
      if (i % 4 == 0) {
        mine = permits.try_acquire_for(std::chrono::microseconds(k % 50));
      } else if (i % 4 == 1) {
        std::jthread stopper([&] { source.request_stop(); });
        try {
          permits.acquire(source.get_token());
        } catch (const heist::cancelled&) {
          mine = false;
        }
      } else {
        permits.acquire();
      }
      ++(mine ? held : left);
      if (mine) permits.release();
    }
  });
  EXPECT_EQ(held + left, 8 * rounds(150));
  for (int i = 0; i < permits_in_all; ++i) EXPECT_TRUE(permits.try_acquire());
  EXPECT_FALSE(permits.try_acquire());
}

TEST_P(a_semaphore, may_be_destroyed_by_the_one_that_was_let_in) {
  for (int i = 0; i < rounds(500); ++i) {
    auto gone = std::make_unique<heist::binary_semaphore>(0);
    heist::binary_semaphore* const s = gone.get();
    run(
        [&] {
          s->acquire();
          gone.reset();
        },
        [s] { s->release(); });
  }
}

TEST(a_wrong_number_of_permits, is_refused) {
  EXPECT_THROW(heist::counting_semaphore<>(-1), std::invalid_argument);
  EXPECT_THROW(heist::counting_semaphore<3>(4), std::invalid_argument);
  EXPECT_THROW(heist::binary_semaphore(2), std::invalid_argument);
  heist::counting_semaphore<3> permits(1);
  EXPECT_THROW(permits.release(-1), std::invalid_argument);
  EXPECT_THROW(permits.release(3), std::invalid_argument);
  permits.release(2);
  EXPECT_THROW(permits.release(), std::invalid_argument);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(permits.try_acquire());
  EXPECT_FALSE(permits.try_acquire());
  EXPECT_FALSE(permits.try_acquire_for(1ms));
  EXPECT_THROW(permits.release(4), std::invalid_argument);  // after somebody has waited
  permits.release(3);
  heist::counting_semaphore<> many(std::numeric_limits<std::ptrdiff_t>::max());
  EXPECT_THROW(many.release(), std::invalid_argument);
}

static_assert(heist::counting_semaphore<7>::max() == 7);
static_assert(heist::binary_semaphore::max() == 1);
static_assert(heist::counting_semaphore<>::max() == std::numeric_limits<std::ptrdiff_t>::max());
constinit heist::counting_semaphore<3> made_by_the_compiler(3);
TEST(a_semaphore_made_by_the_compiler, has_its_permits) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(made_by_the_compiler.try_acquire());
  EXPECT_FALSE(made_by_the_compiler.try_acquire());
  made_by_the_compiler.release(3);
}

}  // namespace
