#pragma once
// How long a strand works before it looks up.

#include <heist/base/cpu.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A strand's own. It starts with one element. As long as nobody steals, blocks grow without a look at the clock, so that
// short loops cost next to nothing; in long ones, and where a steal has been paid for, they are timed and kept to some ten
// microseconds.
class pace {
 public:
  static constexpr std::uint64_t usual_growth = 8;

  // Of a strand whose loop nobody has robbed. No fork is worth it for `least` elements or fewer.
  explicit pace(std::size_t first_block = 1, std::size_t least = 1) noexcept : block_(first_block), least_(least) {}
  // Of its thief, who calls it: reads only what never changes.
  pace for_thief() const noexcept {
    pace p(1, least_);
    p.contested_ = true;
    return p;
  }
  // Was robbed: starts anew, as what comes may be dear.
  void contest() noexcept {
    if (contested_) return;
    contested_ = true;
    block_ = 1;
    crumb_ = 0;
  }

  bool contested() const noexcept { return contested_; }

  // How many elements to work on next.
  std::size_t block() const noexcept { return block_; }
  // A thief pays some microseconds for what it takes, and so does its victim: crumbs are not given away.
  bool worth_a_fork(std::size_t left) const noexcept { return left > std::max(crumb_, least_); }

  // Whether to time `size` elements when there are so many left.
  bool timed(std::size_t size, std::size_t left) const noexcept { return contested_ || (size >= 256 && left >= 1024); }
  void did(std::size_t size) noexcept {
    block_ = std::max(block_, 4 * size);
    crumb_ = block_ / 2;
  }
  // In proportion; not too fast, as a few elements may not be like the rest.
  void took(std::size_t size, std::uint64_t time, std::uint64_t growth = usual_growth) noexcept {
    const std::uint64_t right = size * ten_microseconds_in_ticks() / std::max<std::uint64_t>(time, 1);
    const std::uint64_t next = std::min({right, growth * size, most});
    block_ = static_cast<std::size_t>(std::max<std::uint64_t>(next, 1));
    crumb_ = static_cast<std::size_t>(4 * next);
  }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 40;  // of elements that take no time at all

  std::size_t block_;
  std::size_t crumb_ = 0;
  const std::size_t least_;
  bool contested_ = false;
};

}  // namespace heist::detail

HEIST_END
