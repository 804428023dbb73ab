#pragma once
// Some of the sorted order: partial_sort and partial_sort_copy, the k largest elements, the k-th
// smallest. And a sort that computes each key once. If a comparison throws, or the call is cancelled,
// a range that is changed has its elements in some order.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/permute.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/shapes.hpp>
#include <heist/algorithm/smallest.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/collect.hpp>
#include <heist/sort.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

struct partial_sort_call : dividing<partial_sort_call> {
  template <class I, class S, class Comp, class Proj, class... O>
  static void run(const I& first, const I& middle, const S& last, Comp& comp, Proj& proj, const O&... o) {
    if constexpr (can_sort<I, S, Comp, Proj>()) {
      if (first == middle) return;
      if (middle != last) heist::nth_element(first, middle, last, std::ref(comp), std::ref(proj), o...);
      heist::sort(first, middle, comp, proj, o...);
    }
  }
};

template <class I1, class S1, class I2, class S2, class Comp, class Proj1, class Proj2>
consteval bool can_sort_copy() noexcept {
  if constexpr (!can_check_order<I1, S1, Comp, Proj1>()) {
    return false;
  } else if constexpr (!can_copy<I1, S1, I2>()) {
    return false;
  } else {
    return can_read<I2, S2>() && can_project<I2, Proj2>();
  }
}

// Returns how many were written.
template <class I1, class S1, class I2, class S2, class Comp, class Proj1, class Proj2, class... O>
std::size_t sort_copy(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Comp& comp, Proj1& proj1,
                      Proj2&, const O&... o) {
  if constexpr (can_sort_copy<I1, S1, I2, S2, Comp, Proj1, Proj2>()) {
    const std::size_t n = detail::length(first1, last1), most = std::min(n, detail::length(first2, last2));
    const comparison less(comp, proj1, proj1);
    const std::vector<std::size_t> places = detail::smallest_places(detail::plain(first1), n, most, less, o...);
    auto some = [&](std::size_t a, std::size_t b) {
      for (I2 to = detail::at(first2, a); a != b; ++a, ++to) detail::assign(*to, *detail::at(first1, places[a]));
    };
    detail::for_pieces(most, some, options_of(o...), plain_elements<std::iter_value_t<I1>>());
    return most;
  } else {
    return 0;
  }
}

template <class R1, class R2>
using sorted_from =
    std::ranges::partial_sort_copy_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>;

struct partial_sort_copy_call {
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = std::less<>,
            function Proj1 = std::identity, function Proj2 = std::identity, option... O>
  I2 operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) const {
    return first2 + static_cast<std::iter_difference_t<I2>>(
                        detail::sort_copy(first1, last1, first2, last2, comp, proj1, proj2, o...));
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = std::less<>,
            function Proj1 = std::identity, option... O>
  I2 operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, Proj1 proj1, const O&... o) const {
    return (*this)(first1, last1, first2, last2, std::move(comp), std::move(proj1), std::identity(), o...);
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = std::less<>, option... O>
  I2 operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, const O&... o) const {
    return (*this)(first1, last1, first2, last2, std::move(comp), std::identity(), std::identity(), o...);
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, option... O>
  I2 operator()(I1 first1, S1 last1, I2 first2, S2 last2, const O&... o) const {
    return (*this)(first1, last1, first2, last2, std::less<>(), std::identity(), std::identity(), o...);
  }
  template <range R1, range R2, function Comp = std::less<>, function Proj1 = std::identity,
            function Proj2 = std::identity, option... O>
  sorted_from<R1, R2> operator()(R1&& r1, R2&& r2, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) const {
    const std::size_t n = detail::sort_copy(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2),
                                            std::ranges::end(r2), comp, proj1, proj2, o...);
    auto end = std::ranges::begin(r2) + static_cast<std::ranges::range_difference_t<R2>>(n);
    return {detail::end_of(std::forward<R1>(r1)), detail::in_range(std::forward<R2>(r2), std::move(end))};
  }
  template <range R1, range R2, function Comp = std::less<>, function Proj1 = std::identity, option... O>
  sorted_from<R1, R2> operator()(R1&& r1, R2&& r2, Comp comp, Proj1 proj1, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(comp), std::move(proj1), std::identity(), o...);
  }
  template <range R1, range R2, function Comp = std::less<>, option... O>
  sorted_from<R1, R2> operator()(R1&& r1, R2&& r2, Comp comp, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(comp), std::identity(), std::identity(), o...);
  }
  template <range R1, range R2, option... O>
  sorted_from<R1, R2> operator()(R1&& r1, R2&& r2, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::less<>(), std::identity(), std::identity(), o...);
  }
};

