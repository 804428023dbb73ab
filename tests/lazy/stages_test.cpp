// Every stage and every end, on ranges of all kinds.

#include "tests/algorithms/support.hpp"

#include <heist/par.hpp>

#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <unordered_map>

namespace stage = heist::stage;
using heist_test::in_every_pool;

namespace {

struct no_default {
  explicit no_default(int of) : x(of) {}
  int x;
  friend bool operator==(const no_default&, const no_default&) = default;
};

const auto even = [](int i) { return i % 2 == 0; };

}  // namespace

TEST(Stages, ZipWithWhatHasNoEndOrNoKnownOne) {
  auto dozens = std::views::iota(0) | std::views::filter([](int k) { return k % 12 == 0; });
  const auto below_five = std::views::iota(0) | std::views::take_while([](int k) { return k < 5; });
  in_every_pool([&](heist::pool&) {
    const auto numbered = heist::par(0, 100) | stage::zip(dozens) | stage::values() | stage::to<std::vector>();
    EXPECT_EQ(numbered.size(), 100u);
    EXPECT_EQ(numbered.back(), 99 * 12);
    EXPECT_EQ((heist::par(0, 100) | stage::zip(below_five, dozens) | stage::count()), 5u);
    EXPECT_EQ((heist::par(0, 0) | stage::zip(dozens) | stage::count()), 0u);
    std::istringstream words("a b c d");
    EXPECT_EQ((heist::par(0, 3) | stage::zip(std::views::istream<std::string>(words)) | stage::count()), 3u);
    std::string next;
    words >> next;
    EXPECT_EQ(next, "d");
  });
}

TEST(Stages, HavePlacesUntilAFilter) {
  std::vector<int> v(1000);
  std::iota(v.begin(), v.end(), 0);
  in_every_pool([&](heist::pool&) {
    const auto pairs = heist::par(v) | stage::enumerate() | stage::to<std::vector>();
    static_assert(std::is_same_v<decltype(pairs), const std::vector<std::pair<std::size_t, int>>>);
    EXPECT_EQ(pairs[17], std::pair(std::size_t{17}, 17));
    const std::vector<char> letters{'a', 'b', 'c'};
    const auto zipped = heist::par(v) | stage::zip(letters, std::array{1.5, 2.5, 3.5, 4.5}) | stage::to<std::vector>();
    EXPECT_EQ(zipped.size(), 3u);
    EXPECT_EQ(zipped[2], std::tuple(2, 'c', 3.5));
    const auto numbered = heist::par(letters) | stage::zip(std::views::iota(7)) | stage::to<std::vector>();
    EXPECT_EQ(numbered.size(), letters.size());
    EXPECT_EQ(numbered[2].second, 9);
    auto odd = std::views::iota(0) | std::views::transform([](int k) { return 2 * k + 1; });
    EXPECT_EQ((heist::par(0, 1000) | stage::zip(odd) | stage::transform([](int, int x) { return x; }) | stage::sum()),
              1'000'000);
    const auto chunks = heist::par(v) | stage::chunks(300) |
                        stage::transform([](std::span<int> c) { return std::pair(c.front(), c.size()); }) |
                        stage::to<std::vector>();
    EXPECT_EQ(chunks.back(), std::pair(900, std::size_t{100}));
    EXPECT_EQ((heist::par(v) | stage::windows(3) | stage::count()), 998u);
    EXPECT_EQ((heist::par(v) | stage::take(2) | stage::windows(3) | stage::count()), 0u);
    const auto some = heist::par(v) | stage::reverse() | stage::drop(1) | stage::stride(400) | stage::to<std::vector>();
    EXPECT_EQ(some, (std::vector{998, 598, 198}));
    EXPECT_EQ((heist::par(v) | stage::drop(2000) | stage::count()), 0u);
    EXPECT_EQ((heist::par(v) | stage::take(0) | stage::sum()), 0);
    const auto twice = heist::par(v) | stage::transform([](int x) { return 2 * x; });
    EXPECT_EQ((twice | stage::zip(twice) | stage::all([](int a, int b) { return a == b; })), true);
    const auto slices = twice | stage::chunks(2) | stage::take(2) | stage::to<std::vector>();
    EXPECT_EQ(slices, (std::vector<std::vector<int>>{{0, 2}, {4, 6}}));
  });
  EXPECT_THROW(static_cast<void>(stage::chunks(0)), std::invalid_argument);
}

TEST(Stages, ThatNeedPlacesGatherAfterAFilter) {
  in_every_pool([](heist::pool&) {
    const auto evens = heist::par(0, 1000) | stage::filter(even);
    EXPECT_EQ((evens | stage::enumerate() | stage::all([](std::size_t k, int x) { return 2 * k == std::size_t(x); })),
              true);
    EXPECT_EQ((evens | stage::chunks(200) | stage::count()), 3u);
    EXPECT_EQ((evens | stage::drop(499) | stage::find_first()), 998);
    EXPECT_EQ((evens | stage::reverse() | stage::find_first()), 998);
    EXPECT_EQ((evens | stage::zip(evens) | stage::count()), 500u);
    EXPECT_EQ((evens | stage::transform([](int i) { return i > 500; }) | stage::enumerate() |
               stage::filter([](auto, bool b) { return b; }) | stage::count()),
              249u);
  });
}

