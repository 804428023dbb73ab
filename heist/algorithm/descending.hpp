#pragma once
// A range that descends is not sorted but reversed.

#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

HEIST_BEGIN

namespace heist::detail {

// At least two elements. Looks at a few neighbours, so that a range in no order is not looked through.
template <class I, class Less>
bool seems_to_descend(I first, I last, Less& less) {
  const std::ptrdiff_t step = (last - first - 2) / 4;
  for (int i = 0; i <= 4; ++i)
    if (const I there = first + i * step; !less(*(there + 1), *there)) return false;
  return true;
}

// Each element is less than the one before it.
template <class I, class Less, class How>
[[gnu::noinline]] bool descends(I first, I last, Less& less, const How& how) {
  if (static_cast<std::size_t>(last - first) <= std::max<std::size_t>(how.grain(), 2)) {
    for (const I begin = first; first + 1 < last; ++first) {
      if ((first - begin) % elements_between_looks == 0) how.check();
      if (!less(*(first + 1), *first)) return false;
    }
    return true;
  }
  // The element in the middle belongs to both.
  const I middle = first + (last - first) / 2;
  const auto [low, high] = how.fork([&, first, middle] { return detail::descends(first, middle + 1, less, how); },
                                    [&, middle, last] { return detail::descends(middle, last, less, how); });
  return low && high;
}

template <class I, class How>
void reverse(I first, I last, const How& how) {
  detail::in_pieces(how, static_cast<std::size_t>(last - first) / 2, how.grain(), [=](std::size_t from, std::size_t to) {
    for (I i = detail::at(first, from), j = last - static_cast<std::ptrdiff_t>(from), end = detail::at(first, to); i != end; ++i)
      std::ranges::iter_swap(i, --j);
  });
}

}  // namespace heist::detail

HEIST_END
