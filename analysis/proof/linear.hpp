#pragma once
// The potential with linear weights: 2w + 2 for a ready instruction in a deque, 2w + 1 for one that a processor has, where
// the proof has 3^(2w) and 3^(2w − 1). (All count something, also where w is 0.) It shows why the proof needs powers.

#include <analysis/proof/statistics.hpp>
#include <analysis/sim/machine.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace heist::analysis {

// For work stealing on a stored dag of unit instructions, in single instructions.
class linear_watch final : public observer {
 public:
  linear_watch(const dag& d, std::uint64_t span);
  void executed(const machine& m, id p, id t) override;
  void stepped(const machine& m) override;

  // The first step in which the sum grew, and the instruction that made it grow most.
  struct growth {
    std::uint64_t step;
    id instruction;
    std::int64_t it;        // what the instruction counted
    std::int64_t enabled;   // what those count that it enabled, as they were left
    std::int64_t before, after;  // the sum
  };
  std::optional<growth> first;
  sample tops;                // the share of a processor's potential that the top of its deque has
  std::uint64_t growths = 0;  // steps in which the sum grew
  std::uint64_t steps = 0;

 private:
  std::int64_t weight(id instruction, bool queued) const {
    return 2 * (span_ - depth_[instruction]) + (queued ? 2 : 1);
  }
  growth worst(const machine& m) const;

  const dag& dag_;
  std::int64_t span_;
  std::vector<id> pending_;
  std::vector<std::uint32_t> depth_;  // in the enabling tree, from 1
  std::vector<id> executed_;          // in this step
  std::int64_t last_;
};

}  // namespace heist::analysis
