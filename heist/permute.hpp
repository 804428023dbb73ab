#pragma once
// Elements by their indices: gather reads them from anywhere, scatter writes them anywhere, transpose
// turns rows into columns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/build.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/collect.hpp>
#include <heist/search.hpp>
#include <heist/sort.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

[[noreturn]] HEIST_COLD inline void refuse_to_gather() {
  throw std::out_of_range("heist::gather: an index is not less than the number of elements");
}
[[noreturn]] HEIST_COLD inline void refuse_small_output() {
  throw std::out_of_range("heist: the output has less room than there is to write");
}
[[noreturn]] HEIST_COLD inline void refuse_to_scatter() {
  throw std::out_of_range("heist::scatter: an index is not less than the room in the output");
}

template <class Index>
consteval bool can_be_indices() noexcept {
  if constexpr (can_read<std::ranges::iterator_t<Index>, std::ranges::sentinel_t<Index>>()) {
    constexpr bool integers = std::integral<std::ranges::range_value_t<Index>>;
    static_assert(integers, "heist: the indices must be integers");
    return integers;
  } else {
    return false;
  }
}

#if defined(HEIST_CHECKED)
// Two strands would write to the same place.
template <class Index>
void refuse_duplicates(const Index& indices) {
  std::vector<std::ranges::range_value_t<Index>> sorted = heist::to_vector(indices);
  heist::sort(sorted);
  if (heist::adjacent_find(sorted) != sorted.end())
    throw std::invalid_argument("heist::scatter: two elements have the same index");
}
#else
template <class Index>
void refuse_duplicates(const Index&) noexcept {}
#endif

// A range to write to, which says how much room there is. (An array is passed as a pointer.)
template <class Out>
concept output_range = range<Out> && !std::input_or_output_iterator<std::decay_t<Out>>;

template <class I, class S, class Index, class Put>
void gather_some(const I& first, std::size_t n, const Index& indices, std::size_t a, std::size_t b, Put&& put) {
  auto index = std::ranges::begin(indices) + static_cast<std::ranges::range_difference_t<Index>>(a);
  for (; a != b; ++a, ++index) {
    const auto k = static_cast<std::size_t>(*index);  // a negative one becomes very large
    if (k >= n) refuse_to_gather();
    put(*detail::at(first, k));
  }
}

}  // namespace detail

// Writes r[i] to `out` for every i of `indices`, in order. Returns the end of what was written. An index
// that is not below the length of r throws std::out_of_range.
template <detail::range R, detail::range Index, std::input_or_output_iterator Out, detail::option... O>
Out gather(R&& r, const Index& indices, Out out, const O&... o) {
  using I = std::ranges::iterator_t<R>;
  using S = std::ranges::sentinel_t<R>;
  if constexpr (detail::can_be_indices<const Index>()) {
    if constexpr (detail::can_copy<I, S, Out>()) {
      const I first = std::ranges::begin(r);
      const std::size_t n = detail::length(first, std::ranges::end(r));
      const std::size_t m = detail::length(std::ranges::begin(indices), std::ranges::end(indices));
      auto some = [&](std::size_t a, std::size_t b) {
        Out to = detail::at(out, a);
        detail::gather_some<I, S>(first, n, indices, a, b,
                                  [&to](auto&& x) { detail::assign(*to, std::forward<decltype(x)>(x)), ++to; });
      };
      detail::for_pieces(m, some, detail::options_of(o...));
      return detail::at(out, m);
    }
  }
  return out;
}
// The same to a range, which must have room: else std::out_of_range is thrown, before anything is written.
template <detail::range R, detail::range Index, detail::output_range Out, detail::option... O>
std::ranges::borrowed_iterator_t<Out> gather(R&& r, const Index& indices, Out&& out, const O&... o) {
  if (detail::length(std::ranges::begin(out), std::ranges::end(out)) <
      detail::length(std::ranges::begin(indices), std::ranges::end(indices)))
    detail::refuse_small_output();
  return detail::in_range(std::forward<Out>(out), heist::gather(std::forward<R>(r), indices, std::ranges::begin(out), o...));
}
// The same, as a vector.
template <detail::range R, detail::range Index, detail::option... O>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> gather(R&& r, const Index& indices, const O&... o) {
  using I = std::ranges::iterator_t<R>;
  using S = std::ranges::sentinel_t<R>;
  using T = std::ranges::range_value_t<R>;
  if constexpr (detail::can_read<I, S>()) {
    if constexpr (detail::can_be_indices<const Index>()) {
      constexpr bool copyable = std::constructible_from<T, std::iter_reference_t<I>>;
      static_assert(copyable, "heist: the elements cannot be copied into a vector");
      if constexpr (copyable) {
        const I first = std::ranges::begin(r);
        const std::size_t n = detail::length(first, std::ranges::end(r));
        auto some = [&](std::size_t a, std::size_t b, auto&& put) {
          detail::gather_some<I, S>(first, n, indices, a, b, put);
        };
        return detail::build_vector<T>(detail::length(std::ranges::begin(indices), std::ranges::end(indices)), some,
                                       detail::options_of(o...));
      }
    }
  }
  return {};
}

