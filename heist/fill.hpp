#pragma once
// fill, generate, copy and reverse. The iterator forms return what std returns, the range forms
// what std::ranges returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class I, class S, class T>
consteval bool can_fill() noexcept {
  if constexpr (can_read<I, S>())
    return can_assign<I, const T&>();
  else
    return false;
}

// generate() calls make(k) if it can, and make() otherwise.
template <class I, class S, class F>
consteval bool can_generate() noexcept {
  constexpr bool by_place = std::is_invocable_v<F&, std::size_t>;
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (by_place) {
    return can_share<F, std::size_t>() && can_assign<I, std::invoke_result_t<F&, std::size_t>>();
  } else if constexpr (std::is_invocable_v<F&>) {
    return can_share<F>() && can_assign<I, std::invoke_result_t<F&>>();
  } else {
    static_assert(by_place, "heist::generate: the function must take the index of an element, or no argument");
    return false;
  }
}

}  // namespace detail

// Assigns value to every element.
template <class I, detail::sentinel<I> S, class T, detail::option... O>
void fill(I first, S last, const T& value, const O&... o) {
  if constexpr (detail::is_noted<I, S>) {
    detail::places<I, S> all(first, last);
    heist::fill(all.begin(), all.end(), value, o...);
  } else if constexpr (detail::can_fill<I, S, T>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      std::ranges::fill(detail::at(first, a), detail::at(first, b), value);
    };
    detail::for_pieces(n, some, detail::options_of(o...), detail::plain_elements<std::iter_value_t<I>>());
  }
}
template <detail::range R, class T, detail::option... O>
std::ranges::borrowed_iterator_t<R> fill(R&& r, const T& value, const O&... o) {
  heist::fill(std::ranges::begin(r), std::ranges::end(r), value, o...);
  return detail::end_of(std::forward<R>(r));
}

// Assigns make(k) to element k of the range, counting from 0. If make takes no argument, assigns
// make(), called in no particular order.
template <class I, detail::sentinel<I> S, class F, detail::option... O>
void generate(I first, S last, F&& make, const O&... o) {
  if constexpr (detail::is_noted<I, S>) {
    detail::places<I, S> all(first, last);
    heist::generate(all.begin(), all.end(), make, o...);
  } else if constexpr (detail::can_generate<I, S, F>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(make);
      I i = detail::at(first, a);
      for (; a != b; ++a, ++i) {
        if constexpr (std::is_invocable_v<F&, std::size_t>)
          detail::assign(*i, here(a));
        else
          detail::assign(*i, here());
      }
    };
    detail::for_pieces(n, some, detail::options_of(o...));
  }
}
template <detail::range R, detail::function F, detail::option... O>
std::ranges::borrowed_iterator_t<R> generate(R&& r, F&& make, const O&... o) {
  heist::generate(std::ranges::begin(r), std::ranges::end(r), make, o...);
  return detail::end_of(std::forward<R>(r));
}

namespace detail {

// A copy of a range that cannot be split has nothing to share.
template <class I, class S, class Out, option... O>
std::pair<I, Out> copy_in_one_walk(I first, const S& last, Out out, const O&... o) {
  constexpr bool copyable = std::indirectly_copyable<I, Out>;
  static_assert(copyable, "heist: the elements cannot be copied to the output");
  if constexpr (copyable) {
    const options_of options(o...);
    for (std::size_t k = 0; first != last; ++first, ++out, ++k) {
      if (k % 1024 == 0) options.check();
      *out = *first;
    }
  }
  return {std::move(first), std::move(out)};
}

}  // namespace detail

// Copies the range to `out`, which must not overlap it. Returns the end of the copy; the range form
// also returns the end of the range. Without random access in one of them the calling strand
// copies.
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out copy(I first, S last, Out out, const O&... o) {
  if constexpr (detail::is_fed_into<I, S, Out>) {
    return detail::copy_in_one_walk(std::move(first), last, std::move(out), o...).second;
  } else if constexpr (detail::can_copy<I, S, Out>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      // Not std::ranges::copy: in libstdc++ 12 it copies const numbers one by one.
      std::copy(detail::at(first, a), detail::at(first, b), detail::at(out, a));
    };
    detail::for_pieces(n, some, detail::options_of(o...), detail::plain_elements<std::iter_value_t<I>>());
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <detail::range R, class Out, detail::option... O>
std::ranges::copy_result<std::ranges::borrowed_iterator_t<R>, Out> copy(R&& r, Out out, const O&... o) {
  if constexpr (detail::is_fed_into<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, Out>) {
    auto [end, written] = detail::copy_in_one_walk(std::ranges::begin(r), std::ranges::end(r), std::move(out), o...);
    return {detail::in_range(std::forward<R>(r), std::move(end)), std::move(written)};
  } else {
    Out end = heist::copy(std::ranges::begin(r), std::ranges::end(r), std::move(out), o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
}

// Reverses the range in place.
template <class I, detail::sentinel<I> S, detail::option... O>
void reverse(I first, S last, const O&... o) {
  if constexpr (detail::can_move<I, S>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      I i = detail::at(first, a), end = detail::at(first, b), j = detail::at(first, n - a);
      while (i != end) std::ranges::iter_swap(i++, --j);
    };
    detail::for_pieces(n / 2, some, detail::options_of(o...), detail::plain_elements<std::iter_value_t<I>>());
  }
}
template <detail::range R, detail::option... O>
std::ranges::borrowed_iterator_t<R> reverse(R&& r, const O&... o) {
  heist::reverse(std::ranges::begin(r), std::ranges::end(r), o...);
  return detail::end_of(std::forward<R>(r));
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(fill, "heist::fill takes a range, or its two ends, and a value")
HEIST_NO_SUCH_FORM(copy, "heist::copy takes a range, or its two ends, and an iterator to write to")
HEIST_NO_SUCH_FORM(generate, "heist::generate takes a range, or its two ends, and a function of an index, or of "
                             "nothing")
HEIST_NO_SUCH_FORM(reverse, "heist::reverse takes a range, or its two ends")

}  // namespace heist

HEIST_END
