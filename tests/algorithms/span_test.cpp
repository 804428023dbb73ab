// Work and span of the recursions, counted: the algorithms run with forks that keep both.

#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/merge_runs.hpp>
#include <heist/algorithm/merge_sort.hpp>
#include <heist/algorithm/parallel_partition.hpp>
#include <heist/algorithm/quick_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

// Every comparison, every move and every fork costs one.
struct cost {
  double work = 0, span = 0;
};
cost spent;

void pay() { ++spent.work, ++spent.span; }

// A number that is paid for.
class costly {
 public:
  explicit costly(double v) : value_(v) {}
  costly(costly&& from) : value_(from.value_) { pay(); }
  costly& operator=(costly&& from) {
    pay();
    value_ = from.value_;
    return *this;
  }
  friend bool operator<(const costly& a, const costly& b) {
    pay();
    return a.value_ < b.value_;
  }
  double value() const { return value_; }

 private:
  double value_;
};

// Runs both branches one after the other; the span is the longer one's.
class counting {
 public:
  std::size_t grain() const { return 16; }
  void check() const {}

  template <class F, class G>
  auto fork(F&& f, G&& g) const {
    pay();
    const double before = spent.span;
    double first = 0;
    auto between = [&] {
      first = spent.span;
      spent.span = before;
    };
    auto after = [&] { spent.span = std::max(first, spent.span); };
    if constexpr (std::is_void_v<decltype(f())>) {
      f();
      between();
      g();
      after();
    } else {
      auto a = f();
      between();
      auto b = g();
      after();
      return std::tuple(std::move(a), std::move(b));
    }
  }
};

std::vector<costly> random_numbers(std::size_t n) {
  std::mt19937_64 dice(n);
  std::vector<costly> v;
  v.reserve(n);
  for (std::size_t i = 0; i < n; ++i) v.emplace_back(static_cast<double>(dice() >> 40));
  return v;
}

bool sorted(const std::vector<costly>& v) { return std::ranges::is_sorted(v, {}, &costly::value); }

template <class F>
cost count(F&& f) {
  spent = {};
  f();
  return spent;
}

constexpr std::size_t smallest = 1 << 12, largest = 1 << 18;
const counting how;
std::less<> comp;
std::identity proj;
const heist::detail::comparison less(comp, proj, proj);

// run(n) for growing n: work stays below `work` times work_of(n), the span below `span` times lg^power n.
template <class Run>
void expect_bounds(Run&& run, double work, double (*work_of)(double), double span, int power) {
  std::vector<double> spans;
  for (std::size_t n = smallest; n <= largest; n *= 4) {
    const cost c = run(n);
    const double lg = std::log2(static_cast<double>(n));
    std::printf(
        "n = 2^%-2.0f  work %10.0f = %5.2f × its bound's form, span %6.0f = %5.2f × lg^%d n, parallelism %.0f\n", lg,
        c.work, c.work / work_of(static_cast<double>(n)), c.span, c.span / std::pow(lg, power), power, c.work / c.span);
    EXPECT_LE(c.work, work * work_of(static_cast<double>(n)));
    EXPECT_LE(c.span, span * std::pow(lg, power));
    spans.push_back(c.span);
  }
  // Four times the elements do not even double it; with a serial step they would quadruple it.
  for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_LE(spans[i], 2 * spans[i - 1]);
}

double n_lg_n(double n) { return n * std::log2(n); }
double linear(double n) { return n; }

TEST(the_span, of_a_merge_grows_like_the_square_of_the_logarithm) {
  expect_bounds(
      [](std::size_t n) {
        std::vector<costly> in = random_numbers(n), out = random_numbers(n);
        auto middle = in.begin() + static_cast<std::ptrdiff_t>(n / 3);
        std::sort(in.begin(), middle);
        std::sort(middle, in.end());
        heist::detail::first_failure failure;
        heist::detail::merger<heist::detail::moving, decltype(less), counting> m(less, how, failure);
        const cost c = count([&] {
          m.merge(heist::detail::run{in.data(), n / 3}, heist::detail::run{in.data() + n / 3, n - n / 3}, out.data());
        });
        EXPECT_TRUE(sorted(out));
        return c;
      },
      4, linear, 2, 2);
}

// Of a sort of random numbers.
template <class Sort>
auto counted(Sort sort) {
  return [sort](std::size_t n) {
    std::vector<costly> v = random_numbers(n);
    const cost c = count([&] { sort(v.data(), n); });
    EXPECT_TRUE(sorted(v));
    return c;
  };
}

TEST(the_span, of_merge_sort_grows_like_the_cube_of_the_logarithm) {
  auto sort = [](costly* v, std::size_t n) { heist::detail::merge_sort(v, n, less, how); };
  expect_bounds(counted(sort), 3, n_lg_n, 2, 3);
}

TEST(the_span, of_quicksort_grows_like_the_square_of_the_logarithm) {
  auto sort = [](costly* v, std::size_t n) { heist::detail::quick_sort(v, n, less, how); };
  expect_bounds(counted(sort), 3, n_lg_n, 100, 2);
}

// A predicate that takes a millisecond must not be called one after the other.
TEST(the_span, of_a_partition_of_a_few_hundred_elements_is_a_fraction_of_them) {
  for (const std::size_t n : {256u, 300u, 1000u, 2000u, 4096u}) {
    std::vector<costly> v = random_numbers(n);
    auto even = [](const costly& x) {
      pay();
      return static_cast<long>(x.value()) % 2 == 0;
    };
    const cost c = count([&] { heist::detail::parallel_partition<true>(how, v.data(), v.data() + n, even); });
    EXPECT_LE(c.span, 0.6 * c.work) << n;
    EXPECT_LE(c.span, 3 * static_cast<double>(std::max<std::size_t>(n / 64, 32)) + 200) << n;
    EXPECT_TRUE(std::is_partitioned(v.begin(), v.end(), [&](const costly& x) { return even(x); })) << n;
  }
}

}  // namespace