// (range, k, comparison, projection), for what returns values.
template <class Algorithm>
struct selecting {
  template <class I, sentinel<I> S, function Comp = std::less<>, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(I first, S last, std::size_t k, Comp comp, Proj proj, const O&... o) const {
    return detail::run_on<Algorithm>(first, last, k, comp, proj, o...);
  }
  template <class I, sentinel<I> S, function Comp = std::less<>, option... O>
  [[nodiscard]] auto operator()(I first, S last, std::size_t k, Comp comp, const O&... o) const {
    std::identity same;
    return detail::run_on<Algorithm>(first, last, k, comp, same, o...);
  }
  template <class I, sentinel<I> S, option... O>
  [[nodiscard]] auto operator()(I first, S last, std::size_t k, const O&... o) const {
    std::less<> comp;
    std::identity same;
    return detail::run_on<Algorithm>(first, last, k, comp, same, o...);
  }
  template <range R, function Comp = std::less<>, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(R&& r, std::size_t k, Comp comp, Proj proj, const O&... o) const {
    return detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), k, comp, proj, o...);
  }
  template <range R, function Comp = std::less<>, option... O>
  [[nodiscard]] auto operator()(R&& r, std::size_t k, Comp comp, const O&... o) const {
    std::identity same;
    return detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), k, comp, same, o...);
  }
  template <range R, option... O>
  [[nodiscard]] auto operator()(R&& r, std::size_t k, const O&... o) const {
    std::less<> comp;
    std::identity same;
    return detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), k, comp, same, o...);
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist::top_k and heist::kth take a range, or its two ends, and a number, then perhaps a comparison")
};

template <class I, class S, class Comp, class Proj>
consteval bool can_select() noexcept {
  if constexpr (can_check_order<I, S, Comp, Proj>()) {
    constexpr bool copyable = std::is_constructible_v<std::iter_value_t<I>, std::iter_reference_t<I>>;
    static_assert(copyable, "heist: top_k and kth return copies, and these elements cannot be copied; use nth_element");
    return copyable;
  } else {
    return false;
  }
}

struct top_k_call : selecting<top_k_call> {
  template <class I, class S, class Comp, class Proj, class... O>
  static std::vector<std::iter_value_t<I>> run(const I& first, const S& last, std::size_t k, Comp& comp, Proj& proj,
                                               const O&... o) {
    using value = std::iter_value_t<I>;
    if constexpr (can_select<I, S, Comp, Proj>()) {
      const std::size_t n = detail::length(first, last);
      const comparison less(comp, proj, proj);
      const auto begin = detail::plain(first);
      auto greater = [&less](auto&& a, auto&& b) { return less(b, a); };
      const std::vector<std::size_t> places = detail::smallest_places(begin, n, std::min(k, n), greater, o...);
      return heist::tabulate(places.size(), [&](std::size_t i) { return static_cast<value>(*detail::at(begin, places[i])); },
                             o...);
    } else {
      return {};
    }
  }
};

[[noreturn]] HEIST_COLD inline void refuse_place() {
  throw std::out_of_range("heist::kth: k is not less than the number of elements");
}

struct kth_call : selecting<kth_call> {
  template <class I, class S, class Comp, class Proj, class... O>
  static std::iter_value_t<I> run(const I& first, const S& last, std::size_t k, Comp& comp, Proj& proj, const O&... o) {
    using value = std::iter_value_t<I>;
    if constexpr (can_select<I, S, Comp, Proj>()) {
      const std::size_t n = detail::length(first, last);
      if (k >= n) detail::refuse_place();
      const comparison less(comp, proj, proj);
      const auto begin = detail::plain(first);
      return static_cast<value>(*detail::at(begin, detail::kth_place(begin, n, k, less, o...)));
    } else {
      return refused<value>();
    }
  }
};

// A key, and the element it belongs to. With the place as second key every order is a total one.
template <class Key>
struct HEIST_VERSIONED cached_key {
  Key key;
  std::size_t place;
};

