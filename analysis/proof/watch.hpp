#pragma once
// One run of work stealing with the proof's lemmas looked at.

#include <analysis/proof/statistics.hpp>
#include <analysis/sim/report.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

struct proof_report {
  report run;
  std::uint64_t augmented_span = 0;
  std::uint64_t rounds = 0, most_above = 0;
  std::vector<double> staying;  // [r]: the share of instructions that stayed critical for at least r rounds
  struct potential {
    sample drops, tops;
    std::uint64_t growths = 0, steps = 0;
    double quarter = 0;  // the share of phases of P attempts that took a quarter or more
  };
  potential queued, executing;  // which of the two counts more
};

// The dag must be fully strict and without oddities; throws bad_input if not.
proof_report watch(const dag& d, std::uint32_t processors, std::uint64_t seed);

}  // namespace heist::analysis
