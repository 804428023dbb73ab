// heist::channel: what goes in comes out, once and in order, whoever waits for whom.

#include "tests/waiting/together.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <ranges>
#include <stop_token>
#include <vector>

namespace {

using namespace heist_test;
using namespace std::chrono_literals;

static_assert(std::ranges::input_range<heist::channel<int>>);
static_assert(std::ranges::input_range<heist::channel<std::unique_ptr<int>>>);
static_assert(!std::is_copy_constructible_v<heist::channel<int>>);
static_assert(std::is_base_of_v<std::logic_error, heist::closed_channel>);

class a_channel : public together {};
INSTANTIATE_TEST_SUITE_P(used, a_channel, testing::Values(0u, 1u, 2u, 8u), place_name);

// Nobody waits ----------------------------------------------------------------------------------------------------------

TEST_P(a_channel, gives_values_in_the_order_in_which_they_came) {
  run([] {
    heist::channel<int> c(3);
    EXPECT_EQ(c.capacity(), 3u);
    for (int round = 0; round < 5; ++round) {  // round the ring
      c.push(1);
      c.push(2);
      EXPECT_EQ(c.size(), 2u);
      EXPECT_EQ(c.pop(), 1);
      c.push(3);
      c.push(4);
      EXPECT_FALSE(c.try_push(5));
      EXPECT_EQ(c.size(), 3u);
      EXPECT_EQ(c.pop(), 2);
      EXPECT_EQ(c.try_pop(), 3);
      EXPECT_EQ(c.pop(), 4);
      EXPECT_EQ(c.try_pop(), std::nullopt);
      EXPECT_EQ(c.size(), 0u);
    }
  });
}

TEST_P(a_channel, that_is_closed_is_drained_and_refuses_more) {
  run([] {
    heist::channel<int> c(2);
    c.push(1);
    c.push(2);
    EXPECT_FALSE(c.closed());
    c.close();
    c.close();
    EXPECT_TRUE(c.closed());
    EXPECT_THROW(c.push(3), heist::closed_channel);
    EXPECT_THROW((void)c.try_push(3), heist::closed_channel);
    EXPECT_THROW((void)c.push_for(3, 1h), heist::closed_channel);
    EXPECT_EQ(c.pop(), 1);
    EXPECT_EQ(c.pop_for(1h), 2);
    EXPECT_EQ(c.pop(), std::nullopt);
    EXPECT_EQ(c.try_pop(), std::nullopt);
    EXPECT_EQ(c.pop_until(std::chrono::system_clock::now() + 1h), std::nullopt);
    EXPECT_THROW(c.push(3), heist::closed_channel);
  });
}

TEST_P(a_channel, carries_what_cannot_be_copied) {
  run([] {
    heist::channel<std::unique_ptr<int>> c(1);
    auto first = std::make_unique<int>(1), second = std::make_unique<int>(2);
    c.push(std::move(first));
    EXPECT_EQ(first, nullptr);
    EXPECT_FALSE(c.try_push(std::move(second)));
    EXPECT_FALSE(c.push_for(std::move(second), 0s));
    ASSERT_NE(second, nullptr);  // it was not pushed
    EXPECT_EQ(**c.pop(), 1);
    EXPECT_TRUE(c.try_push(std::move(second)));
    EXPECT_EQ(second, nullptr);
    EXPECT_EQ(**c.pop(), 2);
    c.close();
    auto third = std::make_unique<int>(3);
    EXPECT_THROW(c.push(std::move(third)), heist::closed_channel);
    EXPECT_NE(third, nullptr);
  });
}

TEST_P(a_channel, copies_what_is_not_given_away) {
  run([] {
    heist::channel<std::string> c(3);
    const std::string text(100, 'x');
    std::string mine = text;
    c.push(text);
    c.push(mine);
    c.push("a literal");
    EXPECT_EQ(mine, text);
    EXPECT_EQ(c.pop(), text);
    EXPECT_EQ(c.pop(), text);
    EXPECT_EQ(c.pop(), "a literal");
  });
}

TEST_P(a_channel, drops_what_is_left_when_it_ends) {
  run([] {
    heist::channel<counted> c(4);
    for (int i = 0; i < 4; ++i) c.push(counted(i));
    EXPECT_EQ(c.pop()->value, 0);
    c.push(counted(4));
    EXPECT_EQ(counted::live(), 4);
  });
  EXPECT_EQ(counted::live(), 0);
}

TEST(a_channel_of_too_many, cannot_be_made) {
  EXPECT_THROW((void)heist::channel<int>{std::numeric_limits<std::size_t>::max()}, std::bad_alloc);
}

// Some wait -------------------------------------------------------------------------------------------------------------

TEST_P(a_channel, carries_every_value_from_one_to_another_in_order) {
  for (const std::size_t capacity : {0u, 1u, 2u, 7u, 1000u}) {
    heist::channel<int> c(capacity);
    const int n = rounds(outside() ? 2'000 : 5'000);
    std::vector<int> got;
    run(
        [&] {
          for (int i = 0; i < n; ++i) c.push(i);
          c.close();
        },
        [&] {
          while (const auto v = c.pop()) got.push_back(*v);
        });
    ASSERT_EQ(got.size(), static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i);
  }
}

TEST_P(a_channel, carries_values_there_and_back) {
  for (const std::size_t capacity : {0u, 1u}) {
    heist::channel<int> there(capacity), back(capacity);
    const int n = rounds(3'000);
    run(
        [&] {
          for (int i = 0; i < n; ++i) {
            there.push(i);
            ASSERT_EQ(back.pop(), i + 1);
          }
          there.close();
        },
        [&] {
          for (const int i : there) back.push(i + 1);
        });
  }
}

TEST_P(a_channel, carries_each_value_once_from_several_to_several) {
  struct value {
    int from, number;
  };
  for (const std::size_t capacity : {0u, 3u}) {
    heist::channel<value> c(capacity);
    constexpr int producers = 4, consumers = 4;
    const int n = rounds(1'000);
    std::atomic<int> producing{producers};
    std::vector<value> got[consumers];
    run_each(producers + consumers, [&](int who) {
      if (who < producers) {
        for (int i = 0; i < n; ++i) c.push(value{who, i});
        if (--producing == 0) c.close();
      } else {
        for (const value v : c) got[who - producers].push_back(v);
      }
    });
    std::vector<int> seen[producers];
    for (const auto& one : got) {
      int last[producers];
      std::ranges::fill(last, -1);
      for (const value v : one) {
        ASSERT_GT(v.number, last[v.from]) << "out of order";
        last[v.from] = v.number;
        seen[v.from].push_back(v.number);
      }
    }
    for (auto& s : seen) {
      std::ranges::sort(s);
      std::vector<int> all(static_cast<std::size_t>(n));
      std::iota(all.begin(), all.end(), 0);
      ASSERT_EQ(s, all);
    }
  }
}

TEST_P(a_channel, without_room_is_a_rendezvous) {
  heist::channel<int> c(0);
  EXPECT_FALSE(c.try_push(1));
  EXPECT_EQ(c.try_pop(), std::nullopt);
  for (int i = 0; i < rounds(200); ++i) {
    std::atomic<bool> popping{false};
    run(
        [&] {
          c.push(i);
          EXPECT_TRUE(popping) << "push returned before anybody took the value";
          EXPECT_EQ(c.size(), 0u);
        },
        [&] {
          popping = true;
          EXPECT_EQ(c.pop(), i);
        });
  }
}

TEST_P(a_channel, that_is_closed_wakes_all_that_wait_for_values) {
  heist::channel<int> c(2);
  std::atomic<int> ended{0}, begun{0};
  run_each(4, [&](int i) {
    if (i == 3) {
      EXPECT_TRUE(eventually([&] { return begun == 3; }));
      c.close();
    } else {
      ++begun;
      EXPECT_EQ(c.pop(), std::nullopt);
      ++ended;
    }
  });
  EXPECT_EQ(ended, 3);
}

TEST_P(a_channel, that_is_closed_wakes_all_that_wait_for_room) {
  heist::channel<std::unique_ptr<int>> c(1);
  c.push(std::make_unique<int>(-1));
  std::atomic<int> refused{0}, begun{0};
  run_each(4, [&](int i) {
    if (i == 3) {
      EXPECT_TRUE(eventually([&] { return begun == 3; }));
      c.close();
    } else {
      ++begun;
      auto mine = std::make_unique<int>(i);
      EXPECT_THROW(c.push(std::move(mine)), heist::closed_channel);
      EXPECT_NE(mine, nullptr);
      ++refused;
    }
  });
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(**c.pop(), -1);
  EXPECT_EQ(c.pop(), std::nullopt);
}

// On one worker a child runs until it waits: so it is known who came first.
TEST(channel_waiters, are_served_in_the_order_in_which_they_came) {
  heist::pool one({.workers = 1});
  one.run([] {
    heist::channel<int> c(0);
    std::vector<int> got(5, -1), sent;
    {
      heist::scope s;
      for (std::size_t i = 0; i < 5; ++i) s.spawn([&c, &got, i] { got[i] = *c.pop(); });
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(c.try_push(i));
    }
    EXPECT_EQ(got, (std::vector{0, 1, 2, 3, 4}));
    {
      heist::scope s;
      for (int i = 0; i < 5; ++i) s.spawn([&c, i] { c.push(i); });
      while (const auto v = c.try_pop()) sent.push_back(*v);
    }
    EXPECT_EQ(sent, (std::vector{0, 1, 2, 3, 4}));
  });
}

TEST_P(a_channel, may_be_destroyed_by_the_one_that_it_has_woken) {
  for (int i = 0; i < rounds(500); ++i) {
    auto* const c = new heist::channel<int>(0);
    run([=] { c->push(1); },
        [=] {
          EXPECT_EQ(c->pop(), 1);
          delete c;
        });
  }
}

TEST(a_channel_in_use_DeathTest, must_not_be_destroyed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        alignas(heist::channel<int>) unsigned char place[sizeof(heist::channel<int>)];
        auto* const c = new (place) heist::channel<int>(0);
        std::thread([c] {
          std::atomic<bool> begun{false};
          std::thread([&] {
            begun = true;
            (void)c->pop();
          }).detach();
          while (!begun) std::this_thread::yield();
          std::this_thread::sleep_for(200ms);
          c->~channel();
        }).join();
      },
      "heist: a heist::channel was destroyed while somebody waits in it; close it, and wait for its users first");
}

// Iteration -------------------------------------------------------------------------------------------------------------

TEST_P(a_channel, can_be_iterated_over) {
  heist::channel<std::unique_ptr<int>> c(2);
  int sum = 0;
  run(
      [&] {
        for (int i = 1; i <= 100; ++i) c.push(std::make_unique<int>(i));
        c.close();
      },
      [&] {
        for (std::unique_ptr<int> v : c) sum += *v;
      });
  EXPECT_EQ(sum, 5050);
  for (const auto& v : c) FAIL() << *v;  // it stays empty
}

// Time ------------------------------------------------------------------------------------------------------------------

TEST_P(a_channel, waits_no_longer_than_it_is_told_but_as_long) {
  run([] {
    heist::channel<int> c(1);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(c.pop_for(2ms), std::nullopt);
    EXPECT_GE(std::chrono::steady_clock::now() - start, 2ms);
    c.push(1);
    const auto again = std::chrono::steady_clock::now();
    EXPECT_FALSE(c.push_until(2, again + 2ms));
    EXPECT_GE(std::chrono::steady_clock::now(), again + 2ms);
    const auto wall = std::chrono::system_clock::now() + 2ms;
    EXPECT_FALSE(c.push_until(2, wall));
    EXPECT_GE(std::chrono::system_clock::now(), wall);
    EXPECT_EQ(c.pop(), 1);
    EXPECT_EQ(c.try_pop(), std::nullopt) << "what came too late is not there";
  });
}

TEST_P(a_channel, does_not_wait_for_a_time_that_is_over) {
  run([] {
    heist::channel<int> c(0);
    EXPECT_EQ(c.pop_for(-1s), std::nullopt);
    EXPECT_EQ(c.pop_for(std::chrono::seconds::min()), std::nullopt);
    EXPECT_EQ(c.pop_for(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())), std::nullopt);
    EXPECT_EQ(c.pop_until(std::chrono::steady_clock::now() - 1h), std::nullopt);
    EXPECT_FALSE(c.push_for(1, -1ns));
    EXPECT_FALSE(c.push_until(1, std::chrono::system_clock::time_point()));
  });
}

