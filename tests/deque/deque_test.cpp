#include <heist/base/cpu.hpp>
#include <heist/deque/deque.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

using heist::detail::deque;
using heist::detail::portion;
using heist::detail::steal_result;

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
  EXPECT_EQ(d.thief().steal().outcome, steal_result::empty);
  EXPECT_EQ(d.thief().steal_kept().outcome, steal_result::empty);
  EXPECT_TRUE(d.owner().push(&a));
  EXPECT_TRUE(d.owner().push(&b));
  const auto r = d.thief().steal_kept();
  EXPECT_EQ(r.outcome, steal_result::stolen);
  EXPECT_EQ(r.item, &a);
  EXPECT_TRUE(r.fenced);
  EXPECT_EQ(d.owner().pop(), &b);
  EXPECT_EQ(d.owner().pop(), nullptr);
  EXPECT_EQ(d.thief().steal().outcome, steal_result::empty);
  EXPECT_EQ(d.thief().steal_kept().outcome, steal_result::empty);
}

TEST_F(a_deque, keeps_what_its_owner_does_not_share) {
  deque<item> d;
  item a;
  EXPECT_TRUE(d.owner().push(&a));
  EXPECT_EQ(d.thief().steal().outcome, steal_result::kept);
  EXPECT_FALSE(d.seems_shared());
  d.owner().share(portion::half);
  EXPECT_TRUE(d.seems_shared());
  const auto r = d.thief().steal_kept();  // needs no fence
  EXPECT_EQ(r.item, &a);
  EXPECT_FALSE(r.fenced);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

// How many of n items thieves get without a fence when their owner has shared.
std::size_t shared_of(std::size_t n, portion p) {
  deque<item> d;
  std::vector<item> items(n);
  for (item& i : items)
    if (!d.owner().push(&i)) d.owner().make_room();
  d.owner().share(p);
  std::size_t got = 0;
  while (d.thief().steal().outcome == steal_result::stolen) ++got;
  return got;
}

TEST_F(a_deque, shares_the_older_half_rounded_up_or_all) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 7, 100, 1001}) {
    EXPECT_EQ(shared_of(n, portion::half), (n + 1) / 2);
    EXPECT_EQ(shared_of(n, portion::all), n);
  }
}

TEST_F(a_deque, gives_its_owner_back_what_was_shared_and_not_stolen) {
  for (const portion p : {portion::half, portion::all}) {
    deque<item> d(4);
    std::vector<item> items(100);
    for (item& i : items)
      if (!d.owner().push(&i)) d.owner().make_room();
    d.owner().share(p);
    EXPECT_EQ(d.thief().steal().item, &items[0]);
    for (std::size_t i = items.size(); i-- > 1;) ASSERT_EQ(d.owner().pop(), &items[i]);
    EXPECT_EQ(d.owner().pop(), nullptr);
    EXPECT_EQ(d.thief().steal().outcome, steal_result::empty);
  }
}

// How many of n items a thief gets by one claim, if it wants so many at most.
std::int64_t together_of(std::size_t n, portion p, std::int64_t most) {
  deque<item> d;
  std::vector<item> items(n);
  for (item& i : items)
    if (!d.owner().push(&i)) d.owner().make_room();
  d.owner().share(p);
  std::vector<item*> got(static_cast<std::size_t>(most));
  const auto r = d.thief().steal_several(got.data(), most, [](auto) {});
  EXPECT_EQ(r.outcome, n == 0 ? steal_result::empty : steal_result::stolen);
  for (std::int64_t i = 0; i < r.size; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], &items[static_cast<std::size_t>(i)]);
  std::size_t left = 0;
  while (d.owner().pop() != nullptr) ++left;
  EXPECT_EQ(left + static_cast<std::size_t>(r.size), n);
  return r.size;
}

TEST_F(a_deque, gives_a_thief_half_of_it_by_one_claim) {
  for (const std::size_t n : {0, 1, 2, 3, 4, 7, 100, 1001})
    for (const portion p : {portion::half, portion::all}) {
      const auto half = static_cast<std::int64_t>((n + 1) / 2);
      EXPECT_EQ(together_of(n, p, 1000), half);
      EXPECT_EQ(together_of(n, p, 3), std::min<std::int64_t>(half, 3));
    }
}

