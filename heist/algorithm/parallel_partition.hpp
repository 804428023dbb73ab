#pragma once
// A parallel partition in place. Chunks are partitioned independently. Then the elements on the
// wrong side of the border are swapped, the i-th no on the left with the i-th yes on the right. The
// result depends only on the input.

#include <heist/algorithm/block_partition.hpp>
#include <heist/algorithm/block_starts.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

HEIST_BEGIN

namespace heist::detail {

// block_partition, which with `looks` is left by a failure before it or a stop within a few slow calls, and not only
// between blocks: comparisons are too cheap for that.
template <bool looks, class How, class I, class Pred>
partitioned<I> divide(const How& how, I first, I last, Pred& pred) {
  if constexpr (looks) {
    looking_predicate<How, Pred> asked(how, pred);
    return detail::block_partition(first, last, asked, how);
  } else {
    return detail::block_partition(first, last, pred, how);
  }
}

template <class I, bool looks>
class chunked_partition {
 public:
  template <class How, class Pred>
  chunked_partition(const How& how, I first, std::size_t size, std::size_t chunk, Pred& pred)
      : first_(first), size_(size), chunk_(chunk), yes_(how, (size + chunk - 1) / chunk, [&](std::size_t k) {
          const I from = detail::at(first_, begin(k));
          const I to = detail::at(first_, begin(k + 1));
          return static_cast<std::size_t>(detail::divide<looks>(how, from, to, pred).middle - from);
        }) {}

  // Returns the border.
  template <class How>
  [[gnu::noinline]] I exchange(const How& how) {
    const std::size_t border = yes_.total();
    if (border == 0 || border == size_) return detail::at(first_, border);
    // The no's left of the border: those of all chunks before the border's chunk, and maybe some in
    // that chunk.
    const std::size_t k = border / chunk_;
    const std::size_t strays = no_before(k) + border - std::min(border, end_of_yes(k));
    detail::in_pieces(how, strays, chunk_, [&](std::size_t from, std::size_t to) { swap(from, to, border - strays); });
    return detail::at(first_, border);
  }

 private:
  std::size_t begin(std::size_t k) const { return std::min(k * chunk_, size_); }
  std::size_t end_of_yes(std::size_t k) const { return begin(k) + yes_[k + 1] - yes_[k]; }
  std::size_t no_before(std::size_t k) const { return begin(k) - yes_[k]; }

  // The last chunk with at most `rank` of a kind before it.
  template <class Before>
  std::size_t chunk_of(std::size_t rank, Before&& before) const {
    std::size_t low = 0, high = yes_.blocks();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (before(middle) <= rank ? low : high) = middle;
    }
    return low;
  }

  // Swaps the no's of ranks [from, to) with the yes's of ranks [from, to) + offset.
  void swap(std::size_t from, std::size_t to, std::size_t offset) {
    std::size_t no = chunk_of(from, [this](std::size_t k) { return no_before(k); });
    std::size_t yes = chunk_of(from + offset, [this](std::size_t k) { return yes_[k]; });
    while (from < to) {
      while (no_before(no + 1) <= from) ++no;
      while (yes_[yes + 1] <= from + offset) ++yes;
      const std::size_t n = std::min({to, no_before(no + 1), yes_[yes + 1] - offset}) - from;
      I left = detail::at(first_, end_of_yes(no) + from - no_before(no));
      I right = detail::at(first_, begin(yes) + from + offset - yes_[yes]);
      for (const I end = detail::at(left, n); left != end; ++left, ++right) std::ranges::iter_swap(left, right);
      from += n;
    }
  }

  I first_;
  std::size_t size_, chunk_;
  block_starts yes_;
};

// Comparisons are cheap: a chunk has 16 grains. A predicate may take milliseconds, so that a few hundred elements have
// chunks enough to share. The size depends on n and the grain only, and so does the result.
template <bool looks>
constexpr std::size_t chunk_size(std::size_t n, std::size_t grain) noexcept {
  constexpr std::size_t least = 32, chunks = 64;
  return looks ? std::min(16 * grain, std::max(n / chunks, least)) : 16 * grain;
}

// Like block_partition, but it may report "moved" although nothing was. Work n, span lg n and one
// chunk; a word for each chunk.
template <bool looks = false, class How, class I, class Pred>
partitioned<I> parallel_partition(const How& how, I first, I last, Pred& pred) {
  how.check();
  const auto n = static_cast<std::size_t>(last - first);
  const std::size_t chunk = detail::chunk_size<looks>(n, how.grain());
  // Not more than a grain: the caller need not be in a pool.
  if (n <= how.grain() || n < 8 * chunk) return detail::divide<looks>(how, first, last, pred);
  return {chunked_partition<I, looks>(how, first, n, chunk, pred).exchange(how), true};
}

}  // namespace heist::detail

HEIST_END
