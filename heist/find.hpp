#pragma once
// Searches. They return the first match in the order of the range, stop early, and waste a bounded
// number of calls (algorithm/README.md, "Searches").

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Whether find(first, last) finds something in a batch of a range that cannot be split; the first
// match ends it.
template <class I, class S, class Find, option... O>
bool feed_any(I first, const S& last, const Find& find, const O&... o) {
  bool found = false;
  auto work = [&](auto& items) {
    return detail::with_places<I>(items, [&](auto a, auto b) { return find(a, b) != b; });
  };
  auto take = [&found](bool here) noexcept { return !(found = here); };
  detail::feed(std::move(first), last, rhythm::prompt, work, take, o...);
  return found;
}

// The place of that match; or the end.
template <class I, class S, class Find, option... O>
I feed_find(I first, const S& last, const Find& find, const O&... o) {
  constexpr bool again = std::forward_iterator<I>;
  static_assert(again,
                "heist: a range that can be read only once has been read further when a match is found; use any_of, or copy "
                "it into a std::vector");
  if constexpr (again) {
    std::optional<I> found;
    auto work = [&](auto& items) {
      return detail::with_places<I>(items, [&](auto a, auto b) {
        const auto place = find(a, b);
        return place == b ? std::optional<I>() : std::optional<I>(place.base());
      });
    };
    auto take = [&found](std::optional<I>&& here) {
      if (here) found = std::move(here);
      return !found;
    };
    I end = detail::feed(std::move(first), last, rhythm::prompt, work, take, o...);
    return found ? *std::move(found) : std::move(end);
  } else {
    return first;
  }
}

}  // namespace detail

