#pragma once
// The rules of Othello, a bit for every square, and what a position seems to be worth. A position is seen by the player
// whose turn it is.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace examples {

using squares = std::uint64_t;

// The squares one step on, for the eight steps; what would leave the board at the side is lost.
constexpr std::array<int, 8> steps{1, -1, 8, -8, 9, -9, 7, -7};

constexpr squares step_on(squares from, int step) {
  constexpr squares not_first_column = 0xfefefefefefefefe, not_last_column = 0x7f7f7f7f7f7f7f7f;
  const squares to = step > 0 ? from << step : from >> -step;
  const int sideways = ((step + 8 + 1) & 7) - 1;  // −1, 0 or 1 columns
  return sideways > 0 ? to & not_first_column : sideways < 0 ? to & not_last_column : to;
}

class othello {
 public:
  class moves;

  othello() = default;  // no position yet
  static constexpr othello start() {
    return {squares{1} << 28 | squares{1} << 35, squares{1} << 27 | squares{1} << 36};
  }

  moves all_moves() const;
  othello pass() const { return {theirs_, mine_}; }
  bool is_over() const { return places(mine_, theirs_) == 0 && places(theirs_, mine_) == 0; }

  // Corners, and freedom to move.
  int value() const {
    constexpr squares corners = 0x8100000000000081;
    const int held = std::popcount(mine_ & corners) - std::popcount(theirs_ & corners);
    return 20 * held + std::popcount(places(mine_, theirs_)) - std::popcount(places(theirs_, mine_));
  }
  int final_value() const { return 1000 * (std::popcount(mine_) - std::popcount(theirs_)); }

 private:
  constexpr othello(squares mine, squares theirs) : mine_(mine), theirs_(theirs) {}

  // Where `mine` may be set: an empty square at the end of a row of theirs that begins at one of mine.
  static squares places(squares mine, squares theirs) {
    squares found = 0;
    for (const int step : steps) {
      squares row = step_on(mine, step) & theirs;
      for (int i = 0; i < 5; ++i) row |= step_on(row, step) & theirs;
      found |= step_on(row, step);
    }
    return found & ~(mine | theirs);
  }

  othello after(squares place) const {
    squares turned = 0;
    for (const int step : steps) {
      squares row = 0, at = step_on(place, step);
      for (; (at & theirs_) != 0; at = step_on(at, step)) row |= at;
      if ((at & mine_) != 0) turned |= row;
    }
    return {theirs_ & ~turned, mine_ | turned | place};
  }

  squares mine_, theirs_;
};

// The positions that one move leads to, in the order of the squares, those at a corner first: they are mostly the best.
class othello::moves {
 public:
  explicit moves(const othello& from) {
    constexpr squares corners = 0x8100000000000081;
    const squares all = places(from.mine_, from.theirs_);
    for (squares left = all & corners; left != 0; left &= left - 1) add(from, left);
    for (squares left = all & ~corners; left != 0; left &= left - 1) add(from, left);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const othello& operator[](std::size_t i) const { return all_[i]; }
  const othello* begin() const { return all_.data(); }
  const othello* end() const { return all_.data() + size_; }

 private:
  void add(const othello& from, squares left) { all_[size_++] = from.after(left & (~left + 1)); }

  static constexpr std::size_t most = 64;
  std::array<othello, most> all_;
  std::size_t size_ = 0;
};

inline othello::moves othello::all_moves() const { return moves(*this); }

}  // namespace examples
