// Sorting by digits: numbers of every kind, in every shape, as the standard library sorts them.

#include "tests/algorithms/support.hpp"

#include <heist/sort.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace {

using namespace heist_test;

enum class shape { random, sorted, reversed, equal, few, one_digit, clustered, nearly_sorted, small };
constexpr shape every_shape[] = {shape::random, shape::sorted,    shape::reversed,      shape::equal, shape::few,
                                 shape::one_digit, shape::clustered, shape::nearly_sorted, shape::small};

template <class K>
K number(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<K>) {
    using word = std::conditional_t<sizeof(K) == 4, std::uint32_t, std::uint64_t>;
    const K k = std::bit_cast<K>(static_cast<word>(bits));
    return std::isnan(k) ? K{1} : k;
  } else {
    return static_cast<K>(bits);
  }
}

template <class K>
std::vector<K> numbers(std::size_t n, shape s) {
  std::mt19937_64 dice(n + static_cast<std::size_t>(s));
  std::vector<K> v(n);
  constexpr int bits = static_cast<int>(std::min<std::size_t>(8 * sizeof(K), 64));
  for (K& k : v) {
    const std::uint64_t r = dice();
    switch (s) {
      case shape::equal: k = K{1}; break;
      case shape::few: k = number<K>((r % 5) * 0x123456789abcdefu); break;
      case shape::one_digit: k = number<K>((r & 255) << (bits / 2)); break;
      // Most have all but the lowest bits in common, and some are far away.
      case shape::clustered: k = r % 16 == 0 ? number<K>(dice()) : number<K>(0x5a5a5a5a5a5a0000u | (r >> 48)); break;
      case shape::small: k = static_cast<K>(r % 1000); break;
      default: k = number<K>(r);
    }
  }
  if (s == shape::sorted || s == shape::reversed || s == shape::nearly_sorted) std::sort(v.begin(), v.end());
  if (s == shape::reversed) std::reverse(v.begin(), v.end());
  if (s == shape::nearly_sorted)
    for (std::size_t i = 0; i < n / 100 + 1 && n > 0; ++i) std::swap(v[dice() % n], v[dice() % n]);
  return v;
}

// Where a digit sorter changes its way.
constexpr std::size_t lengths[] = {0, 1, 2, 24, 25, 255, 256, 257, 1000, 4097, 16384, 16385, 40'000, 100'000};

template <class K>
class sorting : public testing::Test {};
using kinds = testing::Types<signed char, unsigned short, char16_t, int, unsigned long, long long, float, double>;
TYPED_TEST_SUITE(sorting, kinds);

template <class K, class Less>
void is_like_std(std::size_t n, shape s, Less less) {
  const std::vector<K> before = numbers<K>(n, s);
  std::vector<K> expected = before;
  std::stable_sort(expected.begin(), expected.end(), less);
  std::vector<K> v = before;
  heist::sort(v, less);
  ASSERT_TRUE(std::ranges::equal(v, expected)) << n << " in shape " << static_cast<int>(s);
  v = before;
  heist::stable_sort(v, less);
  // To the bit: 0.0 and -0.0 are equal, and keep their order.
  ASSERT_TRUE(n == 0 || std::memcmp(v.data(), expected.data(), n * sizeof(K)) == 0) << n << " in shape " << static_cast<int>(s);
}

TYPED_TEST(sorting, of_numbers_is_like_the_standards) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t n : lengths)
      for (const shape s : every_shape) {
        if (s != shape::random && p.workers() != 2) continue;
        is_like_std<TypeParam>(n, s, std::less<>());
        if (n < 5000) is_like_std<TypeParam>(n, s, std::greater<>());
      }
  });
}

// Half of the numbers in [0, 1) have the same exponent: eight bits leave parts that are too large.
TEST(sorting_numbers, divides_very_many_whose_highest_digits_gather) {
  constexpr std::size_t n = (std::size_t{5} << 18) + 7;
  std::mt19937_64 dice(n);
  std::vector<double> fractions(n);
  for (double& x : fractions) x = static_cast<double>(dice() >> 11) * 0x1p-53;
  std::vector<std::int64_t> gathered(n);
  for (std::int64_t& x : gathered) x = static_cast<std::int64_t>(dice() >> (dice() % 8 == 0 ? 2 : 40));
  for (const unsigned workers : {1u, 2u}) {
    heist::pool p({.workers = workers});
    p.run([&] {
      auto is_like_std = [](auto v) {
        auto expected = v;
        std::sort(expected.begin(), expected.end());
        auto stable = v;
        heist::sort(v);
        heist::stable_sort(stable);
        EXPECT_EQ(v, expected);
        EXPECT_EQ(stable, expected);
      };
      is_like_std(fractions);
      is_like_std(gathered);
    });
  }
}

// Elements that carry something beside their key.
template <class K>
struct carrier {
  K key;
  std::uint32_t place;
  bool operator==(const carrier&) const = default;
};

template <class K>
std::vector<carrier<K>> carriers(std::size_t n, shape s) {
  const std::vector<K> keys = numbers<K>(n, s);
  std::vector<carrier<K>> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back({keys[i], static_cast<std::uint32_t>(i)});
  return v;
}

