// for_each, for_each_n, transform; fill, generate, copy, reverse; histogram. for_each_index has its tests in tests/scope.

#include "tests/algorithms/support.hpp"

#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <tuple>

namespace {

using namespace std::chrono_literals;

using namespace heist_test;
using heist::grain;

struct visited {
  int seen = 0;
};

TEST(for_each, visits_every_element_once) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      std::vector<visited> v(n);
      heist::for_each(v, [](visited& x) { ++x.seen; });
      heist::for_each(v.begin(), v.end(), [](int& seen) { ++seen; }, &visited::seen);
      heist::for_each(v, [](int& seen) { ++seen; }, &visited::seen, grain{n / 9 + 1});
      ASSERT_EQ(heist::for_each_n(v.begin(), static_cast<std::ptrdiff_t>(n), [](visited& x) { ++x.seen; }), v.end());
      ASSERT_EQ(std::ranges::count(v, 4, &visited::seen), static_cast<std::ptrdiff_t>(n));
    }
    std::vector<int> few(3);
    ASSERT_EQ(heist::for_each_n(few.begin(), 2, [](int& x) { x = 1; }), few.begin() + 2);
    ASSERT_EQ(heist::for_each_n(few.begin(), -1, [](int& x) { x = 2; }), few.begin());
    ASSERT_EQ(few, (std::vector{1, 1, 0}));
  });
}

TEST(for_each, visits_every_element_once_when_it_is_robbed_again_and_again) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {2, 3, 10, 100, 1000, 30'000}) {
      for (int round = 0; round < rounds(10); ++round) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        first_theft theft(p);
        heist::for_each(std::views::iota(0, n), [&](int i) {
          theft.await();
          if (i % 64 == 0) std::this_thread::yield();
          ++seen[static_cast<std::size_t>(i)];
        });
        ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), n);
      }
    }
  });
}

