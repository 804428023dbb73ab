#pragma once
// What the algorithms need of iterators and ranges.

#include <heist/algorithm/arguments.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#if !defined(__GLIBCXX__)
#include <ranges>  // libstdc++ has what we need in <algorithm>, without the views: a tenth less to compile
#endif

HEIST_BEGIN

namespace heist::detail {

// Any iterator with its sentinel: an unsuitable one is refused by a static_assert, not by "no
// matching function".
template <class S, class I>
concept sentinel = std::input_or_output_iterator<I> && std::sentinel_for<S, I>;

template <class R>
concept range = std::ranges::range<R>;

// What may be passed as a function: not an option and, if an array's begin could be taken for a
// range, not the array's end.
template <class F>
concept function = !option<F> && !std::input_or_output_iterator<std::decay_t<F>>;

// The same for a value, which may be an iterator.
template <class T, class R>
concept value_beside = !option<T> && !sentinel<std::remove_cvref_t<T>, std::decay_t<R>>;

// The length of a range whose ends can_read() has accepted.
template <class I, class S>
constexpr std::size_t length(const I& first, const S& last) {
  return static_cast<std::size_t>(last - first);
}

// How many elements are not worth a fork if they are only copied: about 32 KiB, which takes a
// microsecond.
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

// Assigns like the standard's algorithms: numbers are converted without a warning.
template <class To, class X>
constexpr void assign(To&& to, X&& x) {
  if constexpr (std::is_arithmetic_v<std::remove_cvref_t<To>> && std::is_arithmetic_v<std::remove_cvref_t<X>>)
    to = static_cast<std::remove_cvref_t<To>>(x);
  else
    std::forward<To>(to) = std::forward<X>(x);
}

// The pointer inside an iterator that only wraps one: fewer instantiations, and compilers see more.
template <class I>
constexpr auto plain(const I& i) {
  if constexpr (std::contiguous_iterator<I>)
    return std::to_address(i);
  else
    return i;
}

// The type of f's result, to be kept: not a reference to an argument that no longer exists by then.
template <class F, class... I>
using kept_result = std::conditional_t<std::is_lvalue_reference_v<std::invoke_result_t<F&, std::iter_reference_t<I>...>>,
                                       std::invoke_result_t<F&, std::iter_reference_t<I>...>,
                                       std::remove_cvref_t<std::invoke_result_t<F&, std::iter_reference_t<I>...>>>;

// What an algorithm on a range returns for a position in it: as in std::ranges, dangling if the
// range is a temporary.
template <class R>
constexpr auto in_range(R&&, std::ranges::iterator_t<R> place) {
  if constexpr (std::ranges::borrowed_range<R>)
    return place;
  else
    return std::ranges::dangling();
}

// The end of a range after an algorithm has run, as an iterator.
template <class R>
constexpr std::ranges::borrowed_iterator_t<R> end_of(R&& r) {
  if constexpr (std::ranges::borrowed_range<R>)
    return std::ranges::next(std::ranges::begin(r), std::ranges::end(r));
  else
    return {};
}

// What an algorithm on a range returns for the rest of it.
#if defined(__clang__) && __clang_major__ < 16 && defined(__GLIBCXX__)
// Stands in for libstdc++'s std::ranges::subrange, which clang 14 and 15 cannot compile.
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
using std::ranges::subrange;
template <class R>
using rest_in = std::ranges::borrowed_subrange_t<R>;
#endif

// The part of the range from `place` on.
template <class R>
constexpr rest_in<R> rest_of(R&& r, std::ranges::iterator_t<R> place) {
  if constexpr (std::ranges::borrowed_range<R>)
    return {std::move(place), detail::end_of(r)};
  else
    return {};
}

// A part of a range.
template <class R>
constexpr rest_in<R> part_of(R&&, std::ranges::iterator_t<R> first, std::ranges::iterator_t<R> last) {
  if constexpr (std::ranges::borrowed_range<R>)
    return {std::move(first), std::move(last)};
  else
    return {};
}

}  // namespace heist::detail

HEIST_END
