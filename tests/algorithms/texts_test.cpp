// Sorting strings by their bytes: in the order in which std::string compares, whatever is in them.

#include "tests/algorithms/support.hpp"

#include <heist/sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace heist_test;
using strings = std::vector<std::string>;

enum class shape { letters, bytes, zeros, short_ones, common, equal, few, growing, blocks, sorted, reversed, views_into_one };
constexpr shape every_shape[] = {shape::letters, shape::bytes, shape::zeros,  shape::short_ones, shape::common,  shape::equal,
                                 shape::few,     shape::growing, shape::blocks, shape::sorted,     shape::reversed};

std::string one(std::mt19937_64& dice, shape s, std::size_t i) {
  std::string t;
  auto add = [&](std::size_t n, unsigned kinds, unsigned first) {
    for (std::size_t k = 0; k < n; ++k) t += static_cast<char>(static_cast<unsigned char>(first + dice() % kinds));
  };
  switch (s) {
    case shape::bytes: add(dice() % 20, 256, 0); break;        // signs of char must not matter
    case shape::zeros: add(dice() % 12, 2, 0); break;          // "a", "a\0" and "a\0\0" differ
    case shape::short_ones: add(dice() % 3, 3, 'a'); break;
    case shape::common: t.assign(5 + 40 * (dice() % 2), 'x'), add(dice() % 16, 4, 'a'); break;
    case shape::equal: t = "the same for all, and longer than a word"; break;
    case shape::few: t = std::to_string(dice() % 7) + std::string(30, '-') + std::to_string(dice() % 5); break;
    case shape::growing: t.assign(i % 700, 'a'); break;        // each is the beginning of the next
    case shape::blocks: for (int k = 0; k < 5; ++k) t += dice() % 2 == 0 ? "aaaaaaa" : "aaaaaab"; break;  // where words end
    default: add(3 + dice() % 20, 26, 'a');
  }
  return t;
}

strings some(std::size_t n, shape s) {
  std::mt19937_64 dice(n * 31 + static_cast<std::size_t>(s));
  strings v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = one(dice, s, i);
  if (s == shape::growing) std::shuffle(v.begin(), v.end(), dice);
  if (s == shape::sorted) std::sort(v.begin(), v.end());
  if (s == shape::reversed) std::sort(v.begin(), v.end(), std::greater<>());
  return v;
}

// A key and where it was: equal keys must keep their order.
struct entry {
  std::string name;
  std::size_t place;
  friend bool operator==(const entry&, const entry&) = default;
};
std::vector<entry> entries(const strings& names) {
  std::vector<entry> all;
  for (const std::string& n : names) all.push_back({n, all.size()});
  return all;
}

class sorted_strings : public testing::TestWithParam<unsigned> {
 protected:
  template <class F>
  void in_pool(F f) const {
    heist::options o;
    o.workers = GetParam();
    heist::pool p(o);
    p.run(f);
  }
};
INSTANTIATE_TEST_SUITE_P(pools, sorted_strings, testing::Values(1u, 2u, 8u));

constexpr std::size_t lengths[] = {0, 1, 2, 16, 17, 255, 256, 257, 1000, 20'000};

TEST_P(sorted_strings, are_in_the_order_of_the_standard_library) {
  in_pool([] {
    for (const shape s : every_shape)
      for (const std::size_t n : lengths) {
        const strings before = some(n, s);
        strings expected = before, v = before;
        std::sort(expected.begin(), expected.end());
        heist::sort(v);
        ASSERT_EQ(v, expected) << n << " in shape " << static_cast<int>(s);
        std::reverse(expected.begin(), expected.end());
        heist::sort(v = before, std::greater<>());
        ASSERT_EQ(v, expected) << n << " falling, in shape " << static_cast<int>(s);
      }
  });
}

TEST_P(sorted_strings, keep_the_order_of_equal_ones_by_a_projection) {
  in_pool([] {
    for (const shape s : every_shape)
      for (const std::size_t n : {std::size_t{300}, std::size_t{20'000}}) {
        const std::vector<entry> before = entries(some(n, s));
        std::vector<entry> expected = before, v = before;
        std::ranges::stable_sort(expected, {}, &entry::name);
        heist::stable_sort(v, {}, &entry::name);
        ASSERT_TRUE(v == expected) << n << " in shape " << static_cast<int>(s);
        std::ranges::stable_sort(expected = before, std::ranges::greater(), &entry::name);
        heist::stable_sort(v = before, std::ranges::greater(), &entry::name);
        ASSERT_TRUE(v == expected) << n << " falling, in shape " << static_cast<int>(s);
      }
  });
}

TEST_P(sorted_strings, may_be_views) {
  in_pool([] {
    const strings text = some(20'000, shape::bytes);
    std::vector<std::string_view> v(text.begin(), text.end()), expected = v;
    std::string whole;  // views of which many begin at the same place
    for (const std::string& t : text) whole += t;
    for (std::size_t i = 0; i < 500; ++i) v.push_back(std::string_view(whole).substr(i % 20, i));
    expected = v;
    std::sort(expected.begin(), expected.end());
    heist::sort(v);
    EXPECT_EQ(v, expected);
  });
}

TEST_P(sorted_strings, are_a_million) {
  if (GetParam() != 2) GTEST_SKIP() << "once is enough";
  in_pool([] {
    strings v = some(1'000'000, shape::letters), expected = v;
    heist::sort(v);
    std::sort(expected.begin(), expected.end());
    EXPECT_TRUE(v == expected);
  });
}

TEST_P(sorted_strings, are_all_there_after_a_stop) {
  in_pool([] {
    const strings before = some(50'000, shape::common);
    for (int i = 0; i < 5; ++i) {
      strings v = before;
      std::stop_source stop;
      std::thread asks([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(i * 1000));
        stop.request_stop();
      });
      bool stopped = false;
      try {
        heist::sort(v, stop.get_token());
      } catch (const heist::cancelled&) {
        stopped = true;
      }
      asks.join();
      EXPECT_TRUE(stopped || std::is_sorted(v.begin(), v.end()));
      strings expected = before;
      std::sort(expected.begin(), expected.end());
      std::sort(v.begin(), v.end());
      ASSERT_TRUE(v == expected);
    }
  });
}

// By comparisons, as their order or their keys are none that bytes have.
TEST(strings_in_another_order, are_compared) {
  strings v = some(5'000, shape::letters), expected = v;
  auto by_length = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  std::stable_sort(expected.begin(), expected.end(), by_length);
  heist::stable_sort(v, by_length);
  EXPECT_EQ(v, expected);
  auto made = [](const std::string& s) { return s.substr(s.size() / 2); };  // a key that lives in no element
  std::ranges::stable_sort(expected, {}, made);
  heist::stable_sort(v, {}, made);
  EXPECT_EQ(v, expected);
  bool thrown = false;
  try {
    heist::sort(v, std::less<>(), [](const std::string& s) -> const std::string& {
      if (s.size() > 20) throw 7;
      return s;
    });
  } catch (int) {
    thrown = true;
  }
  EXPECT_TRUE(thrown);
  std::sort(v.begin(), v.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(v, expected);
}

}  // namespace
