// find, find_if, any_of, all_of, none_of, mismatch, equal: the first match in order, found early.

#include "tests/algorithms/crowded.hpp"
#include "tests/algorithms/support.hpp"

#include <heist/base/cpu.hpp>

#include <functional>
#include <ranges>
#include <string>
#include <tuple>

namespace {

using namespace heist_test;
using heist::grain;

// Places worth a look in a range of n.
std::vector<std::size_t> places(std::size_t n) {
  std::vector<std::size_t> all{n};
  if (n == 0) return all;
  for (const std::size_t k : {std::size_t{0}, n / 3, n / 2, n - 1}) all.push_back(k);
  return all;
}

TEST(find, finds_the_first_of_several_matches) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(50'000)) {
      for (const std::size_t k : places(n)) {
        std::vector<int> v(n);
        if (k < n) v[k] = 1;
        for (std::size_t i = k + 1; i < n; i += 5) v[i] = 1;
        const auto expected = v.begin() + static_cast<std::ptrdiff_t>(k);
        ASSERT_EQ(heist::find(v, 1), expected) << n;
        ASSERT_EQ(heist::find_if(v, [](int x) { return x == 1; }), expected) << n;
        ASSERT_EQ(heist::find_if(v.begin(), v.end(), std::identity(), [](int x) { return x != 0; }, grain{n / 6 + 1}), expected);
        ASSERT_EQ(heist::any_of(v, [](int x) { return x == 1; }), k < n);
        ASSERT_EQ(heist::none_of(v.begin(), v.end(), [](int x) { return x == 1; }), k == n);
        ASSERT_EQ(heist::all_of(v, [](int x) { return x == 0; }, grain{10}), k == n);
      }
    }
  });
}

// Called by a predicate for every place i of a search that ends at k. Where the last window begins, it waits for a thief: the
// rest of the window lies there to be stolen. Without a grain that is sure only where a window is short, and not where
// elements have been cheap so far: so those in front are not.
void rob_last_window(std::size_t i, std::size_t k, first_theft& theft) {
  if (i >= 256) return;
  for (const std::uint64_t start = heist::detail::ticks(); heist::detail::ticks() - start < 2 * heist::detail::ten_microseconds_in_ticks();) {
  }
  if (i >= 2 && i == std::bit_floor(k)) theft.await();
}

TEST(find_if, finds_the_first_match_though_a_thief_finds_a_later_one_before) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t k : {2u, 8u, 64u, 128u, 4096u}) {
      for (int round = 0; round < rounds(20); ++round) {
        first_theft theft(p);
        const auto all = std::views::iota(std::size_t{0}, 3 * k);
        ASSERT_EQ(*heist::find_if(all, [&](std::size_t i) {
          rob_last_window(i, k, theft);
          return i >= k;
        }), k);
        first_theft another(p);
        ASSERT_EQ(*heist::find_if(all, [&](std::size_t i) {
          if (i == k) another.await();
          return i >= k;
        }, grain{1}), k);
      }
    }
  });
}

TEST(find_if, calls_its_predicate_for_fewer_than_2k_plus_2_elements) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t k : sizes(20'000)) {
      const auto all = std::views::iota(std::size_t{0}, std::size_t{100'000});
      std::atomic<std::size_t> calls{0}, furthest{0};
      first_theft theft(p);
      ASSERT_EQ(*heist::find_if(all, [&](std::size_t i) {
        ++calls;
        for (std::size_t seen = furthest; i > seen && !furthest.compare_exchange_weak(seen, i);) {
        }
        rob_last_window(i, k, theft);
        return i == k;
      }), k);
      ASSERT_LT(calls.load(), 2 * k + 2);
      ASSERT_LT(furthest.load(), 2 * k + 2);
    }
    // None matches: each is looked at once.
    std::atomic<std::size_t> calls{0};
    ASSERT_FALSE(heist::any_of(std::views::iota(0, 5000), [&](int) { return ++calls, false; }));
    ASSERT_EQ(calls.load(), 5000u);
  });
}

