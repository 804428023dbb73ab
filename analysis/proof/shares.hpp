#pragma once
// A-Steal's theorems for a run of a job that shared the machine.

#include <analysis/sim/options.hpp>
#include <analysis/sim/report.hpp>

namespace heist::analysis {

struct share_bounds {
  double waste = 0, most_waste = 0;  // processor-steps that were not work, over T₁; what the theorem allows
  double trimmed = 0;                // P̃: the average of what there was, without the steps with the most
  double allowance = 0;              // T∞/(1 − δ) + L·(log_ρ P + 1); heist's rule: (T∞/(1 − δ) + L)·(log_ρ P + 1). As many
                                     // steps are left out
  double c = 0;                      // T ≤ T₁/(δ·P̃) + c · allowance
};
share_bounds judge_share(const report& r, const options& o);

}  // namespace heist::analysis
