// reduce, transform_reduce, count and the extremes.

#include "tests/algorithms/support.hpp"

#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <tuple>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace heist_test;
using heist::grain;

TEST(reduce, gives_what_the_serial_fold_gives_for_every_size) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      const std::vector<affine> v = affines(n);
      const affine init{3, 4};
      const affine expected = std::accumulate(v.begin(), v.end(), init, std::multiplies<>());
      ASSERT_EQ(heist::reduce(v, init, std::multiplies<>()), expected) << n;
      ASSERT_EQ(heist::reduce(v.begin(), v.end(), init, std::multiplies<>(), grain{n / 7 + 1}), expected) << n;
      const std::vector<int> ones(n, 1);
      ASSERT_EQ(heist::reduce(ones), static_cast<int>(n));
    }
  });
}

TEST(reduce, gives_the_serial_fold_when_it_is_robbed) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t n : {2u, 3u, 10u, 33u, 1000u, 5000u, 70'001u}) {
      const std::vector<affine> v = affines(n);
      first_theft theft(p);
      const auto compose = [&](affine f, affine g) {
        theft.await();
        return f * g;
      };
      ASSERT_EQ(heist::transform_reduce(v, affine{}, compose, [&](affine f) {
        theft.await();
        return f;
      }), std::accumulate(v.begin(), v.end(), affine{}, std::multiplies<>())) << n;
    }
  });
}

TEST(reduce, starts_from_the_initial_value_and_gives_it_back_for_an_empty_range) {
  const std::vector<std::string> none, some{"b", "c", "d"};
  EXPECT_EQ(heist::reduce(none, std::string("a")), "a");
  EXPECT_EQ(heist::reduce(some, std::string("a")), "abcd");
  EXPECT_EQ(heist::reduce(some), "bcd");
  EXPECT_EQ(heist::reduce(std::vector<int>()), 0);
  EXPECT_EQ(heist::reduce(std::views::iota(0, 1000), 0L), 499'500);
  EXPECT_EQ(heist::reduce(std::vector<bool>(1000, true), 0L), 1000);
}

TEST(transform_reduce, folds_values_that_can_only_be_moved) {
  in_every_pool([](heist::pool&) {
    const auto sum = heist::transform_reduce(
        std::views::iota(0, 5000), std::make_unique<long>(1),
        [](std::unique_ptr<long> a, std::unique_ptr<long> b) {
          *a += *b;
          return a;
        },
        [](int i) { return std::make_unique<long>(i); });
    ASSERT_EQ(*sum, 5000L * 4999 / 2 + 1);
  });
}

TEST(transform_reduce, of_two_ranges_is_the_inner_product) {
  for (const std::size_t n : sizes(10'000)) {
    std::vector<long> a(n), b(n);
    std::iota(a.begin(), a.end(), 1);
    std::iota(b.begin(), b.end(), -100);
    ASSERT_EQ(heist::transform_reduce(a.begin(), a.end(), b.begin(), 5L), std::inner_product(a.begin(), a.end(), b.begin(), 5L));
    ASSERT_EQ(heist::transform_reduce(a.begin(), a.end(), b.begin(), 0L, std::bit_xor<>(), std::minus<>(), grain{3}),
              std::transform_reduce(a.begin(), a.end(), b.begin(), 0L, std::bit_xor<>(), std::minus<>()));
    ASSERT_EQ(heist::transform_reduce(a, b, 5L), std::inner_product(a.begin(), a.end(), b.begin(), 5L));
    ASSERT_EQ(heist::transform_reduce(a, b, 0L, std::bit_xor<>(), std::minus<>(), grain{3}),
              std::transform_reduce(a.begin(), a.end(), b.begin(), 0L, std::bit_xor<>(), std::minus<>()));
    b.resize(n / 2);  // up to the end of the shorter one
    const long half = std::inner_product(b.begin(), b.end(), a.begin(), 0L);
    ASSERT_EQ(heist::transform_reduce(a, std::as_const(b), 0L, {}, {}), half);
    ASSERT_EQ(heist::transform_reduce(b, a, 0L, grain{7}), half);
  }
}

// The sum and the sum of squares of touchy numbers, on so many workers.
struct sums {
  std::uint64_t plain, grained, squares, products;
  friend bool operator==(const sums&, const sums&) = default;
};
sums sums_of(heist::pool& p, const std::vector<double>& v, bool robbed) {
  return p.run([&] {
    first_theft theft(p);
    const auto square = [&](double x) {
      if (robbed) theft.await();
      return x * x;
    };
    return sums{bits(heist::reduce(v)), bits(heist::reduce(v, 0.0, std::plus<>(), grain{100})),
                bits(heist::transform_reduce(v, 0.0, std::plus<>(), square)),
                bits(heist::transform_reduce(v.begin(), v.end(), v.begin(), 1.0))};
  });
}

TEST(a_floating_point_sum, has_the_same_bits_for_every_number_of_workers_and_in_every_run) {
  heist::pool one({.workers = 1}), two({.workers = 2}), three({.workers = 3}), eight({.workers = 8});
  for (const std::size_t n : {1u, 10u, 2049u, 10'000u, 100'000u}) {
    const std::vector<double> v = touchy(n);
    const sums expected = sums_of(one, v, false);
    for (heist::pool* const p : {&one, &two, &three, &eight})
      for (int i = 0; i < rounds(10); ++i) ASSERT_EQ(sums_of(*p, v, n > 1), expected) << n << ", " << p->workers();
  }
}

TEST(a_floating_point_sum, would_differ_in_another_order) {
  const std::vector<double> v = touchy(10'000);
  const double ours = heist::reduce(v);
  EXPECT_NE(bits(ours), bits(std::accumulate(v.begin(), v.end(), 0.0)));
  EXPECT_NE(bits(ours), bits(heist::reduce(v, 0.0, std::plus<>(), grain{100})));
  EXPECT_NEAR(ours, std::accumulate(v.begin(), v.end(), 0.0), 1);
}

#if defined(__x86_64__)
TEST(a_floating_point_sum, has_the_same_bits_on_every_number_of_workers_when_its_caller_flushes_to_zero) {
  // Sums of these are subnormal all along.
  std::vector<double> v = touchy(20'000);
  for (double& x : v) x = std::ldexp(x, -1060);
  heist::pool one({.workers = 1}), two({.workers = 2}), eight({.workers = 8});
  const sums usual = sums_of(one, v, false);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  const sums flushed = sums_of(one, v, false);
  std::vector<sums> seen;
  for (int i = 0; i < rounds(10); ++i)
    for (heist::pool* const p : {&two, &eight}) seen.push_back(sums_of(*p, v, true));
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
  EXPECT_NE(usual, flushed);
  for (const sums& s : seen) ASSERT_EQ(s, flushed);
}
#endif

TEST(reduce, throws_what_the_first_element_in_order_throws_and_destroys_what_it_had) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {1, 2, 100, 3000}) {
      for (const int first : {0, n / 2, n - 1}) {
        first_theft theft(p);
        ASSERT_EQ(thrower([&] {
          std::ignore = heist::transform_reduce(
              std::views::iota(0, n), std::vector<int>(), [](std::vector<int> a, const std::vector<int>&) { return a; },
              [&](int i) {
                if (n > 1) theft.await();
                if (i >= first) throw failure(i);
                return std::vector<int>(1, i);
              });
        }), first);
        ASSERT_EQ(failure::live(), 0);
      }
    }
  });
}

