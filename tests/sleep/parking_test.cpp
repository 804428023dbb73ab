// A place to wait that remembers one post, and a lock for a few instructions.

#include <heist/sleep/parking.hpp>
#include <heist/sleep/short_lock.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using heist::detail::parking;

TEST(a_post, before_the_wait_is_not_lost) {
  parking p;
  p.post();
  p.wait();  // or the test hangs
}

TEST(a_post, serves_one_wait) {
  parking p;
  p.post();
  EXPECT_TRUE(p.wait_for(0));
  EXPECT_FALSE(p.wait_for(0));
  EXPECT_FALSE(p.wait_for(1'000'000));
}

TEST(two_posts, before_the_wait_are_one) {
  parking p;
  p.post();
  p.post();
  EXPECT_TRUE(p.wait_for(0));
  EXPECT_FALSE(p.wait_for(0));
}

TEST(a_waiter, sees_what_was_written_before_the_post) {
  for (int i = 0; i < 2000; ++i) {
    parking p;
    int plain = 0;
    std::thread t([&] {
      plain = i + 1;
      p.post();
    });
    p.wait();
    ASSERT_EQ(plain, i + 1);
    t.join();
  }
}

TEST(a_waiter, is_woken_from_its_sleep) {
  parking p;
  std::atomic<bool> awake{false};
  std::thread t([&] {
    p.wait();
    awake = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(awake);
  p.post();
  t.join();
  EXPECT_TRUE(awake);
}

TEST(a_waiter_with_patience, is_woken_before_its_end) {
  parking p;
  bool posted = false;
  std::thread t([&] { posted = p.wait_for(3'600'000'000'000); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  p.post();
  t.join();
  EXPECT_TRUE(posted);
}

// Two threads pass a turn between them: every wait has one post, whatever the order they come in.
TEST(posts_and_waits, keep_two_threads_in_step) {
  constexpr int rounds = 20'000;
  parking ping, pong;
  int turn = 0;  // plain: handed over by the posts
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      ping.wait();
      EXPECT_EQ(turn, 2 * i + 1);
      ++turn;
      pong.post();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    EXPECT_EQ(turn, 2 * i);
    ++turn;
    ping.post();
    pong.wait();
  }
  other.join();
}

// The place may be gone as soon as the waiter goes on: what the poster still does must not touch its memory.
TEST(a_parking, may_be_destroyed_by_its_waiter) {
  for (int i = 0; i < 2000; ++i) {
    auto p = std::make_unique<parking>();
    std::thread t([q = p.get()] { q->post(); });
    p->wait();
    p.reset();
    t.join();
  }
}

// The short lock, which sleeps as a bed does.
TEST(a_short_lock, lets_one_in_at_a_time_and_forgets_nobody_that_sleeps) {
  heist::detail::short_lock lock;
  int inside = 0;
  long count = 0;
  bool alone = true;
  std::vector<std::thread> all;
  for (int t = 0; t < 8; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const std::lock_guard hold(lock);
        alone = alone && ++inside == 1;
        if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));  // the others go to sleep
        ++count;
        --inside;
      }
    });
  for (std::thread& t : all) t.join();
  EXPECT_TRUE(alone);
  EXPECT_EQ(count, 8 * 500);
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
}

}  // namespace
