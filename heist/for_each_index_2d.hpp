#pragma once
// Loops over two and three dimensions. They run tile by tile, so that neighbours in every dimension
// are worked on soon after each other; and they split as all loops do, so no tile size is asked for.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class F, class... I>
consteval bool can_count_cells() noexcept {
  constexpr bool integers = (std::is_integral_v<I> && ...);
  static_assert(integers, "heist: the ends of a loop over indices must be integers");
  if constexpr (integers) {
    static_assert(callable<F, I...>, "heist: the function cannot be called with one index for each dimension");
    if constexpr (callable<F, I...>) return can_share<F, I...>();
  }
  return false;
}

// From first to last, each of any integer type.
template <class I>
struct span_of {
  I first;
  std::size_t size;

  span_of(I from, I to) noexcept
      : first(from), size(from < to ? static_cast<std::size_t>(to) - static_cast<std::size_t>(from) : 0) {}
  I operator[](std::size_t k) const noexcept { return static_cast<I>(static_cast<std::size_t>(first) + k); }
};

inline std::size_t cells_of(std::size_t a, std::size_t b, std::size_t c = 1) {
  std::size_t ab = 0, abc = 0;
  if (a == 0 || b == 0 || c == 0) return 0;
  if (__builtin_mul_overflow(a, b, &ab) || __builtin_mul_overflow(ab, c, &abc))
    throw std::length_error("heist: a loop has more indices than can be counted");
  return abc;
}

// One of the tiles in a dimension: `size` indices from `begin` on.
struct tile {
  std::size_t begin, size;
};
// Which tile the k-th cell is in, if each index stands for `each` cells; k becomes its place there.
constexpr tile tile_at(std::size_t& k, std::size_t each, std::size_t edge, std::size_t size) noexcept {
  const std::size_t begin = k / (edge * each) * edge;
  k -= begin * each;
  return {begin, std::min(edge, size - begin)};
}

// Calls row(i, j, j_end) for the cells [a, b) of a plane of rows × columns, tile by tile.
template <class Row>
void visit_plane(std::size_t rows, std::size_t columns, std::size_t a, std::size_t b, const Row& row) {
  constexpr std::size_t height = 32, width = 128;
  while (a != b) {
    std::size_t k = a;
    const tile down = tile_at(k, columns, height, rows);
    const tile across = tile_at(k, down.size, width, columns);
    std::size_t i = down.begin + k / across.size, j = across.begin + k % across.size;
    for (; a != b && i != down.begin + down.size; ++i, j = across.begin) {
      const std::size_t end = std::min(across.begin + across.size, j + (b - a));
      a += end - j;
      row(i, j, end);
    }
  }
}

// The same for row(i, j, k, k_end) in a brick of planes × rows × columns.
template <class Row>
void visit_brick(std::size_t planes, std::size_t rows, std::size_t columns, std::size_t a, std::size_t b,
                 const Row& row) {
  constexpr std::size_t depth = 8, height = 8, width = 64;
  while (a != b) {
    std::size_t n = a;
    const tile in = tile_at(n, rows * columns, depth, planes);
    const tile down = tile_at(n, in.size * columns, height, rows);
    const tile across = tile_at(n, in.size * down.size, width, columns);
    const std::size_t plane = down.size * across.size, rest = n % plane;
    std::size_t i = in.begin + n / plane, j = down.begin + rest / across.size, k = across.begin + rest % across.size;
    for (; a != b && i != in.begin + in.size; ++i, j = down.begin)
      for (; a != b && j != down.begin + down.size; ++j, k = across.begin) {
        const std::size_t end = std::min(across.begin + across.size, k + (b - a));
        a += end - k;
        row(i, j, k, end);
      }
  }
}

}  // namespace detail

// Calls f(i, j) for every i in [first1, last1) and j in [first2, last2), or in [0, rows) and [0,
// columns). Which tiles are worked on first is unspecified; in a tile a single worker goes row by row.
// The indices have the types of the ends.
template <class I, class J, class F, detail::option... O>
  requires(!detail::option<F>)
void for_each_index_2d(std::type_identity_t<I> first1, I last1, std::type_identity_t<J> first2, J last2, F&& f,
                       const O&... o) {
  if constexpr (detail::can_count_cells<F, I, J>()) {
    const detail::span_of<I> rows(first1, last1);
    const detail::span_of<J> columns(first2, last2);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      detail::visit_plane(rows.size, columns.size, a, b, [&](std::size_t i, std::size_t j, std::size_t end) {
        for (; j != end; ++j) here(rows[i], columns[j]);
      });
    };
    detail::for_pieces(detail::cells_of(rows.size, columns.size), some, detail::options_of(o...));
  }
}
template <class I, class J, class F, detail::option... O>
  requires(!std::is_integral_v<std::remove_cvref_t<F>>)
void for_each_index_2d(I rows, J columns, F&& f, const O&... o) {
  if constexpr (detail::can_count_cells<F, I, J>()) heist::for_each_index_2d(I{}, rows, J{}, columns, f, o...);
}

// The same for f(i, j, k) in three dimensions.
template <class I, class J, class K, class F, detail::option... O>
  requires(!detail::option<F>)
void for_each_index_3d(std::type_identity_t<I> first1, I last1, std::type_identity_t<J> first2, J last2,
                       std::type_identity_t<K> first3, K last3, F&& f, const O&... o) {
  if constexpr (detail::can_count_cells<F, I, J, K>()) {
    const detail::span_of<I> planes(first1, last1);
    const detail::span_of<J> rows(first2, last2);
    const detail::span_of<K> columns(first3, last3);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      detail::visit_brick(planes.size, rows.size, columns.size, a, b,
                          [&](std::size_t i, std::size_t j, std::size_t k, std::size_t end) {
                            for (; k != end; ++k) here(planes[i], rows[j], columns[k]);
                          });
    };
    detail::for_pieces(detail::cells_of(planes.size, rows.size, columns.size), some, detail::options_of(o...));
  }
}
template <class I, class J, class K, class F, detail::option... O>
  requires(!std::is_integral_v<std::remove_cvref_t<F>>)
void for_each_index_3d(I planes, J rows, K columns, F&& f, const O&... o) {
  if constexpr (detail::can_count_cells<F, I, J, K>())
    heist::for_each_index_3d(I{}, planes, J{}, rows, K{}, columns, f, o...);
}

}  // namespace heist

HEIST_END
