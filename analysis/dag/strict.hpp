#pragma once
// Moves joins up the spawn tree until a computation is strict, or fully strict.

#include <analysis/dag/dag.hpp>

#include <cstddef>

namespace heist::analysis {

struct moved {
  dag result;
  std::size_t joins = 0;         // how many were moved
  std::size_t instructions = 0;  // how many were added, so that no join goes into the one right after a spawn
};

// A join u → v into a thread that is no ancestor of u's goes into the spawn of v's branch instead, in the thread where
// the two branches part: the branch starts only when it has all it waits for. Throws bad_input, naming the join, if u
// itself waits for that spawn: then no order of the joins makes the computation strict.
moved make_strict(const dag& d);

// After that, a join into a thread further up than the parent takes a step in the last instruction of each thread
// between.
moved make_fully_strict(const dag& d);

}  // namespace heist::analysis
