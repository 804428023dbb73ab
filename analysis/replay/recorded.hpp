#pragma once
// The computation of a real run, as HEIST_RECORD wrote it. See README.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heist::analysis {

struct recorded_step {
  enum class kind : std::uint8_t { strand, fork, second, join, child, child_end, queued, later, later_end, sync };

  kind what;
  // fork: its second. second: its join. child and later: their ends. child_end and later_end: where they began.
  // queued: its later.
  std::uint32_t other = 0;
  // strand: forks too small to be written. Else which of the forks, or which of the scopes.
  std::uint32_t number = 0;
  float ns = 0;  // strand
};

struct recorded_run {
  std::vector<recorded_step> steps;  // in serial order
  std::uint32_t forks = 0;           // joins, written ones
  std::uint32_t scopes = 0;          // from a first child to its sync

  // In nanoseconds, and all forks. Forks themselves cost nothing here.
  double work = 0, span = 0;
  std::uint64_t all_forks = 0;

  // How long the program ran on one worker when it was not recorded, in nanoseconds; a time for each run.
  std::vector<double> plain;
};

// What a fork and a spawn cost where nobody steals, in nanoseconds; and how long the program takes on one worker, if that
// is known better than the recording has it.
struct unrecorded {
  double fork = 2, spawn = 15;
  std::optional<double> time = {};
};

// If it is known how long the program takes when it is not recorded, strands are as long as they are then. Throws
// bad_input, which names the file and the byte.
recorded_run read_recording(const std::string& file, const unrecorded& when = {});
recorded_run parse_recording(std::string_view text, const std::string& name, const unrecorded& when = {});

void scale(recorded_run& run, double factor);  // all times

// Writes into a recording how long the program ran when it was not recorded.
void add_plain_times(const std::string& file, const std::vector<double>& ns);

}  // namespace heist::analysis
