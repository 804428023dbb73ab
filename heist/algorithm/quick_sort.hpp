#pragma once
// Quicksort and quickselect, in place, with parallel partitions of large ranges.

#include <heist/algorithm/block_partition.hpp>
#include <heist/algorithm/descending.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/parallel_partition.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/small_sort.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

HEIST_BEGIN

namespace heist::detail {

template <class I, class Less, class How>
class quick_sorter {
 public:
  quick_sorter(Less& less, const How& how) noexcept : less_(less), how_(how) {}

  // Expected work n lg n and span lg² n, besides a grain; at most O(n lg n) comparisons.
  void sort(I first, I last) {
    how_.check();
    if (last - first > insertion_sort_size && detail::seems_to_descend(first, last, less_) &&
        detail::descends(first, last, less_, how_))
      return detail::reverse(first, last, how_);
    sort({first, last, patience(first, last), true});
  }

  // Puts at nth the element that sorting would put there. Expected work n, span lg² n.
  void select(I first, I nth, I last) {
    how_.check();
    stretch s{first, last, patience(first, last), true};
    while (s.size() > insertion_sort_size) {
      if (s.patience == 0) return detail::heap_sort(s.first, s.last, less_, how_);
      if (take_pivot(s)) {
        s = without_equal(s);
        if (nth < s.first) return;
        continue;
      }
      const partitioned<I> found = divide(s);
      const I pivot = found.middle - 1;
      if (nth == pivot) return;
      if (badly_divided(s, pivot)) --s.patience;
      how_.check();
      s = nth < pivot ? s.before(pivot) : s.after(pivot);
    }
    detail::insertion_sort(s.first, s.last, less_);
  }

 private:
  // What is to be sorted.
  struct stretch {
    I first, last;
    int patience;   // how many more bad pivots are tolerated
    bool leftmost;  // if not, first[-1] is a pivot, and nothing here is less than it

    std::ptrdiff_t size() const { return last - first; }
    stretch before(I pivot) const { return {first, pivot, patience, leftmost}; }
    stretch after(I pivot) const { return {pivot + 1, last, patience, false}; }
  };

  static int patience(I first, I last) {
    return static_cast<int>(std::bit_width(static_cast<std::size_t>(last - first)));
  }
  static bool badly_divided(const stretch& s, I pivot) {
    return pivot - s.first < s.size() / 8 || s.last - pivot <= s.size() / 8;
  }
  bool forks(const stretch& s) const { return static_cast<std::size_t>(s.size()) > how_.grain(); }

  [[gnu::noinline]] void sort(stretch s) {
    while (s.size() > insertion_sort_size) {
      if (s.patience == 0) return detail::heap_sort(s.first, s.last, less_, how_);
      const bool parallel = forks(s);
      if (parallel) how_.check();
      if (take_pivot(s)) {
        s = without_equal(s);
        continue;
      }
      const partitioned<I> found = divide(s);
      const I pivot = found.middle - 1;
      if (badly_divided(s, pivot))
        --s.patience;
      else if (!found.moved && detail::sorted_with_few_moves(s.first, pivot, less_, how_) &&
               detail::sorted_with_few_moves(found.middle, s.last, less_, how_))
        return;
      const stretch left = s.before(pivot), right = s.after(pivot);
      if (parallel) {
        how_.fork([this, left] { sort(left); }, [this, right] { sort(right); });
        return;
      }
      sort(left);
      s = right;
    }
    detail::insertion_sort(s.first, s.last, less_);
  }

  // Puts a pivot first. True if the pivot and everything equal to it may go before everything else.
  bool take_pivot(const stretch& s) {
    std::ranges::iter_swap(s.first, detail::choose_pivot(s.first, s.last, less_, how_));
    return !s.leftmost && !less_(*(s.first - 1), *s.first);
  }

  // Partitions into what is less than the pivot, the pivot (just before the middle), and the rest.
  partitioned<I> divide(const stretch& s) {
    auto smaller = [this, &s](auto&& x) { return less_(x, *s.first); };
    const partitioned<I> found = partition(s, smaller);
    std::ranges::iter_swap(s.first, found.middle - 1);
    return found;
  }

  // Nothing is less than the pivot: its equals go first, and are finished.
  stretch without_equal(const stretch& s) {
    auto equal = [this, &s](auto&& x) { return !less_(*s.first, x); };
    const I end = partition(s, equal).middle;
    return {end, s.last, end - s.first < s.size() / 8 ? s.patience - 1 : s.patience, false};
  }

  template <class Pred>
  partitioned<I> partition(const stretch& s, Pred& pred) {
    if (forks(s)) return detail::parallel_partition(how_, s.first + 1, s.last, pred);
    return detail::block_partition(s.first + 1, s.last, pred, how_);
  }

  Less& less_;
  const How& how_;
};

template <class I, class Less, class How>
void quick_sort(I first, std::size_t n, Less& less, const How& how) {
  quick_sorter<I, Less, How>(less, how).sort(first, detail::at(first, n));
}
template <class I, class Less, class How>
void quick_select(I first, std::size_t place, std::size_t n, Less& less, const How& how) {
  quick_sorter<I, Less, How>(less, how).select(first, detail::at(first, place), detail::at(first, n));
}

}  // namespace heist::detail

HEIST_END
