#pragma once
// copy_if, in one pass if nothing is stolen: a strand that runs in serial order knows where its
// elements go. A thief does not: it only marks them, and they are copied when their place is known.

#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/marks.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/join.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <tuple>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// Calls keep(i) once for each element; put(i, to) copies element i to place `to`. Work n, span lg n
// and a block.
template <class Keep, class Put, class How>
class lazy_copy {
 public:
  lazy_copy(const How& how, mark_blocks blocks, const Keep& keep, const Put& put)
      : how_(how), blocks_(blocks), keep_(keep), put_(put) {}

  // Returns how many were copied.
  std::size_t run() {
    if (blocks_.count() == 0) return 0;
    if (blocks_.count() == 1) return copy_block(0, 0);
    words_.reset(new mark_word[blocks_.words()]);
    left_halves_.resize(blocks_.count());
    return copy(0, blocks_.count(), 0);
  }

 private:
  // In serial order: everything before these blocks has been copied. Returns where their elements
  // end.
  std::size_t copy(std::size_t first, std::size_t last, std::size_t to) {
    if (last - first == 1) return copy_block(first, to);
    const std::size_t middle = first + (last - first) / 2;
    if (splits_by_count()) return copy(middle, last, copy(first, middle, to));  // a thief would have more to do
    const fork_place fork;
    std::size_t reached = to;  // read by the second branch only if it comes after the first
    const auto [end, right] = join_inside([&, first, middle, to] { return reached = copy(first, middle, to); },
                                   [&, middle, last, fork] {
                                     if (fork.stolen()) return outcome{mark(middle, last), true};
                                     return outcome{copy(middle, last, reached), false};
                                   });
    if (!right.only_marked) return right.number;
    place(middle, last, end);
    return end + right.number;
  }

  struct outcome {
    std::size_t number;  // of the elements marked, or the end of what was copied
    bool only_marked;
  };

  // If nearly all answers are the same, a branch on each is almost free, and faster than marks. If
  // not, half of them would be mispredicted.
  std::size_t copy_block(std::size_t block, std::size_t to) {
    bool steady = true;
    std::size_t size = 16;
    lookout_.through(how_, blocks_.begin(block), blocks_.begin(block + 1), [&](std::size_t lo, std::size_t end) {
      for (std::size_t hi; lo < end; lo = hi) {
        hi = std::min(lo + size, end);
        const std::size_t before = to;
        to = steady ? copy_by_branches(lo, hi, to) : copy_by_marks(lo, hi, to);
        const std::size_t some = (hi - lo) / 16, copied = to - before;
        steady = copied <= some || copied >= hi - lo - some;
        size = steady ? 256 : marks_a_word;
      }
    });
    return to;
  }
  std::size_t copy_by_branches(std::size_t lo, std::size_t hi, std::size_t to) {
    const Keep keep = keep_;  // a copy, which cannot alias what is written
    const Put put = put_;
    for (; lo < hi; ++lo)
      if (keep(lo)) put(lo, to++);
    return to;
  }
  std::size_t copy_by_marks(std::size_t lo, std::size_t hi, std::size_t to) {
    detail::each_set(detail::ask(lo, hi, keep_), lo, [&](std::size_t i) { put_(i, to++); });
    return to;
  }

  // Out of order. Every middle of the recursion is a different block, and stores the count of the
  // left half.
  std::size_t mark(std::size_t first, std::size_t last) {
    if (last - first == 1) return mark_block(first);
    const std::size_t middle = first + (last - first) / 2;
    const auto [left, right] =
        join_inside([=, this] { return mark(first, middle); }, [=, this] { return mark(middle, last); });
    left_halves_[middle] = left;
    return left + right;
  }

  std::size_t mark_block(std::size_t block) {
    std::size_t marked = 0;
    lookout_.through(how_, blocks_.begin(block), blocks_.begin(block + 1),
                     [&](std::size_t lo, std::size_t hi) { marked += detail::ask_some(words_.get(), lo, hi, keep_); });
    return marked;
  }

  // Copies what was marked.
  void place(std::size_t first, std::size_t last, std::size_t to) {
    if (last - first == 1) {
      how_.check();
      blocks_.each_word(first, [&](std::size_t w, std::size_t lo, std::size_t) {
        detail::each_set(words_[w], lo, [&](std::size_t i) { put_(i, to++); });
      });
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    join_inside([=, this] { place(first, middle, to); }, [=, this] { place(middle, last, to + left_halves_[middle]); });
  }

  const How& how_;
  const mark_blocks blocks_;
  const Keep& keep_;
  const Put& put_;
  lookout lookout_;
  sole<mark_word[]> words_;
  std::vector<std::size_t> left_halves_;
};

}  // namespace heist::detail

HEIST_END
