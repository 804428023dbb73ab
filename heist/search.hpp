#pragma once
// More searches: for neighbours, from the end, and for one range in another. Like those of find.hpp
// they return the first match in the order of their search, stop early, and waste a bounded number
// of calls: if the first match is the k-th place, fewer than 2k + 2 places are looked at.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/shapes.hpp>
#include <heist/algorithm/shapes_of_two.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>
#include <heist/find.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Searches backwards. Returns the part from the last match on, or an empty part at the end.
template <class I, class Pred, class Proj, class... O>
std::pair<I, I> from_last_match(const I& first, std::size_t n, Pred& pred, Proj& proj, const O&... o) {
  const question asked(pred, proj);
  auto holds = [asked, n, begin = detail::plain(first)](std::size_t k) { return asked(*detail::at(begin, n - 1 - k)); };
  const std::size_t place = detail::first_place(n, holds, options_of(o...));
  return {detail::at(first, place == n ? n : n - 1 - place), detail::at(first, n)};
}

// The result of find_last and its like is the part that begins with the match, for iterators too:
// std::ranges has both forms, and std has neither.
struct giving_tail : giving_part {
  template <class I>
  static subrange<I> for_iterators(std::pair<I, I> part) {
    return {std::move(part.first), std::move(part.second)};
  }
};

struct find_if_not_call : asking<find_if_not_call>, giving_place {
  static constexpr bool takes_any = true;
  template <class I, class S, class Pred, class Proj, class... O>
  static I run(const I& first, const S& last, Pred& pred, Proj& proj, const O&... o) {
    if constexpr (is_fed<I, S>) {
      auto fails = [&pred](auto&& x) -> bool { return !std::invoke(pred, std::forward<decltype(x)>(x)); };
      return heist::find_if(first, last, fails, std::ref(proj), o...);
    } else if constexpr (can_search<I, S, Pred, Proj>()) {
      const question asked(pred, proj);
      auto fails = [asked, begin = detail::plain(first)](std::size_t k) { return !asked(*detail::at(begin, k)); };
      return detail::at(first, detail::first_place(detail::length(first, last), fails, options_of(o...)));
    } else {
      return first;
    }
  }
};

struct find_last_if_call : asking<find_last_if_call>, giving_tail {
  template <class I, class S, class Pred, class Proj, class... O>
  static std::pair<I, I> run(const I& first, const S& last, Pred& pred, Proj& proj, const O&... o) {
    if constexpr (can_search<I, S, Pred, Proj>())
      return detail::from_last_match(first, detail::length(first, last), pred, proj, o...);
    else
      return {first, first};
  }
};

struct find_last_if_not_call : asking<find_last_if_not_call>, giving_tail {
  template <class I, class S, class Pred, class Proj, class... O>
  static std::pair<I, I> run(const I& first, const S& last, Pred& pred, Proj& proj, const O&... o) {
    if constexpr (can_search<I, S, Pred, Proj>()) {
      auto fails = [&pred](auto&& x) -> bool { return !std::invoke(pred, std::forward<decltype(x)>(x)); };
      return detail::from_last_match(first, detail::length(first, last), fails, proj, o...);
    } else {
      return {first, first};
    }
  }
};

struct find_last_call : looking_for<find_last_call>, giving_tail {
  template <class I, class S, class T, class Proj, class... O>
  static std::pair<I, I> run(const I& first, const S& last, const T& value, Proj& proj, const O&... o) {
    if constexpr (can_search_for<I, S, T, Proj>()) {
      auto equals = [&value](const auto& x) -> bool { return x == value; };
      return detail::from_last_match(first, detail::length(first, last), equals, proj, o...);
    } else {
      return {first, first};
    }
  }
};

struct contains_call : looking_for<contains_call>, giving_value {
  static constexpr bool takes_any = true;
  template <class I, class S, class T, class Proj, class... O>
  static bool run(const I& first, const S& last, const T& value, Proj& proj, const O&... o) {
    return heist::find(first, last, value, proj, o...) != last;
  }
};

struct adjacent_find_call : comparing<adjacent_find_call, std::equal_to<>>, giving_place {
  template <class I, class S, class Equal, class Proj, class... O>
  static I run(const I& first, const S& last, Equal& equal, Proj& proj, const O&... o) {
    if constexpr (can_compare_ranges<I, S, I, S, Equal, Proj, Proj>()) {
      const std::size_t n = detail::length(first, last);
      if (n < 2) return detail::at(first, n);
      const comparison same(equal, proj, proj);
      auto alike = [same, begin = detail::plain(first)](std::size_t k) {
        return same(*detail::at(begin, k), *detail::at(begin, k + 1));
      };
      using value = std::iter_value_t<I>;
      constexpr bool cheap = cheap_operation<Equal, value> && cheap_operation<Proj, value>;
      const std::size_t place = detail::first_place(n - 1, alike, options_of(o...), cheap ? cheap_leaf : 1);
      return detail::at(first, place == n - 1 ? n : place);
    } else {
      return first;
    }
  }
};

