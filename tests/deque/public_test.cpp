// heist::deque and heist::padded, as those use them who build a scheduler of their own.

#include <heist/deque.hpp>
#include <heist/padded.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

TEST(public_deque, gives_its_owner_the_last_and_thieves_the_first) {
  heist::deque<int> d;
  EXPECT_EQ(d.pop(), std::nullopt);
  EXPECT_EQ(d.steal(), std::nullopt);
  for (int i = 0; i < 5; ++i) d.push(i);
  EXPECT_EQ(d.size(), 5u);
  EXPECT_EQ(d.pop(), 4);
  EXPECT_EQ(d.steal(), 0);
  EXPECT_EQ(d.steal(), 1);
  EXPECT_EQ(d.pop(), 3);
  EXPECT_EQ(d.pop(), 2);
  EXPECT_TRUE(d.empty());
  EXPECT_EQ(d.pop(), std::nullopt);
}

TEST(public_deque, tells_empty_from_stolen) {
  heist::deque<int> d;
  EXPECT_EQ(d.try_steal().outcome, heist::deque<int>::theft::empty);
  d.push(7);
  const auto got = d.try_steal();
  EXPECT_EQ(got.outcome, heist::deque<int>::theft::stolen);
  EXPECT_EQ(got.item, 7);
}

TEST(public_deque, grows_or_refuses) {
  heist::deque<std::size_t> d(4);
  EXPECT_EQ(d.capacity(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(d.try_push(i));
  EXPECT_FALSE(d.try_push(4));
  EXPECT_EQ(d.steal(), 0u);
  EXPECT_TRUE(d.try_push(4));  // the ring goes round
  for (std::size_t i = 5; i < 1000; ++i) d.push(i);
  EXPECT_GE(d.capacity(), 999u);
  for (std::size_t i = 1; i < 500; ++i) EXPECT_EQ(d.steal(), i);
  for (std::size_t i = 1000; i-- > 500;) EXPECT_EQ(d.pop(), i);
}

struct large {
  std::array<int, 100> all{};
};
struct no_default {
  explicit no_default(short n) : number(n) {}
  short number;
};
struct alignas(32) aligned {
  char c = 'x';
};

TEST(public_deque, holds_any_movable_value) {
  heist::deque<std::unique_ptr<std::string>> pointers(2);
  for (int i = 0; i < 10; ++i) pointers.push(std::make_unique<std::string>(100, static_cast<char>('a' + i)));
  EXPECT_EQ(**pointers.pop(), std::string(100, 'j'));
  EXPECT_EQ(**pointers.steal(), std::string(100, 'a'));  // the rest is freed with the deque

  heist::deque<large> larges;
  larges.push({});
  EXPECT_EQ(larges.steal()->all[99], 0);

  heist::deque<no_default> smalls;
  smalls.push(no_default(3));
  EXPECT_EQ(smalls.pop()->number, 3);

  heist::deque<aligned> aligneds;
  aligneds.push({});
  EXPECT_EQ(aligneds.pop()->c, 'x');

  heist::deque<int*> addresses;
  int x = 1;
  addresses.push(&x);
  addresses.push(nullptr);
  EXPECT_EQ(addresses.pop(), nullptr);
  EXPECT_EQ(addresses.pop(), &x);
}

TEST(public_deque, keeps_an_item_that_it_refuses) {
  heist::deque<std::unique_ptr<int>> d(2);
  auto one = std::make_unique<int>(1);
  while (d.try_push(std::make_unique<int>(0))) {
  }
  EXPECT_FALSE(d.try_push(std::move(one)));
  EXPECT_NE(one, nullptr);
}

// Checks its own bytes, so that a torn copy is seen.
struct checked {
  std::uint64_t number, again, inverse;
};

// An owner against thieves: every item is taken once, by the one who should have it.
template <class T, class Make, class Number>
void race(int thieves, std::size_t items, Make make, Number number) {
  heist::deque<T> d(2);
  std::vector<std::atomic<unsigned char>> taken(items);
  std::atomic<std::size_t> left{items};
  auto take = [&](T item) {
    EXPECT_EQ(taken[number(item)].fetch_add(1), 0);
    --left;
  };
  std::vector<std::thread> others;
  for (int i = 0; i < thieves; ++i)
    others.emplace_back([&] {
      std::size_t last = 0;
      while (left > 0)
        if (auto item = d.steal()) {
          EXPECT_GE(number(*item) + 1, last);  // the oldest first
          last = number(*item) + 1;
          take(std::move(*item));
        }
    });
  std::mt19937 dice(1);
  for (std::size_t next = 0; next < items;) {
    for (unsigned n = dice() % 8; n > 0 && next < items; --n) d.push(make(next++));
    for (unsigned n = dice() % 8; n > 0; --n)
      if (auto item = d.pop()) take(std::move(*item));
  }
  while (left > 0)
    if (auto item = d.pop()) take(std::move(*item));
  for (auto& t : others) t.join();
  for (auto& t : taken) EXPECT_EQ(t, 1);
}

TEST(public_deque, hands_out_every_item_once) {
  for (const int thieves : {1, 3}) {
    race<std::size_t>(thieves, 20'000, [](std::size_t i) { return i; }, [](std::size_t i) { return i; });
    race<checked>(
        thieves, 20'000, [](std::size_t i) { return checked{i, i, ~i}; },
        [](const checked& c) {
          EXPECT_TRUE(c.number == c.again && c.inverse == ~c.number);
          return c.number;
        });
    race<std::unique_ptr<std::size_t>>(
        thieves, 5'000, [](std::size_t i) { return std::make_unique<std::size_t>(i); }, [](const auto& p) { return *p; });
  }
}

TEST(padded, has_cache_lines_to_itself_and_behaves_like_its_value) {
  static_assert(alignof(heist::padded<char>) == 128 && sizeof(heist::padded<char>) == 128);
  static_assert(std::is_same_v<decltype(heist::padded(1.5)), heist::padded<double>>);
  std::vector<heist::padded<int>> v(4, 1);
  v[2].value = 5;
  *v[3] += 2;
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0, [](int sum, const heist::padded<int>& p) { return sum + *p; }), 10);
  heist::padded<std::string> s("abc");
  EXPECT_EQ(s->size(), 3u);
  EXPECT_EQ(std::string(*std::move(s)), "abc");
  heist::padded<std::atomic<int>> counter(3);
  EXPECT_EQ(++*counter, 4);
  heist::padded<std::vector<int>> built(std::size_t{3}, 7);
  EXPECT_EQ(*built, std::vector<int>(3, 7));
  const heist::padded<std::vector<int>> listed{1, 2, 3};
  EXPECT_EQ(*listed, (std::vector<int>{1, 2, 3}));
  struct alignas(256) page {
    char c;
  };
  static_assert(alignof(heist::padded<page>) == 256);
}

}  // namespace
