#pragma once
// Output whose length is not known before it is made, block by block; in one pass if nothing is
// stolen, as in lazy_copy.hpp. A thief does not know where its output begins, so it only counts; its
// blocks are written when their place is known.

#include <heist/base/export.hpp>
#include <heist/join.hpp>
#include <heist/sched/hunger.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

// write(k, to) writes block k from place `to` on and returns where it ends; count(k) only says how
// much that would be. Both are called possibly in parallel, each at most once for a block.
template <class Write, class Count, class How>
class lazy_blocks {
 public:
  lazy_blocks(const How& how, std::size_t blocks, const Write& write, const Count& count)
      : how_(how), blocks_(blocks), write_(write), count_(count) {}

  // Returns how much was written.
  std::size_t run() {
    if (blocks_ == 0) return 0;
    left_halves_.resize(blocks_);
    return write(0, blocks_, 0);
  }

 private:
  struct outcome {
    std::size_t number;  // of what would be written, or the end of what was
    bool only_counted;
  };

  // In serial order: everything before these blocks has been written.
  std::size_t write(std::size_t first, std::size_t last, std::size_t to) {
    if (last - first == 1) return write_here(first, to);
    const std::size_t middle = first + (last - first) / 2;
    if (splits_by_count()) return write(middle, last, write(first, middle, to));  // a thief would have more to do
    const fork_place fork;
    std::size_t reached = to;  // read by the second branch only if it comes after the first
    const auto [end, right] = join([&, first, middle, to] { return reached = write(first, middle, to); },
                                   [&, middle, last, fork] {
                                     if (fork.stolen()) return outcome{count(middle, last), true};
                                     return outcome{write(middle, last, reached), false};
                                   });
    if (!right.only_counted) return right.number;
    place(middle, last, end);
    return end + right.number;
  }
  std::size_t write_here(std::size_t block, std::size_t to) {
    how_.check();
    return write_(block, to);
  }

  // Out of order. Every middle of the recursion is a different block, and stores the count of the
  // left half.
  std::size_t count(std::size_t first, std::size_t last) {
    if (last - first == 1) {
      how_.check();
      return count_(first);
    }
    const std::size_t middle = first + (last - first) / 2;
    const auto [left, right] = join([=, this] { return count(first, middle); }, [=, this] { return count(middle, last); });
    left_halves_[middle] = left;
    return left + right;
  }

  // Writes what was counted.
  void place(std::size_t first, std::size_t last, std::size_t to) {
    if (last - first == 1) {
      write_here(first, to);
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    join([=, this] { place(first, middle, to); }, [=, this] { place(middle, last, to + left_halves_[middle]); });
  }

  const How& how_;
  const std::size_t blocks_;
  const Write& write_;
  const Count& count_;
  std::vector<std::size_t> left_halves_;
};

}  // namespace heist::detail

HEIST_END
