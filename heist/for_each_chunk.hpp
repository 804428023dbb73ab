#pragma once
// Loops over several elements at a time: chunks, windows and pairs.

#include <heist/algorithm/arguments.hpp>
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
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Elements that several calls get at once must not be written.
template <class I>
auto read_only(const I& i) {
  if constexpr (std::contiguous_iterator<I>)
    return static_cast<const std::iter_value_t<I>*>(std::to_address(i));
  else
    return i;
}
template <class I>
using read_only_type = decltype(detail::read_only(std::declval<const I&>()));

// f gets a part of the range, and its number if it wants it.
template <class F, class Part>
consteval bool can_take_part() noexcept {
  constexpr bool with_number = std::is_invocable_v<F&, Part, std::size_t>;
  constexpr bool taken = with_number || std::is_invocable_v<F&, Part>;
  static_assert(taken,
                "heist: the function must take a part of the range, such as a std::span (of const elements for windows), "
                "and may take its number");
  if constexpr (with_number)
    return can_share<F, Part, std::size_t>();
  else if constexpr (taken)
    return can_share<F, Part>();
  else
    return false;
}
template <class I, class S, class F, class... O>
void visit_chunks(const I& first, const S& last, std::size_t size, F& f, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    detail::visit_chunks(all.begin(), all.end(), size, f, o...);
  } else if constexpr (can_read<I, S>()) {
    if constexpr (can_hand_out<I>()) {
      if constexpr (can_take_part<F, subrange<I>>()) {
        if (size == 0) throw std::invalid_argument("heist::for_each_chunk: a chunk must have at least one element");
        const std::size_t n = detail::length(first, last);
        auto some = [&](std::size_t a, std::size_t b) {
          const local_function here(f);
          for (; a != b; ++a) {
            const std::size_t from = a * size;
            const subrange<I> part{detail::at(first, from), detail::at(first, n - from < size ? n : from + size)};
            if constexpr (std::is_invocable_v<F&, subrange<I>, std::size_t>)
              here(part, a);
            else
              here(part);
          }
        };
        detail::for_pieces(n / size + (n % size != 0), some, options_of(o...));
      }
    }
  }
}

template <class I, class S, class F, class... O>
void visit_windows(const I& first, const S& last, std::size_t size, F& f, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    detail::visit_windows(all.begin(), all.end(), size, f, o...);
  } else if constexpr (can_read<I, S>()) {
    using place = read_only_type<I>;
    if constexpr (can_hand_out<place>()) {
      if constexpr (can_take_part<F, subrange<place>>()) {
        if (size == 0) throw std::invalid_argument("heist::for_each_window: a window must have at least one element");
        const std::size_t n = detail::length(first, last);
        if (n < size) return;
        auto some = [&](std::size_t a, std::size_t b) {
          const local_function here(f);
          const place begin = detail::read_only(first);
          for (; a != b; ++a) {
            const subrange<place> part{detail::at(begin, a), detail::at(begin, a + size)};
            if constexpr (std::is_invocable_v<F&, subrange<place>, std::size_t>)
              here(part, a);
            else
              here(part);
          }
        };
        detail::for_pieces(n - size + 1, some, options_of(o...));
      }
    }
  }
}

// The pairs (i, j) with i < j < n are counted row by row. Before row i there are i·(2n − i − 1) / 2.
struct pair_rows {
  std::size_t n;

  std::size_t before(std::size_t i) const noexcept {
    const std::size_t twice = 2 * n - i - 1;
    return i % 2 == 0 ? i / 2 * twice : twice / 2 * i;  // one of them is even
  }
  std::size_t row_of(std::size_t k) const noexcept {
    std::size_t low = 0, high = n - 1;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (before(middle) <= k ? low : high) = middle;
    }
    return low;
  }
};

template <class I, class S, class F, class... O>
void visit_pairs(const I& first, const S& last, F& f, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    detail::visit_pairs(all.begin(), all.end(), f, o...);
  } else if constexpr (can_read<I, S>()) {
    using place = read_only_type<I>;
    using element = std::iter_reference_t<place>;
    if constexpr (can_hand_out<place>()) {
      constexpr bool taken = std::is_invocable_v<F&, element, element>;
      static_assert(taken,
                    "heist::for_each_pair: the function cannot be called with two elements; they are const, because other "
                    "calls get them at the same time");
      if constexpr (taken) {
        if constexpr (can_share<F, element, element>()) {
          const std::size_t n = detail::length(first, last);
          if (n < 2) return;
          if (n > std::size_t{1} << 32) throw std::length_error("heist::for_each_pair: there are more pairs than can be counted");
          const pair_rows rows{n};
          auto some = [&](std::size_t a, std::size_t b) {
            const local_function here(f);
            const place begin = detail::read_only(first);
            std::size_t i = rows.row_of(a), j = i + 1 + (a - rows.before(i));
            while (a != b) {
              const std::size_t end = std::min(n, j + (b - a));
              a += end - j;
              for (; j != end; ++j) here(*detail::at(begin, i), *detail::at(begin, j));
              ++i;
              j = i + 1;
            }
          };
          detail::for_pieces(rows.before(n - 1), some, options_of(o...));
        }
      }
    }
  }
}

}  // namespace detail

// Calls f with every chunk: the first `size` elements, the next `size`, and so on; the last chunk may be
// shorter. A chunk is a std::ranges::subrange, which converts to a std::span if the range is
// contiguous. If f takes a second argument, it is the chunk's number. A size of 0 throws
// std::invalid_argument.
template <class I, detail::sentinel<I> S, class F, detail::option... O>
void for_each_chunk(I first, S last, std::size_t size, F f, const O&... o) {
  detail::visit_chunks(first, last, size, f, o...);
}
template <detail::range R, class F, detail::option... O>
void for_each_chunk(R&& r, std::size_t size, F f, const O&... o) {
  detail::visit_chunks(std::ranges::begin(r), std::ranges::end(r), size, f, o...);
}

// The same for every window of `size` neighbours: n − size + 1 of them, or none. Windows overlap, so
// their elements are const if the range is contiguous, and must not be written otherwise.
template <class I, detail::sentinel<I> S, class F, detail::option... O>
void for_each_window(I first, S last, std::size_t size, F f, const O&... o) {
  detail::visit_windows(first, last, size, f, o...);
}
template <detail::range R, class F, detail::option... O>
void for_each_window(R&& r, std::size_t size, F f, const O&... o) {
  detail::visit_windows(std::ranges::begin(r), std::ranges::end(r), size, f, o...);
}

// Calls f(x, y) for all n·(n − 1) / 2 pairs of elements, with x before y in the range. An element is in
// many pairs, so elements are const as in windows.
template <class I, detail::sentinel<I> S, class F, detail::option... O>
void for_each_pair(I first, S last, F f, const O&... o) {
  detail::visit_pairs(first, last, f, o...);
}
template <detail::range R, detail::function F, detail::option... O>
void for_each_pair(R&& r, F f, const O&... o) {
  detail::visit_pairs(std::ranges::begin(r), std::ranges::end(r), f, o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(for_each_chunk, "heist::for_each_chunk takes a range, the length of a chunk, and a function "
                                   "of a chunk")

}  // namespace heist

HEIST_END
