#pragma once
// n-queens: in how many ways can n queens stand on an n×n board, none attacking another? Row by row; each free place of
// a row is a branch. No cut-off: a fork is cheap enough for the last rows, too.
//
// Work: the number of partial placements, exponential in n. Span O(n²): n rows, at most n forks in a chain in each.

#include <heist/heist.hpp>

#include <cstdint>

namespace examples {

// One bit a column: those taken by a queen above, straight or along a diagonal.
struct board {
  std::uint32_t all;  // the columns there are
  std::uint32_t columns = 0, left = 0, right = 0;

  static board empty(int n) { return {(1u << n) - 1}; }
  bool full() const { return columns == all; }
  std::uint32_t free_places() const { return all & ~(columns | left | right); }
  board with(std::uint32_t place) const { return {all, columns | place, (left | place) << 1, (right | place) >> 1}; }
};

inline std::uint32_t lowest(std::uint32_t places) { return places & (~places + 1); }

inline long queens_serial(const board& b) {
  if (b.full()) return 1;
  long ways = 0;
  for (std::uint32_t places = b.free_places(); places != 0; places &= places - 1)
    ways += queens_serial(b.with(lowest(places)));
  return ways;
}

inline long queens(board b);

// A queen on each of `places`: the first against the rest.
inline long queens_on(board b, std::uint32_t places) {
  const board next = b.with(lowest(places));
  const std::uint32_t rest = places & (places - 1);
  if (rest == 0) return queens(next);
  const auto [first, others] = heist::join([=] { return queens(next); }, [=] { return queens_on(b, rest); });
  return first + others;
}

inline long queens(board b) {
  if (b.full()) return 1;
  const std::uint32_t places = b.free_places();
  return places == 0 ? 0 : queens_on(b, places);
}

}  // namespace examples