template <class I, class S, class Key, class Comp>
consteval bool can_sort_by_key() noexcept {
  if constexpr (!can_move<I, S>()) {
    return false;
  } else if constexpr (!can_call<Key, I>()) {
    return false;
  } else {
    using key = std::remove_cvref_t<std::invoke_result_t<Key&, std::iter_reference_t<I>>>;
    static_assert(answers<Comp, const key&, const key&>(), "heist::sort_by_cached_key: the keys cannot be compared");
    constexpr bool movable = std::movable<key>;
    static_assert(movable, "heist::sort_by_cached_key: the keys cannot be moved");
    if constexpr (movable && answers<Comp, const key&, const key&>())
      return can_share<Comp, const key&, const key&>();
    else
      return false;
  }
}

template <class I, class S, class Key, class Comp, class... O>
void sort_with_keys(const I& first, const S& last, Key& key, Comp& comp, const O&... o) {
  if constexpr (can_sort_by_key<I, S, Key, Comp>()) {
    using key_type = std::remove_cvref_t<std::invoke_result_t<Key&, std::iter_reference_t<I>>>;
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first);
    auto keys = heist::tabulate(
        n, [&](std::size_t i) { return cached_key<key_type>{std::invoke(key, *detail::at(begin, i)), i}; }, o...);
    // A comparison that heist knows must be seen: then numbers are sorted by their digits.
    if constexpr (std::is_empty_v<Comp> && std::copy_constructible<Comp>)
      heist::stable_sort(keys, comp, &cached_key<key_type>::key, o...);
    else
      heist::stable_sort(keys, std::ref(comp), &cached_key<key_type>::key, o...);
    const options_of options(o...);
    const forking how(options, sort_grain);
    how.enter(n, [&] { detail::permute(how, begin, n, [&](std::size_t i) { return keys[i].place; }); });
  }
}

}  // namespace detail

// partial_sort(r, middle, comp, proj) sorts the elements that belong before `middle`, and leaves the
// others behind it in some order; for iterators (first, middle, last, comp, proj). In place.
inline constexpr detail::partial_sort_call partial_sort{};

// partial_sort_copy(r1, r2, comp, proj1, proj2) writes the smallest elements of r1 to r2, sorted, as
// many as there is room for. Returns the end of them in r2; for ranges also the end of r1. Of equal
// elements the first ones are taken, in order. Needs two words for each element of r2.
inline constexpr detail::partial_sort_copy_call partial_sort_copy{};

// top_k(r, k, comp, proj) returns copies of the k largest elements, the largest first; all if there are
// fewer. Of equal elements the first ones are taken, in the order of the range.
inline constexpr detail::top_k_call top_k{};

// kth(r, k, comp, proj) returns a copy of the element that a stable sort would put at place k, counted
// from 0: kth(r, n / 2) is the median. The range is only read; a word for each element. If there is no
// such place, std::out_of_range is thrown.
inline constexpr detail::kth_call kth{};

// Sorts by key(x), which is computed once for each element, in parallel. Keeps the order of elements
// with equal keys. Needs a buffer of n elements and n keys. Returns what stable_sort returns. If key or
// a comparison throws, or the call is cancelled, nothing has been moved.
template <class I, detail::sentinel<I> S, class Key, detail::function Comp = std::less<>, detail::option... O>
void sort_by_cached_key(I first, S last, Key key, Comp comp, const O&... o) {
  detail::sort_with_keys(first, last, key, comp, o...);
}
template <class I, detail::sentinel<I> S, class Key, detail::option... O>
void sort_by_cached_key(I first, S last, Key key, const O&... o) {
  std::less<> comp;
  detail::sort_with_keys(first, last, key, comp, o...);
}
template <detail::range R, detail::function Key, detail::function Comp = std::less<>, detail::option... O>
std::ranges::borrowed_iterator_t<R> sort_by_cached_key(R&& r, Key key, Comp comp, const O&... o) {
  detail::sort_with_keys(std::ranges::begin(r), std::ranges::end(r), key, comp, o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::function Key, detail::option... O>
std::ranges::borrowed_iterator_t<R> sort_by_cached_key(R&& r, Key key, const O&... o) {
  std::less<> comp;
  detail::sort_with_keys(std::ranges::begin(r), std::ranges::end(r), key, comp, o...);
  return detail::end_of(std::forward<R>(r));
}

}  // namespace heist

HEIST_END