struct find_first_of_call : comparing_two<find_first_of_call, std::equal_to<>>, giving_place {
  template <class I1, class S1, class I2, class S2, class Pred, class Proj1, class Proj2, class... O>
  static I1 run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Pred& pred, Proj1& proj1,
                Proj2& proj2, const O&... o) {
    if constexpr (can_compare_ranges<I1, S1, I2, S2, Pred, Proj1, Proj2>()) {
      const comparison same(pred, proj1, proj2);
      auto is_one = [same, begin = detail::plain(first1), wanted = detail::plain(first2),
                     m = detail::length(first2, last2)](std::size_t k) {
        for (std::size_t j = 0; j < m; ++j)
          if (same(*detail::at(begin, k), *detail::at(wanted, j))) return true;
        return false;
      };
      return detail::at(first1, detail::first_place(detail::length(first1, last1), is_one, options_of(o...)));
    } else {
      return first1;
    }
  }
};

// Whether the second range begins at the element k of the first.
template <class I1, class I2, class Same>
struct occurrence {
  I1 text;
  I2 wanted;
  std::size_t size;
  Same same;

  bool operator()(std::size_t k) const {
    for (std::size_t j = 0; j < size; ++j)
      if (!same(*detail::at(text, k + j), *detail::at(wanted, j))) return false;
    return true;
  }
};

enum class search_from : unsigned char { front, back };

template <search_from end>
struct search_call : comparing_two<search_call<end>, std::equal_to<>>, giving_part {
  template <class I1, class S1, class I2, class S2, class Pred, class Proj1, class Proj2, class... O>
  static std::pair<I1, I1> run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Pred& pred,
                               Proj1& proj1, Proj2& proj2, const O&... o) {
    if constexpr (can_compare_ranges<I1, S1, I2, S2, Pred, Proj1, Proj2>()) {
      const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
      const I1 none = detail::at(first1, n);
      if (m == 0) return end == search_from::front ? std::pair(first1, first1) : std::pair(none, none);
      if (n < m) return {none, none};
      using same_type = comparison<Pred, Proj1, Proj2>;
      using text_type = std::remove_const_t<decltype(detail::plain(first1))>;
      using wanted_type = std::remove_const_t<decltype(detail::plain(first2))>;
      const occurrence<text_type, wanted_type, same_type> occurs{detail::plain(first1), detail::plain(first2), m,
                                                                 same_type(pred, proj1, proj2)};
      const std::size_t places = n - m + 1;
      std::size_t place;
      if constexpr (end == search_from::front) {
        place = detail::first_place(places, occurs, options_of(o...));
        if (place == places) return {none, none};
      } else {
        auto mirrored = [&occurs, places](std::size_t k) { return occurs(places - 1 - k); };
        place = detail::first_place(places, mirrored, options_of(o...));
        if (place == places) return {none, none};
        place = places - 1 - place;
      }
      return {detail::at(first1, place), detail::at(first1, place + m)};
    } else {
      return {first1, first1};
    }
  }
};

struct contains_subrange_call : comparing_two<contains_subrange_call, std::equal_to<>>, giving_value {
  template <class I1, class S1, class I2, class S2, class Pred, class Proj1, class Proj2, class... O>
  static bool run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Pred& pred, Proj1& proj1,
                  Proj2& proj2, const O&... o) {
    const auto found =
        search_call<search_from::front>::run(first1, last1, first2, last2, pred, proj1, proj2, o...);
    return found.first != found.second || first2 == last2;
  }
};

template <search_from end>
struct at_end_call : comparing_two<at_end_call<end>, std::equal_to<>>, giving_value {
  template <class I1, class S1, class I2, class S2, class Pred, class Proj1, class Proj2, class... O>
  static bool run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Pred& pred, Proj1& proj1,
                  Proj2& proj2, const O&... o) {
    if constexpr (can_compare_ranges<I1, S1, I2, S2, Pred, Proj1, Proj2>()) {
      const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
      if (n < m) return false;
      const I1 from = end == search_from::front ? first1 : detail::at(first1, n - m);
      return detail::first_difference(m, from, first2, pred, proj1, proj2, o...) == m;
    } else {
      return false;
    }
  }
};