TEST(count, gives_what_the_serial_one_gives) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      std::vector<int> v(n);
      for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i * 7919 % 10);
      ASSERT_EQ(heist::count(v, 3), std::count(v.begin(), v.end(), 3));
      const auto odd = [](int x) { return x % 2 != 0; };
      ASSERT_EQ(heist::count_if(v.begin(), v.end(), odd), std::count_if(v.begin(), v.end(), odd));
      ASSERT_EQ(heist::count_if(v, odd, [](int x) { return x / 2; }, grain{5}),
                std::ranges::count_if(v, odd, [](int x) { return x / 2; }));
    }
  });
}

TEST(count_if, adds_up_what_thieves_have_found) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {2, 3, 17, 1000, 20'000}) {
      first_theft theft(p);
      ASSERT_EQ(heist::count_if(std::views::iota(0, n), [&](int i) {
        theft.await();
        return i % 3 == 0;
      }), (n + 2) / 3);
    }
  });
}

TEST(the_extremes, are_the_first_smallest_the_first_largest_and_where_both_are_asked_for_the_last_largest) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      std::vector<int> v(n);
      for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<int>(i * 7919 % 11);
      ASSERT_EQ(heist::min_element(v), std::min_element(v.begin(), v.end())) << n;
      ASSERT_EQ(heist::max_element(v), std::max_element(v.begin(), v.end())) << n;
      const auto both = heist::minmax_element(v.begin(), v.end());
      const auto expected = std::minmax_element(v.begin(), v.end());
      ASSERT_EQ(both.first, expected.first) << n;
      ASSERT_EQ(both.second, expected.second) << n;
      ASSERT_EQ(heist::min_element(v, std::greater<>(), std::negate<>(), grain{10}),
                std::ranges::min_element(v, std::greater<>(), std::negate<>()));
    }
  });
}

TEST(the_extremes, are_right_when_thieves_take_part) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t n : {3u, 100u, 5000u}) {
      const std::vector<int> same(n, 4);
      first_theft theft(p);
      const auto less = [&](int a, int b) {
        theft.await();
        return a < b;
      };
      ASSERT_EQ(heist::min_element(same, less), same.begin());
      ASSERT_EQ(heist::max_element(same, less), same.begin());
      const auto both = heist::minmax_element(same, less);
      ASSERT_EQ(both.min, same.begin());
      ASSERT_EQ(both.max, same.end() - 1);
    }
  });
}

TEST(a_fold, that_is_told_to_stop_throws_and_gives_nothing) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : {1u, 5000u}) {
      const std::vector<double> v(n, 1);
      ASSERT_THROW(std::ignore = heist::reduce(v, stopped()), heist::cancelled);
      ASSERT_THROW(std::ignore = heist::transform_reduce(v, 0.0, std::plus<>(), std::negate<>(), grain{7}, stopped()), heist::cancelled);
      ASSERT_THROW(std::ignore = heist::count(v, 1.0, stopped(), grain{7}), heist::cancelled);
      ASSERT_THROW(std::ignore = heist::min_element(v, stopped()), heist::cancelled);
      // Half way.
      std::stop_source s;
      ASSERT_THROW(std::ignore = heist::count_if(v, [&](double) { return s.request_stop(), n > 1 || (throw heist::cancelled(), true); },
                                   s.get_token()), heist::cancelled);
      ASSERT_EQ(heist::reduce(v, std::stop_source().get_token()), static_cast<double>(n));
    }
  });
}

}  // namespace
