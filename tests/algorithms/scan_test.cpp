// inclusive_scan, exclusive_scan and the transform_ forms.

#include "tests/algorithms/support.hpp"

#include <functional>
#include <numeric>
#include <ranges>
#include <string>

namespace {

using namespace heist_test;
using heist::grain;

TEST(a_scan, gives_what_the_serial_one_gives_for_every_size) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      const std::vector<affine> v = affines(n);
      const affine init{3, 4};
      const std::multiplies<> op;
      std::vector<affine> out(n), expected(n);
      std::inclusive_scan(v.begin(), v.end(), expected.begin(), op);
      ASSERT_EQ(heist::inclusive_scan(v, out.begin(), op), out.end());
      ASSERT_EQ(out, expected) << n;
      std::inclusive_scan(v.begin(), v.end(), expected.begin(), op, init);
      heist::inclusive_scan(v.begin(), v.end(), out.begin(), op, init, grain{n / 5 + 1});
      ASSERT_EQ(out, expected) << n;
      std::exclusive_scan(v.begin(), v.end(), expected.begin(), init, op);
      ASSERT_EQ(heist::exclusive_scan(v, out.begin(), init, op), out.end());
      ASSERT_EQ(out, expected) << n;
      // In place.
      out = v;
      heist::exclusive_scan(out, out.begin(), init, op, grain{10});
      ASSERT_EQ(out, expected) << n;
      std::vector<int> ones(n, 1);
      heist::inclusive_scan(ones, ones.begin());
      ASSERT_TRUE(std::ranges::equal(ones, std::views::iota(1, static_cast<int>(n) + 1)));
    }
  });
}

TEST(a_scan, gives_the_serial_one_when_it_is_robbed) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {2, 3, 5, 32, 100, 1000, 40'000}) {
      std::vector<long> out(static_cast<std::size_t>(n)), expected(out.size());
      const auto all = std::views::iota(0, n);
      for (int i = 0; i < rounds(10); ++i) {
        first_theft theft(p);
        const auto value = [&](int x) {
          theft.await();
          return static_cast<long>(x) * x;
        };
        heist::transform_inclusive_scan(all, out.begin(), std::plus<>(), value, 5L);
        std::transform_inclusive_scan(all.begin(), all.end(), expected.begin(), std::plus<>(), value, 5L);
        ASSERT_EQ(out, expected) << n;
        first_theft again(p);
        const auto plus = [&](long a, long b) {
          if (n > 2) again.await();
          return a + b;
        };
        heist::transform_exclusive_scan(all.begin(), all.end(), out.begin(), 7L, plus, value);
        std::transform_exclusive_scan(all.begin(), all.end(), expected.begin(), 7L, plus, value);
        ASSERT_EQ(out, expected) << n;
      }
    }
  });
}

TEST(a_scan, works_on_values_without_default_constructor) {
  struct text {
    explicit text(const char* s) : s_(s) {}
    explicit text(std::string s) : s_(std::move(s)) {}
    std::string s_;
    bool operator==(const text&) const = default;
  };
  const auto join = [](const text& a, const text& b) { return text(a.s_ + b.s_); };
  in_every_pool([&](heist::pool&) {
    const std::vector<text> v(300, text("ab"));
    std::vector<text> out(300, text("")), expected = out;
    heist::inclusive_scan(v, out.begin(), join);
    std::inclusive_scan(v.begin(), v.end(), expected.begin(), join);
    ASSERT_EQ(out, expected);
    heist::exclusive_scan(v, out.begin(), text("x"), join, grain{4});
    std::exclusive_scan(v.begin(), v.end(), expected.begin(), text("x"), join);
    ASSERT_EQ(out, expected);
  });
}

TEST(a_floating_point_scan, has_the_same_bits_for_every_number_of_workers_and_in_every_run) {
  heist::pool one({.workers = 1}), two({.workers = 2}), three({.workers = 3}), eight({.workers = 8});
  for (const std::size_t n : {1u, 10u, 2049u, 10'000u, 100'000u}) {
    const std::vector<double> v = touchy(n, 2);
    struct scans {
      std::vector<double> plain, summed, grained;
    };
    const auto scans_on = [&](heist::pool& p, bool robbed) {
      return p.run([&] {
        scans s{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
        first_theft theft(p);
        heist::inclusive_scan(v, s.plain.begin());
        heist::exclusive_scan(v, s.summed.begin(), 1.0, [&](double a, double b) {
          if (robbed) theft.await();
          return a + b;
        });
        heist::inclusive_scan(v, s.grained.begin(), std::plus<>(), grain{100});
        return s;
      });
    };
    const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::ranges::equal(a, b, {}, bits, bits);
    };
    const scans expected = scans_on(one, false);
    // Other orders would show.
    EXPECT_EQ(same(expected.plain, expected.grained), n <= 10);
    for (heist::pool* const p : {&one, &two, &three, &eight}) {
      for (int i = 0; i < rounds(8); ++i) {
        const scans s = scans_on(*p, n > 2);
        ASSERT_TRUE(same(s.plain, expected.plain)) << n << ", " << p->workers();
        ASSERT_TRUE(same(s.summed, expected.summed)) << n << ", " << p->workers();
        ASSERT_TRUE(same(s.grained, expected.grained)) << n << ", " << p->workers();
      }
    }
  }
}

TEST(a_scan, throws_what_an_element_throws) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {1, 3, 5000}) {
      std::vector<int> out(static_cast<std::size_t>(n));
      first_theft theft(p);
      ASSERT_EQ(thrower([&] {
        heist::transform_inclusive_scan(std::views::iota(0, n), out.begin(), std::plus<>(), [&](int i) {
          if (n > 1) theft.await();
          if (i == n / 2) throw failure(i);
          return i;
        });
      }), n / 2);
      ASSERT_EQ(failure::live(), 0);
    }
  });
}

TEST(a_scan, that_is_told_to_stop_throws) {
  in_every_pool([](heist::pool&) {
    std::vector<double> v(5000, 1);
    ASSERT_THROW(heist::inclusive_scan(v, v.begin(), stopped()), heist::cancelled);
    ASSERT_THROW(heist::exclusive_scan(v, v.begin(), 0.0, std::plus<>(), stopped(), grain{3}), heist::cancelled);
    v.resize(1);
    ASSERT_THROW(heist::inclusive_scan(v, v.begin(), stopped()), heist::cancelled);
  });
}

}  // namespace