TEST(Stages, FlattenAndFilterMap) {
  in_every_pool([](heist::pool&) {
    const auto digits =
        heist::par(0, 200) | stage::flat_map([](int i) { return std::to_string(i); }) | heist::to<std::string>();
    std::string serial;
    for (int i = 0; i < 200; ++i) serial += std::to_string(i);
    EXPECT_EQ(digits, serial);
    const std::vector<std::vector<int>> nested{{1, 2}, {}, {3}};
    EXPECT_EQ((heist::par(nested) | stage::flatten() | stage::to<std::vector>()), (std::vector{1, 2, 3}));
    const auto halves = heist::par(0, 10) |
                        stage::filter_map([](int i) { return i % 2 == 0 ? std::optional(i / 2) : std::nullopt; }) |
                        stage::to<std::vector>();
    EXPECT_EQ(halves, (std::vector{0, 1, 2, 3, 4}));
    // Early, also in a range that does not end.
    const auto first = heist::par(5, 10) | stage::flat_map([](int i) { return std::views::iota(i); }) |
                       stage::find_first([](int i) { return i == 1000; });
    EXPECT_EQ(first, 1000);
  });
}

TEST(Stages, TakeRangesOfAllKinds) {
  in_every_pool([](heist::pool&) {
    const std::list<int> list{1, 2, 3};
    const std::forward_list<int> chained{1, 2, 3};
    std::deque<int> deque{1, 2, 3};
    const int array[] = {1, 2, 3};
    std::map<std::string, int> map{{"a", 1}, {"b", 2}, {"c", 3}};
    std::istringstream text("1 2 3");
    EXPECT_EQ(heist::par(list).sum(), 6);
    EXPECT_EQ(heist::par(chained).sum(), 6);
    EXPECT_EQ(heist::par(deque).sum(), 6);
    EXPECT_EQ(heist::par(array).sum(), 6);
    EXPECT_EQ(heist::par(array + 0, array + 3).sum(), 6);
    EXPECT_EQ((heist::par(map) | stage::values() | stage::sum()), 6);
    EXPECT_EQ((heist::par(map) | stage::keys() | stage::reduce(std::string())), "abc");
    heist::par(map).for_each([](auto& entry) { entry.second = 7; });
    EXPECT_EQ(map.at("b"), 7);
    EXPECT_EQ(heist::par(std::views::istream<int>(text)).sum(), 6);
    EXPECT_EQ(heist::par(std::views::iota(1, 4)).sum(), 6);
    EXPECT_EQ((heist::par(list) | stage::enumerate() | stage::find_first([](auto k, int) { return k == 2; }))->second,
              3);
    const std::vector<bool> flags{true, false, true};
    EXPECT_EQ((heist::par(flags) | stage::filter(std::identity()) | stage::count()), 2u);
    EXPECT_EQ((heist::par(flags) | heist::to<std::vector>()), flags);
    EXPECT_EQ(heist::par(std::vector<int>()).sum(), 0);
    EXPECT_EQ(heist::par(5, 2).count(), 0u);
    EXPECT_EQ(heist::par(0u, 10l).sum(), 45);
  });
}

TEST(Stages, TakeTheViewsOfTheStandard) {
  std::vector<int> v(1000);
  std::iota(v.begin(), v.end(), 0);
  in_every_pool([&](heist::pool&) {
    EXPECT_EQ((heist::par(v) | std::views::drop(998) | heist::to<std::vector>()), (std::vector{998, 999}));
    EXPECT_EQ((heist::par(v | std::views::reverse) | stage::find_first()), 999);
    const auto mixed = heist::par(v) | stage::transform([](int x) { return x + 1; }) | std::views::reverse |
                       std::views::take(2) | stage::transform([](int x) { return -x; }) | heist::to<std::vector>();
    EXPECT_EQ(mixed, (std::vector{-1000, -999}));
    EXPECT_EQ((heist::par(v) | std::views::filter(even) | stage::count()), 500u);
  });
}

TEST(Stages, EndInContainersOfAllKinds) {
  in_every_pool([](heist::pool&) {
    const auto squares = heist::par(0, 100) | stage::transform([](int i) { return i * i; });
    EXPECT_EQ((squares | heist::to<std::set>()).size(), 100u);
    EXPECT_EQ((squares | heist::to<std::list<long>>()).back(), 9801);
    EXPECT_EQ(squares.to<std::deque>()[5], 25);
    EXPECT_EQ(squares.collect()[6], 36);
    EXPECT_EQ(squares.to<std::vector<double>>()[7], 49.0);
    const auto by_rest = heist::par(0, 100) | stage::transform([](int i) { return std::pair(i % 10, i); });
    EXPECT_EQ((by_rest | stage::collect<std::unordered_map<int, int>>()).at(3), 3);
    EXPECT_EQ((by_rest | stage::collect<std::unordered_map<int, int>>(std::plus<>())).at(3), 480);
    EXPECT_EQ(by_rest.to<std::multimap>().size(), 100u);
    const auto objects =
        heist::par(0, 100) | stage::transform([](int i) { return no_default(i); }) | heist::to<std::vector>();
    EXPECT_EQ(objects[42], no_default(42));
    std::vector<int> out(50, -1);
    const auto end = heist::par(0, 100) | stage::filter(even) | stage::copy(out.begin());
    EXPECT_EQ(end, out.end());
    EXPECT_EQ(out[49], 98);
  });
}