// Writes r[k] to out[indices[k]] for every k. No two indices may be equal; a checked build throws
// std::invalid_argument if two are, before anything is written. If `out` is a range, an index that is
// not below its length throws std::out_of_range; if it is an iterator, nothing is checked. There must be as
// many indices as elements, or std::invalid_argument is thrown.
template <detail::range R, detail::range Index, class Out, detail::option... O>
void scatter(R&& r, const Index& indices, Out&& out, const O&... o) {
  using I = std::ranges::iterator_t<R>;
  if constexpr (detail::can_be_indices<const Index>()) {
    const auto to = [&] {
      if constexpr (detail::range<Out>)
        return std::ranges::begin(out);
      else
        return out;
    }();
    if constexpr (detail::can_copy<I, std::ranges::sentinel_t<R>, std::remove_const_t<decltype(to)>>()) {
      std::size_t room = ~std::size_t{0};
      if constexpr (detail::range<Out>) room = static_cast<std::size_t>(std::ranges::end(out) - to);
      const I first = std::ranges::begin(r);
      const std::size_t n = detail::length(first, std::ranges::end(r));
      if (n != detail::length(std::ranges::begin(indices), std::ranges::end(indices)))
        throw std::invalid_argument("heist::scatter: there must be one index for each element");
      detail::refuse_duplicates(indices);
      auto some = [&](std::size_t a, std::size_t b) {
        auto index = std::ranges::begin(indices) + static_cast<std::ranges::range_difference_t<Index>>(a);
        for (; a != b; ++a, ++index) {
          const auto k = static_cast<std::size_t>(*index);
          if (k >= room) detail::refuse_to_scatter();
          detail::assign(*detail::at(to, k), *detail::at(first, a));
        }
      };
      detail::for_pieces(n, some, detail::options_of(o...));
    }
  }
}

namespace detail {

// Rows and columns of a tile: both sides of it stay in the cache while it is turned.
inline constexpr std::size_t tile_edge = 32;

inline void check_matrix(std::size_t elements, std::size_t rows, std::size_t columns) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(rows, columns, &product) || product != elements)
    throw std::invalid_argument("heist::transpose: the range has not rows times columns elements");
}

// Element (i, j) of a matrix of `rows` rows goes to put(j · rows + i, i · columns + j), tile by tile.
template <class Put, option... O>
void turn_tiles(std::size_t rows, std::size_t columns, const Put& put, const options_of<O...>& options) {
  if (rows == 0 || columns == 0) return;
  const std::size_t across = (columns - 1) / tile_edge + 1, down = (rows - 1) / tile_edge + 1;
  auto some = [&](std::size_t a, std::size_t b) {
    for (; a != b; ++a) {
      const std::size_t i0 = a / across * tile_edge, j0 = a % across * tile_edge;
      const std::size_t i1 = std::min(rows, i0 + tile_edge), j1 = std::min(columns, j0 + tile_edge);
      for (std::size_t j = j0; j != j1; ++j)
        for (std::size_t i = i0; i != i1; ++i) put(j * rows + i, i * columns + j);
    }
  };
  detail::for_pieces(across * down, some, options);
}

}  // namespace detail