TEST(for_each, runs_in_order_on_one_worker) {
  heist::pool one({.workers = 1});
  one.run([] {
    for (const int n : {1, 2, 10, 1000, 20'000}) {
      std::vector<int> seen;
      heist::for_each(std::views::iota(0, n), [&](int i) { seen.push_back(i); });
      ASSERT_TRUE(std::ranges::equal(seen, std::views::iota(0, n)));
    }
  });
}

// The elements 0 … 5 each wait for a theft of their own: after each, half of what is left must lie there again before the
// next begins, as blocks are short where somebody is hungry.
TEST(for_each, gives_away_half_of_what_is_left_each_time_it_was_robbed) {
  heist::pool two({.workers = 2});
  two.run([&] {
    const std::size_t before = two.stats().steals;
    std::atomic<int> calls{0};
    heist::for_each_index(std::size_t{0}, std::size_t{200}, [&](std::size_t i) {
      EXPECT_TRUE(i >= 6 || eventually([&] { return two.stats().steals > before + i; })) << i;
      // Long enough that each is a block of its own.
      for (const auto start = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - start < 50us;) {
      }
      ++calls;
    });
    EXPECT_EQ(calls.load(), 200);
  });
}

TEST(a_strands_pace, quickens_as_long_as_nobody_steals_and_follows_the_clock_when_somebody_does) {
  using heist::detail::pace;
  const std::uint64_t right = heist::detail::ten_microseconds_in_ticks();
  pace p;
  EXPECT_EQ(p.block(), 1u);
  EXPECT_TRUE(p.worth_a_fork(2));
  EXPECT_FALSE(p.worth_a_fork(1));
  for (std::size_t size = 1; size <= 256; size *= 4) {
    EXPECT_FALSE(p.timed(size, 1023));
    p.did(size);
    EXPECT_EQ(p.block(), 4 * size);
  }
  EXPECT_TRUE(p.timed(256, 1024)) << "in a long loop";
  EXPECT_FALSE(p.worth_a_fork(p.block() / 2)) << "crumbs";
  p.contest();
  EXPECT_EQ(p.block(), 1u) << "what comes may be dear";
  EXPECT_TRUE(p.worth_a_fork(2));
  EXPECT_TRUE(p.timed(1, 2));
  p.took(1, 1);
  EXPECT_EQ(p.block(), 8u) << "not too fast";
  EXPECT_FALSE(p.worth_a_fork(32));
  p.took(8, 2 * right);
  EXPECT_EQ(p.block(), 4u);
  EXPECT_FALSE(p.worth_a_fork(16));
  EXPECT_TRUE(p.worth_a_fork(17));
  p.took(4, 1000 * right);
  EXPECT_EQ(p.block(), 1u);
  EXPECT_TRUE(p.worth_a_fork(2)) << "where one element is dear";
  p.took(1, 0);
  EXPECT_EQ(p.block(), 8u);
  p.contest();
  EXPECT_EQ(p.block(), 8u) << "once";
  EXPECT_EQ(p.for_thief().block(), 1u);
  EXPECT_TRUE(p.for_thief().timed(1, 2));
  EXPECT_FALSE(pace(1, 100).for_thief().worth_a_fork(100));
}

TEST(one_element, is_not_worth_a_fork_nor_the_way_into_a_pool) {
  const std::thread::id me = this_thread();
  int calls = 0;
  const auto here = [&](int x) {
    ++calls;
    EXPECT_EQ(heist::detail::this_worker(), nullptr) << "not even into a pool";
    EXPECT_EQ(this_thread(), me);
    return x + 1;
  };
  const auto holds = [&](int x) { return here(x) > 0; };
  std::vector<int> one{0}, out(1);
  heist::for_each(one, here);
  heist::transform(one, out.begin(), here);
  heist::generate(out, [&](std::size_t k) { return here(static_cast<int>(k)); });
  std::ignore = heist::histogram(one, 2, here);
  std::ignore = heist::transform_reduce(one, 0, std::plus<>(), here);
  std::ignore = heist::count_if(one, holds);
  heist::transform_inclusive_scan(one, out.begin(), std::plus<>(), here);
  std::ignore = heist::find_if(one, holds);
  heist::copy_if(one, out.begin(), holds);
  heist::partition(one, holds);
  heist::stable_partition(one, holds);
  std::ignore = heist::remove_if(one, holds);
  EXPECT_EQ(calls, 12) << "once each";
}

TEST(for_each, throws_what_the_first_element_in_order_throws) {
  in_every_pool([](heist::pool& p) {
    for (const int n : {1, 2, 30, 5000}) {
      for (const int first : {0, n / 3, n - 1}) {
        first_theft theft(p);
        ASSERT_EQ(thrower([&] {
          heist::for_each(std::views::iota(0, n), [&](int i) {
            if (n > 1) theft.await();
            if (i >= first) throw failure(i);
          });
        }), first);
        ASSERT_EQ(failure::live(), 0);
      }
    }
  });
}

TEST(a_loop, that_is_told_to_stop_throws_and_soon_calls_nothing_any_more) {
  in_every_pool([](heist::pool&) {
    for (const int n : {1, 100, 1'000'000}) {
      auto never = [](int) { FAIL() << "called"; };
      ASSERT_THROW(heist::for_each(std::views::iota(0, n), never, stopped()), heist::cancelled);
      ASSERT_THROW(heist::for_each(std::views::iota(0, n), never, grain{3}, stopped()), heist::cancelled);
      ASSERT_THROW(heist::for_each_index(0, n, never, stopped(), grain{3}), heist::cancelled);
    }
    std::stop_source s;
    std::atomic<int> calls{0};
    ASSERT_THROW(heist::for_each(std::views::iota(0, 1'000'000), [&](int) {
      if (++calls == 1000) s.request_stop();
    }, s.get_token()), heist::cancelled);
    ASSERT_LT(calls.load(), 1'000'000);
    // One that is asked too late is done.
    std::stop_source late;
    heist::for_each(std::views::iota(0, 1), [&](int) { late.request_stop(); }, late.get_token());
  });
}

TEST(transform, writes_what_the_serial_one_writes) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      std::vector<int> v(n);
      std::iota(v.begin(), v.end(), 0);
      std::vector<long> out(n, -1), expected(n);
      const auto f = [](int x) { return 3L * x; };
      std::transform(v.begin(), v.end(), expected.begin(), f);
      ASSERT_EQ(heist::transform(v, out.begin(), f).out, out.end());
      ASSERT_EQ(out, expected);
      std::fill(out.begin(), out.end(), -1);
      ASSERT_EQ(heist::transform(v.begin(), v.end(), out.begin(), f, [](int x) { return -x; }, grain{7}), out.end());
      ASSERT_TRUE(std::ranges::equal(out, expected, {}, std::negate<>()));
      // Two ranges, as far as the shorter goes, and in place.
      const std::vector<int> twice(2 * n, 5);
      ASSERT_EQ(heist::transform(twice, out, out.begin(), [](int a, long b) { return a - b; }).out, out.end());
      ASSERT_TRUE(std::ranges::equal(out, expected, {}, {}, [](long x) { return x + 5; }));
      heist::transform(out.begin(), out.end(), v.begin(), out.begin(), std::minus<>());
      ASSERT_TRUE(std::ranges::equal(out, v, {}, {}, [](int x) { return 2 * x + 5; }));
    }
  });
}

