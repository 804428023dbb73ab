// Inputs that the serial standard library takes: more elements than 32 bits count, elements that are only moved or
// over-aligned, ends that are sentinels. And sizes that no loop can count.
#include "tests/algorithms/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

namespace {

using heist_test::in_every_pool;
namespace stage = heist::stage;

constexpr long huge = (1L << 32) + 1;

// The numbers below `huge`: no memory, and places that 32 bits cannot say.
auto everything() { return std::views::iota(0L, huge); }

TEST(four_billion_elements, are_searched_from_either_end) {
  const auto r = everything();
  const auto at = [&](auto place) { return static_cast<long>(place - r.begin()); };
  const std::vector<long> front{2, 3}, back{huge - 2, huge - 1};
  in_every_pool([&](heist::pool&) {
    EXPECT_EQ(at(heist::find(r, 12L)), 12);
    EXPECT_EQ(at(heist::find_if(r, [](long x) { return x > 12; })), 13);
    EXPECT_EQ(at(heist::find_if_not(r, [](long x) { return x < 12; })), 12);
    EXPECT_EQ(at(heist::find_last(r, huge - 1).begin()), huge - 1);
    EXPECT_EQ(at(heist::find_last_if(r, [](long x) { return x < huge - 3; }).begin()), huge - 4);
    EXPECT_EQ(at(heist::find_last_if_not(r, [](long x) { return x > huge - 3; }).begin()), huge - 3);
    EXPECT_EQ(at(heist::find_first_of(r, back, [](long a, long b) { return a + 100 > b || a == 7; })), 7);
    EXPECT_EQ(at(heist::search(r, front).begin()), 2);
    EXPECT_EQ(at(heist::find_end(r, back).begin()), huge - 2);
    EXPECT_EQ(at(heist::search_n(r, 3, 5L, [](long a, long b) { return a > b; }).begin()), 6);
    EXPECT_EQ(at(heist::adjacent_find(r, [](long a, long) { return a == 9; })), 9);
    EXPECT_TRUE(heist::contains(r, 5L));
    EXPECT_TRUE(heist::any_of(r, [](long x) { return x == 5; }));
    EXPECT_FALSE(heist::all_of(r, [](long x) { return x < 5; }));
    EXPECT_TRUE(heist::starts_with(r, std::vector<long>{0, 1, 2}));
    EXPECT_TRUE(heist::ends_with(r, back));
    EXPECT_FALSE(heist::equal(r, std::views::iota(1L, huge + 1)));
    EXPECT_EQ(at(heist::mismatch(r, std::views::iota(1L, huge + 1)).in1), 0);
    EXPECT_EQ(at(heist::is_sorted_until(r, std::greater<>())), 1);
    EXPECT_EQ(at(heist::is_heap_until(r)), 1);
    EXPECT_FALSE(heist::is_partitioned(r, [](long x) { return x % 2 == 1; }));
    EXPECT_TRUE(heist::lexicographical_compare(r, std::views::iota(1L, huge + 1)));
  });
}

TEST(four_billion_elements, are_cut_and_copied_behind_the_last_place_of_32_bits) {
  const auto r = everything();
  const auto end = r.begin() + huge;
  in_every_pool([&](heist::pool&) {
    std::vector<long> out(2);
    heist::copy_n(end - 2, 2, out.begin());
    EXPECT_EQ(out, (std::vector<long>{huge - 2, huge - 1}));
    std::atomic<long> chunks{0}, sizes{0}, windows{0};
    heist::for_each_chunk(r, std::size_t{1} << 30, [&](auto&& chunk) {
      ++chunks, sizes += static_cast<long>(std::ranges::end(chunk) - std::ranges::begin(chunk));
    });
    EXPECT_EQ(chunks, 5);
    EXPECT_EQ(sizes, huge);
    heist::for_each_window(r, std::size_t{1} << 32, [&](auto&&) { ++windows; });
    EXPECT_EQ(windows, 2);
    EXPECT_EQ((heist::par(r) | stage::drop(std::size_t{1} << 32) | heist::to<std::vector>()),
              std::vector<long>{huge - 1});
    EXPECT_EQ((heist::par(r) | stage::transform([](long x) { return 2 * x; }) |
               stage::filter([](long x) { return x > 10; }) | stage::take(2) | heist::to<std::vector>()),
              (std::vector<long>{12, 14}));
    EXPECT_EQ((heist::par(r) | stage::find_first([](long x) { return x > 77; })), 78);
    EXPECT_TRUE((heist::par(r) | stage::any([](long x) { return x > 77; })));
  });
}

// Those that go through everything are stopped on the way.
TEST(four_billion_elements, may_be_given_up) {
  const auto r = everything();
  in_every_pool([&](heist::pool&) {
    std::stop_source stop;
    const auto at_last = [&](long x) {
      if (x == 5000) stop.request_stop();
      return x > huge;
    };
    const auto given_up = [&](auto&& call) {
      stop = std::stop_source();
      EXPECT_THROW(call(stop.get_token()), heist::cancelled);
    };
    given_up([&](const std::stop_token& s) { static_cast<void>(heist::count_if(r, at_last, s)); });
    given_up([&](const std::stop_token& s) { static_cast<void>(heist::pack_index(r, at_last, s)); });
    given_up([&](const std::stop_token& s) { static_cast<void>(heist::none_of(r, at_last, s)); });
    given_up([&](const std::stop_token& s) {
      static_cast<void>(heist::transform_reduce(r, 0L, std::plus<>(), at_last, s));
    });
    given_up(
        [&](const std::stop_token& s) { static_cast<void>(heist::par(r) | stage::filter(at_last) | stage::count(s)); });
    given_up([&](const std::stop_token& s) {
      heist::for_each_index_2d(
          1L << 17, huge >> 16,
          [&](long i, long j) {
            if (i == 3 && j == 3) at_last(5000);
          },
          s);
    });
    given_up([&](const std::stop_token& s) {
      heist::for_each_index_3d(
          1L << 11, 1L << 11, 1L << 11,
          [&](long i, long j, long k) {
            if (i + j + k == 5) at_last(5000);
          },
          s);
    });
    given_up([&](const std::stop_token& s) {
      heist::for_each_pair(
          std::views::iota(0L, 1L << 20),
          [&](long a, long b) {
            if (a + b == 5) at_last(5000);
          },
          s);
    });
  });
}

TEST(more_indices_than_can_be_counted, are_refused) {
  const auto nothing = [](auto&&...) {};
  EXPECT_THROW(heist::for_each_pair(everything(), nothing), std::length_error);
  EXPECT_THROW(heist::for_each_index_2d(std::uint64_t{1} << 33, std::uint64_t{1} << 32, nothing), std::length_error);
  EXPECT_THROW(heist::for_each_index_3d(1L << 22, 1L << 22, 1L << 22, nothing), std::length_error);
  EXPECT_NO_THROW(heist::for_each_index_3d(1L << 40, 1L << 40, 0L, nothing));
}

// An address that shows when an object lies where it must not.
struct alignas(256) wide {
  int key = 0;
  wide() { check(); }
  explicit wide(int k) : key(k) { check(); }
  wide(const wide& from) : key(from.key) { check(); }
  wide& operator=(const wide&) = default;
  void check() const {
    if (reinterpret_cast<std::uintptr_t>(this) % 256 != 0) ++misplaced;
  }
  friend bool operator==(const wide&, const wide&) = default;
  static inline std::atomic<int> misplaced{0};
};

TEST(over_aligned_elements, lie_where_they_must) {
  in_every_pool([](heist::pool&) {
    std::vector<wide> v, out(6000);
    for (int i = 0; i < 3000; ++i) v.emplace_back(i * 7919 % 1009);
    const auto middle = v.begin() + 1000;
    heist::stable_sort(v, {}, &wide::key);
    heist::shuffle(v, 1u);
    heist::sort_by_cached_key(
        v, [](const wide& w) { return w; }, [](const wide& a, const wide& b) { return a.key < b.key; });
    EXPECT_TRUE(heist::is_sorted(v, {}, &wide::key));
    heist::rotate(v, middle);
    heist::partial_sort(v, middle, {}, &wide::key);
    heist::stable_sort(middle, v.end(), std::less<>(), &wide::key);
    heist::inplace_merge(v, middle, {}, &wide::key);
    EXPECT_TRUE(heist::is_sorted(v, {}, &wide::key));
    heist::set_union(v, v, out.begin(), {}, &wide::key, &wide::key);
    heist::stable_partition(v, [](const wide& w) { return w.key % 2 != 0; });
    EXPECT_EQ(heist::collect(v, [](const wide& w) { return w; }), v);
    EXPECT_EQ(heist::top_k(v, 3, {}, &wide::key)[0].key, 1008);
    EXPECT_EQ(heist::group_by(v, [](const wide& w) { return w.key % 10; }).size(), 10u);
    EXPECT_EQ(heist::reduce(v, wide(), [](const wide& a, const wide& b) { return wide(a.key + b.key); }).key,
              std::accumulate(v.begin(), v.end(), 0, [](int sum, const wide& w) { return sum + w.key; }));
    EXPECT_EQ((heist::par(v) | stage::filter([](const wide& w) { return w.key >= 0; }) | heist::to<std::vector>()), v);
  });
  EXPECT_EQ(wide::misplaced, 0);
}

using owner = std::unique_ptr<int>;
int held(const owner& p) { return p == nullptr ? -1 : *p; }
std::vector<owner> owners(int n) {
  std::vector<owner> v;
  for (int i = 0; i < n; ++i) v.push_back(std::make_unique<int>(i * 7919 % n));
  return v;
}

TEST(elements_that_are_only_moved, are_arranged_in_every_way) {
  constexpr int n = 5000;  // 7919 is prime: a permutation
  in_every_pool([&](heist::pool&) {
    std::vector<owner> v = owners(n), w = owners(n), out(n);
    const auto all = [&] {
      std::vector<int> held_now;
      for (const owner& p : v) held_now.push_back(held(p));
      std::ranges::sort(held_now);
      return std::ranges::equal(held_now, std::views::iota(0, n));
    };
    heist::rotate(v, v.begin() + 1234);
    EXPECT_EQ(*v[0], 1234 * 7919 % n);
    EXPECT_TRUE(all());
    heist::shuffle(v, 7u);
    EXPECT_TRUE(all());
    heist::partial_sort(v, v.begin() + 2000, {}, held);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(*v[static_cast<std::size_t>(i)], i);
    EXPECT_TRUE(all());
    heist::stable_sort(v.begin() + 2000, v.end(), std::less<>(), held);
    heist::rotate(v, v.begin() + 2500);
    heist::inplace_merge(v, v.begin() + 2500, {}, held);
    EXPECT_TRUE(heist::is_sorted(v, {}, held) && all());
    heist::reverse(v);
    heist::swap_ranges(v, w);
    EXPECT_EQ(*w[0], n - 1);
    EXPECT_TRUE(all());
    heist::sort_by_cached_key(v, held);
    EXPECT_TRUE(heist::is_sorted(v, {}, held));
    heist::nth_element(v, v.begin() + 9, std::greater<>(), held);
    EXPECT_EQ(*v[9], n - 10);
    heist::stable_partition(v, [](const owner& p) { return *p % 2 != 0; });
    EXPECT_TRUE(all());
    const auto kept = heist::remove_if(v, [](const owner& p) { return *p % 2 == 0; });
    EXPECT_EQ(kept.begin() - v.begin(), n / 2);
    EXPECT_EQ(std::ranges::count_if(v.begin(), kept.begin(), [](const owner& p) { return *p % 2 != 0; }), n / 2);
    v = owners(n);
    EXPECT_EQ(heist::remove(v, nullptr).begin(), v.end());
    EXPECT_EQ(heist::shift_left(v, 10).end(), v.end() - 10);
    EXPECT_EQ(*v[0], 10 * 7919 % n);
    v = owners(n);
    EXPECT_EQ(heist::shift_right(v, 10).begin(), v.begin() + 10);
    EXPECT_EQ(*v[10], 0);
    v = owners(n);
    heist::move(v, out.begin());
    EXPECT_EQ(*out[1], 7919 % n);
    EXPECT_EQ(heist::group_by(std::move(out), [](const owner& p) { return *p % 3; }).size(), 3u);
  });
}

// Where the end is no iterator.
TEST(a_sentinel, ends_every_range) {
  std::vector<int> v(3000);
  std::iota(v.begin(), v.end(), 0);
  const auto counted = [&](auto first, std::ptrdiff_t n) {
    return std::ranges::subrange(std::counted_iterator(first, n), std::default_sentinel);
  };
  in_every_pool([&](heist::pool&) {
    std::vector<int> a = v, out(6000);
    const auto r = counted(a.begin(), 3000);
    EXPECT_EQ(heist::rotate(r, r.begin() + 1000).begin().base() - a.begin(), 2000);
    heist::shuffle(r, 5u);
    heist::partial_sort(r, r.begin() + 1000);
    EXPECT_TRUE(std::is_sorted(a.begin(), a.begin() + 1000));
    heist::sort(r);
    EXPECT_EQ(a, v);
    heist::rotate(r, r.begin() + 1000);
    heist::inplace_merge(r, r.begin() + 2000);
    EXPECT_EQ(a, v);
    EXPECT_EQ(heist::set_union(r, r, out.begin()).out - out.begin(), 3000);
    EXPECT_TRUE(heist::includes(r, counted(v.begin(), 10)));
    EXPECT_EQ(heist::search(r, counted(v.begin() + 10, 3)).begin().base() - a.begin(), 10);
    EXPECT_EQ(heist::find_last(r, 7).begin().base() - a.begin(), 7);
    EXPECT_EQ(heist::adjacent_find(r).base(), a.end());
    EXPECT_EQ(heist::shift_left(r, 10).end().base(), a.end() - 10);
    a = v;
    EXPECT_EQ(heist::shift_right(r, 10).begin().base(), a.begin() + 10);
    a = v;
    heist::replace(r, 5, 6);
    EXPECT_EQ(a[5], 6);
    EXPECT_EQ(heist::remove(r, 6).begin().base(), a.end() - 2);
    a = v;
    EXPECT_EQ(heist::reverse_copy(r, out.begin()).out - out.begin(), 3000);
    EXPECT_EQ(heist::unique_copy(r, out.begin()).out - out.begin(), 3000);
    EXPECT_EQ(heist::top_k(r, 2), (std::vector<int>{2999, 2998}));
    EXPECT_EQ(heist::kth(r, 7), 7);
    EXPECT_EQ(heist::is_heap_until(r).base(), a.begin() + 1);
    EXPECT_FALSE(heist::lexicographical_compare(r, r));
    EXPECT_EQ(heist::max(r), 2999);
    EXPECT_EQ(heist::collect(r), v);
    EXPECT_EQ(heist::count_by(r, [](int x) { return x % 7; }).size(), 7u);
    std::atomic<int> calls{0};
    heist::for_each_window(r, 3, [&](auto&&) { ++calls; });
    EXPECT_EQ(calls, 2998);
    EXPECT_EQ((heist::par(r) | stage::filter([](int x) { return x < 3; }) | heist::to<std::vector>()),
              (std::vector<int>{0, 1, 2}));
  });
}

}  // namespace