TEST_P(a_channel, may_be_told_to_wait_for_ever) {
  heist::channel<int> c(0);
  run([&] { EXPECT_EQ(c.pop_for(std::chrono::hours::max()), 1); },
      [&] { EXPECT_TRUE(c.push_for(1, std::chrono::duration<double>(1e300))); });
  run([&] { EXPECT_EQ(c.pop_until(std::chrono::steady_clock::time_point::max()), 1); }, [&] { c.push(1); });
}

// A value that comes at the deadline is either given or still there.
TEST_P(a_channel, loses_nothing_at_a_deadline) {
  heist::channel<int> c(0);
  const int n = rounds(outside() ? 300 : 600);
  std::vector<int> got;
  run(
      [&] {
        for (int i = 0; i < n; ++i)
          while (!c.push_for(i, std::chrono::microseconds(1 + i % 40))) std::this_thread::yield();
        c.close();
      },
      [&] {
        for (int turn = 0; static_cast<int>(got.size()) < n; ++turn) {
          if (const auto v = c.pop_for(std::chrono::microseconds(1 + turn % 30)))
            got.push_back(*v);
          else
            std::this_thread::yield();
        }
      });
  for (int i = 0; i < n; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i);
}

// Stops -----------------------------------------------------------------------------------------------------------------

