#pragma once
// What the order of elements says: which value is the smallest, which range comes first, whether a
// range is a heap or is partitioned.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/extremes.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/shapes.hpp>
#include <heist/algorithm/shapes_of_two.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

struct is_heap_until_call : comparing<is_heap_until_call, std::less<>>, giving_place {
  template <class I, class S, class Comp, class Proj, class... O>
  static I run(const I& first, const S& last, Comp& comp, Proj& proj, const O&... o) {
    if constexpr (can_check_order<I, S, Comp, Proj>()) {
      const std::size_t n = detail::length(first, last);
      if (n < 2) return detail::at(first, n);
      const comparison less(comp, proj, proj);
      auto exceeds = [less, begin = detail::plain(first)](std::size_t k) {
        return less(*detail::at(begin, k / 2), *detail::at(begin, k + 1));  // its parent and the element k + 1
      };
      return detail::at(first, detail::first_place(n - 1, exceeds, options_of(o...)) + 1);
    } else {
      return first;
    }
  }
};

struct is_heap_call : comparing<is_heap_call, std::less<>>, giving_value {
  template <class I, class S, class Comp, class Proj, class... O>
  static bool run(const I& first, const S& last, Comp& comp, Proj& proj, const O&... o) {
    return is_heap_until_call::run(first, last, comp, proj, o...) == last;
  }
};

struct is_partitioned_call : asking<is_partitioned_call>, giving_value {
  template <class I, class S, class Pred, class Proj, class... O>
  static bool run(const I& first, const S& last, Pred& pred, Proj& proj, const O&... o) {
    if constexpr (can_search<I, S, Pred, Proj>()) {
      const std::size_t n = detail::length(first, last);
      const question asked(pred, proj);
      const auto begin = detail::plain(first);
      const options_of options(o...);
      auto fails = [asked, begin](std::size_t k) { return !asked(*detail::at(begin, k)); };
      const std::size_t border = detail::first_place(n, fails, options);
      if (border == n) return true;
      auto holds = [asked, begin, border](std::size_t k) { return asked(*detail::at(begin, border + 1 + k)); };
      return detail::first_place(n - border - 1, holds, options) == n - border - 1;
    } else {
      return false;
    }
  }
};

struct lexicographical_compare_call : comparing_two<lexicographical_compare_call, std::less<>>, giving_value {
  template <class I1, class S1, class I2, class S2, class Comp, class Proj1, class Proj2, class... O>
  static bool run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Comp& comp, Proj1& proj1,
                  Proj2& proj2, const O&... o) {
    if constexpr (!can_compare_ranges<I1, S1, I2, S2, Comp, Proj1, Proj2>()) {
      return false;
    } else if constexpr (!can_compare_ranges<I2, S2, I1, S1, Comp, Proj2, Proj1>()) {
      return false;
    } else {
      const std::size_t n1 = detail::length(first1, last1), n2 = detail::length(first2, last2), n = std::min(n1, n2);
      const comparison less(comp, proj1, proj2);
      const comparison greater(comp, proj2, proj1);
      auto differ = [less, greater, a = detail::plain(first1), b = detail::plain(first2)](std::size_t k) {
        return less(*detail::at(a, k), *detail::at(b, k)) || greater(*detail::at(b, k), *detail::at(a, k));
      };
      const std::size_t k = detail::first_place(n, differ, options_of(o...));
      return k == n ? n1 < n2 : less(*detail::at(first1, k), *detail::at(first2, k));
    }
  }
};

// A copy of the value at `place`.
template <class R, class I>
std::ranges::range_value_t<R> value_at(const I& place) {
  constexpr bool copyable = std::indirectly_copyable_storable<std::ranges::iterator_t<R>, std::ranges::range_value_t<R>*>;
  static_assert(copyable,
                "heist: min, max and minmax return a copy, and these elements cannot be copied; use min_element");
  if constexpr (copyable)
    return static_cast<std::ranges::range_value_t<R>>(*place);
  else
    return refused<std::ranges::range_value_t<R>>();
}

