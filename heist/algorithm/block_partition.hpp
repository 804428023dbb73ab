#pragma once
// A serial partition in place, without branches that depend on the data, after BlockQuicksort
// (Edelkamp and Weiß, 2016).

#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

// The elements of one block that are on the wrong side, as offsets from where the block starts.
class misplaced {
 public:
  static constexpr std::ptrdiff_t block = 128;

  bool empty() const noexcept { return begin_ == end_; }
  std::ptrdiff_t size() const noexcept { return end_ - begin_; }
  std::ptrdiff_t operator[](std::ptrdiff_t i) const noexcept { return offsets_[begin_ + i]; }
  void drop_first(std::ptrdiff_t n) noexcept { begin_ += n; }

  // Calls wrong(i) for i in [0, n), in order; n is at most `block`. Unrolled by four if the call is
  // short. clang must be told to inline it: otherwise it reads the closure again after every store
  // of an unsigned char. g++ does better without being told.
  template <bool is_short, class Wrong>
#if defined(__clang__)
  HEIST_INLINE
#endif
  void find(std::ptrdiff_t n, Wrong&& wrong) {
    begin_ = end_ = 0;
    std::ptrdiff_t i = 0, found = 0;
    auto ask = [&] {
      offsets_[found] = static_cast<unsigned char>(i);
      found += wrong(i) ? 1 : 0;
      ++i;
    };
    if constexpr (is_short)
      while (n - i >= 4) ask(), ask(), ask(), ask();
    while (i < n) ask();
    end_ = found;
  }

 private:
  unsigned char offsets_[block];
  std::ptrdiff_t begin_ = 0, end_ = 0;
};

template <class I>
struct partitioned {
  I middle;
  bool moved;  // some element changed its place
};

// Puts the elements for which `pred` is true first. Calls it once for each element, whatever it
// answers, and only swaps in between: if it throws, the range has its elements in some order. Before
// each block it looks whether to stop.
template <class I, class Pred, class How>
[[gnu::noinline]] partitioned<I> block_partition(I first, I last, Pred& pred, const How& how) {
  constexpr bool is_short = std::is_trivially_copyable_v<std::iter_value_t<I>>;
  misplaced left, right;
  I left_base = first, right_base = last;
  bool moved = false;
  // [first, last) has not been examined. Offsets count upwards from left_base and downwards from
  // right_base.
  while (first != last) {
    how.check();
    const std::ptrdiff_t unknown = last - first;
    if (left.empty()) {
      const auto n = std::min(misplaced::block, right.empty() ? unknown - unknown / 2 : unknown);
      left_base = first;
      left.find<is_short>(n, [&](std::ptrdiff_t i) { return !pred(first[i]); });
      first += n;
    }
    if (right.empty()) {
      const auto n = std::min(misplaced::block, last - first);
      right_base = last - 1;
      right.find<is_short>(n, [&](std::ptrdiff_t i) { return pred(*(right_base - i)); });
      last -= n;
    }
    const std::ptrdiff_t n = std::min(left.size(), right.size());
    for (std::ptrdiff_t i = 0; i < n; ++i) std::ranges::iter_swap(left_base + left[i], right_base - right[i]);
    left.drop_first(n);
    right.drop_first(n);
    moved |= n != 0;
  }
  // One block may be left. Its misplaced elements go to the border, the nearest first.
  for (std::ptrdiff_t i = left.size(); i-- > 0;) {
    const I from = left_base + left[i];
    if (from == --last) continue;
    std::ranges::iter_swap(from, last);
    moved = true;
  }
  if (!left.empty()) return {last, moved};
  for (std::ptrdiff_t i = right.size(); i-- > 0; ++first) {
    const I from = right_base - right[i];
    if (from == first) continue;
    std::ranges::iter_swap(from, first);
    moved = true;
  }
  return {first, moved};
}

}  // namespace heist::detail

HEIST_END
