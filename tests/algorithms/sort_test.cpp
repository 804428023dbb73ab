#include "tests/algorithms/crowded.hpp"
#include "tests/algorithms/items.hpp"

#include <heist/sort.hpp>

#include <cstdlib>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <ranges>
#include <stop_token>
#include <tuple>

namespace {

using namespace heist_test;

enum class way { sort, stable, nth };
constexpr way every_way[] = {way::sort, way::stable, way::nth};

// Every comparison goes through this one type: templates are compiled often enough.
using compare = std::function<bool(const item&, const item&)>;
const compare by_key = [](const item& a, const item& b) { return a.key < b.key; };

template <class T, class Less, class... Options>
void sort_somehow(way how, std::vector<T>& v, const Less& less, const Options&... options) {
  switch (how) {
    case way::sort:
      return heist::sort(v.begin(), v.end(), std::ref(less), options...);
    case way::stable:
      return heist::stable_sort(v.begin(), v.end(), std::ref(less), options...);
    case way::nth:
      return heist::nth_element(v.begin(), v.begin() + std::ssize(v) / 2, v.end(), std::ref(less), options...);
  }
}

constexpr auto by_value = [](const rare& a, const rare& b) { return a.value() < b.value(); };
constexpr auto key_of = [](const item& i) { return i.key; };

// As the standard library's stable_sort: the same elements, or else the same keys and all elements there.
testing::AssertionResult is_like_std(way how, std::size_t n, shape s, heist::grain g) {
  const std::vector<item> before = items(n, s);
  const std::vector<item> expected = sorted(before);
  std::vector<item> v = before;
  sort_somehow(how, v, by_key, g);
  bool right = places(v) == places(before);
  const std::size_t nth = n / 2;
  switch (how) {
    case way::sort:
      right &= std::ranges::equal(v, expected, {}, key_of, key_of);
      break;
    case way::stable:
      right &= v == expected;
      break;
    case way::nth:
      for (std::size_t i = 0; i < n; ++i) right &= i < nth ? v[i].key <= v[nth].key : v[i].key >= v[nth].key;
      right &= n == 0 || v[nth].key == expected[nth].key;
  }
  return (right ? testing::AssertionSuccess() : testing::AssertionFailure())
         << n << " elements of shape " << static_cast<int>(s) << ", way " << static_cast<int>(how);
}

TEST(sorting, agrees_with_the_standard_library_at_every_size_and_shape) {
  in_every_pool([](heist::pool&) {
    std::size_t k = 0;
    for (const std::size_t n : sizes(static_cast<std::size_t>(100'000 / slower)))
      for (const shape s : every_shape)
        for (const way how : every_way) {
          if (n >= 200 && ++k % 11 != 0) continue;  // large ones take turns
          ASSERT_TRUE(is_like_std(how, n, s, heist::grain{1024}));
        }
  });
}

TEST(sorting, agrees_at_every_shape_where_partitions_are_parallel) {
  in_every_pool([](heist::pool&) {
    for (const shape s : every_shape)
      for (const way how : every_way) {
        // 128 grains and more are partitioned in parallel, in chunks of 16 grains.
        for (const std::size_t n : {2047u, 2048u, 2049u, 2050u, 2305u, 5000u, 20'000u})
          ASSERT_TRUE(is_like_std(how, n, s, heist::grain{16}));
        for (const std::size_t n : {0u, 1u, 2u, 3u, 24u, 25u, 100u, 1000u})
          ASSERT_TRUE(is_like_std(how, n, s, heist::grain{0}));
      }
    // As many as are partitioned in parallel without a grain.
    std::vector<double> many(150'000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i * 7919 % 150'001);
    heist::sort(many);
    ASSERT_TRUE(heist::is_sorted(many));
  });
}

// The second half is less than the first but for those at its end, which equal those at the other's beginning: were the
// halves to change places, these would, too.
TEST(sorting, keeps_equal_elements_in_order_where_two_runs_meet_the_wrong_way_round) {
  for (const int n : {26, 64, 100, 1000})
    for (const int equal : {1, 2, 5}) {
      std::vector<item> v;
      for (int i = 0; i < n / 2; ++i) v.push_back({std::max(0, i - equal + 1), i});
      for (int i = n / 2; i < n; ++i) v.push_back({std::min(0, i - n + equal), i});
      const std::vector<item> expected = sorted(v);
      heist::stable_sort(v.begin(), v.end(), std::ref(by_key), heist::grain{16});
      ASSERT_EQ(v, expected) << n << " elements, " << equal << " equal ones on each side";
    }
}

// By hand, as sort() comes here only when its pivots are bad again and again.
TEST(a_heap_sort, sorts_every_size_and_looks_at_nothing_beyond) {
  for (std::size_t n = 0; n < 130; ++n)
    for (const shape s : every_shape) {
      std::vector<item> v = items(n, s);
      const std::vector<item> expected = sorted(v);
      const item beyond{-1, -1};
      v.insert(v.begin(), beyond);
      v.push_back(beyond);
      auto less = [](const item& a, const item& b) {
        EXPECT_TRUE(a.place >= 0 && b.place >= 0) << "an element of another range";
        return a.key < b.key;
      };
      heist::detail::heap_sort(v.begin() + 1, v.end() - 1, less, heist::detail::not_forking());
      ASSERT_TRUE(v.front() == beyond && v.back() == beyond);
      v.pop_back();
      v.erase(v.begin());
      ASSERT_TRUE(std::ranges::equal(v, expected, {}, key_of, key_of)) << n;
      ASSERT_EQ(places(v), places(expected));
    }
}

// An adversary that makes up the elements as they are asked for, so that each pivot turns out to be among the least, or the
// greatest (McIlroy, "A killer adversary for quicksort"): work stays n lg n, and the answer is right.
TEST(sorting, of_what_makes_every_pivot_a_bad_one_is_right_after_n_lg_n_comparisons) {
  for (const way how : {way::sort, way::nth})
    for (const bool greatest : {false, true}) {
      constexpr int n = 20'000;
      constexpr int unknown = n;
      std::vector<int> value(n, unknown);
      int known = 0, candidate = 0;
      long asked = 0;
      auto value_of = [&](const item& i) -> int& { return value[static_cast<std::size_t>(i.place)]; };
      auto less = [&](const item& a, const item& b) {
        ++asked;
        if (value_of(a) == unknown && value_of(b) == unknown) value_of(a.place == candidate ? a : b) = known++;
        if (value_of(a) == unknown) candidate = a.place;
        if (value_of(b) == unknown) candidate = b.place;
        return greatest ? value_of(b) < value_of(a) : value_of(a) < value_of(b);
      };
      std::vector<item> v = items(n, shape::equal);
      heist::pool one({.workers = 1});  // the adversary remembers
      one.run([&] { sort_somehow(how, v, compare(less), heist::grain{1024}); });
      EXPECT_LT(asked, 5L * n * 15);
      const std::size_t nth = n / 2;
      for (std::size_t i = 1; i < n; ++i) {
        const item& before = how == way::sort ? v[i - 1] : v[std::min(i - 1, nth)];
        const item& after = how == way::sort ? v[i] : v[std::max(i, nth)];
        ASSERT_FALSE(greatest ? value_of(before) < value_of(after) : value_of(after) < value_of(before));
      }
    }
}

// Runs that descend, one after the other: looked at in pieces, the whole may seem to.
TEST(sorting, does_not_take_several_descending_runs_for_one) {
  in_every_pool([](heist::pool&) {
    for (const int n : {40, 1001, 4000, 4001, 4002, 4003})
      for (const int cut : {n / 4, n / 3, n / 2 - 1, n / 2, n / 2 + 1, 3 * n / 4, n - 1}) {
        std::vector<item> v;
        for (int i = 0; i < n; ++i) v.push_back({i < cut ? cut - i : 2 * n - i, i});
        const std::vector<item> expected = sorted(v);
        heist::sort(v.begin(), v.end(), std::ref(by_key), heist::grain{16});
        ASSERT_TRUE(std::ranges::equal(v, expected, {}, key_of, key_of)) << n << " elements, cut at " << cut;
      }
  });
}

TEST(sorting, finds_any_nth_element) {
  in_every_pool([](heist::pool&) {
    for (const shape s : {shape::random, shape::few, shape::saw})
      for (const std::ptrdiff_t nth : {0, 1, 100, 2500, 4998, 4999}) {
        std::vector<item> v = items(5000, s);
        const std::vector<item> expected = sorted(v);
        heist::nth_element(v.begin(), v.begin() + nth, v.end(), std::ref(by_key), heist::grain{16});
        ASSERT_EQ(v[static_cast<std::size_t>(nth)].key, expected[static_cast<std::size_t>(nth)].key);
        heist::nth_element(v.begin(), v.end(), v.end(), std::ref(by_key), heist::grain{16});
        ASSERT_EQ(places(v), places(expected));
      }
  });
}

TEST(sorting, is_the_same_on_every_schedule_for_elements_that_compare_equal) {
  std::vector<std::vector<item>> results;
  in_every_pool([&](heist::pool&) {
    for (int i = 0; i < rounds(5); ++i) {
      results.push_back(items(20'000, shape::few));
      sort_somehow(way::sort, results.back(), by_key, heist::grain{16});
    }
  });
  for (const auto& r : results) ASSERT_EQ(r, results[0]);
}

TEST(sorting, takes_ranges_projections_sentinels_and_other_containers) {
  std::deque<item> d;
  for (const item& i : items(5000, shape::random)) d.push_back(i);
  heist::sort(d, std::greater<>(), &item::key);
  EXPECT_TRUE(std::ranges::is_sorted(d, std::greater<>(), &item::key));
  heist::stable_sort(d, std::less<>(), [](const item& i) { return i.key % 10; }, heist::grain{10});
  EXPECT_TRUE(std::ranges::is_sorted(d, std::less<>(), [](const item& i) { return std::pair(i.key % 10, -i.key); }));
  std::vector<double> v(3000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>((i * 7919) % 3001);
  heist::sort(std::views::counted(v.begin(), 2000), std::greater<>());
  EXPECT_TRUE(std::is_sorted(v.begin(), v.begin() + 2000, std::greater<>()));
  heist::nth_element(v, v.begin() + 100);
  heist::sort(std::counted_iterator(v.begin(), 3000), std::default_sentinel, heist::grain{100});
  EXPECT_TRUE(std::is_sorted(v.begin(), v.end()));
  heist::stable_sort(v.rbegin(), v.rend());
  EXPECT_TRUE(std::is_sorted(v.rbegin(), v.rend()));
}

TEST(sorting, does_not_take_a_programs_functions_for_its_own) {
  std::vector<crowded::number> v;
  for (int i = 0; i < 2000; ++i) v.push_back({i * 7919 % 2000});
  heist::sort(v.begin(), v.end());
  EXPECT_TRUE(heist::is_sorted(v));
  heist::stable_sort(v.rbegin(), v.rend());
  EXPECT_TRUE(std::is_sorted(v.rbegin(), v.rend()));
}

TEST(sorting, moves_what_cannot_be_copied_or_made_from_nothing) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : {0u, 1u, 2u, 30u, 3000u}) {
      std::vector<rare> v = rares(n), w = rares(n), x = rares(n);
      sort_somehow(way::sort, v, by_value, heist::grain{16});
      ASSERT_TRUE(std::is_sorted(v.begin(), v.end(), by_value));
      sort_somehow(way::stable, w, by_value, heist::grain{16});
      ASSERT_TRUE(std::ranges::equal(v, w, {}, &rare::value, &rare::value));
      sort_somehow(way::nth, x, by_value, heist::grain{16});
      ASSERT_TRUE(n == 0 || x[n / 2].value() == v[n / 2].value());
      ASSERT_EQ(rare::live(), 3 * static_cast<int>(n));
    }
  });
  EXPECT_EQ(rare::live(), 0);
}

TEST(sorting, loses_nothing_when_a_comparison_throws) {
  in_every_pool([](heist::pool&) {
    for (const way how : every_way)
      for (const std::size_t n : {2u, 24u, 500u, 4000u})
        for (const int calls : {1, 2, 17, 300, 4000, 9000}) {
          std::vector<item> v = items(n, shape::random);
          const std::vector<int> before = places(v);
          tiring t(calls);
          const int who = thrower([&] {
            sort_somehow(how, v, compare([&](const item& a, const item& b) {
                           t.call();
                           return a.key < b.key;
                         }),
                         heist::grain{16});
          });
          ASSERT_TRUE(who == 1 || who == nobody);
          ASSERT_TRUE(calls > 1 || who == 1);
          ASSERT_EQ(places(v), before);
        }
  });
  EXPECT_EQ(failure::live(), 0);
}

TEST(sorting, leaks_nothing_when_a_move_throws) {
  in_every_pool([](heist::pool&) {
    for (const way how : every_way)
      for (const int moves : {1, 100, 2999, 3001, 5000, 20'000}) {
        std::vector<rare> v = rares(3000);
        rare::throw_at_move(moves);
        thrower([&] { sort_somehow(how, v, by_value, heist::grain{16}); });
        rare::throw_no_more();
        ASSERT_EQ(rare::live(), 3000);
      }
  });
  EXPECT_EQ(rare::live(), 0);
}

TEST(sorting, throws_what_comes_first_in_serial_order) {
  // Every comparison throws, or some do that fall into different branches: what arrives is the same on every schedule.
  const std::function<bool(const item&, const item&)> occasions[] = {[](const item&, const item&) { return true; },
                                                                     [](const item& a, const item& b) {
                                                                       return std::abs(a.place - b.place) >= 10'000 &&
                                                                              std::abs(a.key - b.key) < 2000;
                                                                     }};
  for (const auto& occasion : occasions)
    for (const way how : every_way) {
      std::vector<std::pair<int, int>> thrown;
      std::atomic<int> calls{0};
      std::pair<int, int> earliest;
      const compare refuse = [&](const item& a, const item& b) {
        if (!occasion(a, b)) return a.key < b.key;
        if (calls.fetch_add(1) == 0) earliest = {a.place, b.place};
        throw std::pair(a.place, b.place);
      };
      in_every_pool([&](heist::pool&) {  // one worker comes first: the serial program
        std::vector<item> v = items(20'000, shape::random);
        try {
          sort_somehow(how, v, refuse, heist::grain{16});
          thrown.emplace_back(nobody, nobody);
        } catch (const std::pair<int, int>& which) {
          thrown.push_back(which);
        }
      });
      ASSERT_TRUE(how == way::nth || thrown[0].first != nobody);
      EXPECT_TRUE(calls == 0 || thrown[0] == earliest);
      for (const auto& which : thrown) EXPECT_EQ(which, thrown[0]);
    }
}

TEST(sorting, stays_in_bounds_and_ends_whatever_the_comparison_says) {
  in_every_pool([](heist::pool&) {
    std::atomic<unsigned> coin{1};
    const compare whims[] = {
        [](const item&, const item&) { return true; }, [](const item& a, const item& b) { return a.key <= b.key; },
        [](const item& a, const item& b) { return (a.place ^ b.place) % 3 == 0; },  // goes in circles
        [&](const item&, const item&) { return coin.fetch_add(0x9E3779B9u, std::memory_order_relaxed) >> 31 != 0; },
        [](const item& a, const item& b) { return b.key > 1000 || a.key < 5; }};
    for (const way how : every_way)
      for (const std::size_t n : {2u, 25u, 3000u})
        for (const compare& whim : whims) {
          std::vector<item> v = items(n, shape::random);
          const std::vector<int> before = places(v);
          sort_somehow(how, v, whim, heist::grain{16});
          ASSERT_EQ(places(v), before);
        }
    std::vector<double> numbers(5000, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < numbers.size(); i += 3) numbers[i] = static_cast<double>(i * 7919 % 5000);
    heist::sort(numbers);
    ASSERT_EQ(std::count_if(numbers.begin(), numbers.end(), [](double x) { return x != x; }), 3333);
  });
}

TEST(sorting, keeps_all_elements_when_it_is_cancelled) {
  in_every_pool([](heist::pool&) {
    for (const way how : every_way) {
      std::vector<item> v = items(20'000, shape::random);
      const std::vector<int> before = places(v);
      std::stop_source early;
      early.request_stop();
      EXPECT_THROW(sort_somehow(how, v, by_key, early.get_token(), heist::grain{100}), heist::cancelled);
      ASSERT_EQ(places(v), before);
      std::stop_source source;
      std::atomic<int> calls{0};
      const compare stopping = [&](const item& a, const item& b) {
        if (++calls == 5000) source.request_stop();
        return a.key < b.key;
      };
      EXPECT_THROW(sort_somehow(how, v, stopping, source.get_token(), heist::grain{100}), heist::cancelled);
      ASSERT_EQ(places(v), before);
      EXPECT_LT(calls.load(), 60'000);  // of some 250,000
      const std::stop_source never;
      sort_somehow(how, v, by_key, never.get_token(), heist::grain{100});
      ASSERT_TRUE(how == way::nth || std::is_sorted(v.begin(), v.end(), by_key));
    }
  });
}

TEST(sorting, of_one_element_asks_and_forks_nothing) {
  heist::pool p({.workers = 2});
  p.run([] {
    for (const way how : every_way)
      for (const std::size_t n : {0u, 1u}) {
        std::vector<item> v = items(n, shape::random);
        sort_somehow(how, v, compare([](const item&, const item&) -> bool { throw failure(1); }), heist::grain{0});
      }
  });
}

TEST(sorted_ranges, are_told_from_others_by_their_first_descent) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(static_cast<std::size_t>(100'000 / slower))) {
      std::vector<item> v = items(n, shape::sorted);
      ASSERT_TRUE(heist::is_sorted(v.begin(), v.end(), std::ref(by_key)));
      for (const std::size_t fault : {n / 3, n / 2, n - 1}) {
        if (fault == 0 || fault >= n) continue;
        v = items(n, shape::sorted);
        v[fault].key = -1;
        ASSERT_FALSE(heist::is_sorted(v.begin(), v.end(), std::ref(by_key)));
        ASSERT_EQ(heist::is_sorted_until(v.begin(), v.end(), std::ref(by_key)) - v.begin(),
                  static_cast<std::ptrdiff_t>(fault));
      }
    }
    const std::vector<double> equal(3000, 1.0);
    ASSERT_TRUE(heist::is_sorted(equal));
    ASSERT_FALSE(heist::is_sorted(equal, std::less_equal<>()));
    ASSERT_THROW(std::ignore = heist::is_sorted(equal, std::less<>(), std::identity(), stopped()), heist::cancelled);
  });
}

// What comes after a failure in serial order is not compared any more.
TEST(a_stable_sort_whose_comparison_throws, stops) {
  const std::vector<item> before = items(100'000, shape::random);
  in_every_pool([&](heist::pool&) {
    std::vector<item> v = before;
    std::atomic<long> calls{0};
    auto fails = [&](const item&, const item&) -> bool {
      ++calls;
      throw failure(1);
    };
    EXPECT_THROW(heist::stable_sort(v, fails), failure);
    EXPECT_LT(calls.load(), 10'000);
    EXPECT_EQ(places(v), places(before));
  });
}

}  // namespace
