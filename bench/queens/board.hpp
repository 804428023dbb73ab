#pragma once
// n-queens: in how many ways can n queens stand on an n×n board, none attacking another? Row by row; each free place of
// a row is a branch. The board is that of the example.

#include <examples/queens.hpp>

namespace queens {

using examples::board;
using examples::lowest;

constexpr std::size_t most = 32;  // places in a row

inline board empty(long n) { return board::empty(static_cast<int>(n)); }

}  // namespace queens
