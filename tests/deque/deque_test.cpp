#include <heist/deque/deque.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

using heist::detail::deque;
using heist::detail::theft;

struct item {
  alignas(8) std::atomic<int> taken{0};
};

class a_deque : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(heist::detail::enable_heavy_fence()); }
};

TEST_F(a_deque, gives_the_owner_the_item_pushed_last) {
  deque<item> d;
  item a, b;
  EXPECT_TRUE(d.owner().push(&a));
  EXPECT_TRUE(d.owner().push(&b));
  EXPECT_EQ(d.owner().pop(), &b);
  EXPECT_EQ(d.owner().pop(), &a);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

TEST_F(a_deque, gives_thieves_the_item_pushed_first) {
  deque<item> d;
  item a, b;
  EXPECT_EQ(d.thief().steal().outcome, theft::empty);
  EXPECT_TRUE(d.owner().push(&a));
  EXPECT_TRUE(d.owner().push(&b));
  const auto r = d.thief().steal();
  EXPECT_EQ(r.outcome, theft::stolen);
  EXPECT_EQ(r.item, &a);
  EXPECT_EQ(d.owner().pop(), &b);
  EXPECT_EQ(d.owner().pop(), nullptr);
  EXPECT_EQ(d.thief().steal().outcome, theft::empty);
}

TEST_F(a_deque, grows_past_its_capacity_and_keeps_order) {
  deque<item> d(4);
  std::vector<item> items(1000);
  for (item& i : items)
    if (!d.owner().push(&i)) d.owner().make_room();
  EXPECT_EQ(d.thief().steal().item, &items[0]);
  for (std::size_t i = items.size(); i-- > 1;) EXPECT_EQ(d.owner().pop(), &items[i]);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

TEST_F(a_deque, reports_the_next_push_after_a_trip_and_no_other) {
  deque<item> d;
  item a, b, c;
  EXPECT_TRUE(d.owner().push(&a));
  d.trip();
  EXPECT_FALSE(d.owner().push(&b));
  d.owner().make_room();
  EXPECT_TRUE(d.owner().push(&c));
}

// Every item is taken exactly once, whatever the owner's and the thieves' luck: few items at a time, so that the last
// one is fought over.
void fight(unsigned thieves, int rounds, int burst, bool fenced) {
  deque<item> d(2);
  std::vector<item> items(static_cast<std::size_t>(rounds) * static_cast<std::size_t>(burst));
  std::atomic<bool> over{false};
  std::atomic<long> stolen{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thieves; ++i) {
    threads.emplace_back([&] {
      while (!over.load()) {
        if (const auto r = d.thief().steal(); r.outcome == theft::stolen) {
          r.item->taken.fetch_add(1);
          stolen.fetch_add(1);
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  std::size_t next = 0;
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < burst; ++i) {
      const bool quiet = d.owner().push(&items[next++]);
      if (fenced) d.owner().mark_fenced();
      if (!quiet) d.owner().make_room();
    }
    while (item* const mine = d.owner().pop()) mine->taken.fetch_add(1);
  }
  over.store(true);
  for (auto& t : threads) t.join();
  for (const item& i : items) ASSERT_EQ(i.taken.load(), 1);
  testing::Test::RecordProperty("stolen", std::to_string(stolen.load()));
}

TEST_F(a_deque, gives_each_item_once_when_owner_and_thief_race_for_the_last) { fight(1, 200'000, 1, false); }
TEST_F(a_deque, gives_each_item_once_when_owner_and_thief_race_for_the_last_behind_fences) { fight(1, 200'000, 1, true); }
TEST_F(a_deque, gives_each_item_once_to_three_thieves) { fight(3, 50'000, 3, false); }
TEST_F(a_deque, gives_each_item_once_to_three_thieves_behind_fences) { fight(3, 50'000, 3, true); }
TEST_F(a_deque, gives_each_item_once_while_it_grows) { fight(2, 200, 1000, false); }

// The change-over: each item says how its owner pops it.
TEST_F(a_deque, gives_each_item_once_while_the_fences_change_over) {
  deque<item> d(2);
  constexpr std::size_t n = 200'000;
  std::vector<item> items(n);
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (!over.load()) {
        if (const auto r = d.thief().steal(); r.outcome == theft::stolen)
          r.item->taken.fetch_add(1);
        else
          std::this_thread::yield();
      }
    });
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool quiet = d.owner().push(&items[i]);
    if (i / 7 % 2 == 0) d.owner().mark_fenced();
    if (!quiet) d.owner().make_room();
    if (i % 3 == 2)
      while (item* const mine = d.owner().pop()) mine->taken.fetch_add(1);
  }
  while (item* const mine = d.owner().pop()) mine->taken.fetch_add(1);
  over.store(true);
  for (auto& t : threads) t.join();
  for (const item& i : items) ASSERT_EQ(i.taken.load(), 1);
}

}  // namespace