// Returns the first element whose projection satisfies pred; `last` if there is none. If that is
// element k, pred is called for fewer than 2k + 2 elements, and what it throws for an element after
// k is dropped.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] I find_if(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    using place = detail::fed_place<I>;
    if constexpr (detail::can_search<place, place, Pred, Proj>())
      return detail::feed_find(
          std::move(first), last,
          [&](auto a, auto b) { return heist::find_if(a, b, std::ref(pred), std::ref(proj), o...); }, o...);
    else
      return first;
  } else if constexpr (detail::can_search<I, S, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const detail::question asked(pred, proj);
    auto holds = [asked, begin = detail::plain(first)](std::size_t k) { return asked(*detail::at(begin, k)); };
    return detail::at(first, detail::first_place(n, holds, detail::options_of(o...)));
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] I find_if(I first, S last, Pred pred, const O&... o) {
  return heist::find_if(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find_if(R&& r, Pred pred, Proj proj, const O&... o) {
  return detail::in_range(std::forward<R>(r), heist::find_if(std::ranges::begin(r), std::ranges::end(r),
                                                             std::move(pred), std::move(proj), o...));
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find_if(R&& r, Pred pred, const O&... o) {
  return heist::find_if(std::forward<R>(r), std::move(pred), std::identity(), o...);
}

// Returns the first element whose projection equals value; `last` if there is none.
template <class I, detail::sentinel<I> S, class T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] I find(I first, S last, const T& value, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    using place = detail::fed_place<I>;
    if constexpr (detail::can_search_for<place, place, T, Proj>())
      return detail::feed_find(
          std::move(first), last, [&](auto a, auto b) { return heist::find(a, b, value, std::ref(proj), o...); }, o...);
    else
      return first;
  } else if constexpr (detail::can_search_for<I, S, T, Proj>()) {
    const std::size_t n = detail::length(first, last);
    auto is_value = [&value](const auto& x) -> bool { return x == value; };
    const detail::question asked(is_value, proj);
    auto equals = [asked, begin = detail::plain(first)](std::size_t k) { return asked(*detail::at(begin, k)); };
    constexpr bool cheap = std::is_arithmetic_v<T> && detail::cheap_operation<Proj, std::iter_value_t<I>>;
    return detail::at(first, detail::first_place(n, equals, detail::options_of(o...), cheap ? detail::cheap_leaf : 1));
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
[[nodiscard]] I find(I first, S last, const T& value, const O&... o) {
  return heist::find(std::move(first), std::move(last), value, std::identity(), o...);
}
template <detail::range R, detail::value_beside<R> T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find(R&& r, const T& value, Proj proj, const O&... o) {
  return detail::in_range(std::forward<R>(r),
                          heist::find(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj), o...));
}
template <detail::range R, detail::value_beside<R> T, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> find(R&& r, const T& value, const O&... o) {
  return heist::find(std::forward<R>(r), value, std::identity(), o...);
}

// Whether pred holds for at least one, for all, or for none of the elements' projections.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool any_of(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    using place = detail::fed_place<I>;
    if constexpr (detail::can_search<place, place, Pred, Proj>())
      return detail::feed_any(
          std::move(first), last,
          [&](place a, place b) { return heist::find_if(a, b, std::ref(pred), std::ref(proj), o...); }, o...);
    else
      return false;
  } else {
    return heist::find_if(first, last, std::move(pred), std::move(proj), o...) != last;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool none_of(I first, S last, Pred pred, Proj proj, const O&... o) {
  return !heist::any_of(std::move(first), std::move(last), std::move(pred), std::move(proj), o...);
}
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool all_of(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::can_search<detail::split_place<I, S>, detail::split_end<I, S>, Pred, Proj>()) {
    auto fails = [&pred](auto&& x) -> bool { return !std::invoke(pred, std::forward<decltype(x)>(x)); };
    return !heist::any_of(std::move(first), std::move(last), fails, std::move(proj), o...);
  } else {
    return false;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] bool any_of(I first, S last, Pred pred, const O&... o) {
  return heist::any_of(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] bool none_of(I first, S last, Pred pred, const O&... o) {
  return heist::none_of(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] bool all_of(I first, S last, Pred pred, const O&... o) {
  return heist::all_of(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool any_of(R&& r, Pred pred, Proj proj, const O&... o) {
  return heist::any_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj), o...);
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] bool any_of(R&& r, Pred pred, const O&... o) {
  return heist::any_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool none_of(R&& r, Pred pred, Proj proj, const O&... o) {
  return heist::none_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj), o...);
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] bool none_of(R&& r, Pred pred, const O&... o) {
  return heist::none_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] bool all_of(R&& r, Pred pred, Proj proj, const O&... o) {
  return heist::all_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj), o...);
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] bool all_of(R&& r, Pred pred, const O&... o) {
  return heist::all_of(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::identity(), o...);
}

namespace detail {

template <class R1, class R2>
using places_in =
    std::ranges::mismatch_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>;

// The first index at which two sequences of length n differ, by pred and projections; n if there is
// none.
template <class I1, class I2, class Pred, class Proj1, class Proj2, option... O>
std::size_t first_difference(std::size_t n, const I1& first1, const I2& first2, const Pred& pred, const Proj1& proj1,
                             const Proj2& proj2, const O&... o) {
  const comparison same(pred, proj1, proj2);
  auto differ = [same, begin1 = detail::plain(first1), begin2 = detail::plain(first2)](std::size_t k) {
    return !same(*detail::at(begin1, k), *detail::at(begin2, k));
  };
  using value = std::iter_value_t<I1>;
  constexpr bool cheap = cheap_operation<Pred, value> && std::is_arithmetic_v<std::iter_value_t<I2>> &&
                         cheap_operation<Proj1, value> && cheap_operation<Proj2, std::iter_value_t<I2>>;
  return detail::first_place(n, differ, options_of(o...), cheap ? cheap_leaf : 1);
}

// Where the second sequence ends, if it is as long as the first.
template <class I1, class S1, class I2>
I2 end_beside(const I1& first1, const S1& last1, const I2& first2) {
  return std::ranges::next(first2, static_cast<std::iter_difference_t<I2>>(std::ranges::distance(first1, last1)));
}

}  // namespace detail

// Returns where two sequences first differ, by equality or a predicate, and projections. The search
// ends with the shorter sequence. As in the standard, the result is a std::pair for iterators and a
// std::ranges::mismatch_result for ranges.
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::function Proj2 = std::identity, detail::option... O>
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, Proj1 proj1, Proj2 proj2,
                                         const O&... o) {
  if constexpr (detail::is_noted<I1, S1> || detail::is_noted<I2, S2>) {
    detail::places<I1, S1> one(first1, last1);
    detail::places<I2, S2> other(first2, last2);
    const auto found = heist::mismatch(one.begin(), one.end(), other.begin(), other.end(), std::ref(pred), std::ref(proj1),
                                       std::ref(proj2), o...);
    return {one.real(found.first), other.real(found.second)};
  } else if constexpr (detail::can_compare_ranges<I1, S1, I2, S2, Pred, Proj1, Proj2>()) {
    const std::size_t n = std::min(detail::length(first1, last1), detail::length(first2, last2));
    const std::size_t k = detail::first_difference(n, first1, first2, pred, proj1, proj2, o...);
    return {detail::at(first1, k), detail::at(first2, k)};
  } else {
    return {first1, first2};
  }
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::option... O>
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, Proj1 proj1,
                                         const O&... o) {
  return heist::mismatch(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(pred),
                         std::move(proj1), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::option... O>
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, const O&... o) {
  return heist::mismatch(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(pred),
                         std::identity(), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::option... O>
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, S2 last2, const O&... o) {
  return heist::mismatch(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::equal_to<>(),
                         std::identity(), std::identity(), o...);
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::function Proj2 = std::identity, detail::option... O>
[[nodiscard]] detail::places_in<R1, R2> mismatch(R1&& r1, R2&& r2, Pred pred, Proj1 proj1, Proj2 proj2, const O&... o) {
  const auto places = heist::mismatch(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2),
                                      std::ranges::end(r2), std::move(pred), std::move(proj1), std::move(proj2), o...);
  return {detail::in_range(std::forward<R1>(r1), places.first), detail::in_range(std::forward<R2>(r2), places.second)};
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::option... O>
[[nodiscard]] detail::places_in<R1, R2> mismatch(R1&& r1, R2&& r2, Pred pred, Proj1 proj1, const O&... o) {
  return heist::mismatch(std::forward<R1>(r1), std::forward<R2>(r2), std::move(pred), std::move(proj1), std::identity(),
                         o...);
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>, detail::option... O>
[[nodiscard]] detail::places_in<R1, R2> mismatch(R1&& r1, R2&& r2, Pred pred, const O&... o) {
  return heist::mismatch(std::forward<R1>(r1), std::forward<R2>(r2), std::move(pred), std::identity(), std::identity(),
                         o...);
}
template <detail::range R1, detail::range R2, detail::option... O>
[[nodiscard]] detail::places_in<R1, R2> mismatch(R1&& r1, R2&& r2, const O&... o) {
  return heist::mismatch(std::forward<R1>(r1), std::forward<R2>(r2), std::equal_to<>(), std::identity(),
                         std::identity(), o...);
}

// The same if the second sequence is at least as long: as in the standard, its end is left out.
template <class I1, detail::sentinel<I1> S1, std::forward_iterator I2, detail::option... O>
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, const O&... o) {
  return heist::mismatch(first1, last1, first2, detail::end_beside(first1, last1, first2), o...);
}
template <class I1, detail::sentinel<I1> S1, std::forward_iterator I2, detail::function Pred, detail::option... O>
  requires(!detail::sentinel<Pred, I2>)
[[nodiscard]] std::pair<I1, I2> mismatch(I1 first1, S1 last1, I2 first2, Pred pred, const O&... o) {
  return heist::mismatch(first1, last1, first2, detail::end_beside(first1, last1, first2), std::move(pred), o...);
}

// Whether two sequences have the same length and differ nowhere.
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::function Proj2 = std::identity, detail::option... O>
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, Proj1 proj1, Proj2 proj2, const O&... o) {
  if constexpr (detail::is_noted<I1, S1> || detail::is_noted<I2, S2>) {
    detail::places<I1, S1> one(first1, last1);
    detail::places<I2, S2> other(first2, last2);
    return heist::equal(one.begin(), one.end(), other.begin(), other.end(), std::ref(pred), std::ref(proj1),
                        std::ref(proj2), o...);
  } else if constexpr (detail::can_compare_ranges<I1, S1, I2, S2, Pred, Proj1, Proj2>()) {
    const std::size_t n = detail::length(first1, last1);
    return n == detail::length(first2, last2) &&
           detail::first_difference(n, first1, first2, pred, proj1, proj2, o...) == n;
  } else {
    return false;
  }
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::option... O>
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, Proj1 proj1, const O&... o) {
  return heist::equal(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(pred),
                      std::move(proj1), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::function Pred = std::equal_to<>,
          detail::option... O>
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, S2 last2, Pred pred, const O&... o) {
  return heist::equal(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(pred),
                      std::identity(), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, detail::option... O>
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, S2 last2, const O&... o) {
  return heist::equal(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::equal_to<>(),
                      std::identity(), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, std::forward_iterator I2, detail::option... O>
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, const O&... o) {
  return heist::equal(first1, last1, first2, detail::end_beside(first1, last1, first2), o...);
}
template <class I1, detail::sentinel<I1> S1, std::forward_iterator I2, detail::function Pred, detail::option... O>
  requires(!detail::sentinel<Pred, I2>)
[[nodiscard]] bool equal(I1 first1, S1 last1, I2 first2, Pred pred, const O&... o) {
  return heist::equal(first1, last1, first2, detail::end_beside(first1, last1, first2), std::move(pred), o...);
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::function Proj2 = std::identity, detail::option... O>
[[nodiscard]] bool equal(R1&& r1, R2&& r2, Pred pred, Proj1 proj1, Proj2 proj2, const O&... o) {
  return heist::equal(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                      std::move(pred), std::move(proj1), std::move(proj2), o...);
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>,
          detail::function Proj1 = std::identity, detail::option... O>
[[nodiscard]] bool equal(R1&& r1, R2&& r2, Pred pred, Proj1 proj1, const O&... o) {
  return heist::equal(std::forward<R1>(r1), std::forward<R2>(r2), std::move(pred), std::move(proj1), std::identity(),
                      o...);
}
template <detail::range R1, detail::range R2, detail::function Pred = std::equal_to<>, detail::option... O>
[[nodiscard]] bool equal(R1&& r1, R2&& r2, Pred pred, const O&... o) {
  return heist::equal(std::forward<R1>(r1), std::forward<R2>(r2), std::move(pred), std::identity(), std::identity(),
                      o...);
}
template <detail::range R1, detail::range R2, detail::option... O>
[[nodiscard]] bool equal(R1&& r1, R2&& r2, const O&... o) {
  return heist::equal(std::forward<R1>(r1), std::forward<R2>(r2), std::equal_to<>(), std::identity(), std::identity(),
                      o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(find, "heist::find takes a range, or its two ends, and a value")
HEIST_NO_SUCH_FORM(find_if, "heist::find_if takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(any_of, "heist::any_of takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(all_of, "heist::all_of takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(none_of, "heist::none_of takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(equal, "heist::equal takes two ranges, or the two ends of each, then perhaps a predicate")

}  // namespace heist

HEIST_END