TEST_F(a_deque, gives_a_thief_half_of_what_is_kept_by_one_fence) {
  deque<item> d;
  std::vector<item> items(9);
  for (item& i : items) EXPECT_TRUE(d.owner().push(&i));
  std::array<item*, 8> got{};
  const auto r = d.thief().steal_several_kept(got.data(), 8, [](auto) {});
  EXPECT_EQ(r.outcome, steal_result::stolen);
  EXPECT_TRUE(r.fenced);
  EXPECT_EQ(r.size, 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(got[i], &items[i]);
  for (std::size_t i = 9; i-- > 5;) EXPECT_EQ(d.owner().pop(), &items[i]);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

// The owner pops an item that the thief's guard covers: the claim fails, whatever is pushed in its place.
TEST_F(a_deque, refuses_a_claim_of_several_kept_items_after_one_was_popped) {
  deque<item> d;
  item a, b, c, e;
  for (item* i : {&a, &b, &c}) EXPECT_TRUE(d.owner().push(i));
  std::array<item*, 8> got{};
  const auto r = d.thief().steal_several_kept(got.data(), 8, [&](auto) {
    EXPECT_EQ(d.owner().pop(), &c);
    EXPECT_EQ(d.owner().pop(), &b);
    EXPECT_TRUE(d.owner().push(&e));
  });
  EXPECT_EQ(r.outcome, steal_result::lost);
  EXPECT_EQ(d.owner().pop(), &e);
  EXPECT_EQ(d.owner().pop(), &a);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

// With the same oldest item, the boundary comes down and goes up again: what a thief has seen above it may be gone.
TEST_F(a_deque, gives_one_item_where_others_may_have_been_replaced) {
  deque<item> d;
  item a, b, c, e;
  auto thief_takes = [&](std::size_t n) {
    std::array<item*, 4> got{};
    const auto r = d.thief().steal_several(got.data(), 4, [](auto) {});
    EXPECT_EQ(static_cast<std::size_t>(r.size), n);
    return got;
  };
  for (item* i : {&a, &b, &c}) EXPECT_TRUE(d.owner().push(i));
  d.owner().share(portion::all);
  EXPECT_EQ(d.owner().pop(), &c);  // the boundary comes down
  EXPECT_TRUE(d.owner().push(&e));
  d.owner().share(portion::all);  // and goes up
  EXPECT_EQ(thief_takes(1)[0], &a);
  EXPECT_EQ(thief_takes(1)[0], &b);  // half of two
  EXPECT_EQ(d.owner().pop(), &e);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

TEST_F(a_deque, refuses_a_claim_of_several_after_one_of_them_was_popped) {
  deque<item> d;
  item a, b, c;
  for (item* i : {&a, &b}) EXPECT_TRUE(d.owner().push(i));
  EXPECT_TRUE(d.owner().push(&c));
  d.owner().share(portion::all);
  std::array<item*, 4> got{};
  // While the thief is about to claim two of three, the owner pops two and pushes two.
  const auto r = d.thief().steal_several(got.data(), 4, [&](auto) {
    EXPECT_EQ(d.owner().pop(), &c);
    EXPECT_EQ(d.owner().pop(), &b);
    EXPECT_TRUE(d.owner().push(&c));
    EXPECT_TRUE(d.owner().push(&b));
    d.owner().share(portion::all);
  });
  EXPECT_EQ(r.outcome, steal_result::lost);
  EXPECT_EQ(d.owner().pop(), &b);
  EXPECT_EQ(d.owner().pop(), &c);
  EXPECT_EQ(d.owner().pop(), &a);
}

// The owner comes back across the boundary: half of what was shared stays shared, the rest is its own again.
TEST_F(a_deque, lowers_the_boundary_by_half_when_its_owner_comes_across) {
  deque<item> d;
  std::vector<item> items(16);
  for (item& i : items) EXPECT_TRUE(d.owner().push(&i));
  d.owner().share(portion::half);                                    // 0 to 7
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(d.owner().take_back());    // 15 to 8
  EXPECT_FALSE(d.owner().take_back());                               // 7: of the seven older ones four stay shared
  EXPECT_TRUE(d.owner().settle());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(d.owner().take_back());    // 6 to 4
  EXPECT_FALSE(d.owner().take_back());                               // 3
  EXPECT_TRUE(d.owner().settle());
  EXPECT_EQ(d.thief().steal().item, &items[0]);
  EXPECT_EQ(d.thief().steal().item, &items[1]);
  EXPECT_EQ(d.thief().steal().outcome, steal_result::kept);
  EXPECT_EQ(d.owner().pop(), &items[2]);
}

TEST_F(a_deque, counts_on_where_the_index_in_its_word_begins_again) {
  using boundary = deque<item>::boundary;
  const std::int64_t around = std::int64_t{1} << boundary::index_bits;
  for (const std::int64_t top : {std::int64_t{0}, around - 2, around - 1, around, 3 * around - 1}) {
    boundary at(top, 2);
    for (std::int64_t shared = 2; shared >= 0; --shared) {
      EXPECT_EQ(at.shared(), shared);
      EXPECT_EQ(at.above(top + 2 - shared), 0);
      EXPECT_EQ(at.above(top + 5), 3 + shared);
      EXPECT_EQ(at.above(top - 4), shared - 6);
      EXPECT_EQ(at.place() & 255, static_cast<std::size_t>(top + 2 - shared) & 255);
      at = at.next();
    }
    EXPECT_EQ(at.shared(), 0);
  }
}

TEST_F(a_deque, grows_past_its_capacity_and_keeps_order) {
  deque<item> d(4);
  std::vector<item> items(1000);
  for (item& i : items)
    if (!d.owner().push(&i)) d.owner().make_room();
  EXPECT_EQ(d.thief().steal_kept().item, &items[0]);
  for (std::size_t i = items.size(); i-- > 1;) EXPECT_EQ(d.owner().pop(), &items[i]);
  EXPECT_EQ(d.owner().pop(), nullptr);
}

TEST_F(a_deque, whose_ring_was_made_anew_works_as_before) {
  deque<item> d(4);
  std::vector<item> items(20);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(d.owner().push(&items[i]));
    EXPECT_EQ(d.thief().steal_kept().item, &items[0]);
    EXPECT_EQ(d.owner().pop(), &items[2]);
    EXPECT_EQ(d.owner().pop(), &items[1]);
    if (!d.owner().has_room()) d.owner().make_room();
    d.owner().renew();
    EXPECT_EQ(d.owner().pop(), nullptr);
    d.owner().make_room();
  }
  for (item& i : items)
    if (!d.owner().push(&i)) d.owner().make_room();
  EXPECT_EQ(d.thief().steal_kept().item, &items[0]);
  for (std::size_t i = items.size(); i-- > 1;) EXPECT_EQ(d.owner().pop(), &items[i]);
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

// What an owner shares of what it pushes.
enum class owner_shares { nothing, half, all, now_and_then };

void share(deque<item>& d, owner_shares how, std::size_t pushed) {
  switch (how) {
    case owner_shares::nothing: return;
    case owner_shares::half: return d.owner().share(portion::half);
    case owner_shares::all: return d.owner().share(portion::all);
    case owner_shares::now_and_then:
      if (pushed / 7 % 2 == 0) d.owner().share(pushed / 70 % 2 == 0 ? portion::half : portion::all);
  }
}

// Every item is taken exactly once, whatever the owner's and the thieves' luck: few items at a time, so that the last
// one is fought over.
void fight(unsigned thieves, int rounds, int burst, owner_shares how) {
  deque<item> d(2);
  std::vector<item> items(static_cast<std::size_t>(rounds) * static_cast<std::size_t>(burst));
  std::atomic<bool> over{false};
  std::atomic<long> stolen{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < thieves; ++i) {
    threads.emplace_back([&, i] {
      for (unsigned round = i; !over.load(); ++round) {
        auto r = d.thief().steal();
        if (r.outcome == steal_result::kept && round % 2 == 0) r = d.thief().steal_kept();
        if (r.outcome == steal_result::stolen) {
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
      if (!d.owner().push(&items[next++])) d.owner().make_room();
      share(d, how, next);
      // Up and down across the boundary.
      if (i % 5 == 4)
        if (item* const mine = d.owner().pop()) mine->taken.fetch_add(1);
    }
    // Long enough for a thief's heavy fence, now and then: or it would always come too late.
    for (int i = 0; r % 50 == 0 && i < 1000; ++i) heist::detail::relax();
    while (item* const mine = d.owner().pop()) mine->taken.fetch_add(1);
  }
  over.store(true);
  for (auto& t : threads) t.join();
  for (const item& i : items) ASSERT_EQ(i.taken.load(), 1);
  testing::Test::RecordProperty("stolen", std::to_string(stolen.load()));
}

class a_fight_over_a_deque : public a_deque, public testing::WithParamInterface<owner_shares> {};

TEST_P(a_fight_over_a_deque, gives_each_item_once_when_owner_and_thief_race_for_the_last) { fight(1, 100'000, 1, GetParam()); }
TEST_P(a_fight_over_a_deque, gives_each_item_once_to_three_thieves) { fight(3, 25'000, 3, GetParam()); }
TEST_P(a_fight_over_a_deque, gives_each_item_once_across_the_boundary) { fight(2, 5'000, 20, GetParam()); }
TEST_P(a_fight_over_a_deque, gives_each_item_once_while_it_grows) { fight(2, 100, 1000, GetParam()); }

INSTANTIATE_TEST_SUITE_P(whose_owner_shares, a_fight_over_a_deque,
                         testing::Values(owner_shares::nothing, owner_shares::half, owner_shares::all,
                                         owner_shares::now_and_then));

}  // namespace
