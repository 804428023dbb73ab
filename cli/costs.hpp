#pragma once
// What forks and steals cost here, measured in some milliseconds.

#include <analysis/replay/replay.hpp>

namespace heist::cli {

struct measured_costs {
  analysis::machine_costs costs;
  bool steals_guessed = true;  // there was no second core: steal, resume and wake are as usual elsewhere
};
measured_costs measure_costs();

}  // namespace heist::cli
