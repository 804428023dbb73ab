#pragma once
// A run that nobody recorded: an invented computation whose instructions all take the same time.

#include <analysis/dag/computation.hpp>
#include <analysis/replay/recorded.hpp>

namespace heist::analysis {

// In serial order, with a child for each spawn. Throws bad_input for a stored dag, whose joins may go anywhere, and for
// more than 2^27 steps.
recorded_run invent_run(const computation& c, double ns_per_instruction);

}  // namespace heist::analysis
