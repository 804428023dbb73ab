// A comparison that is no strict weak order: some answer, within bounds, and an end. For the sorts themselves see
// tests/algorithms/sort_test.cpp.

#include "tests/support.hpp"

#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace heist_test;

using comparison = std::function<bool(int, int)>;

// Safe to ask from several strands at once.
std::vector<comparison> whims() {
  return {[](int, int) { return true; }, std::less_equal<int>(), [](int a, int b) { return (a ^ b) % 3 == 0; },
          [](int a, int) {
            static std::atomic<unsigned> coin{1};
            return (coin.fetch_add(0x9E3779B9u, std::memory_order_relaxed) + static_cast<unsigned>(a)) >> 31 != 0;
          }};
}

class a_whimsical_comparison : public testing::TestWithParam<int> {
 protected:
  std::vector<int> numbers(int n) const {
    std::vector<int> v(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) v[static_cast<std::size_t>(i)] = static_cast<int>(i * 7919L % 10'007);
    return v;  // not sorted, as merge would want them
  }
  const comparison less = whims()[static_cast<std::size_t>(GetParam())];
  heist::pool pool{workers(4)};
};
INSTANTIATE_TEST_SUITE_P(of_kind, a_whimsical_comparison, testing::Range(0, 4), testing::PrintToStringParamName());

TEST_P(a_whimsical_comparison, merges_all_elements_in_some_order) {
  const std::vector<int> a = numbers(50'000), b = numbers(30'000);
  std::vector<int> out(80'000), expected = a;
  pool.run([&] { heist::merge(a, b, out.begin(), less); });
  expected.insert(expected.end(), b.begin(), b.end());
  std::sort(expected.begin(), expected.end());
  std::sort(out.begin(), out.end());
  EXPECT_EQ(out, expected);
}

TEST_P(a_whimsical_comparison, keeps_all_elements_around_an_nth) {
  std::vector<int> v = numbers(50'000), expected = v;
  pool.run([&] { heist::nth_element(v, v.begin() + 20'000, less); });
  std::sort(expected.begin(), expected.end());
  std::sort(v.begin(), v.end());
  EXPECT_EQ(v, expected);
}

TEST_P(a_whimsical_comparison, finds_extremes_and_sorted_stretches_within_the_range) {
  const std::vector<int> v = numbers(50'000);
  pool.run([&] {
    const auto inside = [&](auto i) { return i >= v.begin() && i < v.end(); };
    EXPECT_TRUE(inside(heist::min_element(v, less)));
    EXPECT_TRUE(inside(heist::max_element(v, less)));
    const auto both = heist::minmax_element(v, less);
    EXPECT_TRUE(inside(both.min) && inside(both.max));
    const auto end = heist::is_sorted_until(v, less);
    EXPECT_TRUE(end > v.begin() && end <= v.end());
  });
}

TEST_P(a_whimsical_comparison, leaves_some_elements_as_unique_ones) {
  std::vector<int> v = numbers(50'000);
  pool.run([&] {
    const auto end = heist::unique(v, less).begin();
    EXPECT_TRUE(end > v.begin() && end <= v.end());
  });
}

TEST_P(a_whimsical_comparison, selects_some_elements_and_loses_none) {
  const std::vector<int> all = numbers(30'000);
  std::vector<int> expected = all;
  std::sort(expected.begin(), expected.end());
  const auto same_elements = [&](std::vector<int> v) {
    std::sort(v.begin(), v.end());
    return v == expected;
  };
  std::vector<int> a = all, b = all, c = all, d(5000), best;
  pool.run([&] {
    heist::partial_sort(a, a.begin() + 5000, less);
    heist::inplace_merge(b, b.begin() + 10'000, less);
    heist::sort_by_cached_key(c, [](int x) { return x; }, less);
    EXPECT_EQ(heist::partial_sort_copy(all, d, less).out, d.end());
    best = heist::top_k(all, 5000, less);
    const int one = heist::kth(all, 700, less);
    EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), one));
  });
  EXPECT_TRUE(same_elements(a) && same_elements(b) && same_elements(c));
  EXPECT_EQ(best.size(), 5000u);
  for (const std::vector<int>* v : {&d, &best})
    for (const int x : *v) ASSERT_TRUE(std::binary_search(expected.begin(), expected.end(), x));
}

TEST_P(a_whimsical_comparison, combines_sets_within_the_room_for_both) {
  const std::vector<int> a = numbers(30'000), b = numbers(20'000);
  const auto within = [&](auto&& combine) {
    std::vector<int> out(a.size() + b.size() + 1, -1);
    const auto end = combine(out.begin());
    EXPECT_TRUE(end >= out.begin() && end <= out.end() - 1);
    EXPECT_EQ(out.back(), -1);
  };
  pool.run([&] {
    within([&](auto out) { return heist::set_union(a, b, out, less).out; });
    within([&](auto out) { return heist::set_intersection(a, b, out, less).out; });
    within([&](auto out) { return heist::set_difference(a, b, out, less).out; });
    within([&](auto out) { return heist::set_symmetric_difference(a, b, out, less).out; });
    static_cast<void>(heist::includes(a, b, less));
    static_cast<void>(heist::is_heap(a, less));
    static_cast<void>(heist::lexicographical_compare(a, b, less));
    const auto best = heist::par(a) | heist::stage::max(less);
    EXPECT_TRUE(best.has_value());
  });
}

// Elements whose moves are not just copies of bytes: what is used twice or not at all is seen by the sanitizers.
TEST_P(a_whimsical_comparison, neither_loses_nor_doubles_strings) {
  std::vector<std::string> v;
  for (const int i : numbers(20'000)) v.push_back("a string that lies on the heap: " + std::to_string(i));
  std::vector<std::string> expected = v;
  const auto by_end = [this](const std::string& a, const std::string& b) { return less(a.back(), b.back()); };
  pool.run([&] { heist::sort(v, by_end); });
  pool.run([&] { heist::stable_sort(v, by_end); });
  std::sort(v.begin(), v.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(v, expected);
}

}  // namespace
