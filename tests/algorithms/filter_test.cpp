#include "tests/algorithms/items.hpp"

#include <heist/filter.hpp>
#include <heist/partition.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <iterator>
#include <ranges>
#include <stop_token>
#include <tuple>

namespace {

using namespace heist_test;

// Predicates go through this one type: templates are compiled often enough.
using predicate = std::function<bool(const item&)>;
using relation = std::function<bool(const item&, const item&)>;

// By place: what makes all go one way, or one only, or changes at the ends of words and blocks, or has no rule.
std::vector<predicate> predicates(std::size_t n) {
  const int last = static_cast<int>(n) - 1, middle = last / 2;
  return {[](const item&) { return true; },
          [](const item&) { return false; },
          [](const item& i) { return i.key % 2 == 0; },
          [](const item& i) { return i.key % 100 == 0; },
          [](const item& i) { return i.key % 100 != 0; },
          [=](const item& i) { return i.place <= middle; },
          [=](const item& i) { return i.place > middle; },
          [](const item& i) { return i.place == 0; },
          [=](const item& i) { return i.place != last; },
          [](const item& i) { return i.place != 0; },
          [](const item& i) { return i.place / 64 % 2 == 0; },
          [](const item& i) { return i.place % 64 == 63; },
          [](const item& i) { return i.place / 256 % 2 != 0; }};
}

// Asks once, or the test fails.
class once {
 public:
  once(const predicate& p, std::size_t n) : asks_(p), calls_(n) {}
  bool operator()(const item& i) {
    calls_[static_cast<std::size_t>(i.place)].fetch_add(1, std::memory_order_relaxed);
    return asks_(i);
  }
  bool right() const {
    return std::all_of(calls_.begin(), calls_.end(), [](const auto& c) { return c.load() == 1; });
  }

 private:
  const predicate& asks_;
  std::vector<std::atomic<int>> calls_;
};

enum class way { copy, remove, stable, partition };
constexpr way every_way[] = {way::copy, way::remove, way::stable, way::partition};

// What is kept or put first, and in the case of a partition what follows.
template <class... Options>
std::vector<item> filter(way how, std::vector<item>& v, predicate p, const Options&... options) {
  std::vector<item> out;
  auto cut = [&](auto end) { out.assign(v.begin(), end); };
  switch (how) {
    case way::copy:
      out.resize(v.size(), item{-1, -1});
      out.erase(heist::copy_if(v.begin(), v.end(), out.begin(), std::ref(p), options...), out.end());
      break;
    case way::remove:
      cut(heist::remove_if(v.begin(), v.end(), std::not_fn(std::ref(p)), options...));
      break;
    case way::stable:
      cut(heist::stable_partition(v.begin(), v.end(), std::ref(p), options...));
      break;
    case way::partition:
      cut(heist::partition(v.begin(), v.end(), std::ref(p), options...));
      break;
  }
  return out;
}

template <class... Options>
testing::AssertionResult is_like_std(way how, std::size_t n, shape s, const predicate& p, const Options&... options) {
  std::vector<item> v = items(n, s), first, expected;
  std::copy_if(v.begin(), v.end(), std::back_inserter(first), p);
  expected = first;
  std::copy_if(v.begin(), v.end(), std::back_inserter(expected), std::not_fn(p));
  once o(p, n);
  std::vector<item> found = filter(how, v, std::ref(o), options...);
  bool right = o.right();
  if (how == way::partition) {
    right &= places(found) == places(first) && places(v) == places(expected);
  } else {
    right &= found == first;
    if (how == way::stable) right &= v == expected;
  }
  return (right ? testing::AssertionSuccess() : testing::AssertionFailure())
         << n << " elements, way " << static_cast<int>(how);
}

TEST(filtering, agrees_with_the_standard_library_and_asks_once) {
  in_every_pool([](heist::pool&) {
    std::size_t k = 0;
    for (const std::size_t n : sizes(static_cast<std::size_t>(100'000 / slower)))
      for (const predicate& p : predicates(n))
        for (const way how : every_way) {
          if (n >= 200 && ++k % 17 != 0) continue;  // large ones take turns
          ASSERT_TRUE(is_like_std(how, n, shape::random, p));
        }
  });
}

TEST(filtering, agrees_in_small_blocks) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 1023u, 1024u, 1025u, 1100u, 5000u})
      for (const predicate& p : predicates(n))
        for (const way how : every_way) {
          ASSERT_TRUE(is_like_std(how, n, shape::random, p, heist::grain{1}));
          ASSERT_TRUE(is_like_std(how, n, shape::random, p, heist::grain{100}));
        }
  });
}

