#pragma once
// Profiles of several runs of a program, of which one is kept: a strand that loses its core goes on counting, so what
// interrupts a program only ever lengthens its work and span, and the run with the least span was interrupted least.

#include <cli/program.hpp>
#include <cli/run_file.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace heist::cli {

struct profiled {
  std::optional<run_file> kept;  // whole, of one run; none if the last run left no profile
  ended how;                     // that run's end
  std::size_t number = 0;        // that run's, from 0
  std::vector<double> spans;     // of all runs

  double spread() const;  // the longest span over the least
};

struct profile_runs {
  unsigned most = 1;
  // Enough after some: when this says so of all spans so far, there are no further runs.
  std::function<bool(std::vector<double>)> enough = [](const std::vector<double>&) { return false; };
};

// A run that fails is the last, and is the one that is kept: its own end is what is to be told.
profiled profile_several(const program& what, const std::vector<std::pair<std::string, std::string>>& variables,
                         program::output where, const profile_runs& runs, const std::function<void()>& done);

}  // namespace heist::cli
