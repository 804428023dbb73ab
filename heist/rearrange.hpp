#pragma once
// Elements that change their places: move, swap_ranges, rotate, shift_left and shift_right, and the
// copies of some elements or in another order. The iterator forms return what std returns, the range
// forms what std::ranges returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/fill.hpp>
#include <heist/filter.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class I, class S, class Out>
consteval bool can_move_to() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_write<Out>()) {
    return false;
  } else {
    constexpr bool movable = std::indirectly_movable<I, Out>;
    static_assert(movable, "heist: the elements cannot be moved to the output");
    return movable;
  }
}

template <class I1, class S1, class I2>
consteval bool can_swap() noexcept {
  if constexpr (!can_read<I1, S1>() || !can_reach<I2>()) {
    return false;
  } else if constexpr (!can_change<I1>() || !can_change<I2>()) {
    return false;
  } else {
    constexpr bool swappable = std::indirectly_swappable<I1, I2>;
    static_assert(swappable, "heist::swap_ranges: the elements cannot be swapped with each other");
    return swappable;
  }
}

// The place n elements further on. Any integer may count them, as in the standard.
template <class I, class N>
I past(const I& first, N n) {
  constexpr bool counts = std::convertible_to<N, std::iter_difference_t<I>>;
  static_assert(counts, "heist: the number of elements must be an integer");
  if constexpr (counts)
    return n > 0 ? first + static_cast<std::iter_difference_t<I>>(n) : first;
  else
    return first;
}

// n elements of a range without random access.
template <class I, class N>
std::counted_iterator<I> counted(I first, N n) {
  constexpr bool counts = std::convertible_to<N, std::iter_difference_t<I>>;
  static_assert(counts, "heist: the number of elements must be an integer");
  if constexpr (counts)
    return std::counted_iterator<I>(std::move(first), n > 0 ? static_cast<std::iter_difference_t<I>>(n) : 0);
  else
    return std::counted_iterator<I>(std::move(first), 0);
}

template <class R, class Out>
using in_and_out = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out>;

// As copying, moving has nothing to share in a range that cannot be split.
template <class I, class S, class Out, option... O>
Out move_in_one_walk(I first, const S& last, Out out, const O&... o) {
  constexpr bool movable = std::indirectly_movable<I, Out>;
  static_assert(movable, "heist: the elements cannot be moved to the output");
  if constexpr (movable) {
    const options_of options(o...);
    for (std::size_t k = 0; first != last; ++first, ++out, ++k) {
      if (k % 1024 == 0) options.check();
      *out = std::ranges::iter_move(first);
    }
  }
  return out;
}

// Writes the elements order(0), …, order(n − 1) to `out`.
template <class I, class Out, class Order, class... O>
void copy_in_order(const I& first, std::size_t n, const Out& out, Order order, const O&... o) {
  auto some = [&, order](std::size_t a, std::size_t b) {
    Out to = detail::at(out, a);
    for (; a != b; ++a, ++to) detail::assign(*to, *detail::at(first, order(a)));
  };
  detail::for_pieces(n, some, options_of(o...), plain_elements<std::iter_value_t<I>>());
}

// copy_n from what can be read once: nothing behind the last element is read.
template <class I, class N, class Out, option... O>
Out copy_n_in_one_walk(I first, N n, Out out, const O&... o) {
  constexpr bool copyable = std::indirectly_copyable<I, Out>;
  static_assert(copyable, "heist: the elements cannot be copied to the output");
  if constexpr (copyable) {
    const options_of options(o...);
    for (N k = 0; k < n; ++k, ++out) {
      if (k > 0) ++first;
      if (k % 1024 == 0) options.check();
      *out = *first;
    }
  }
  return out;
}

}  // namespace detail