// What the serial program would not have done does not show.
TEST(find_if, drops_exceptions_after_the_first_match_and_throws_those_before) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {10, 1000, 20'000}) {
      for (const int k : {0, 1, 8, n / 2, n - 1}) {
        first_theft before_match(p);
        ASSERT_EQ(*heist::find_if(std::views::iota(0, 2 * n), [&](int i) {
          rob_last_window(static_cast<std::size_t>(i), static_cast<std::size_t>(k), before_match);
          if (i > k) throw failure(i);
          return i == k;
        }), k);
        first_theft theft(p);
        ASSERT_EQ(thrower([&] {
          std::ignore = heist::find_if(std::views::iota(0, 2 * n), [&](int i) {
            rob_last_window(static_cast<std::size_t>(i), static_cast<std::size_t>(k), theft);
            if (i >= k) throw failure(i);
            return false;
          });
        }), k);
        ASSERT_EQ(failure::live(), 0);
      }
    }
  });
}

TEST(mismatch, finds_the_first_difference) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(20'000)) {
      for (const std::size_t k : places(n)) {
        std::vector<int> a(n, 1), b(n + 3, 1);
        for (std::size_t i = k; i < n; i += 7) b[i] = 2;
        const auto at = [](const auto& v, std::size_t i) { return v.begin() + static_cast<std::ptrdiff_t>(i); };
        const auto plain = heist::mismatch(a, b);
        ASSERT_EQ(plain.in1, at(a, k));
        ASSERT_EQ(plain.in2, at(b, k));
        const auto projected = heist::mismatch(b.begin(), b.end(), a.begin(), a.end(), std::not_equal_to<>(),
                                               std::negate<>(), std::identity(), grain{11});
        ASSERT_EQ(projected.second, a.end()) << "none of them equals";
        ASSERT_FALSE(heist::equal(a, b)) << "one is longer";
        ASSERT_EQ(heist::mismatch(a.begin(), a.end(), b.begin()), std::mismatch(a.begin(), a.end(), b.begin()));
        ASSERT_EQ(heist::equal(a.begin(), a.end(), b.begin(), grain{11}), k == n) << "the end of the second is left out";
        ASSERT_TRUE(heist::equal(a.begin(), a.end(), b.begin(), std::less_equal<>()));
        ASSERT_EQ(heist::mismatch(a.begin(), a.end(), b.begin(), std::less_equal<>()).first, a.end());
        b.resize(n);
        ASSERT_EQ(heist::equal(a, b), k == n);
        ASSERT_EQ(heist::equal(a.begin(), a.end(), b.begin(), b.end(), [](int x, int y) { return x <= y; }), true);
      }
    }
    const std::vector<std::string> words{"a", "b", "c"}, others{"a", "B", "c"};
    ASSERT_EQ(*heist::mismatch(words, others).in2, "B");
  });
}

TEST(a_search, that_is_told_to_stop_throws_also_where_there_is_something_to_find) {
  in_every_pool([](heist::pool&) {
    const std::vector<int> v(1000, 1);
    ASSERT_THROW(std::ignore = heist::find(v, 1, stopped()), heist::cancelled);
    ASSERT_THROW(std::ignore = heist::any_of(v, [](int x) { return x == 2; }, stopped(), grain{5}), heist::cancelled);
    ASSERT_THROW(std::ignore = heist::equal(v, v, stopped()), heist::cancelled);
    std::stop_source s;
    ASSERT_THROW(std::ignore = heist::find_if(v, [&](int) { return s.request_stop(), false; }, s.get_token()), heist::cancelled);
  });
}

TEST(loops_folds_and_searches, do_not_take_a_programs_functions_for_their_own) {
  std::vector<crowded::number> v;
  for (int i = 0; i < 3000; ++i) v.push_back({i});
  std::vector<crowded::number> sums(v.size());
  EXPECT_EQ(heist::find_if(v, crowded::is_odd()), v.begin() + 1);
  EXPECT_EQ(heist::find(v, crowded::number{70}, grain{8}), v.begin() + 70);
  EXPECT_TRUE(heist::equal(v, v));
  EXPECT_EQ(heist::count_if(v, crowded::is_odd()), 1500);
  EXPECT_EQ(heist::max_element(v), v.end() - 1);
  EXPECT_EQ(heist::minmax_element(v, crowded::less()).min, v.begin());
  EXPECT_EQ(heist::reduce(v, crowded::number{1}, crowded::plus()).value, 3000 * 2999 / 2 + 1);
  EXPECT_EQ(heist::inclusive_scan(v, sums.begin(), crowded::plus()), sums.end());
  EXPECT_EQ(sums.back().value, 3000 * 2999 / 2);
  EXPECT_EQ(heist::histogram(v, 2, crowded::is_odd())[1], 1500u);
}

}  // namespace