TEST(fill_generate_copy_and_reverse, write_what_the_serial_ones_write) {
  in_every_pool([](heist::pool&) {
    for (const std::size_t n : sizes(100'000)) {
      std::vector<int> v(n);
      heist::fill(v, 7);
      ASSERT_EQ(std::count(v.begin(), v.end(), 7), static_cast<std::ptrdiff_t>(n));
      heist::generate(v, [](std::size_t k) { return static_cast<int>(k); });
      ASSERT_TRUE(std::ranges::equal(v, std::views::iota(0, static_cast<int>(n))));
      std::vector<int> out(n);
      ASSERT_EQ(heist::copy(v, out.begin()).out, out.end());
      ASSERT_EQ(out, v);
      heist::reverse(out);
      ASSERT_TRUE(std::equal(v.begin(), v.end(), out.rbegin()));
      heist::reverse(out.begin(), out.end(), grain{2});
      ASSERT_EQ(out, v);
      heist::fill(out.begin(), out.end(), 1, grain{100});
      ASSERT_EQ(std::reduce(out.begin(), out.end()), static_cast<int>(n));
    }
    std::atomic<int> calls{0};
    std::vector<int> counted(1000);
    heist::generate(counted, [&] { return ++calls; });
    std::sort(counted.begin(), counted.end());
    ASSERT_TRUE(std::ranges::equal(counted, std::views::iota(1, 1001)));
    std::vector<std::unique_ptr<int>> owners(1000);
    heist::generate(owners, [](std::size_t k) { return std::make_unique<int>(static_cast<int>(k)); });
    heist::reverse(owners);
    ASSERT_EQ(*owners.front(), 999);
    ASSERT_THROW(heist::fill(counted, 1, stopped()), heist::cancelled);
    ASSERT_THROW(heist::copy(counted, counted.begin(), stopped()), heist::cancelled);
  });
}

// Others are refused: tests/misuse.
TEST(a_function_without_const, is_called_if_it_has_captured_nothing) {
  struct doubled {
    int operator()(int x) { return 2 * x; }
  };
  in_every_pool([](heist::pool&) {
    std::vector<int> v(10'000, 1);
    heist::transform(v, v.begin(), doubled());
    heist::transform(v.begin(), v.end(), v.begin(), doubled(), doubled());
    EXPECT_EQ(v, std::vector<int>(10'000, 8));
  });
}

TEST(histogram, counts_what_a_serial_loop_counts) {
  in_every_pool([](heist::pool& p) {
    for (const std::size_t n : sizes(100'000)) {
      for (const std::size_t bins : {1u, 10u, 1000u}) {
        std::vector<unsigned> v(n);
        for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<unsigned>(i * i * 2'654'435'761u % bins);
        std::vector<std::size_t> expected(bins);
        for (const unsigned x : v) ++expected[x];
        ASSERT_EQ(heist::histogram(v, bins), expected);
        ASSERT_EQ(heist::histogram(v.begin(), v.end(), bins, std::identity(), grain{n / 3 + 1}), expected);
      }
    }
    first_theft theft(p);
    const auto counts = heist::histogram(std::views::iota(0, 50'000), 7, [&](int x) {
      theft.await();
      return x % 7;
    });
    ASSERT_EQ(counts, (std::vector<std::size_t>{7143, 7143, 7143, 7143, 7143, 7143, 7142}));
    ASSERT_THROW(std::ignore = heist::histogram(std::views::iota(-1, 5000), 5000), std::out_of_range);
    ASSERT_THROW(std::ignore = heist::histogram(std::views::iota(0, 5001), 5000), std::out_of_range);
    ASSERT_THROW(std::ignore = heist::histogram(std::views::iota(0, 10), 10, stopped()), heist::cancelled);
    ASSERT_TRUE(heist::histogram(std::views::iota(0, 0), 0, stopped()).empty()) << "nothing was left to do";
  });
}

}  // namespace