TEST_P(a_channel, stops_waiting_when_it_is_asked_to) {
  heist::channel<int> empty(1), full(1);
  full.push(0);
  std::stop_source source;
  std::atomic<int> begun{0}, stopped{0};
  run_each(5, [&](int i) {
    if (i == 4) {
      EXPECT_TRUE(eventually([&] { return begun == 4; }));
      source.request_stop();
      return;
    }
    ++begun;
    try {
      switch (i) {
        case 0: (void)empty.pop(source.get_token()); break;
        case 1: full.push(1, source.get_token()); break;
        case 2: (void)empty.pop_for(1h, source.get_token()); break;
        default: (void)full.push_until(1, std::chrono::steady_clock::now() + 1h, source.get_token());
      }
    } catch (const heist::cancelled&) {
      ++stopped;
    }
  });
  EXPECT_EQ(stopped, 4);
  // They work as before, but not for one that was stopped.
  EXPECT_THROW((void)full.pop(source.get_token()), heist::cancelled);
  EXPECT_THROW(empty.push(1, source.get_token()), heist::cancelled);
  EXPECT_EQ(full.pop(), 0);
  EXPECT_EQ(full.try_pop(), std::nullopt);
  empty.push(1, std::stop_token());
  EXPECT_EQ(empty.pop(std::stop_source().get_token()), 1);
}

