#pragma once
// Loops that count, and that look for the smallest and the largest: their answer does not depend on how they are cut.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/algorithm/tree.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

namespace heist::detail {

template <class I, class Pred, class Proj, class Options>
struct count_body {
  const I& first;
  Pred& pred;
  Proj& proj;
  const Options& options;
  std::iter_difference_t<I> found = 0;

  count_body(const I& i, Pred& p, Proj& q, const Options& o) noexcept : first(i), pred(p), proj(q), options(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options.check();
    const I end = at(first, b);
    std::iter_difference_t<I> here = 0;
    for (I i = at(first, a); i != end; ++i) here += static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))) ? 1 : 0;
    found += here;
  }
  count_body fork() const noexcept { return {first, pred, proj, options}; }
  void merge(count_body&& later) noexcept { found += later.found; }
};

// Which of two places stays: `best` comes before `next`. Equal ones: the first of the smallest and of the largest, but
// where both are wanted the last of the largest, as the standard has it.
struct smallest {
  static constexpr std::size_t wanted = 1;
  template <class I, class Less>
  static void compare(std::array<I, 1>& best, const std::array<I, 1>& next, Less& less) {
    if (less(*next[0], *best[0])) best[0] = next[0];
  }
};
struct largest {
  static constexpr std::size_t wanted = 1;
  template <class I, class Less>
  static void compare(std::array<I, 1>& best, const std::array<I, 1>& next, Less& less) {
    if (less(*best[0], *next[0])) best[0] = next[0];
  }
};
struct smallest_and_largest {
  static constexpr std::size_t wanted = 2;
  template <class I, class Less>
  static void compare(std::array<I, 2>& best, const std::array<I, 2>& next, Less& less) {
    if (less(*next[0], *best[0])) best[0] = next[0];
    if (!less(*next[1], *best[1])) best[1] = next[1];
  }
};

template <class Which, class I, class Less, class Options>
struct extremes_body {
  using places = std::array<I, Which::wanted>;

  const I& first;
  Less& less;
  const Options& options;
  places found{};
  bool any = false;

  extremes_body(const I& i, Less& l, const Options& o) noexcept : first(i), less(l), options(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options.check();
    I i = at(first, a);
    const I end = at(first, b);
    if (!any) {
      found.fill(i);
      any = true;
      ++i;
    }
    places best = found, next;
    for (; i != end; ++i) {
      next.fill(i);
      Which::compare(best, next, less);
    }
    found = best;
  }
  extremes_body fork() const noexcept { return {first, less, options}; }
  void merge(extremes_body&& later) { Which::compare(found, later.found, less); }
};

template <class Which, class I, class S, class Comp, class Proj, option... O>
  requires(!option<Comp> && !option<Proj>)
auto find_extremes(const I& first, const S& last, const Comp& comp, const Proj& proj, const O&... o) {
  const std::size_t n = length(first, last);
  const options_of options(o...);
  auto less = [&](auto&& x, auto&& y) -> bool {
    return std::invoke(comp, std::invoke(proj, std::forward<decltype(x)>(x)), std::invoke(proj, std::forward<decltype(y)>(y)));
  };
  extremes_body<Which, I, decltype(less), decltype(options)> body(first, less, options);
  using value = std::iter_value_t<I>;
  constexpr bool cheap = cheap_operation<Comp, value> && cheap_operation<Proj, value>;
  loop(n, body, options, cheap ? cheap_leaf : 1);
  if (n == 0) body.found.fill(first);
  return body.found;
}
template <class Which, class I, class S, class Comp, option... O>
  requires(!option<Comp>)
auto find_extremes(const I& first, const S& last, const Comp& comp, const O&... o) {
  return find_extremes<Which>(first, last, comp, std::identity(), o...);
}
template <class Which, class I, class S, option... O>
auto find_extremes(const I& first, const S& last, const O&... o) {
  return find_extremes<Which>(first, last, std::less<>(), std::identity(), o...);
}

}  // namespace heist::detail
