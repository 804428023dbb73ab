// heist::par as a policy: the standard's calls, with the standard's results.

#include "tests/support.hpp"

#include <heist/execution.hpp>

#include <list>
#include <numeric>

namespace alg = heist::std_;

TEST(Policy, GivesTheStandardsResults) {
  std::vector<int> v(5000), w;
  std::iota(v.begin(), v.end(), 0);
  std::reverse(v.begin(), v.end());
  alg::sort(heist::par, v.begin(), v.end());
  EXPECT_TRUE(alg::is_sorted(heist::par, v.begin(), v.end()));
  alg::stable_sort(heist::par, v.begin(), v.end(), std::greater<>());
  EXPECT_EQ(v.front(), 4999);
  alg::nth_element(heist::par, v.begin(), v.begin() + 10, v.end());
  EXPECT_EQ(v[10], 10);
  alg::sort(heist::par, v.begin(), v.end());
  w.resize(v.size());
  EXPECT_EQ(alg::transform(heist::par, v.begin(), v.end(), w.begin(), [](int x) { return 2 * x; }), w.end());
  EXPECT_EQ(alg::transform(heist::par, v.begin(), v.end(), v.begin(), w.begin(), std::plus<>()), w.end());
  EXPECT_EQ(alg::reduce(heist::par, v.begin(), v.end()), 12'497'500);
  EXPECT_EQ(alg::reduce(heist::par, v.begin(), v.end(), 1L, std::plus<>()), 12'497'501);
  EXPECT_EQ(alg::transform_reduce(heist::par, v.begin(), v.end(), 0L, std::plus<>(), [](int x) { return x % 2; }), 2500);
  EXPECT_EQ(alg::transform_reduce(heist::par, v.begin(), v.begin() + 3, v.begin(), 0), 5);
  EXPECT_EQ(alg::count(heist::par, v.begin(), v.end(), 7), 1);
  EXPECT_EQ(alg::find(heist::par, v.begin(), v.end(), 70) - v.begin(), 70);
  EXPECT_EQ(alg::find_if_not(heist::par, v.begin(), v.end(), [](int x) { return x < 9; }) - v.begin(), 9);
  EXPECT_TRUE(alg::equal(heist::par, v.begin(), v.end(), v.begin()));
  EXPECT_FALSE(alg::equal(heist::par, v.begin(), v.end(), w.begin(), w.end()));
  EXPECT_EQ(alg::mismatch(heist::par, v.begin(), v.end(), w.begin()).first - v.begin(), 1);
  EXPECT_EQ(*alg::max_element(heist::par, v.begin(), v.end()), 4999);
  EXPECT_EQ(alg::inclusive_scan(heist::par, v.begin(), v.end(), w.begin()), w.end());
  EXPECT_EQ(w[3], 6);
  alg::exclusive_scan(heist::par, v.begin(), v.end(), w.begin(), 5);
  EXPECT_EQ(w[3], 8);
  alg::replace(heist::par, w.begin(), w.end(), 8, -8);
  EXPECT_EQ(w[3], -8);
  w.erase(alg::remove(heist::par, w.begin(), w.end(), -8), w.end());
  EXPECT_EQ(w.size(), 4999u);
  EXPECT_EQ(alg::fill_n(heist::par, w.begin(), 10, 3), w.begin() + 10);
  EXPECT_EQ(alg::copy_n(heist::par, v.begin(), 5, w.begin()), w.begin() + 5);
  EXPECT_EQ(alg::generate_n(heist::par, w.begin(), 5, [] { return 9; }), w.begin() + 5);
  EXPECT_EQ(alg::adjacent_find(heist::par, w.begin(), w.end()), w.begin());
  std::atomic<int> calls{0};
  alg::for_each(heist::par, v.begin(), v.end(), [&](int) { ++calls; });
  EXPECT_EQ(calls, 5000);
  EXPECT_THROW(alg::for_each(heist::par, v.begin(), v.end(), [](int x) { if (x == 9) throw x; }), int);
}

TEST(Policy, TakesIteratorsWithoutRandomAccess) {
  std::list<int> l{3, 1, 2};
  std::vector<int> v;
  alg::copy(heist::par, l.begin(), l.end(), std::back_inserter(v));
  EXPECT_EQ(v, (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(alg::reduce(heist::par, l.begin(), l.end(), 0), 6);
  alg::for_each(heist::par, l.begin(), l.end(), [](int& x) { ++x; });
  EXPECT_EQ(*alg::min_element(heist::par, l.begin(), l.end()), 2);
}