template <class K, class Less>
void carriers_are_sorted(Less less) {
  in_every_pool([&](heist::pool& p) {
    for (const std::size_t n : lengths)
      for (const shape s : every_shape) {
        if (s != shape::random && p.workers() != 2) continue;
        const std::vector<carrier<K>> before = carriers<K>(n, s);
        std::vector<carrier<K>> expected = before, v = before;
        std::ranges::stable_sort(expected, less, &carrier<K>::key);
        heist::stable_sort(v, less, &carrier<K>::key);
        ASSERT_EQ(v, expected) << n << " in shape " << static_cast<int>(s);
        v = before;
        heist::sort(v, less, &carrier<K>::key);
        ASSERT_TRUE(std::ranges::equal(v, expected, {}, &carrier<K>::key, &carrier<K>::key)) << n;
        std::ranges::sort(v, {}, &carrier<K>::place);
        ASSERT_EQ(v, before);  // nobody is lost
      }
  });
}

TEST(sorting_by_a_member, keeps_the_order_of_equal_whole_numbers) {
  carriers_are_sorted<int>(std::less<>());
  carriers_are_sorted<std::uint64_t>(std::greater<>());
}
TEST(sorting_by_a_member, keeps_the_order_of_equal_floating_point_numbers) {
  carriers_are_sorted<double>(std::ranges::less());
  carriers_are_sorted<float>(std::ranges::greater());
}
TEST(sorting_by_a_member, knows_numbers_of_128_bits) { carriers_are_sorted<__int128>(std::less<>()); }

TEST(sorting_numbers, leaves_zeros_and_their_signs_in_order) {
  for (const std::size_t n : {300u, 50'000u}) {
    std::mt19937_64 dice(n);
    std::vector<double> v(n);
    for (double& x : v) x = dice() % 3 == 0 ? 0.0 : dice() % 2 == 0 ? -0.0 : std::ldexp(static_cast<double>(dice()), -64) - 0.5;
    std::vector<double> expected = v;
    std::stable_sort(expected.begin(), expected.end());
    heist::stable_sort(v);
    EXPECT_EQ(std::memcmp(v.data(), expected.data(), n * sizeof(double)), 0);
  }
}

// To < they are equal to everything: the standard promises nothing. Here they go to the ends, and the numbers are sorted.
TEST(sorting_numbers, puts_what_is_not_a_number_at_the_ends) {
  for (const std::size_t n : {300u, 50'000u}) {
    std::mt19937_64 dice(n);
    std::vector<double> v(n);
    std::size_t low = 0, high = 0;
    for (double& x : v) {
      x = std::ldexp(static_cast<double>(dice()), -64) - 0.5;
      if (dice() % 10 == 0) x = dice() % 2 == 0 ? (++high, std::numeric_limits<double>::quiet_NaN()) : (++low, -std::numeric_limits<double>::quiet_NaN());
    }
    heist::sort(v);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::isnan(v[i]), i < low || i >= n - high);
    EXPECT_TRUE(std::is_sorted(v.begin() + static_cast<std::ptrdiff_t>(low), v.end() - static_cast<std::ptrdiff_t>(high)));
  }
}

// What cannot be copied, or lies in volatile memory, is compared.
struct only_moved {
  explicit only_moved(int k) : key(k) {}
  only_moved(only_moved&&) = default;
  only_moved& operator=(only_moved&&) = default;
  int key;
};

TEST(sorting_numbers, takes_elements_that_are_only_moved_and_volatile_ones) {
  std::vector<only_moved> v;
  for (int i = 0; i < 1000; ++i) v.emplace_back(i * 7919 % 1000);
  heist::sort(v, {}, &only_moved::key);
  EXPECT_TRUE(std::ranges::is_sorted(v, {}, &only_moved::key));
  volatile int some[300];
  for (int i = 0; i < 300; ++i) some[i] = i * 7919 % 300;
  heist::sort(some, some + 300);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(some[i], i);
}

// What is not worth a fork to the caller does not enter a pool, and must not fork.
TEST(sorting_numbers, with_a_grain_larger_than_the_range_is_serial) {
  std::thread([] {
    for (const std::size_t n : {20'000u, 100'000u, 400'000u}) {
      std::vector<int> v = numbers<int>(n, shape::clustered);
      std::vector<carrier<int>> c = carriers<int>(n, shape::random);
      heist::sort(v, heist::grain(1'000'000));
      heist::stable_sort(c, {}, &carrier<int>::key, heist::grain(1'000'000));
      EXPECT_TRUE(std::ranges::is_sorted(v));
      EXPECT_TRUE(std::ranges::is_sorted(c, {}, &carrier<int>::key));
    }
  }).join();
}

// Whenever a stop comes, all elements are there.
TEST(sorting_numbers, that_is_stopped_loses_none) {
  const std::vector<int> before = numbers<int>(400'000, shape::random);
  std::vector<int> all = before;
  std::sort(all.begin(), all.end());
  int stopped = 0;
  for (int delay = 0; delay < rounds(40); ++delay) {
    std::stop_source source;
    std::vector<int> v = before;
    std::jthread asker([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(delay * 50));
      source.request_stop();
    });
    if (delay == 0) asker.join();
    try {
      heist::sort(v, source.get_token());
    } catch (const heist::cancelled&) {
      ++stopped;
    }
    std::sort(v.begin(), v.end());
    ASSERT_EQ(v, all);
  }
  EXPECT_GT(stopped, 0);
}

}  // namespace
