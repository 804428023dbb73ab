#pragma once
// Merge sort with a parallel merge: sort the halves in parallel; merge by splitting the longer run at its middle and
// the shorter one where that value belongs, and merging the two parts in parallel.
//
// Work Θ(n lg n), span Θ(lg³ n): lg n levels, each a merge of span Θ(lg² n), as it halves lg n times and each time
// looks for a place by bisection. heist::stable_sort works like this, for any type.

#include <heist/heist.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace examples {

using keys = std::span<std::uint32_t>;
using const_keys = std::span<const std::uint32_t>;

constexpr std::size_t merge_sort_leaf = 4096;

// Both runs are sorted; out.size() == a.size() + b.size().
inline void merge(const_keys a, const_keys b, keys out) {
  if (a.size() < b.size()) std::swap(a, b);
  if (out.size() <= merge_sort_leaf) {
    std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
    return;
  }
  const std::size_t i = a.size() / 2;
  const auto j = static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[i]) - b.begin());
  heist::join([=] { merge(a.first(i), b.first(j), out.first(i + j)); },
              [=] { merge(a.subspan(i), b.subspan(j), out.subspan(i + j)); });
}

enum class result_in : unsigned char { place, buffer };

constexpr result_in other(result_in r) { return r == result_in::place ? result_in::buffer : result_in::place; }

// Sorts `a` with a buffer of the same size; the result is left in one of the two.
inline void merge_sort(keys a, keys buffer, result_in where = result_in::place) {
  const keys out = where == result_in::place ? a : buffer;
  if (a.size() <= merge_sort_leaf) {
    std::sort(a.begin(), a.end());
    if (where == result_in::buffer) std::copy(a.begin(), a.end(), buffer.begin());
    return;
  }
  const std::size_t half = a.size() / 2;
  heist::join([=] { merge_sort(a.first(half), buffer.first(half), other(where)); },
              [=] { merge_sort(a.subspan(half), buffer.subspan(half), other(where)); });
  const keys in = where == result_in::place ? buffer : a;
  merge(in.first(half), in.subspan(half), out);
}

inline void merge_sort_serial(keys a, keys buffer, result_in where = result_in::place) {
  const keys out = where == result_in::place ? a : buffer;
  if (a.size() <= merge_sort_leaf) {
    std::sort(a.begin(), a.end());
    if (where == result_in::buffer) std::copy(a.begin(), a.end(), buffer.begin());
    return;
  }
  const std::size_t half = a.size() / 2;
  merge_sort_serial(a.first(half), buffer.first(half), other(where));
  merge_sort_serial(a.subspan(half), buffer.subspan(half), other(where));
  const keys in = where == result_in::place ? buffer : a;
  std::merge(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(half), in.begin() + static_cast<std::ptrdiff_t>(half),
             in.end(), out.begin());
}

}  // namespace examples
