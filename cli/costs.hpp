#pragma once
// What forks and steals cost here, measured in some milliseconds.

#include <analysis/replay/replay.hpp>

namespace heist::cli {

// Where there is but one core, what a steal costs is a guess.
analysis::machine_costs measure_costs();

}  // namespace heist::cli
