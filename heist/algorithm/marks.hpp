#pragma once
// One bit for each element: whether it stays. The predicate is called once for each, before
// anything is moved.

#include <heist/algorithm/block_starts.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

HEIST_BEGIN

namespace heist::detail {

using mark_word = std::uint64_t;
inline constexpr std::size_t marks_a_word = 64;

// Calls keep(i) for i in [lo, hi), at most one word of bits.
template <class Keep>
mark_word ask(std::size_t lo, std::size_t hi, Keep& keep) {
  mark_word word = 0;
  if (hi - lo == marks_a_word) {
    for (std::size_t i = 0; i < marks_a_word; ++i) word |= mark_word{keep(lo + i)} << i;
  } else {
    for (std::size_t i = lo; i < hi; ++i) word |= mark_word{keep(i)} << (i - lo);
  }
  return word;
}

// The same for any [lo, hi): sets the bits of these elements, in order from the first of a word on. Returns how many are 1.
template <class Keep>
std::size_t ask_some(mark_word* words, std::size_t lo, std::size_t hi, Keep& keep) {
  std::size_t marked = 0;
  for (std::size_t end; lo < hi; lo = end) {
    const std::size_t bit = lo % marks_a_word;
    end = std::min(lo - bit + marks_a_word, hi);
    const mark_word some = detail::ask(lo, end, keep);
    mark_word& word = words[lo / marks_a_word];
    word = bit == 0 ? some : word | some << bit;
    marked += static_cast<std::size_t>(std::popcount(some));
  }
  return marked;
}

// Calls f(i) for every bit that is set, in order; bit 0 is element `lo`.
template <class F>
void each_set(mark_word word, std::size_t lo, F&& f) {
  if (word == ~mark_word{0}) {
    for (std::size_t i = 0; i < marks_a_word; ++i) f(lo + i);
    return;
  }
  for (; word != 0; word &= word - 1) f(lo + static_cast<std::size_t>(std::countr_zero(word)));
}

// Blocks of whole words over n elements. Each block is worth a fork.
class mark_blocks {
 public:
  mark_blocks(std::size_t n, std::size_t grain) noexcept
      : n_(n), size_((std::max<std::size_t>(grain, 1) + marks_a_word - 1) / marks_a_word * marks_a_word) {}

  std::size_t elements() const noexcept { return n_; }
  std::size_t count() const noexcept { return n_ / size_ + (n_ % size_ != 0); }
  std::size_t begin(std::size_t block) const noexcept { return std::min(block * size_, n_); }
  std::size_t words() const noexcept { return n_ / marks_a_word + 1; }

  // Calls f(w, lo, hi) for every word of a block, with the elements it stands for.
  template <class F>
  void each_word(std::size_t block, F&& f) const {
    const std::size_t end = begin(block + 1);
    for (std::size_t lo = begin(block); lo < end; lo += marks_a_word)
      f(lo / marks_a_word, lo, std::min(lo + marks_a_word, end));
  }

 private:
  std::size_t n_, size_;
};

// One bit per element, and a word per block.
class marks {
 public:
  template <class How, class Keep>
  marks(const How& how, mark_blocks blocks, Keep&& keep)
      : blocks_(blocks),
        words_(new mark_word[blocks.words()]),
        starts_(how, blocks.count(), [&](std::size_t block) { return mark(how, block, keep); }) {}

  const mark_blocks& blocks() const noexcept { return blocks_; }
  std::size_t total() const noexcept { return starts_.total(); }
  // How many are marked, and how many are not, before a block.
  std::size_t before(std::size_t block) const noexcept { return starts_[block]; }
  std::size_t unmarked_before(std::size_t block) const noexcept { return blocks_.begin(block) - starts_[block]; }

  template <class F>
  void each_marked(std::size_t block, F&& f) const {
    blocks_.each_word(block, [&](std::size_t w, std::size_t lo, std::size_t) { detail::each_set(words_[w], lo, f); });
  }
  template <class F>
  void each_unmarked(std::size_t block, F&& f) const {
    blocks_.each_word(block, [&](std::size_t w, std::size_t lo, std::size_t hi) {
      detail::each_set(~words_[w] & (~mark_word{0} >> (marks_a_word - (hi - lo))), lo, f);
    });
  }

  // The first block from `from` on by whose end more than `most` elements are marked; or the number
  // of blocks.
  std::size_t block_past(std::size_t from, std::size_t most) const {
    std::size_t high = blocks_.count();
    while (from < high) {
      const std::size_t middle = from + (high - from) / 2;
      if (starts_[middle + 1] <= most)
        from = middle + 1;
      else
        high = middle;
    }
    return from;
  }
  // The first block with an unmarked element, or the number of blocks.
  std::size_t first_incomplete() const {
    std::size_t low = 0, high = blocks_.count();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (unmarked_before(middle + 1) == 0)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

 private:
  template <class How, class Keep>
  std::size_t mark(const How& how, std::size_t block, Keep& keep) {
    std::size_t marked = 0;
    lookout_.through(how, blocks_.begin(block), blocks_.begin(block + 1),
                     [&](std::size_t lo, std::size_t hi) { marked += detail::ask_some(words_.get(), lo, hi, keep); });
    return marked;
  }

  mark_blocks blocks_;
  sole<mark_word[]> words_;
  lookout lookout_;
  block_starts starts_;
};

}  // namespace heist::detail

HEIST_END
