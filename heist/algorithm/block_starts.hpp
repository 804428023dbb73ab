#pragma once
// A count for each block of a range, and the sum of the counts before each: where the elements that
// a block keeps will start.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <array>
#include <cstddef>
#include <memory>

HEIST_BEGIN

namespace heist::detail {

// Work n, span lg n for n blocks, besides the counting. One word per block.
class block_starts {
 public:
  // Calls count(k) once for every k in [0, blocks), possibly in parallel.
  template <class How, class Count>
  block_starts(const How& how, std::size_t blocks, Count&& count) : blocks_(blocks) {
    if (blocks >= few_.size()) {
      many_.reset(new std::size_t[blocks + 1]);
      at_ = many_.get();
    }
    at_[0] = 0;
    if (blocks == 0) return;
    at_[blocks] = gather(how, 0, blocks, count);
    spread(how, 0, blocks, 0);
  }

  block_starts(const block_starts&) = delete;

  std::size_t blocks() const noexcept { return blocks_; }
  std::size_t operator[](std::size_t block) const noexcept { return at_[block]; }
  std::size_t total() const noexcept { return at_[blocks_]; }

 private:
  // Every middle of the recursion is a different block, and stores the sum of the left half.
  template <class How, class Count>
  [[gnu::noinline]] std::size_t gather(const How& how, std::size_t first, std::size_t last, Count& count) {
    if (last - first == 1) {
      how.check();
      return count(first);
    }
    const std::size_t middle = first + (last - first) / 2;
    const auto [left, right] = how.fork([&, first, middle] { return gather(how, first, middle, count); },
                                        [&, middle, last] { return gather(how, middle, last, count); });
    at_[middle] = left;
    return left + right;
  }

  template <class How>
  [[gnu::noinline]] void spread(const How& how, std::size_t first, std::size_t last, std::size_t before) {
    if (last - first == 1) return;
    const std::size_t middle = first + (last - first) / 2;
    const std::size_t here = at_[middle] += before;
    if (last - first <= worth_a_fork) {
      spread(how, first, middle, before);
      spread(how, middle, last, here);
    } else {
      how.fork([&, first, middle, before] { spread(how, first, middle, before); },
               [&, middle, last, here] { spread(how, middle, last, here); });
    }
  }

  static constexpr std::size_t worth_a_fork = 1024;

  const std::size_t blocks_;
  std::array<std::size_t, 72> few_;  // enough for small ranges, which allocate nothing
  sole<std::size_t[]> many_;
  std::size_t* at_ = few_.data();
};

}  // namespace heist::detail

HEIST_END