[[noreturn]] HEIST_COLD inline void refuse_empty() {
  throw std::invalid_argument("heist: an empty range has no smallest and no largest element");
}

// Only ranges have these values: min(first, last) would be the smaller of two iterators.
template <class Which, class Algorithm>
struct extreme_value {
  template <range R, function Comp = std::less<>, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(R&& r, Comp comp, Proj proj, const O&... o) const {
    using I = std::ranges::iterator_t<R>;
    if constexpr (is_fed<I, std::ranges::sentinel_t<R>> && !std::forward_iterator<I>) {
      const auto found = detail::feed_extreme_values<Which>(std::ranges::begin(r), std::ranges::end(r), comp, proj, o...);
      if (found.empty()) detail::refuse_empty();
      std::array<const std::ranges::range_value_t<R>*, Which::wanted> places;
      for (std::size_t k = 0; k < Which::wanted; ++k) places[k] = found.data() + k;
      return Algorithm::template values<std::span<const std::ranges::range_value_t<R>>>(places);
    } else {
      const auto found = detail::find_extremes<Which>(std::ranges::begin(r), std::ranges::end(r), comp, proj, o...);
      if (std::ranges::begin(r) == std::ranges::end(r)) detail::refuse_empty();
      return Algorithm::template values<R>(found);
    }
  }
  template <range R, function Comp = std::less<>, option... O>
  [[nodiscard]] auto operator()(R&& r, Comp comp, const O&... o) const {
    return (*this)(std::forward<R>(r), std::move(comp), std::identity(), o...);
  }
  template <range R, option... O>
  [[nodiscard]] auto operator()(R&& r, const O&... o) const {
    return (*this)(std::forward<R>(r), std::less<>(), std::identity(), o...);
  }
  // Values in braces.
  template <class T, class... More>
  [[nodiscard]] auto operator()(std::initializer_list<T> values, More&&... more) const {
    return (*this)(std::span<const T>(values.begin(), values.size()), std::forward<More>(more)...);
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist::min, heist::max and heist::minmax take a range, then perhaps a comparison; for two values "
                     "there are std::min, std::max and std::minmax")
};

template <class Which>
struct one_value_call : extreme_value<Which, one_value_call<Which>> {
  template <class R, class Found>
  static std::ranges::range_value_t<R> values(const Found& found) {
    return detail::value_at<R>(found[0]);
  }
};

struct both_values_call : extreme_value<smallest_and_largest, both_values_call> {
  template <class R, class Found>
  static std::ranges::minmax_result<std::ranges::range_value_t<R>> values(const Found& found) {
    return {detail::value_at<R>(found[0]), detail::value_at<R>(found[1])};
  }
};

}  // namespace detail

// min(r, comp, proj), max and minmax return the values that min_element, max_element and
// minmax_element find: of equal ones the first, but the last largest for minmax, as in std::ranges. An
// empty range throws std::invalid_argument.
inline constexpr detail::one_value_call<detail::smallest> min{};
inline constexpr detail::one_value_call<detail::largest> max{};
inline constexpr detail::both_values_call minmax{};

// is_heap_until(r, comp, proj) returns the end of the longest heap that begins at the front of the
// range; is_heap says whether that is all of it.
inline constexpr detail::is_heap_until_call is_heap_until{};
inline constexpr detail::is_heap_call is_heap{};

// is_partitioned(r, pred, proj): whether all elements for which pred is true come before the others.
// pred is called at most twice for an element.
inline constexpr detail::is_partitioned_call is_partitioned{};

// lexicographical_compare(r1, r2, comp, proj1, proj2): whether r1 comes before r2 as words do in a
// dictionary.
inline constexpr detail::lexicographical_compare_call lexicographical_compare{};

}  // namespace heist

HEIST_END