TEST(Stages, EndInFoldsAndExtremes) {
  in_every_pool([](heist::pool&) {
    const std::vector<std::string> words{"to", "be", "or", "not", "to", "be"};
    EXPECT_EQ(heist::par(words).max_by(&std::string::size), "not");
    EXPECT_EQ(heist::par(words).min_by(&std::string::size), "to");
    EXPECT_EQ(heist::par(words).max(), "to");
    EXPECT_EQ(heist::par(words).min(std::greater<>()), "to");
    EXPECT_EQ(heist::par(words).max_by(std::identity(), std::greater<>()), "be");
    EXPECT_EQ(heist::par(words).reduce(std::string()), "tobeornottobe");
    EXPECT_EQ(heist::par(words).reduce(heist::op::append<std::string>()), "tobeornottobe");
    EXPECT_EQ(heist::par(0, 0).max(), std::nullopt);
    EXPECT_EQ(heist::par(3, 5).reduce([](int a, int b) { return a * b; }), 12);
    EXPECT_EQ((heist::par(0, 0) | stage::reduce([](int a, int b) { return a * b; })), std::nullopt);
    EXPECT_EQ((heist::par(0, 100) | stage::filter(even) | stage::reduce(heist::op::max<int>())), 98);
    // An operation that is associative and not commutative.
    const auto all = heist_test::affines(5000);
    const auto serial = std::accumulate(all.begin(), all.end(), heist_test::affine(), std::multiplies<>());
    EXPECT_EQ((heist::par(all) | stage::filter([](auto&) { return true; }) |
               stage::reduce(heist_test::affine(), std::multiplies<>())),
              serial);
    std::vector<std::array<int, 500>> large(40);
    const auto add = [](std::array<int, 500> a, const std::array<int, 500>& b) { return a[0] += b[0], a; };
    for (auto& x : large) x[0] = 1;
    EXPECT_EQ(
        (heist::par(large) | stage::filter([](auto&) { return true; }) | stage::reduce(std::array<int, 500>(), add))[0],
        40);
  });
}

TEST(Stages, MoveWhatCannotBeCopied) {
  in_every_pool([](heist::pool&) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 100; ++i) v.push_back(std::make_unique<int>(i));
    auto some = heist::par(v) | stage::filter([](const auto& p) { return *p >= 90; }) | stage::as_rvalue() |
                heist::to<std::vector>();
    ASSERT_EQ(some.size(), 10u);
    EXPECT_EQ(*some[9], 99);
    EXPECT_EQ(v[95], nullptr);
    auto made =
        heist::par(0, 10) | stage::transform([](int i) { return std::make_unique<int>(i); }) | heist::to<std::vector>();
    EXPECT_EQ(*made[9], 9);
    auto rest = heist::par(std::move(made)) | stage::as_rvalue() | stage::drop(8) | heist::to<std::vector>();
    EXPECT_EQ(*rest[1], 9);
    auto sum = heist::par(0, 1000) | stage::transform([](int i) { return std::make_unique<int>(i); }) |
               stage::reduce([](std::unique_ptr<int> a, std::unique_ptr<int> b) {
                 *a += *b;
                 return a;
               });
    EXPECT_EQ(**sum, 499'500);
  });
}

TEST(Stages, RunOnceAndOnlyAtTheEnd) {
  in_every_pool([](heist::pool&) {
    std::atomic<int> calls{0};
    const auto chain = heist::par(0, 1000) | stage::inspect([&](int) { ++calls; }) | stage::filter(even);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(chain.count(), 500u);
    EXPECT_EQ(calls, 1000);
    const auto saved = stage::transform([](int i) { return i + 1; }) | stage::filter(even) | stage::sum();
    EXPECT_EQ((heist::par(0, 4) | saved), 6);
    EXPECT_EQ((heist::par(0, 2) | saved), 2);
  });
}

TEST(Stages, KeepTheLimitOfALoop) {
  heist::pool p(heist_test::workers(4));
  std::atomic<int> now{0}, most{0};
  p.run([&] {
    heist::par(0, 200).for_each(
        [&](int) {
          const int here = ++now;
          int seen = most;
          while (here > seen && !most.compare_exchange_weak(seen, here)) {
          }
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          --now;
        },
        heist::limit{2});
  });
  EXPECT_LE(most, 2);
}
