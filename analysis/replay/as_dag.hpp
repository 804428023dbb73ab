#pragma once
// A recorded run as a computation of the model: each fork's first branch and each child a thread, each strand an
// instruction that lasts as many steps as it took.

#include <analysis/dag/dag.hpp>
#include <analysis/replay/recorded.hpp>

#include <cstddef>

namespace heist::analysis {

// The forker is the parent, and goes on with the second branch when its child, the first, is left to it: so what a
// thief takes is the same as in heist. The dag is fully strict. Strands are rounded along the serial order, so that the
// work is right in total; an instruction lasts at least one step. Throws bad_input if it has more than 2^24
// instructions.
dag to_dag(const recorded_run& run, double ns_per_step);

// The same run with at most so many threads: the smallest branches and children become part of the strand around them.
// Work stays what it is. The span grows, as what was parallel inside them is serial now.
recorded_run collapse(const recorded_run& run, std::size_t most_threads);

// How many threads to_dag() makes of it.
std::size_t threads_of(const recorded_run& run);

}  // namespace heist::analysis
