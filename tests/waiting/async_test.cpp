// async: in pools and from outside, stolen from or not.

#include "tests/waiting/places.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#if !defined(HEIST_TSAN) && !defined(HEIST_ASAN)
namespace {
thread_local std::size_t allocations = 0;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* const p = std::malloc(size);
  return p != nullptr ? p : throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace {

using heist_test::eventually;
using heist_test::everywhere;
using heist_test::fib;
using heist_test::in_pools;

class async : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(places, async, everywhere);

TEST_P(async, gives_what_its_function_returns) {
  run([] {
    EXPECT_EQ(heist::async([] { return 42; }).get(), 42);
    EXPECT_EQ(heist::async([] { return std::string(1000, 'x'); }).get().size(), 1000u);
    EXPECT_EQ(*heist::async([] { return std::make_unique<int>(7); }).get(), 7);
    const auto large = heist::async([] { return std::array<int, 100>{1, 2, 3}; }).get();
    EXPECT_EQ(large[2], 3);
    bool ran = false;
    heist::async([&] { ran = true; }).get();
    EXPECT_TRUE(ran);
  });
}

int seven() { return 7; }

struct adder {
  adder() = default;
  adder(const adder&) noexcept(false) {}
  int operator()() && { return 3; }
};

TEST_P(async, takes_all_kinds_of_functions) {
  run([] {
    EXPECT_EQ(heist::async(seven).get(), 7);
    EXPECT_EQ(heist::async(&seven).get(), 7);
    EXPECT_EQ(heist::async([held = std::make_unique<int>(5)] { return *held; }).get(), 5);
    EXPECT_EQ(heist::async(adder()).get(), 3);
    const adder kept;
    EXPECT_EQ(heist::async(kept).get(), 3);
    auto mutable_one = [n = 1]() mutable { return ++n; };
    EXPECT_EQ(heist::async(mutable_one).get(), 2);
    EXPECT_EQ(heist::async(mutable_one).get(), 2);
  });
}

struct hostile {
  hostile() = default;
  hostile(const hostile&) { throw std::runtime_error("not copied"); }
  void operator()() const {}
};

TEST_P(async, throws_what_the_copy_of_its_function_throws) {
  run([] {
    const hostile h;
    EXPECT_THROW((void)heist::async(h), std::runtime_error);
  });
}

TEST_P(async, carries_an_exception_to_get) {
  run([] {
    auto f = heist::async([]() -> int { throw std::runtime_error("no"); });
    EXPECT_THROW(f.get(), std::runtime_error);
    EXPECT_FALSE(f.valid());
    auto v = heist::async([] { throw std::runtime_error("no"); });
    EXPECT_THROW(v.get(), std::runtime_error);
  });
}

TEST_P(async, by_thousands) {
  run([] {
    std::vector<heist::future<int>> futures;
    for (int i = 0; i < 10'000; ++i) futures.push_back(heist::async([i] { return i; }));
    long sum = 0;
    for (auto& f : futures) sum += f.get();
    EXPECT_EQ(sum, 49'995'000);
  });
}

TEST_P(async, with_forks_inside_and_around) {
  run([] {
    std::vector<heist::future<long>> futures;
    for (int i = 0; i < 50; ++i) futures.push_back(heist::async([i] { return fib(10 + i % 5); }));
    auto [a, b] = heist::join([] { return fib(15); }, [] { return heist::async([] { return fib(15); }).get(); });
    EXPECT_EQ(a, 610);
    EXPECT_EQ(b, 610);
    const long expected[] = {55, 89, 144, 233, 377};
    for (std::size_t i = 0; i < futures.size(); ++i) EXPECT_EQ(futures[i].get(), expected[i % 5]);
  });
}

long tree(int n) {
  if (n < 2) return n;
  auto first = heist::async([n] { return tree(n - 1); });
  const long second = tree(n - 2);
  return first.get() + second;
}

TEST_P(async, makes_trees) {
  run([] { EXPECT_EQ(tree(20), 6765); });
}

TEST_P(async, whose_future_is_passed_on_with_then) {
  run([] {
    std::vector<heist::future<std::string>> futures;
    for (int i = 0; i < 1000; ++i)
      futures.push_back(heist::async([i] { return fib(i % 8); }).then([](long n) { return std::to_string(n); }));
    auto all = heist::when_all(std::move(futures)).get();
    EXPECT_EQ(all[7], "13");
    auto [a, b] = heist::when_all(heist::async([] { return 1; }), heist::async([] {})).get();
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, std::monostate());
    auto x = heist::async([] { return fib(15); });
    auto y = heist::async([] { return fib(16); });
    EXPECT_LT(heist::when_any(x, y).get(), 2u);
  });
}

// Strand i asks the futures of random strands before it.
TEST_P(async, stays_a_future_if_what_comes_then_cannot_be_kept) {
  struct stubborn {
    stubborn() = default;
    stubborn(const stubborn&) { throw std::runtime_error("no copies"); }
    int operator()(int x) const { return x; }
  };
  heist::promise<int> p;
  heist::future<int> f = p.get_future();
  const stubborn g;
  EXPECT_THROW(static_cast<void>(f.then(g)), std::runtime_error);
  ASSERT_TRUE(f.valid());
  p.set_value(3);
  EXPECT_EQ(f.get(), 3);
}

TEST_P(async, whose_futures_are_asked_sideways) {
  for (unsigned seed = 0; seed < 20; ++seed) run([seed] {
      constexpr std::size_t n = 200;
      std::mt19937 dice(seed);
      std::vector<heist::shared_future<long>> futures;
      std::vector<long> expected;
      for (std::size_t i = 0; i < n; ++i) {
        if (i < 2) {
          futures.push_back(heist::async([] { return 1L; }));
          expected.push_back(1);
          continue;
        }
        const std::size_t a = dice() % i, b = dice() % i;
        futures.push_back(heist::async([fa = futures[a], fb = futures[b]] { return (fa.get() + fb.get() + fib(5)) % 1009; }));
        expected.push_back((expected[a] + expected[b] + 5) % 1009);
      }
      for (std::size_t i = n; i-- > 0;) EXPECT_EQ(futures[i].get(), expected[i]);
    });
}

TEST_P(async, waits_for_what_its_parent_brings_later) {
  run([] {
    heist::promise<int> p;
    auto later = p.get_future().shared();
    auto f = heist::async([later] { return later.get() + 1; });
    p.set_value(1);
    EXPECT_EQ(f.get(), 2);
  });
}

TEST_P(async, by_hundreds_that_all_wait) {
  run([] {
    heist::promise<int> p;
    auto later = p.get_future().shared();
    std::vector<heist::future<int>> futures;
    for (int i = 0; i < 300; ++i) futures.push_back(heist::async([later, i] { return later.get() + i; }));
    p.set_value(1);
    int sum = 0;
    for (auto& f : futures) sum += f.get();
    EXPECT_EQ(sum, 300 + 299 * 150);
  });
}

TEST_P(async, whose_future_is_dropped_ends_before_its_pool_does) {
  std::atomic<int> ended{0};
  const unsigned n = GetParam() == 0 ? 2 : GetParam();
  {
    heist::pool p(heist_test::workers(n));
    auto many = [&] {
      for (int i = 0; i < 500; ++i) static_cast<void>(heist::async(p, [&] {
          fib(8);
          ++ended;
        }));
    };
    GetParam() == 0 ? many() : p.run(many);
  }
  EXPECT_EQ(ended, 500);
}

TEST_P(async, in_another_pool) {
  heist::pool other(heist_test::workers(2));
  run([&] {
    auto f = heist::async(other, [&] { return other.run([] { return fib(12); }); });
    EXPECT_EQ(f.get(), 144);
  });
}

TEST_P(async, of_which_the_rest_of_the_caller_is_stolen) {
  if (GetParam() < 2) GTEST_SKIP();
  run([] {
    for (int i = 0; i < 20; ++i) {
      std::atomic<bool> stolen{false};
      auto f = heist::async([&] {
        EXPECT_TRUE(eventually([&] { return stolen.load(); }));
        return 5;
      });
      stolen = true;
      EXPECT_EQ(f.get(), 5);
    }
  });
}

TEST_P(async, whose_end_races_with_the_thief_of_its_parent) {
  if (GetParam() < 2) GTEST_SKIP();
  run([] {
    for (int i = 0; i < 3000; ++i) {
      auto f = heist::async([i] {
        for (int spin = 0; spin < i % 400; ++spin) {
          asm volatile("");
        }
        return std::make_unique<int>(i);
      });
      EXPECT_EQ(*f.get(), i);
      if (i % 7 == 0) static_cast<void>(heist::async([i] {
          for (int spin = 0; spin < i % 400; ++spin) {
          asm volatile("");
          }
        }));
    }
  });
}

TEST_P(async, on_one_worker_is_the_serial_program) {
  if (GetParam() != 1) GTEST_SKIP();
  run([] {
    std::string order;
    auto f = heist::async([&] { order += "child "; });
    order += "parent ";
    f.get();
    EXPECT_EQ(order, "child parent ");
  });
}

class async_views : public heist_test::in_each_place {};
INSTANTIATE_TEST_SUITE_P(pools, async_views, in_pools);

TEST_P(async_views, come_to_the_one_that_asks) {
  run([] {
    heist::reducer<long> sum;
    std::vector<heist::future<void>> futures;
    for (int i = 0; i < 1000; ++i) {
      *sum += 1;
      futures.push_back(heist::async([&, i] {
        heist::for_each_index(0, 10, [&](int) { *sum += i; });
      }));
    }
    for (auto& f : futures) f.get();
    EXPECT_EQ(*sum, 1000 + 10 * 499'500);
  });
}

TEST_P(async_views, come_by_then_and_when_all) {
  run([] {
    heist::reducer<long> sum;
    std::vector<heist::future<void>> futures;
    for (int i = 0; i < 500; ++i)
      futures.push_back(heist::async([&] {
                          *sum += 1;
                          fib(5);
                          return 1;
                        }).then([&](int n) { *sum += n; }));
    heist::when_all(std::move(futures)).get();
    EXPECT_EQ(*sum, 1000);
  });
}

TEST_P(async_views, of_one_worker_are_in_serial_order) {
  if (GetParam() != 1) GTEST_SKIP();
  run([] {
    heist::reducer<std::string> text;
    *text += "a";
    auto f = heist::async([&] { *text += "b"; });
    *text += "c";
    f.get();
    EXPECT_EQ(*text, "abc");
  });
}

// What nobody asks for is not counted.
TEST_P(async_views, do_not_disturb_a_measurement) {
  run([] {
    const heist::measurement m = heist::measure(
        [] {
          std::vector<heist::future<long>> futures;
          for (int i = 0; i < 100; ++i) futures.push_back(heist::async([] { return fib(8); }));
          static_cast<void>(heist::async([] { fib(5); }));
          heist::detach([] { fib(5); });
          for (auto& f : futures) f.get();
        },
        heist::unit::strand);
    // fib(8) forks 33 times, and each fork adds three strands.
    EXPECT_GE(m.work, 100 * 99);
  });
}

// Leaves of a million each, so that it does not matter how many strands are around them.
class async_measured : public heist_test::in_each_place {
 public:
  template <class F>
  void expect(int work, int span, F f) {
    for (int round = 0; round < 20; ++round) {
      const heist::measurement m = pool()->run([&] { return heist::measure(f, heist::unit::strand); });
      EXPECT_EQ(static_cast<int>(m.work / million), work);
      EXPECT_EQ(static_cast<int>(m.span / million), span);
    }
  }
  static void leaf() { heist::charge(million); }
  static void leaves(int depth) {
    if (depth == 0) return leaf();
    auto first = heist::async([depth] { leaves(depth - 1); });
    leaves(depth - 1);
    first.get();
  }
  static constexpr int million = 1'000'000;
};
INSTANTIATE_TEST_SUITE_P(pools, async_measured, in_pools);

TEST_P(async_measured, tree_has_the_span_of_a_leaf) {
  expect(64, 1, [] { leaves(6); });
}

TEST_P(async_measured, loop_counts_from_where_each_began_to_where_it_is_asked) {
  expect(20, 1, [] {
    std::vector<heist::future<void>> futures;
    for (int i = 0; i < 20; ++i) futures.push_back(heist::async(leaf));
    for (auto& f : futures) f.get();
  });
  expect(20, 20, [] {
    for (int i = 0; i < 20; ++i) heist::async(leaf).get();
  });
  expect(3, 2, [] {
    auto f = heist::async(leaf);
    leaf();
    f.get();
    leaf();
  });
}

TEST_P(async_measured, made_in_a_branch_and_asked_after_the_join) {
  expect(4, 2, [] {
    heist::future<void> f;
    heist::join([&] { f = heist::async([] { leaf(), leaf(); }); }, [] { leaf(); });
    leaf();
    f.get();
  });
}

TEST_P(async_measured, continued_and_gathered) {
  expect(3, 2, [] {
    auto f = heist::async(leaf).then(leaf);
    leaf();
    f.get();
  });
  expect(11, 1, [] {
    std::vector<heist::future<void>> futures;
    for (int i = 0; i < 10; ++i) futures.push_back(heist::async(leaf));
    auto all = heist::when_all(std::move(futures));
    leaf();
    all.get();
  });
}

#if !defined(HEIST_TSAN) && !defined(HEIST_ASAN)
// One worker: nobody steals the rest of the caller.
TEST(async_that_nobody_steals_from, allocates_nothing) {
  heist::pool p({.workers = 1});
  p.detach([] {
    long sum = 0;
    auto ask = [&] {
      for (long i = 0; i < 1000; ++i) {
        sum += heist::async([i] { return i; }).get();
        const std::array<long, 8> all = heist::async([i] { return std::array<long, 8>{i}; }).get();
        sum += all[0];
        heist::async([&] { ++sum; }).get();
      }
    };
    ask();
    const std::size_t before = allocations;
    ask();
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_EQ(sum, 2 * (2 * 499'500 + 1000));
  });
  p.wait_idle();
}
#endif

}  // namespace