// copy, fill and generate for n elements, starting at `first`. They return the end of what was
// written. A negative n counts as 0.
template <std::input_or_output_iterator I, class N, class Out, detail::option... O>
Out copy_n(I first, N n, Out out, const O&... o) {
  if constexpr (std::input_iterator<I> && !std::forward_iterator<I>)
    return detail::copy_n_in_one_walk(std::move(first), n, std::move(out), o...);
  else if constexpr (std::input_iterator<I> && !std::random_access_iterator<I>)
    return heist::copy(detail::counted(std::move(first), n), std::default_sentinel, std::move(out), o...);
  else if constexpr (detail::can_reach<I>())
    return heist::copy(first, detail::past(first, n), std::move(out), o...);
  else
    return out;
}
template <std::input_or_output_iterator I, class N, class T, detail::option... O>
I fill_n(I first, N n, const T& value, const O&... o) {
  if constexpr (detail::is_noted_beside<I>) {
    const auto some = detail::counted(first, n);
    heist::fill(some, std::default_sentinel, value, o...);
    return std::ranges::next(std::move(first), some.count());
  } else if constexpr (detail::can_reach<I>()) {
    const I last = detail::past(first, n);
    heist::fill(first, last, value, o...);
    return last;
  } else {
    return first;
  }
}
template <std::input_or_output_iterator I, class N, class F, detail::option... O>
I generate_n(I first, N n, F&& make, const O&... o) {
  if constexpr (detail::is_noted_beside<I>) {
    const auto some = detail::counted(first, n);
    heist::generate(some, std::default_sentinel, make, o...);
    return std::ranges::next(std::move(first), some.count());
  } else if constexpr (detail::can_reach<I>()) {
    const I last = detail::past(first, n);
    heist::generate(first, last, make, o...);
    return last;
  } else {
    return first;
  }
}

