#pragma once
// Six chains of lazy ranges, and the loops that a programmer would write by hand instead: all stages in one body. Each gives a
// number to check; for two workers the loop by hand runs over two halves, in a join.

#include <bench/common/bench.hpp>

#include <heist/join.hpp>
#include <heist/par.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <ranges>
#include <utility>
#include <vector>

namespace lazy_bench {

struct input {
  std::vector<double> a, b;  // between 0 and 1
  std::vector<long> small;   // 0 … 7

  explicit input(std::size_t n) : a(n), b(n), small(n) {
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<double>(i * 7919 % 10'007) / 10'007;
      b[i] = static_cast<double>(i * 104'729 % 10'009) / 10'009;
      small[i] = static_cast<long>(i * 31 % 8);
    }
  }
};

// part(lo, hi) for the whole, or for two halves at once; then both into one.
template <class Part, class Both>
auto by_hand(std::size_t n, int workers, const Part& part, const Both& both) {
  if (workers == 1) return part(std::size_t{0}, n);
  auto [first, second] = heist::join([&] { return part(std::size_t{0}, n / 2); }, [&] { return part(n / 2, n); });
  return both(std::move(first), std::move(second));
}

struct chain {
  const char* name;
  double (*hand)(const input&, int workers);
  double (*lazy)(const input&);
};

namespace stage = heist::stage;

inline double squares_by_hand(const input& in, int workers) {
  const auto part = [&](std::size_t lo, std::size_t hi) {
    double sum = 0;
    for (std::size_t i = lo; i < hi; ++i) sum += in.a[i] * in.a[i];
    return sum;
  };
  return by_hand(in.a.size(), workers, part, std::plus<>());
}
inline double squares(const input& in) {
  return heist::par(in.a) | stage::transform([](double x) { return x * x; }) | stage::reduce(0.0);
}

inline double roots_by_hand(const input& in, int workers) {
  const auto part = [&](std::size_t lo, std::size_t hi) {
    double sum = 0;
    for (std::size_t i = lo; i < hi; ++i)
      if (in.a[i] > 0.5) sum += std::sqrt(in.a[i]);
    return sum;
  };
  return by_hand(in.a.size(), workers, part, std::plus<>());
}
inline double roots(const input& in) {
  return heist::par(in.a) | stage::filter([](double x) { return x > 0.5; }) |
         stage::transform([](double x) { return std::sqrt(x); }) | stage::reduce(0.0);
}

inline double dot_by_hand(const input& in, int workers) {
  const auto part = [&](std::size_t lo, std::size_t hi) {
    double sum = 0;
    for (std::size_t i = lo; i < hi; ++i) sum += in.a[i] * in.b[i];
    return sum;
  };
  return by_hand(in.a.size(), workers, part, std::plus<>());
}
inline double dot(const input& in) {
  return heist::par(in.a) | stage::zip(in.b) | stage::transform([](double x, double y) { return x * y; }) | stage::reduce(0.0);
}

inline double keep_by_hand(const input& in, int workers) {
  const auto part = [&](std::size_t lo, std::size_t hi) {
    std::vector<double> kept;
    for (std::size_t i = lo; i < hi; ++i)
      if (in.a[i] > in.b[0] + 0.3) kept.push_back(2 * in.a[i]);
    return kept;
  };
  const auto append = [](std::vector<double>&& first, std::vector<double>&& second) {
    first.insert(first.end(), second.begin(), second.end());
    return std::move(first);
  };
  const std::vector<double> all = by_hand(in.a.size(), workers, part, append);
  return static_cast<double>(all.size()) + all.back();
}
inline double keep(const input& in) {
  const double least = in.b[0] + 0.3;
  const auto all = heist::par(in.a) | stage::filter([least](double x) { return x > least; }) |
                   stage::transform([](double x) { return 2 * x; }) | heist::to<std::vector>();
  return static_cast<double>(all.size()) + all.back();
}

inline double unfold_by_hand(const input& in, int workers) {
  const auto part = [&](std::size_t lo, std::size_t hi) {
    long sum = 0;
    for (std::size_t i = lo; i < hi; ++i)
      for (long k = 0; k < in.small[i]; ++k) sum += k * k + in.small[i];
    return sum;
  };
  return static_cast<double>(by_hand(in.small.size(), workers, part, std::plus<>()));
}
inline double unfold(const input& in) {
  return static_cast<double>(heist::par(in.small) | stage::flat_map([](long n) {
                               return std::views::iota(0L, n) | std::views::transform([n](long k) { return k * k + n; });
                             }) |
                             stage::reduce(0L));
}

inline double farthest_by_hand(const input& in, int workers) {
  using place = std::pair<double, std::size_t>;
  const auto part = [&](std::size_t lo, std::size_t hi) {
    place best(-1, 0);
    for (std::size_t i = lo; i < hi; ++i)
      if (const double far = std::abs(in.a[i] - in.b[i]); far > best.first) best = {far, i};
    return best;
  };
  const auto both = [](place x, place y) { return y.first > x.first ? y : x; };
  return static_cast<double>(by_hand(in.a.size(), workers, part, both).second);
}
inline double farthest(const input& in) {
  const auto best = heist::par(in.a) | stage::zip(in.b) | stage::transform([](double x, double y) { return std::abs(x - y); }) |
                    stage::enumerate() | stage::max_by([](const auto& at) { return at.second; });
  return static_cast<double>(best->first);
}

inline constexpr chain chains[] = {
    {"transform, reduce", squares_by_hand, squares},
    {"filter, transform, reduce", roots_by_hand, roots},
    {"zip, transform, reduce", dot_by_hand, dot},
    {"filter, transform, to vector", keep_by_hand, keep},
    {"flat_map, reduce", unfold_by_hand, unfold},
    {"zip, transform, enumerate, max_by", farthest_by_hand, farthest},
};

}  // namespace lazy_bench