TEST(filtering, finds_the_first_of_equal_neighbours) {
  in_every_pool([](heist::pool&) {
    std::size_t k = 0;
    for (const std::size_t n : sizes(static_cast<std::size_t>(100'000 / slower)))
      for (const int group : {1, 2, 3, 64, 1000, 1'000'000}) {
        if (n >= 200 && ++k % 5 != 0) continue;
        std::vector<item> v = items(n, shape::few);
        for (item& i : v) i.key = i.key == 3 ? -1 : i.place / group;
        std::vector<item> expected = v;
        std::atomic<std::size_t> asked{0};
        const relation same = [&](const item& a, const item& b) {
          asked.fetch_add(1, std::memory_order_relaxed);
          return a.key == b.key;
        };
        expected.erase(
            std::unique(expected.begin(), expected.end(), [](const item& a, const item& b) { return a.key == b.key; }),
            expected.end());
        v.erase(heist::unique(v.begin(), v.end(), std::ref(same)), v.end());
        ASSERT_TRUE(v == expected) << n << " elements, groups of " << group;
        ASSERT_EQ(asked.load(), n == 0 ? 0 : n - 1);
      }
  });
}

TEST(filtering, takes_ranges_projections_and_other_containers) {
  std::deque<item> d;
  for (const item& i : items(5000, shape::random)) d.push_back(i);
  std::vector<item> out(5000);
  auto even = [](int key) { return key % 2 == 0; };
  out.erase(heist::copy_if(d, out.begin(), even, &item::key).out, out.end());
  const auto rest = heist::remove_if(d, std::not_fn(even), &item::key);
  d.erase(rest.begin(), rest.end());
  EXPECT_TRUE(std::ranges::equal(d, out));
  auto third = [](int key) { return key % 3 == 0; };
  const auto middle = heist::stable_partition(d, third, &item::key, heist::grain{10}).begin();
  EXPECT_TRUE(std::ranges::is_sorted(d.begin(), middle, {}, &item::place));
  EXPECT_TRUE(std::ranges::all_of(d.begin(), middle, third, &item::key));
  EXPECT_TRUE(std::ranges::none_of(middle, d.end(), third, &item::key));
  EXPECT_TRUE(heist::partition(d, even, &item::key).empty());
  std::vector<int> flat{1, 1, 2, 2, 2, 3, 1};
  flat.erase(heist::unique(flat).begin(), flat.end());
  EXPECT_EQ(flat, (std::vector{1, 2, 3, 1}));
  // What is only read may be packed.
  const std::vector<bool> bits{true, false, true};
  std::array<char, 3> found{};
  EXPECT_EQ(heist::copy_if(bits, found.begin(), std::identity()).out, found.begin() + 2);
}

TEST(filtering, moves_what_cannot_be_copied_or_made_from_nothing) {
  auto small = [](const rare& r) { return r.value() < 300; };
  in_every_pool([&](heist::pool&) {
    for (const std::size_t n : {0u, 1u, 100u, 3000u}) {
      std::vector<rare> v = rares(n), w = rares(n), x = rares(n);
      const auto kept = heist::remove_if(v.begin(), v.end(), std::not_fn(small), heist::grain{64}) - v.begin();
      ASSERT_EQ(heist::stable_partition(w.begin(), w.end(), small, heist::grain{64}) - w.begin(), kept);
      ASSERT_TRUE(
          std::ranges::equal(v.begin(), v.begin() + kept, w.begin(), w.begin() + kept, {}, &rare::value, &rare::value));
      ASSERT_EQ(heist::partition(x.begin(), x.end(), small, heist::grain{1}) - x.begin(), kept);
      ASSERT_EQ(rare::live(), 3 * static_cast<int>(n));
      for (const int moves : {1, 500, 2000, 3500}) {
        std::vector<rare> t = rares(n);
        rare::throw_at_move(moves);
        thrower([&] { heist::stable_partition(t.begin(), t.end(), small, heist::grain{64}); });
        rare::throw_at_move(moves);
        thrower([&] { std::ignore = heist::remove_if(t.begin(), t.end(), std::not_fn(small), heist::grain{64}); });
        rare::throw_no_more();
        ASSERT_EQ(rare::live(), 4 * static_cast<int>(n));
      }
    }
  });
  EXPECT_EQ(rare::live(), 0);
}

TEST(filtering, moves_nothing_when_a_predicate_throws_or_it_is_cancelled) {
  in_every_pool([](heist::pool&) {
    for (const way how : every_way)
      for (const std::size_t n : {500u, 5000u}) {
        const std::vector<item> before = items(n, shape::random);
        std::vector<item> v = before;
        const int fault = static_cast<int>(n / 3);
        // Everything from the fault on throws: the first in order arrives.
        const int who = thrower([&] {
          filter(
              how, v,
              [&](const item& i) {
                if (i.place >= fault) throw failure(i.place);
                return i.key % 2 == 0;
              },
              heist::grain{64});
        });
        if (how == way::partition) {
          ASSERT_GE(who, fault);
          ASSERT_EQ(places(v), places(before));
        } else {
          ASSERT_EQ(who, fault);
          ASSERT_EQ(v, before);
        }
        std::stop_source source;
        std::atomic<int> calls{0};
        const predicate stopping = [&](const item& i) {
          if (++calls == 100) source.request_stop();
          return i.key % 2 == 0;
        };
        v = before;
        if (n == 5000) {
          ASSERT_THROW(filter(how, v, stopping, heist::grain{16}, source.get_token()), heist::cancelled);
        }
        ASSERT_THROW(filter(how, v, stopping, heist::grain{64}, stopped()), heist::cancelled);
        ASSERT_EQ(places(v), places(before));
        ASSERT_TRUE(how == way::partition || v == before);
      }
  });
  EXPECT_EQ(failure::live(), 0);
}

TEST(filtering, looks_for_a_stop_within_a_block_of_slow_elements) {
  auto slow = [] {
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(20)) {
    }
  };
  in_every_pool([&](heist::pool&) {
    for (const way how : every_way)
      for (const std::size_t n : {900u, 20'000u}) {
        std::vector<item> v = items(n, shape::random);
        std::stop_source source;
        std::atomic<int> calls{0};
        const predicate stopping = [&](const item& i) {
          slow();
          if (++calls == 50) source.request_stop();
          return i.key % 2 == 0;
        };
        ASSERT_THROW(filter(how, v, stopping, heist::grain{2048}, source.get_token()), heist::cancelled);
        ASSERT_LT(calls, 450);  // each of 8 strands has begun with 16; a block has 900 or 2,048
      }
  });
}

TEST(filtering, copies_in_order_what_thieves_only_marked) {
  // Every strand waits for the first theft, so that somebody marks.
  heist::pool p({.workers = 2});
  p.run([&] {
    for (int i = 0; i < rounds(50); ++i) {
      first_theft theft(p);
      std::vector<item> v = items(3000, shape::random), out(3000), expected = v;
      std::erase_if(expected, [](const item& x) { return x.key % 3 != 0; });
      const predicate third = [&](const item& x) {
        if (x.place == 0) theft.await();
        return x.key % 3 == 0;
      };
      out.erase(heist::copy_if(v.begin(), v.end(), out.begin(), std::ref(third), heist::grain{64}), out.end());
      ASSERT_EQ(out, expected);
    }
  });
  EXPECT_GT(p.stats().steals, 0u);
}

}  // namespace
