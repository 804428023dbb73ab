#pragma once
// Watches the potential argument of Arora, Blumofe and Plaxton (SPAA 1998). A ready instruction at depth d of the
// enabling tree weighs w = T∞ − d; it counts 3^(2w) while it lies in a deque and 3^(2w − 1) once a processor has it.
// The sum never grows, and P steal attempts take a quarter of it with a chance of more than a quarter.

#include <analysis/proof/statistics.hpp>
#include <analysis/sim/machine.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

// Which of the two counts more. The proof needs `queued`; the other way round a steal makes the potential grow.
enum class heavier { queued, executing };

// For work stealing on a stored dag of unit instructions, in single instructions.
class potential_watch final : public observer {
 public:
  potential_watch(const dag& d, std::uint64_t span, heavier h);
  void executed(const machine& m, id p, id t) override;
  void stepped(const machine& m) override;

  sample drops;               // the share of the potential that each P attempts took
  sample tops;                // the share of a processor's potential that the top of its deque has
  std::uint64_t growths = 0;  // steps in which the potential grew
  std::uint64_t steps = 0;

 private:
  // 3^power · sum, with 1 ≤ sum.
  struct amount {
    std::int64_t power = 0;
    double sum = 0;
    void add(std::int64_t p, double s = 1);
  };
  static double ratio(const amount& a, const amount& b);  // a / b
  std::int64_t power(id instruction, bool queued) const;

  const dag& dag_;
  std::int64_t span_;
  heavier heavier_;
  std::vector<id> pending_;
  std::vector<std::uint32_t> depth_;  // in the enabling tree, from 1
  amount last_, phase_;
  std::uint64_t phase_began_ = 0;
};

}  // namespace heist::analysis
