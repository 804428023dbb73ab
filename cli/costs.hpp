#pragma once
// What forks and steals cost here, measured in some milliseconds.

#include <analysis/replay/replay.hpp>

namespace heist::cli {

struct measured_costs {
  analysis::machine_costs costs;
  bool steals_guessed = true;  // there was no second core: steal, claim, resume and wake are as usual elsewhere
  unsigned cores = 1;          // that the process may use
  // How much less and more time than usual the same work takes now and then, as parts of that time.
  double quicker = 0, slower = 0;
};
measured_costs measure_costs();

}  // namespace heist::cli
