#include "tests/algorithms/items.hpp"

#include <heist/merge.hpp>

#include <deque>
#include <functional>
#include <list>
#include <stop_token>

namespace {

using namespace heist_test;

using compare = std::function<bool(const item&, const item&)>;
const compare by_key = [](const item& a, const item& b) { return a.key < b.key; };

// Two sorted runs; their elements can be told apart.
struct runs {
  runs(std::size_t n1, std::size_t n2, shape s) : a(items(n1, s, 1)), b(items(n2, s, 2)) {
    for (item& i : b) i.place += 1'000'000;
    a = sorted(a);
    b = sorted(b);
    expected.resize(n1 + n2);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), by_key);
  }
  std::vector<item> a, b, expected;
};

testing::AssertionResult merges(std::size_t n1, std::size_t n2, shape s, std::size_t grain) {
  const runs r(n1, n2, s);
  std::vector<item> out(n1 + n2 + 1, item{-1, -1});
  const auto end =
      heist::merge(r.a.begin(), r.a.end(), r.b.begin(), r.b.end(), out.begin(), std::ref(by_key), heist::grain{grain});
  bool right = end == out.end() - 1 && out.back() == item{-1, -1};
  out.pop_back();
  right &= out == r.expected;
  return (right ? testing::AssertionSuccess() : testing::AssertionFailure())
         << n1 << " and " << n2 << " elements of shape " << static_cast<int>(s);
}

TEST(merging, agrees_with_the_standard_library_and_is_stable) {
  in_every_pool([](heist::pool&) {
    std::size_t k = 0;
    for (const std::size_t n : sizes(static_cast<std::size_t>(50'000 / slower)))
      for (const shape s : {shape::random, shape::few, shape::equal, shape::sorted})
        for (const std::size_t m : {std::size_t{0}, std::size_t{1}, n / 7, n, 3 * n}) {
          if (n >= 100 && ++k % 9 != 0) continue;  // large ones take turns
          ASSERT_TRUE(merges(n, m, s, 2048));
          ASSERT_TRUE(merges(m, n, s, k % 5));
        }
  });
}

TEST(merging, agrees_for_runs_that_do_not_mix) {
  in_every_pool([](heist::pool&) {
    for (const bool first_is_lower : {true, false}) {
      std::vector<int> low(3000), high(1000), out(4000);
      for (int i = 0; i < 3000; ++i) low[static_cast<std::size_t>(i)] = i;
      for (int i = 0; i < 1000; ++i) high[static_cast<std::size_t>(i)] = 5000 + i;
      first_is_lower ? heist::merge(low, high, out.begin(), heist::grain{10})
                     : heist::merge(high, low, out.begin(), heist::grain{10});
      ASSERT_TRUE(std::is_sorted(out.begin(), out.end()));
      ASSERT_EQ(out[2999] + out[3000], 2999 + 5000);
    }
  });
}

TEST(merging, takes_two_types_with_projections_of_their_own) {
  std::deque<item> a;
  std::vector<long> b, keys;
  for (int i = 0; i < 5000; ++i) a.push_back({i / 3, i}), b.push_back(i / 2);
  std::vector<item> out(10'000);
  struct to_item {
    operator item() const { return {static_cast<int>(v), -1}; }
    long v;
  };
  std::vector<to_item> second;
  for (const long x : b) second.push_back({x});
  const auto end = heist::merge(a, second, out.begin(), std::less<>(), &item::key, &to_item::v, heist::grain{50});
  EXPECT_EQ(end.out, out.end());
  for (std::size_t i = 1; i < out.size(); ++i) {
    ASSERT_LE(out[i - 1].key, out[i].key);
    // Of equals, the first range's come first.
    ASSERT_FALSE(out[i - 1].key == out[i].key && out[i - 1].place < 0 && out[i].place >= 0);
  }
}

TEST(merging, leaves_with_the_exception_of_the_serial_program) {
  const runs r(4000, 3000, shape::random);
  std::vector<std::pair<int, int>> thrown;
  in_every_pool([&](heist::pool&) {
    std::vector<item> out(7000);
    for (const int calls : {1, 100, 5000}) {
      tiring t(calls);
      EXPECT_EQ(thrower([&] {
                  heist::merge(
                      r.a.begin(), r.a.end(), r.b.begin(), r.b.end(), out.begin(), std::ref(by_key),
                      [&](const item& i) {
                        t.call();
                        return i;
                      },
                      heist::grain{16});
                }),
                1);
    }
    try {
      const compare refuse = [](const item& x, const item& y) -> bool { throw std::pair(x.place, y.place); };
      heist::merge(r.a.begin(), r.a.end(), r.b.begin(), r.b.end(), out.begin(), std::ref(refuse), heist::grain{16});
    } catch (const std::pair<int, int>& which) {
      thrown.push_back(which);
    }
  });
  ASSERT_EQ(thrown.size(), 4u);
  for (const auto& which : thrown) EXPECT_EQ(which, thrown[0]);
  EXPECT_EQ(failure::live(), 0);
}

TEST(merging, of_nonsense_and_after_a_stop_stays_in_bounds) {
  in_every_pool([](heist::pool&) {
    runs r(4000, 3000, shape::random);
    const compare whims[] = {[](const item&, const item&) { return true; },
                             [](const item& a, const item& b) { return (a.place ^ b.place) % 3 == 0; }};
    for (const compare& whim : whims) {
      std::vector<item> out(7000);
      heist::merge(r.a.begin(), r.a.end(), r.b.begin(), r.b.end(), out.begin(), std::ref(whim), heist::grain{16});
      ASSERT_EQ(places(out), places(r.expected));
    }
    std::vector<item> out(7000, item{-1, -1});
    EXPECT_THROW(heist::merge(r.a, r.b, out.begin(), std::less<>(), &item::key, &item::key, stopped()),
                 heist::cancelled);
    EXPECT_EQ(out, std::vector<item>(7000, item{-1, -1}));
  });
}

}  // namespace
