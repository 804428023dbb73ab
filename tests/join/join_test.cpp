#include <heist/heist.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace {

long fib(int n) {
  if (n < 2) return n;
  auto [a, b] = heist::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

TEST(join, needs_no_set_up) { EXPECT_EQ(fib(20), 6765); }

TEST(join, returns_the_results_in_order) {
  const auto [a, b, c] = heist::join([] { return 1; }, [] { return std::string("two"); }, [] { return 3.0; });
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, "two");
  EXPECT_EQ(c, 3.0);
}

TEST(join, throws_what_a_branch_throws) {
  heist::pool p({.workers = 2});
  EXPECT_THROW(p.run([] { heist::join([] { throw std::runtime_error("f"); }, [] {}); }), std::runtime_error);
  EXPECT_THROW(p.run([] { heist::join([] {}, [] { throw std::logic_error("g"); }); }), std::logic_error);
}

TEST(join, gives_the_serial_answer_on_every_pool) {
  for (const unsigned workers : {1u, 2u, 3u, 8u}) {
    heist::pool p({.workers = workers});
    for (int i = 0; i < 20; ++i) EXPECT_EQ(p.run([] { return fib(18); }), 2584);
  }
}

TEST(scope, waits_for_its_children) {
  for (const unsigned workers : {1u, 2u, 8u}) {
    heist::pool p({.workers = workers});
    const long sum = p.run([] {
      std::atomic<long> n{0};
      heist::scope s;
      for (int i = 0; i < 10'000; ++i) s.spawn([&n, i] { n += i; });
      s.sync();
      return n.load();
    });
    EXPECT_EQ(sum, 49'995'000);
  }
}

}  // namespace
