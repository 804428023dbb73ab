#pragma once
// Loops that count, or find the smallest and the largest element. Their result does not depend on
// how they are split.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

template <class I, class Holds, class Options>
struct count_body {
  const I& first;
  const Holds& holds;
  const Options& options;
  std::iter_difference_t<I> found = 0;

  count_body(const I& i, const Holds& h, const Options& o) noexcept : first(i), holds(h), options(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options.check();
    const Holds here = holds;
    const I end = detail::at(first, b);
    std::iter_difference_t<I> more = 0;
    for (I i = detail::at(first, a); i != end; ++i)
      if (here(*i)) ++more;  // g++ 12 vectorises this, but not the addition of a bool
    found += more;
  }
  count_body fork() const noexcept { return {first, holds, options}; }
  void merge(count_body&& later) noexcept { found += later.found; }
};

// Like std::ranges::find_if, which g++ would export to other modules, with our functions in it.
template <class I, class Holds>
I next_that(I i, const I& end, const Holds& holds) {
  while (i != end && !holds(*i)) ++i;
  return i;
}

// What to find. better() continues with [i, end), which is after `best` in the range. Of equal
// elements it finds the first smallest and the first largest, but if both are wanted the last
// largest, as in the standard. It searches from each to the next better one: those are rare, so no
// comparison has to wait for the one before it.
struct smallest {
  static constexpr std::size_t wanted = 1;
  template <class I, class Less>
  static void better(std::array<I, 1>& best, I i, const I& end, const Less& less) {
    I low = best[0];
    auto lower = [&](auto&& x) -> bool { return less(x, *low); };
    while ((i = next_that(i, end, lower)) != end) low = i++;
    best = {low};
  }
};
struct largest {
  static constexpr std::size_t wanted = 1;
  template <class I, class Less>
  static void better(std::array<I, 1>& best, I i, const I& end, const Less& less) {
    I high = best[0];
    auto higher = [&](auto&& x) -> bool { return less(*high, x); };
    while ((i = next_that(i, end, higher)) != end) high = i++;
    best = {high};
  }
};
struct smallest_and_largest {
  static constexpr std::size_t wanted = 2;
  // Two at a time, with three comparisons instead of four. The first is unpredictable, so there is
  // no branch on it.
  template <class I, class Less>
  static void better(std::array<I, 2>& best, I i, const I& end, const Less& less) {
    I low = best[0], high = best[1];
    auto meet = [&](const I& lower, const I& higher) {
      if (less(*lower, *low)) low = lower;
      if (!less(*higher, *high)) high = higher;
    };
    if constexpr (std::random_access_iterator<I>)
      for (; end - i >= 2; i += 2) {
        const auto descends = static_cast<std::iter_difference_t<I>>(less(*(i + 1), *i));
        meet(i + descends, i + (1 - descends));
      }
    for (; i != end; ++i) meet(i, i);
    best = {low, high};
  }
};

template <class Which, class I, class Less, class Options>
struct extremes_body {
  const I& first;
  const Less& less;
  const Options& options;
  std::array<I, Which::wanted> found{};
  bool any = false;

  extremes_body(const I& i, const Less& l, const Options& o) noexcept : first(i), less(l), options(o) {}

  void operator()(std::size_t a, std::size_t b) {
    options.check();
    I i = detail::at(first, a);
    if (!any) {
      found.fill(i++);
      any = true;
    }
    const Less here = less;
    Which::better(found, i, detail::at(first, b), here);
  }
  extremes_body fork() const noexcept { return {first, less, options}; }
  void merge(extremes_body&& later) {
    for (const I& place : later.found) Which::better(found, place, detail::at(place, 1), less);
  }
};

template <class Which, class I, class S, class Comp, class Proj, option... O>
std::array<I, Which::wanted> find_extremes(const I& first, const S& last, const Comp& comp, const Proj& proj,
                                           const O&... o);

// The same for a range that cannot be split: the best of batches, which come in the order of the range.
template <class Which, class I, class S, class Comp, class Proj, option... O>
std::array<I, Which::wanted> feed_extremes(const I& first, const S& last, const Comp& comp, const Proj& proj,
                                           const O&... o) {
  using places = std::array<I, Which::wanted>;
  using place = fed_place<I>;
  constexpr bool again = std::forward_iterator<I>;
  static_assert(again,
                "heist: a range that can be read only once has no place to point to; reduce it with heist::op::min, or copy "
                "it into a std::vector");
  if constexpr (again) {
    std::optional<places> best;
    auto work = [&](auto& items) {
      return detail::with_places<I>(items, [&](place a, place b) {
        const auto found = detail::find_extremes<Which>(a, b, comp, proj, o...);
        places here;
        std::transform(found.begin(), found.end(), here.begin(), [](const place& p) { return p.base(); });
        return here;
      });
    };
    const comparison less(comp, proj, proj);
    auto take = [&](places&& here) {
      if (!best) {
        best = std::move(here);
      } else {
        for (const I& i : here) Which::better(*best, i, std::next(i), less);
      }
      return true;
    };
    const I end = detail::feed(first, last, rhythm::prompt, work, take, o...);
    if (best) return *best;
    places none;
    none.fill(end);
    return none;
  } else {
    return refused<places>();
  }
}

// The values themselves, for a range that can be read only once; none if it is empty.
template <class Which, class I, class S, class Comp, class Proj, option... O>
std::vector<std::iter_value_t<I>> feed_extreme_values(I first, const S& last, const Comp& comp, const Proj& proj,
                                                      const O&... o) {
  using values = std::vector<std::iter_value_t<I>>;
  using place = const std::iter_value_t<I>*;
  values best;
  auto work = [&](values& items) {
    values here;
    for (const place p : detail::find_extremes<Which>(place(items.data()), place(items.data() + items.size()), comp, proj, o...))
      here.push_back(*p);
    return here;
  };
  const comparison less(comp, proj, proj);
  auto take = [&](values&& here) {
    if (best.empty()) {
      best = std::move(here);
      return true;
    }
    std::array<place, Which::wanted> found;
    std::transform(best.begin(), best.end(), found.begin(), [](const auto& x) { return std::addressof(x); });
    for (const auto& x : here) {
      const place at = std::addressof(x);
      Which::better(found, at, at + 1, less);
    }
    values better;
    for (const place p : found) better.push_back(*p);
    best = std::move(better);
    return true;
  };
  detail::feed(std::move(first), last, rhythm::prompt, work, take, o...);
  return best;
}

template <class Which, class I, class S, class Comp, class Proj, option... O>
std::array<I, Which::wanted> find_extremes(const I& first, const S& last, const Comp& comp, const Proj& proj,
                                           const O&... o) {
  if constexpr (is_fed<I, S>) {
    return detail::feed_extremes<Which>(first, last, comp, proj, o...);
  } else if constexpr (can_check_order<I, S, Comp, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const options_of options(o...);
    const comparison less(comp, proj, proj);
    extremes_body<Which, I, comparison<const Comp, const Proj>, decltype(options)> body(first, less, options);
    using value = std::iter_value_t<I>;
    constexpr bool cheap = cheap_operation<Comp, value> && cheap_operation<Proj, value>;
    detail::loop(n, body, options, cheap ? cheap_leaf : 1);
    if (n == 0) body.found.fill(first);
    return body.found;
  } else {
    return refused<std::array<I, Which::wanted>>();
  }
}

}  // namespace heist::detail

HEIST_END
