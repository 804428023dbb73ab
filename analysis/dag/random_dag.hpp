#pragma once
// Random stored dags of each class, for tests and for the bounds: more joins than a spawn/sync program makes.

#include <analysis/dag/dag.hpp>

namespace heist::analysis {

enum class random_kind {
  binary,        // fully strict, and no instruction has more than two successors
  fully_strict,  // joins from the middle of a child into its parent, as in the paper's example
  strict,        // also into ancestors further up
  any            // also between branches, forwards
};

// About `size` instructions in well-formed threads: a child ends before its parent, and no join goes into the
// instruction right after a spawn.
dag random_dag(std::uint64_t seed, id size, random_kind kind);

}  // namespace heist::analysis