// Transposes a matrix whose `rows` rows of `columns` elements lie one after the other in r. Writes the
// columns one after the other to `out`, which must not overlap r, and returns the end; or returns them
// as a vector. If the range has another length, std::invalid_argument is thrown.
template <detail::range R, std::input_or_output_iterator Out, detail::option... O>
Out transpose(R&& r, std::size_t rows, std::size_t columns, Out out, const O&... o) {
  using I = std::ranges::iterator_t<R>;
  if constexpr (detail::can_copy<I, std::ranges::sentinel_t<R>, Out>()) {
    const auto first = detail::plain(std::ranges::begin(r));
    const auto to = detail::plain(out);
    const std::size_t n = detail::length(std::ranges::begin(r), std::ranges::end(r));
    detail::check_matrix(n, rows, columns);
    auto put = [first, to](std::size_t there, std::size_t here) {
      detail::assign(*detail::at(to, there), *detail::at(first, here));
    };
    detail::turn_tiles(rows, columns, put, detail::options_of(o...));
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <detail::range R, detail::output_range Out, detail::option... O>
std::ranges::borrowed_iterator_t<Out> transpose(R&& r, std::size_t rows, std::size_t columns, Out&& out, const O&... o) {
  if (detail::length(std::ranges::begin(out), std::ranges::end(out)) <
      detail::length(std::ranges::begin(r), std::ranges::end(r)))
    detail::refuse_small_output();
  return detail::in_range(std::forward<Out>(out),
                          heist::transpose(std::forward<R>(r), rows, columns, std::ranges::begin(out), o...));
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> transpose(R&& r, std::size_t rows, std::size_t columns,
                                                                   const O&... o) {
  using T = std::ranges::range_value_t<R>;
  using I = std::ranges::iterator_t<R>;
  if constexpr (detail::can_read<I, std::ranges::sentinel_t<R>>()) {
    const I first = std::ranges::begin(r);
    detail::check_matrix(detail::length(first, std::ranges::end(r)), rows, columns);
    if constexpr (detail::assigned_later<T>) {
      std::vector<T> turned(rows * columns);
      heist::transpose(std::forward<R>(r), rows, columns, turned.begin(), o...);
      return turned;
    } else {
      auto at = [&](std::size_t k) -> T { return T(*detail::at(first, k % rows * columns + k / rows)); };
      return heist::tabulate(rows * columns, at, o...);
    }
  } else {
    return {};
  }
}

// The same for a range of rows, each a range; the result is a vector of columns. If the rows have
// different lengths, std::invalid_argument is thrown.
template <detail::range R, detail::option... O>
  requires detail::range<std::ranges::range_reference_t<R>>
[[nodiscard]] auto transpose(R&& r, const O&... o) {
  using row = std::ranges::range_reference_t<R>;
  using T = std::ranges::range_value_t<row>;
  using result = std::vector<std::vector<T>>;
  if constexpr (!detail::can_read<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>()) {
    return result();
  } else if constexpr (!detail::can_read<std::ranges::iterator_t<row>, std::ranges::sentinel_t<row>>()) {
    return result();
  } else {
    const auto first = std::ranges::begin(r);
    const std::size_t rows = detail::length(first, std::ranges::end(r));
    if (rows == 0) return result();
    auto length_of = [&](std::size_t i) {
      row at = *detail::at(first, i);
      return detail::length(std::ranges::begin(at), std::ranges::end(at));
    };
    const std::size_t columns = length_of(0);
    for (std::size_t i = 1; i < rows; ++i)
      if (length_of(i) != columns) throw std::invalid_argument("heist::transpose: the rows have different lengths");
    auto column = [&](std::size_t j) {
      return heist::tabulate(
          rows,
          [&](std::size_t i) -> T {
            row at = *detail::at(first, i);
            return T(*detail::at(std::ranges::begin(at), j));
          },
          o...);
    };
    return heist::tabulate(columns, column, o...);
  }
}

}  // namespace heist

HEIST_END