// Moves the range to `out`, which must not overlap it. Returns the end of what was written; the
// range form also returns the end of the range. Without random access in one of them the calling
// strand moves.
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out move(I first, S last, Out out, const O&... o) {
  if constexpr (detail::is_fed_into<I, S, Out>) {
    return detail::move_in_one_walk(std::move(first), last, std::move(out), o...);
  } else if constexpr (detail::can_move_to<I, S, Out>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      std::ranges::move(detail::at(first, a), detail::at(first, b), detail::at(out, a));
    };
    detail::for_pieces(n, some, detail::options_of(o...), detail::plain_elements<std::iter_value_t<I>>());
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <detail::range R, class Out, detail::option... O>
detail::in_and_out<R, Out> move(R&& r, Out out, const O&... o) {
  Out end = heist::move(std::ranges::begin(r), std::ranges::end(r), std::move(out), o...);
  return {detail::end_of(std::forward<R>(r)), std::move(end)};
}

// Swaps the elements of two ranges that do not overlap. Ranges swap up to the end of the shorter
// one, and the call returns where it stopped in both; the iterator form returns the end in the second.
template <class I1, detail::sentinel<I1> S1, std::input_or_output_iterator I2, detail::option... O>
I2 swap_ranges(I1 first1, S1 last1, I2 first2, const O&... o) {
  if constexpr (detail::can_swap<I1, S1, I2>()) {
    const std::size_t n = detail::length(first1, last1);
    auto some = [&](std::size_t a, std::size_t b) {
      I2 j = detail::at(first2, a);
      const I1 end = detail::at(first1, b);
      for (I1 i = detail::at(first1, a); i != end; ++i, ++j) std::ranges::iter_swap(i, j);
    };
    detail::for_pieces(n, some, detail::options_of(o...), detail::plain_elements<std::iter_value_t<I1>>());
    return detail::at(first2, n);
  } else {
    return first2;
  }
}
template <detail::range R1, detail::range R2, detail::option... O>
std::ranges::swap_ranges_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>> swap_ranges(
    R1&& r1, R2&& r2, const O&... o) {
  const auto first1 = std::ranges::begin(r1);
  const auto first2 = std::ranges::begin(r2);
  std::size_t n = 0;
  if constexpr (detail::can_read<std::ranges::iterator_t<R1>, std::ranges::sentinel_t<R1>>() &&
                detail::can_read<std::ranges::iterator_t<R2>, std::ranges::sentinel_t<R2>>()) {
    n = std::min(detail::length(first1, std::ranges::end(r1)), detail::length(first2, std::ranges::end(r2)));
    heist::swap_ranges(first1, detail::at(first1, n), first2, o...);
    return {detail::in_range(std::forward<R1>(r1), detail::at(first1, n)),
            detail::in_range(std::forward<R2>(r2), detail::at(first2, n))};
  } else {
    return {detail::in_range(std::forward<R1>(r1), first1), detail::in_range(std::forward<R2>(r2), first2)};
  }
}

// Writes the range to `out` in reverse order. `out` must not overlap it.
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out reverse_copy(I first, S last, Out out, const O&... o) {
  if constexpr (detail::is_noted<I, S>) {
    detail::places<I, S> all(first, last);
    return heist::reverse_copy(all.begin(), all.end(), std::move(out), o...);
  } else if constexpr (detail::can_copy<I, S, Out>()) {
    const std::size_t n = detail::length(first, last);
    detail::copy_in_order(first, n, out, [n](std::size_t k) { return n - 1 - k; }, o...);
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <detail::range R, class Out, detail::option... O>
detail::in_and_out<R, Out> reverse_copy(R&& r, Out out, const O&... o) {
  Out end = heist::reverse_copy(std::ranges::begin(r), std::ranges::end(r), std::move(out), o...);
  return {detail::end_of(std::forward<R>(r)), std::move(end)};
}

// Brings [middle, last) to the front, and [first, middle) behind it. Returns where the former first
// element is now, for a range the part from there on. In place: three reversals, n swaps in all.
template <class I, detail::sentinel<I> S, detail::option... O>
I rotate(I first, I middle, S last, const O&... o) {
  if constexpr (detail::can_move<I, S>()) {
    const std::size_t n = detail::length(first, last), m = detail::length(first, middle);
    const I end = detail::at(first, n);
    if (m == 0) return end;
    if (m == n) return first;
    heist::reverse(first, middle, o...);
    heist::reverse(middle, end, o...);
    heist::reverse(first, end, o...);
    return detail::at(first, n - m);
  } else {
    return first;
  }
}
template <detail::range R, detail::option... O>
detail::rest_in<R> rotate(R&& r, std::ranges::iterator_t<R> middle, const O&... o) {
  return detail::rest_of(std::forward<R>(r),
                         heist::rotate(std::ranges::begin(r), std::move(middle), std::ranges::end(r), o...));
}

// Writes what rotate would make of the range to `out`, which must not overlap it.
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out rotate_copy(I first, I middle, S last, Out out, const O&... o) {
  if constexpr (detail::can_copy<I, S, Out>()) {
    const std::size_t n = detail::length(first, last), m = detail::length(first, middle);
    detail::copy_in_order(first, n, out, [n, m](std::size_t k) { return k < n - m ? k + m : k - (n - m); }, o...);
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <detail::range R, class Out, detail::option... O>
detail::in_and_out<R, Out> rotate_copy(R&& r, std::ranges::iterator_t<R> middle, Out out, const O&... o) {
  Out end = heist::rotate_copy(std::ranges::begin(r), std::move(middle), std::ranges::end(r), std::move(out), o...);
  return {detail::end_of(std::forward<R>(r)), std::move(end)};
}

// Moves every element k places to the front, or to the back; the first or the last k are lost, and
// what is left at the other end is valid but unspecified. The iterator forms return the end, or the
// begin, of the elements that remain; the range forms return these elements. If k is 0 nothing
// moves, and if it is not less than the length nothing remains. Otherwise like remove_if.
template <class I, detail::sentinel<I> S, detail::option... O>
I shift_left(I first, S last, std::iter_difference_t<I> k, const O&... o) {
  if constexpr (detail::can_move<I, S>()) {
    const std::size_t n = detail::length(first, last);
    if (k <= 0) return detail::at(first, n);
    const auto by = static_cast<std::size_t>(k);
    if (by >= n) return first;
    auto stays = [by](std::size_t i) { return i >= by; };
    detail::keep_marked(detail::plain(first), n, stays, detail::options_of(o...));
    return detail::at(first, n - by);
  } else {
    return first;
  }
}
template <detail::range R, detail::option... O>
detail::rest_in<R> shift_left(R&& r, std::ranges::range_difference_t<R> k, const O&... o) {
  auto end = heist::shift_left(std::ranges::begin(r), std::ranges::end(r), k, o...);
  return detail::part_of(std::forward<R>(r), std::ranges::begin(r), std::move(end));
}
template <class I, detail::sentinel<I> S, detail::option... O>
I shift_right(I first, S last, std::iter_difference_t<I> k, const O&... o) {
  if constexpr (detail::can_move<I, S>()) {
    const std::size_t n = detail::length(first, last);
    if (k <= 0) return first;
    const I end = detail::at(first, n);
    if (static_cast<std::size_t>(k) >= n) return end;
    heist::shift_left(std::make_reverse_iterator(end), std::make_reverse_iterator(first), k, o...);
    return first + k;
  } else {
    return first;
  }
}
template <detail::range R, detail::option... O>
detail::rest_in<R> shift_right(R&& r, std::ranges::range_difference_t<R> k, const O&... o) {
  return detail::rest_of(std::forward<R>(r), heist::shift_right(std::ranges::begin(r), std::ranges::end(r), k, o...));
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(copy_n, "heist::copy_n takes an iterator, a number of elements, and an iterator to write to")
HEIST_NO_SUCH_FORM(fill_n, "heist::fill_n takes an iterator, a number of elements, and a value")
HEIST_NO_SUCH_FORM(rotate, "heist::rotate takes a range and an iterator into it, or three iterators")

}  // namespace heist

HEIST_END
