#pragma once
// What the algorithms know of iterators and ranges.

#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <vector>

HEIST_BEGIN

namespace heist {

// Elements whose neighbours cannot be written at the same time, because they share a byte; by the type that the iterator
// gives for one. Specialise it for packed containers of your own.
template <class Reference>
inline constexpr bool shares_memory = std::is_same_v<Reference, std::vector<bool>::reference>;

namespace detail {

// Any iterator with its sentinel, so that one that will not do is refused by a sentence and not by "no such function".
template <class S, class I>
concept sentinel = std::input_or_output_iterator<I> && std::sentinel_for<S, I>;

template <class R>
concept range = std::ranges::range<R>;

template <class I>
constexpr void check_iterator() noexcept {
  static_assert(std::random_access_iterator<I>,
                "heist: the algorithms need random access, to get at the middle of a range; copy it into a std::vector");
}

// Of what an algorithm writes to.
template <class I>
constexpr void check_output() noexcept {
  check_iterator<I>();
  static_assert(!shares_memory<std::iter_reference_t<I>>,
                "heist: neighbours in a std::vector<bool> share a byte and cannot be written in parallel; use "
                "std::vector<char>");
}

// Of what is handed to a function that may write.
template <class I>
constexpr void check_elements() noexcept {
  static_assert(!shares_memory<std::iter_reference_t<I>>,
                "heist: neighbours in a std::vector<bool> share a byte and cannot be written in parallel; pass it as "
                "const, or use std::vector<char>");
}

template <class I, class S>
constexpr std::size_t length(const I& first, const S& last) {
  check_iterator<I>();
  if constexpr (std::sized_sentinel_for<S, I>) {
    return static_cast<std::size_t>(last - first);
  } else {
    static_assert(!std::random_access_iterator<I>, "heist: the end of the range is not known in advance");
    return 0;
  }
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
  if constexpr (std::random_access_iterator<I>)
    return first + static_cast<std::iter_difference_t<I>>(i);
  else
    return first;  // refused already: no second complaint
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

}  // namespace detail
}  // namespace heist

HEIST_END