// The first run of `count` elements begins where a run begins. So only there are more elements
// looked at, and each of them at most twice.
template <class I, class S, class T, class Pred, class Proj, class... O>
std::pair<I, I> find_run(const I& first, const S& last, std::iter_difference_t<I> count, const T& value, Pred& pred,
                         Proj& proj, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return all.real(detail::find_run(all.begin(), all.end(), count, value, pred, proj, o...));
  } else if constexpr (can_compare_ranges<I, S, const T*, const T*, Pred, Proj, std::identity>()) {
    const std::size_t n = detail::length(first, last);
    if (count <= 0) return {first, first};
    const auto m = static_cast<std::size_t>(count);
    const I none = detail::at(first, n);
    if (n < m) return {none, none};
    std::identity plain_value;
    const comparison same(pred, proj, plain_value);
    auto begins = [same, &value, m, begin = detail::plain(first)](std::size_t k) {
      auto is = [&](std::size_t i) { return same(*detail::at(begin, i), value); };
      if (!is(k) || (k > 0 && is(k - 1))) return false;
      for (std::size_t i = k + 1; i < k + m; ++i)
        if (!is(i)) return false;
      return true;
    };
    const std::size_t place = detail::first_place(n - m + 1, begins, options_of(o...));
    if (place == n - m + 1) return {none, none};
    return {detail::at(first, place), detail::at(first, place + m)};
  } else {
    return {first, first};
  }
}

struct search_n_call {
  template <class I, sentinel<I> S, class T, function Pred = std::equal_to<>, function Proj = std::identity, option... O>
  [[nodiscard]] I operator()(I first, S last, std::iter_difference_t<I> count, const T& value, Pred pred, Proj proj,
                             const O&... o) const {
    return detail::find_run(first, last, count, value, pred, proj, o...).first;
  }
  template <class I, sentinel<I> S, class T, function Pred = std::equal_to<>, option... O>
  [[nodiscard]] I operator()(I first, S last, std::iter_difference_t<I> count, const T& value, Pred pred,
                             const O&... o) const {
    return (*this)(std::move(first), std::move(last), count, value, std::move(pred), std::identity(), o...);
  }
  template <class I, sentinel<I> S, class T, option... O>
  [[nodiscard]] I operator()(I first, S last, std::iter_difference_t<I> count, const T& value, const O&... o) const {
    return (*this)(std::move(first), std::move(last), count, value, std::equal_to<>(), std::identity(), o...);
  }
  template <range R, class T, function Pred = std::equal_to<>, function Proj = std::identity, option... O>
  [[nodiscard]] rest_in<R> operator()(R&& r, std::ranges::range_difference_t<R> count, const T& value, Pred pred,
                                      Proj proj, const O&... o) const {
    auto found = detail::find_run(std::ranges::begin(r), std::ranges::end(r), count, value, pred, proj, o...);
    return detail::part_of(std::forward<R>(r), std::move(found.first), std::move(found.second));
  }
  template <range R, class T, function Pred = std::equal_to<>, option... O>
  [[nodiscard]] rest_in<R> operator()(R&& r, std::ranges::range_difference_t<R> count, const T& value, Pred pred,
                                      const O&... o) const {
    return (*this)(std::forward<R>(r), count, value, std::move(pred), std::identity(), o...);
  }
  template <range R, class T, option... O>
  [[nodiscard]] rest_in<R> operator()(R&& r, std::ranges::range_difference_t<R> count, const T& value,
                                      const O&... o) const {
    return (*this)(std::forward<R>(r), count, value, std::equal_to<>(), std::identity(), o...);
  }
};

}  // namespace detail

// find_if_not(r, pred, proj) returns the first element for which pred is false; or the end.
inline constexpr detail::find_if_not_call find_if_not{};

// find_last(r, value, proj), find_last_if(r, pred, proj), find_last_if_not(r, pred, proj) return the
// part of the range from the last match on; an empty part at the end if there is none.
inline constexpr detail::find_last_call find_last{};
inline constexpr detail::find_last_if_call find_last_if{};
inline constexpr detail::find_last_if_not_call find_last_if_not{};

// contains(r, value, proj): whether an element equals value.
inline constexpr detail::contains_call contains{};

// adjacent_find(r, equal, proj) returns the first of two neighbours for which equal is true; or the
// end.
inline constexpr detail::adjacent_find_call adjacent_find{};

// find_first_of(r1, r2, pred, proj1, proj2) returns the first element of r1 that matches any of r2.
inline constexpr detail::find_first_of_call find_first_of{};

// search(r1, r2, pred, proj1, proj2) finds the first occurrence of r2 in r1, find_end the last. They
// return where it begins, and for ranges the part of r1 that it is. Work n·m at most, as in the
// standard.
inline constexpr detail::search_call<detail::search_from::front> search{};
inline constexpr detail::search_call<detail::search_from::back> find_end{};

// search_n(r, count, value, pred, proj) finds the first `count` neighbours that all match value. At
// most two calls of pred for each element.
inline constexpr detail::search_n_call search_n{};

// contains_subrange, starts_with, ends_with(r1, r2, pred, proj1, proj2): whether r2 is somewhere in
// r1, at its front, or at its end.
inline constexpr detail::contains_subrange_call contains_subrange{};
inline constexpr detail::at_end_call<detail::search_from::front> starts_with{};
inline constexpr detail::at_end_call<detail::search_from::back> ends_with{};

}  // namespace heist

HEIST_END
