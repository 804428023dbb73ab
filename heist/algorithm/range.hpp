#pragma once
// What the algorithms know of iterators and ranges.

#include <heist/algorithm/arguments.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#if !defined(__GLIBCXX__)
#include <ranges>  // libstdc++ has what is needed here in <algorithm>, without the views: a tenth less to compile
#endif

HEIST_BEGIN

namespace heist::detail {

// Any iterator with its sentinel, so that one that will not do is refused by a sentence and not by "no such function".
template <class S, class I>
concept sentinel = std::input_or_output_iterator<I> && std::sentinel_for<S, I>;

template <class R>
concept range = std::ranges::range<R>;

// What may be passed as a function: neither an option nor, where an array's beginning could be a range, the array's end.
template <class F>
concept function = !option<F> && !std::input_or_output_iterator<std::decay_t<F>>;

// The same for a value, which may well be an iterator.
template <class T, class R>
concept value_beside = !option<T> && !sentinel<std::remove_cvref_t<T>, std::decay_t<R>>;

// A range whose ends can_read() has found to be good.
template <class I, class S>
constexpr std::size_t length(const I& first, const S& last) {
  return static_cast<std::size_t>(last - first);
}

// How many elements are not worth a fork where one is only moved about: some 32 KiB, which take a microsecond.
template <class T>
constexpr std::size_t plain_elements() noexcept {
  if (!std::is_trivially_copyable_v<T>) return 1;
  return std::max<std::size_t>(32768 / sizeof(T), 1);
}

// The iterator i places on.
template <class I>
constexpr I at(const I& first, std::size_t i) {
  return first + static_cast<std::iter_difference_t<I>>(i);
}

// Assigns as the standard's algorithms do: numbers are converted without a warning.
template <class To, class X>
constexpr void assign(To&& to, X&& x) {
  if constexpr (std::is_arithmetic_v<std::remove_cvref_t<To>> && std::is_arithmetic_v<std::remove_cvref_t<X>>)
    to = static_cast<std::remove_cvref_t<To>>(x);
  else
    std::forward<To>(to) = std::forward<X>(x);
}

// The pointer, where an iterator is one in disguise: fewer instantiations, and compilers see more.
template <class I>
constexpr auto plain(const I& i) {
  if constexpr (std::contiguous_iterator<I>)
    return std::to_address(i);
  else
    return i;
}

// What f makes of elements, to be kept: not a reference to what f was given where that is gone by then.
template <class F, class... I>
using kept_result = std::conditional_t<std::is_lvalue_reference_v<std::invoke_result_t<F&, std::iter_reference_t<I>...>>,
                                       std::invoke_result_t<F&, std::iter_reference_t<I>...>,
                                       std::remove_cvref_t<std::invoke_result_t<F&, std::iter_reference_t<I>...>>>;

// What an algorithm on a range returns for a place in it: as std::ranges has it, nothing usable if the range is gone.
template <class R>
constexpr auto in_range(R&&, std::ranges::iterator_t<R> place) {
  if constexpr (std::ranges::borrowed_range<R>)
    return place;
  else
    return std::ranges::dangling();
}

// The end of a range that an algorithm has been through, as an iterator.
template <class R>
constexpr std::ranges::borrowed_iterator_t<R> end_of(R&& r) {
  if constexpr (std::ranges::borrowed_range<R>)
    return std::ranges::next(std::ranges::begin(r), std::ranges::end(r));
  else
    return {};
}

// What an algorithm on a range returns for the rest of it.
#if defined(__clang__) && __clang_major__ < 16 && defined(__GLIBCXX__)
// clang 14 and 15 cannot compile libstdc++'s std::ranges::subrange: there it is this.
template <class I>
struct subrange {
  I first, last;

  I begin() const { return first; }
  I end() const { return last; }
  bool empty() const { return first == last; }
  std::size_t size() const { return detail::length(first, last); }
};
template <class R>
using rest_in =
    std::conditional_t<std::ranges::borrowed_range<R>, subrange<std::ranges::iterator_t<R>>, std::ranges::dangling>;
#else
template <class R>
using rest_in = std::ranges::borrowed_subrange_t<R>;
#endif

// What lies from `place` on.
template <class R>
constexpr rest_in<R> rest_of(R&& r, std::ranges::iterator_t<R> place) {
  if constexpr (std::ranges::borrowed_range<R>)
    return {std::move(place), detail::end_of(r)};
  else
    return {};
}

}  // namespace heist::detail

HEIST_END
