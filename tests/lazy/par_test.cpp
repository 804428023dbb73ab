// Chains of stages on 1, 2 and 8 workers, with thieves: the same results as the serial loop.

#include "tests/algorithms/support.hpp"

#include <heist/par.hpp>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace stage = heist::stage;
using heist_test::bits;
using heist_test::in_every_pool;

TEST(Par, FiltersAndTransformsInOrderWhateverIsStolen) {
  in_every_pool([](heist::pool& p) {
    heist_test::first_theft theft(p);
    const std::vector<int> got = heist::par(0, 20'000) | stage::transform([&](int i) {
                                   if (i == 1) theft.await();
                                   return i * 3;
                                 }) |
                                 stage::filter([](int x) { return x % 2 == 0; }) | heist::to<std::vector>();
    ASSERT_EQ(got.size(), 10'000u);
    for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], static_cast<int>(k) * 6);
  });
}

TEST(Par, FoldsWhatAFilterLetsThroughWithTheSameBits) {
  const std::vector<double> v = heist_test::touchy(10'000);
  std::vector<std::uint64_t> sums;
  in_every_pool([&](heist::pool& p) {
    heist_test::first_theft theft(p);
    sums.push_back(bits(heist::par(v) | stage::filter([&](const double& x) {
                          if (&x == &v[400]) theft.await();
                          return x > -1e6;
                        }) |
                        stage::reduce(0.0)));
    EXPECT_EQ(bits(heist::par(v).sum()), bits(heist::reduce(v)));
    EXPECT_EQ(bits(heist::par(v) | stage::transform([](double x) { return x / 3; }) | stage::sum()),
              bits(heist::transform_reduce(v, 0.0, std::plus<>(), [](double x) { return x / 3; })));
  });
  EXPECT_EQ(sums, std::vector(sums.size(), sums[0]));
}

TEST(Par, FillsAMapAsTheSerialLoopDoes) {
  in_every_pool([](heist::pool& p) {
    heist_test::first_theft theft(p);
    // Not associative: only the serial order gives this.
    const auto combine = [](std::string a, const std::string& b) { return "(" + a + b + ")"; };
    const std::map<int, std::string> got = heist::par(0, 300) | stage::transform([&](int i) {
                                             if (i == 1) theft.await();
                                             return std::pair(i % 100, std::to_string(i));
                                           }) |
                                           stage::collect<std::map>(combine);
    ASSERT_EQ(got.size(), 100u);
    EXPECT_EQ(got.at(7), "((7107)207)");
  });
}

// As those of a map are: its keys are const.
TEST(Par, GathersElementsThatCannotBeAssigned) {
  std::map<int, std::string> all;
  for (int i = 0; i < 2000; ++i) all.emplace_hint(all.end(), i, std::to_string(i));
  in_every_pool([&](heist::pool& p) {
    heist_test::first_theft theft(p);
    const auto odd = [&](const std::pair<const int, std::string>& e) {
      if (e.first == 1) theft.await();
      return e.first % 2 == 1;
    };
    const auto some = heist::par(all) | stage::filter(odd) | heist::to<std::vector>();
    ASSERT_EQ(some.size(), 1000u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(some[static_cast<std::size_t>(i)].first, 2 * i + 1);
    const auto few = heist::par(all) | stage::filter(odd) | stage::take(10) | heist::to<std::map<int, std::string>>();
    ASSERT_EQ(few.rbegin()->second, "19");
  });
}

TEST(Par, KeepsValuesInBraces) {
  const auto chain = heist::par({1, 2, 3}) | stage::transform([](int i) { return i * i; });
  EXPECT_EQ(chain.sum(), 14);
}

TEST(Par, FindsTheFirstAndStopsEarly) {
  in_every_pool([](heist::pool&) {
    std::atomic<int> asked{0};
    const auto found = heist::par(0, 1'000'000) | stage::inspect([&](int) { ++asked; }) |
                       stage::filter([](int i) { return i % 7 == 6; }) |
                       stage::find_first([](int i) { return i > 100; });
    EXPECT_EQ(found, 104);
    EXPECT_LE(asked, 2 * 104 + 2);
    EXPECT_TRUE(heist::par(0, 1'000'000).any([](int i) { return i == 10; }));
    EXPECT_FALSE(heist::par(0, 1000).all([](int i) { return i != 999; }));
    EXPECT_EQ(heist::par(0, 100'000).find_any([](int i) { return i == 77'777; }), 77'777);
    EXPECT_FALSE(heist::par(0, 100).find_any([](int i) { return i < 0; }));
  });
}

TEST(Par, TakesTheFirstThatAFilterLetsThrough) {
  in_every_pool([](heist::pool&) {
    const std::vector<int> got =
        heist::par(0, 100'000) | stage::filter([](int i) { return i % 10 == 3; }) | stage::take(5) | heist::to<std::vector>();
    EXPECT_EQ(got, (std::vector<int>{3, 13, 23, 33, 43}));
  });
}

TEST(Par, ThrowsTheFirstExceptionInTheOrderOfTheRange) {
  in_every_pool([](heist::pool&) {
    auto chain = heist::par(0, 10'000) | stage::transform([](int i) {
                   if (i >= 5000) throw i;
                   return i;
                 });
    try {
      chain.for_each([](int) {});
      ADD_FAILURE();
    } catch (int i) {
      EXPECT_EQ(i, 5000);
    }
    EXPECT_THROW(static_cast<void>(chain.reduce(0)), int);
    EXPECT_EQ(chain.find_first([](int i) { return i == 4999; }), 4999);
    EXPECT_THROW(static_cast<void>(heist::par(0, 10).reduce(0, std::plus<>(), heist_test::stopped())), heist::cancelled);
  });
}
