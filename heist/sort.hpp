#pragma once
// Sorting. A comparison is called from several strands at once. If it is not a strict weak order,
// the result is some permutation of the range, and nothing worse. As in the standard, the sorts
// return nothing for iterators, and the end of the range for a range.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/digit_key.hpp>
#include <heist/algorithm/digit_sort.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/merge_sort.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/quick_sort.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/texts.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/algorithm/words.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Ranges up to this length are not worth a fork.
inline constexpr std::size_t sort_grain = 1024;

// Calls f(begin, n, less, how) to sort [first, last) or a part of it; in a pool, if that is worth a
// fork.
template <class I, class S, class Comp, class Proj, class F, option... O>
void sort_by(const I& first, const S& last, Comp& comp, Proj& proj, F&& f, const O&... o) {
  if constexpr (can_sort<I, S, Comp, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const options_of options(o...);
    const forking how(options, sort_grain);
    const comparison less(comp, proj, proj);
    how.enter(n, [&] { f(detail::plain(first), n, less, how); });
  }
}

// Sorts by digits or by bytes, if the keys have some and the comparison is their usual order; else by compare().
template <class Comp, ties equal, class I, class Proj, class Less, class How, class Compare>
void sort_keys(I first, std::size_t n, const Proj& proj, const Less& less, const How& how, const Compare& compare) {
#if defined(HEIST_RACE)
  // By the library, which is not instrumented; a projection is the program's, and is judged.
  constexpr bool by_library = std::same_as<Proj, std::identity> && is_word<std::iter_value_t<I>>;
#else
  constexpr bool by_library = true;
#endif
  if constexpr (by_library && has_digits<I, Comp, Proj>()) {
    auto by_digits = [&](auto* begin) {
#if defined(HEIST_RACE)
      race::writes(begin, n * sizeof *begin);
#endif
      if constexpr (std::same_as<Proj, std::identity> && is_word<std::iter_value_t<I>>)
        return detail::sort_words(begin, n, number_kind::of<Comp, std::iter_value_t<I>>(), how.any(), equal);
      else
        return detail::digit_sort(begin, n, digit_key<Comp, Proj, key_of<I, Proj>>(proj), how, equal);
    };
    if (n >= digits_pay && by_digits(std::to_address(first))) return;
  }
#if !defined(HEIST_RACE)  // where the comparisons say what is read
  else if constexpr (has_text<I, Comp, Proj>()) {
    if (n >= digits_pay && detail::text_sort<Comp>(std::to_address(first), n, proj, how)) return;
  }
#endif
  compare(first, n, less, how);
}

}  // namespace detail

