#pragma once
// The serial parts of sort and nth_element: small ranges, pivots, and the fallback for bad pivots.
// All of them stay inside the range and end, whatever the comparison returns. If it throws, the
// range has its elements in some order. They are not inlined, because each is long and has several
// callers.

#include <heist/algorithm/lookout.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// Up to this many elements, insertion sort is the fastest.
inline constexpr int insertion_sort_size = 24;

// Moves *at down to its place in the sorted [first, at). Returns how far.
template <class I, class Less>
std::ptrdiff_t insert(I first, I at, Less& less) {
  if (at == first || !less(*at, *(at - 1))) return 0;
  std::iter_value_t<I> value(std::ranges::iter_move(at));
  I hole = at;
  try {
    do {
      *hole = std::ranges::iter_move(hole - 1);
      --hole;
    } while (hole != first && less(value, *(hole - 1)));
  } catch (...) {
    *hole = std::move(value);
    throw;
  }
  *hole = std::move(value);
  return at - hole;
}

template <class I, class Less>
void insertion_sort(I first, I last, Less& less) {
  for (I i = first; i != last; ++i) detail::insert(first, i, less);
}

// Gives up and returns false after more than a few moves.
template <class I, class Less, class How>
[[gnu::noinline]] bool sorted_with_few_moves(I first, I last, Less& less, const How& how) {
  std::ptrdiff_t moves = 0;
  for (I i = first; i != last; ++i) {
    if ((i - first) % elements_between_looks == 0) how.check();
    moves += detail::insert(first, i, less);
    if (moves > 8) return false;
  }
  return true;
}

// Work n lg n for any input; slower than the others.
template <class I, class Less, class How>
HEIST_COLD void heap_sort(I first, I last, Less& less, const How& how) {
  std::ptrdiff_t n = last - first;
  auto sink = [&](std::ptrdiff_t i) {
    how.check();
    for (std::ptrdiff_t child; (child = 2 * i + 1) < n; i = child) {
      if (child + 1 < n && less(first[child], first[child + 1])) ++child;
      if (!less(first[i], first[child])) return;
      std::ranges::iter_swap(first + i, first + child);
    }
  };
  for (std::ptrdiff_t i = n / 2; i-- > 0;) sink(i);
  while (n > 1) {
    std::ranges::iter_swap(first, first + --n);
    sink(0);
  }
}

// An estimate of the median of [first, last), which has at least 9 elements: the median of a
// sample, one from each stretch.
template <class I, class Less, class How>
[[gnu::noinline]] I choose_pivot(I first, I last, Less& less, const How& how) {
  constexpr std::ptrdiff_t most = 65;
  const std::ptrdiff_t n = last - first;
  const std::ptrdiff_t size = n < 64 ? 3 : n < 1024 ? 7 : n < 16384 ? 21 : most;
  const std::ptrdiff_t stretch = n / size;
  const auto choices = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(stretch, 0xFFFFFFFF));
  random dice(static_cast<std::uint64_t>(n));
  I sample[most];
  for (std::ptrdiff_t i = 0; i < size; ++i) sample[i] = first + (i * stretch + dice.below(choices));
  auto less_there = [&less](const I& a, const I& b) { return less(*a, *b); };
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    if (i % 16 == 15) how.check();  // up to a thousand comparisons in all
    detail::insert(sample, sample + i, less_there);
  }
  return sample[size / 2];
}

}  // namespace heist::detail

HEIST_END
