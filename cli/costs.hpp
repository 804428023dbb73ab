#pragma once
// What forks and steals cost here, measured in some milliseconds.

#include <analysis/replay/replay.hpp>
#include <analysis/replay/spread.hpp>

namespace heist::cli {

struct measured_costs {
  analysis::machine_costs costs;
  bool steals_guessed = true;  // there was no second core: steal, claim, resume and wake are as usual elsewhere
  unsigned cores = 1;          // that the process may use
};
measured_costs measure_costs();

// The same work again and again, on so many threads at once: what the slowest of them takes for each slice.
analysis::slices measure_slices(unsigned threads);

}  // namespace heist::cli