// Values that cannot be moved -------------------------------------------------------------------------------------------

// Its move throws while `armed` is set; what was moved from keeps its value then.
struct stubborn {
  explicit stubborn(int v) : value(v) {}
  stubborn(stubborn&& from) : value(from.value) {
    if (armed.load() == value) throw failure(value);
    from.value = -1;
  }
  int value;
  static inline std::atomic<int> armed{-2};
};

TEST_P(a_channel, whose_values_cannot_be_moved_loses_none) {
  run([] {
    heist::channel<stubborn> c(2);
    stubborn one(1), two(2);
    stubborn::armed = 1;
    EXPECT_EQ(thrower([&] { c.push(std::move(one)); }), 1);
    EXPECT_EQ(one.value, 1);
    EXPECT_EQ(c.size(), 0u);
    stubborn::armed = -2;
    c.push(std::move(one));
    c.push(std::move(two));
    stubborn::armed = 1;
    EXPECT_EQ(thrower([&] { (void)c.pop(); }), 1);
    EXPECT_EQ(c.size(), 2u);
    stubborn::armed = -2;
    EXPECT_EQ(c.pop()->value, 1);
    EXPECT_EQ(c.pop()->value, 2);
  });
  expect_nothing_left();
}

TEST_P(a_channel, passes_over_a_pusher_whose_value_cannot_be_moved) {
  heist::channel<stubborn> c(1);
  for (int i = 0; i < rounds(100); ++i) {
    c.push(stubborn(0));
    stubborn::armed = 1;
    std::atomic<int> begun{0}, failed{0};
    run_each(3, [&](int who) {
      if (who < 2) {
        stubborn mine(who + 1);
        ++begun;
        if (thrower([&] { c.push(std::move(mine)); }) == 1) ++failed;
      } else {
        EXPECT_TRUE(eventually([&] { return begun == 2; }));
        EXPECT_EQ(c.pop()->value, 0);
        EXPECT_EQ(c.pop()->value, 2);
      }
    });
    stubborn::armed = -2;
    ASSERT_EQ(failed, 1);
    ASSERT_EQ(c.size(), 0u);
  }
  expect_nothing_left();
}

TEST_P(a_channel, keeps_a_popper_waiting_if_the_value_for_it_cannot_be_moved) {
  for (int i = 0; i < rounds(100); ++i) {
    heist::channel<stubborn> c(0);
    stubborn::armed = 1;
    run([&] { EXPECT_EQ(c.pop()->value, 2); },
        [&] {
          stubborn one(1);
          int who = nobody;  // until there is a popper to move it to
          while (who == nobody) who = thrower([&] { EXPECT_FALSE(c.try_push(std::move(one))); });
          EXPECT_EQ(who, 1);
          c.push(stubborn(2));
        });
    stubborn::armed = -2;
  }
  expect_nothing_left();
}

}  // namespace
