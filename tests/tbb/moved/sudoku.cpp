// Counts the solutions of a sudoku, as oneTBB programs search trees: a task for each guess, in a task_group, and a count that
// each thread keeps for itself.
#include "tests/tbb/moved/tbb.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <string_view>

namespace {

using board = std::array<unsigned short, 81>;  // the digits that are still possible in a cell, as bits
constexpr unsigned short all_digits = 0x1ff;

bool see_each_other(int a, int b) {
  const int row_a = a / 9, row_b = b / 9, column_a = a % 9, column_b = b % 9;
  return row_a == row_b || column_a == column_b || (row_a / 3 == row_b / 3 && column_a / 3 == column_b / 3);
}

// Puts a digit into a cell, and takes it away from those that see the cell. False: some cell has none left.
bool put(board& b, int cell, unsigned short digit) {
  b[cell] = digit;
  for (int other = 0; other < 81; ++other) {
    if (other == cell || !see_each_other(cell, other) || (b[other] & digit) == 0) continue;
    b[other] &= static_cast<unsigned short>(~digit);
    if (b[other] == 0) return false;
    if (std::has_single_bit(b[other]) && !put(b, other, b[other])) return false;
  }
  return true;
}

int most_certain_open_cell(const board& b) {
  int best = -1;
  for (int cell = 0; cell < 81; ++cell)
    if (!std::has_single_bit(b[cell]) && (best < 0 || std::popcount(b[cell]) < std::popcount(b[best]))) best = cell;
  return best;
}

class solver {
 public:
  void search(const board& b) {
    const int cell = most_certain_open_cell(b);
    if (cell < 0) {
      ++found_.local();
      return;
    }
    for (unsigned short digit = 1; digit <= all_digits; digit = static_cast<unsigned short>(digit << 1)) {
      if ((b[cell] & digit) == 0) continue;
      board guess = b;
      if (put(guess, cell, digit)) tasks_.run([this, guess] { search(guess); });
    }
  }
  long count(const board& b) {
    tasks_.run_and_wait([&] { search(b); });
    return found_.combine(std::plus<long>());
  }

 private:
  tbb::task_group tasks_;
  tbb::enumerable_thread_specific<long> found_{0L};
};

}  // namespace

int main() {
  constexpr std::string_view given =
      "53..7...."
      "6..195..."
      ".98....6."
      "8...6...3"
      "4..8.3..1"
      "7...2...6"
      ".6....28."
      "...419..5"
      "....8..7.";
  // Without the last clues there are many solutions.
  for (const std::size_t clues_until : {81u, 63u, 60u}) {
    board b;
    b.fill(all_digits);
    for (std::size_t cell = 0; cell < clues_until; ++cell)
      if (given[cell] != '.' && !put(b, static_cast<int>(cell), static_cast<unsigned short>(1 << (given[cell] - '1')))) return 1;
    solver s;
    std::printf("clues in the first %zu cells: %ld solutions\n", clues_until, s.count(b));
  }
}
