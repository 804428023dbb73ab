#pragma once
// How long a strand works before it checks whether to split.

#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/hunger.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// One per strand. It starts with one element. As long as nothing is stolen, blocks grow without
// reading the clock, so that short loops cost almost nothing. In long loops, and after a steal,
// blocks are timed and kept to about ten microseconds.
class pace {
 public:
  static constexpr std::uint64_t usual_growth = 8;

  // For a strand that was not stolen from. `least` elements or fewer are not worth a fork.
  explicit pace(std::size_t first_block = 1, std::size_t least = 1) noexcept : block_(first_block), least_(least) {}
  // For a strand in a pool that begins to work on n elements. When runs are compared, it never looks at the clock, and all
  // blocks are as long: so where loops split depends on n alone. See README.md, "By count".
  static pace of(std::size_t n, std::size_t first_block = 1, std::size_t least = 1) noexcept {
    pace p(first_block, least);
    if (splits_by_count()) [[unlikely]] p.count(n);
    return p;
  }
  // For its thief, which calls it: reads only what never changes, or what never changes if blocks are all as long.
  pace for_thief() const noexcept {
    if (by_count_) return *this;
    pace p(1, least_);
    p.contested_ = true;
    return p;
  }
  // The strand was stolen from: starts over, as the next elements may be expensive.
  void contest() noexcept {
    if (contested_) return;
    contested_ = true;
    block_ = 1;
    crumb_ = 0;
  }

  bool contested() const noexcept { return contested_; }

  // How many elements to work on next.
  std::size_t block() const noexcept { return block_; }
  // A steal costs the thief some microseconds, and its victim, too: crumbs are not given away.
  bool worth_a_fork(std::size_t left) const noexcept { return left > std::max(crumb_, least_); }

  // Whether to time `size` elements when `left` are left.
  bool timed(std::size_t size, std::size_t left) const noexcept { return contested_ || (size >= 256 && left >= 1024); }
  void did(std::size_t size) noexcept {
    block_ = std::max(block_, 4 * size);
    crumb_ = block_ / 2;
  }
  // Adjusts the block in proportion, but not too fast: a few elements may not be like the rest.
  void took(std::size_t size, std::uint64_t time, std::uint64_t growth = usual_growth) noexcept {
    if (by_count_) return;
    const std::uint64_t right = size * ten_microseconds_in_ticks() / std::max<std::uint64_t>(time, 1);
    const std::uint64_t next = std::min({right, growth * size, most});
    block_ = static_cast<std::size_t>(std::max<std::uint64_t>(next, 1));
    crumb_ = static_cast<std::size_t>(4 * next);
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 40;  // for elements that take no time at all

  HEIST_COLD void count(std::size_t n) noexcept {
    by_count_ = contested_ = true;  // as if all blocks were timed
    block_ = crumb_ = std::max<std::size_t>({block_, least_, n / 64});
  }

  std::size_t block_;
  std::size_t crumb_ = 0;
  const std::size_t least_;
  bool contested_ = false;
  bool by_count_ = false;
};

}  // namespace heist::detail

HEIST_END