// Sorts; equal elements may change their order. If a comparison throws, or the call is cancelled, the
// range has its elements in some order. In place, but for numbers and strings in their usual order and
// elements whose projection is one: those are sorted by their digits or bytes, with a buffer of n
// elements, unless memory is short.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
void sort(I first, S last, Comp comp, Proj proj, const O&... o) {
  auto compare = [](auto begin, std::size_t n, const auto& less, const auto& how) {
    detail::quick_sort(begin, n, less, how);
  };
  auto run = [&](auto begin, std::size_t n, const auto& less, const auto& how) {
    detail::sort_keys<Comp, detail::ties::free>(begin, n, proj, less, how, compare);
  };
  detail::sort_by(first, last, comp, proj, run, o...);
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
void sort(I first, S last, Comp comp, const O&... o) {
  heist::sort(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
void sort(I first, S last, const O&... o) {
  heist::sort(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
std::ranges::borrowed_iterator_t<R> sort(R&& r, Comp comp, Proj proj, const O&... o) {
  heist::sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj), o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
std::ranges::borrowed_iterator_t<R> sort(R&& r, Comp comp, const O&... o) {
  heist::sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::identity(), o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::option... O>
std::ranges::borrowed_iterator_t<R> sort(R&& r, const O&... o) {
  heist::sort(std::ranges::begin(r), std::ranges::end(r), std::less<>(), std::identity(), o...);
  return detail::end_of(std::forward<R>(r));
}

// Sorts and keeps the order of equal elements; needs a buffer of n elements. If a comparison
// throws, or the call is cancelled, the range has its elements in some order.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
void stable_sort(I first, S last, Comp comp, Proj proj, const O&... o) {
  auto compare = [](auto begin, std::size_t n, const auto& less, const auto& how) {
    detail::merge_sort(begin, n, less, how);
  };
  auto run = [&](auto begin, std::size_t n, const auto& less, const auto& how) {
    detail::sort_keys<Comp, detail::ties::kept>(begin, n, proj, less, how, compare);
  };
  detail::sort_by(first, last, comp, proj, run, o...);
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
void stable_sort(I first, S last, Comp comp, const O&... o) {
  heist::stable_sort(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
void stable_sort(I first, S last, const O&... o) {
  heist::stable_sort(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
std::ranges::borrowed_iterator_t<R> stable_sort(R&& r, Comp comp, Proj proj, const O&... o) {
  heist::stable_sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj), o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
std::ranges::borrowed_iterator_t<R> stable_sort(R&& r, Comp comp, const O&... o) {
  heist::stable_sort(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::identity(), o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::option... O>
std::ranges::borrowed_iterator_t<R> stable_sort(R&& r, const O&... o) {
  heist::stable_sort(std::ranges::begin(r), std::ranges::end(r), std::less<>(), std::identity(), o...);
  return detail::end_of(std::forward<R>(r));
}

// Puts at nth the element that sorting would put there, with nothing greater before it and nothing
// less after it. Otherwise like sort.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
void nth_element(I first, I nth, S last, Comp comp, Proj proj, const O&... o) {
  if constexpr (detail::can_sort<I, S, Comp, Proj>()) {
    if (nth == last) return;
    auto run = [&](auto begin, std::size_t n, const auto& less, const auto& how) {
      detail::quick_select(begin, detail::length(first, nth), n, less, how);
    };
    detail::sort_by(first, last, comp, proj, run, o...);
  }
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
void nth_element(I first, I nth, S last, Comp comp, const O&... o) {
  heist::nth_element(std::move(first), std::move(nth), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
void nth_element(I first, I nth, S last, const O&... o) {
  heist::nth_element(std::move(first), std::move(nth), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
std::ranges::borrowed_iterator_t<R> nth_element(R&& r, std::ranges::iterator_t<R> nth, Comp comp, Proj proj, const O&... o) {
  heist::nth_element(std::ranges::begin(r), std::move(nth), std::ranges::end(r), std::move(comp), std::move(proj),
                     o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
std::ranges::borrowed_iterator_t<R> nth_element(R&& r, std::ranges::iterator_t<R> nth, Comp comp, const O&... o) {
  heist::nth_element(std::ranges::begin(r), std::move(nth), std::ranges::end(r), std::move(comp), std::identity(),
                     o...);
  return detail::end_of(std::forward<R>(r));
}
template <detail::range R, detail::option... O>
std::ranges::borrowed_iterator_t<R> nth_element(R&& r, std::ranges::iterator_t<R> nth, const O&... o) {
  heist::nth_element(std::ranges::begin(r), std::move(nth), std::ranges::end(r), std::less<>(), std::identity(), o...);
  return detail::end_of(std::forward<R>(r));
}

// Returns the end of the longest sorted range that begins at `first`. Wastes no more comparisons
// than find_if wastes calls.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] I is_sorted_until(I first, S last, Comp comp, Proj proj, const O&... o) {
  if constexpr (detail::is_noted<I, S>) {
    detail::places<I, S> all(first, last);
    return all.real(heist::is_sorted_until(all.begin(), all.end(), std::ref(comp), std::ref(proj), o...));
  } else if constexpr (detail::can_check_order<I, S, Comp, Proj>()) {
    const std::size_t n = detail::length(first, last);
    if (n < 2) return detail::at(first, n);
    const detail::comparison less(comp, proj, proj);
    const auto begin = detail::plain(first);
    auto descends = [less, begin](std::size_t i) { return less(*detail::at(begin, i + 1), *detail::at(begin, i)); };
    constexpr bool cheap = detail::cheap_operation<Comp, std::iter_value_t<I>> && std::same_as<Proj, std::identity>;
    const std::size_t place =
        detail::first_place(n - 1, descends, detail::options_of(o...), cheap ? detail::cheap_leaf : 1);
    return detail::at(first, place + 1);
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] I is_sorted_until(I first, S last, Comp comp, const O&... o) {
  return heist::is_sorted_until(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] I is_sorted_until(I first, S last, const O&... o) {
  return heist::is_sorted_until(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& r, Comp comp, Proj proj, const O&... o) {
  return detail::in_range(std::forward<R>(r), heist::is_sorted_until(std::ranges::begin(r), std::ranges::end(r),
                                                                     std::move(comp), std::move(proj), o...));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& r, Comp comp, const O&... o) {
  return heist::is_sorted_until(std::forward<R>(r), std::move(comp), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> is_sorted_until(R&& r, const O&... o) {
  return heist::is_sorted_until(std::forward<R>(r), std::less<>(), std::identity(), o...);
}

// Whether no element is less than the one before it.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] bool is_sorted(I first, S last, Comp comp, Proj proj, const O&... o) {
  return heist::is_sorted_until(std::move(first), last, std::move(comp), std::move(proj), o...) == last;
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] bool is_sorted(I first, S last, Comp comp, const O&... o) {
  return heist::is_sorted(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] bool is_sorted(I first, S last, const O&... o) {
  return heist::is_sorted(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] bool is_sorted(R&& r, Comp comp, Proj proj, const O&... o) {
  return heist::is_sorted(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] bool is_sorted(R&& r, Comp comp, const O&... o) {
  return heist::is_sorted(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] bool is_sorted(R&& r, const O&... o) {
  return heist::is_sorted(std::ranges::begin(r), std::ranges::end(r), std::less<>(), std::identity(), o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(sort, "heist::sort takes a range, or its two ends, then perhaps a comparison and a projection")
HEIST_NO_SUCH_FORM(stable_sort, "heist::stable_sort takes a range, or its two ends, then perhaps a comparison "
                                "and a projection")
HEIST_NO_SUCH_FORM(nth_element, "heist::nth_element takes a range and an iterator into it, or three iterators, "
                                "then perhaps a comparison")
HEIST_NO_SUCH_FORM(is_sorted, "heist::is_sorted takes a range, or its two ends, then perhaps a comparison")

}  // namespace heist

HEIST_END
