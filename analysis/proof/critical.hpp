#pragma once
// Watches the delay-sequence argument. An instruction is critical when all its predecessors in G′ are executed. It is
// then near the top of a deque, so that within a few rounds of 3P to 4P steal attempts somebody takes it.

#include <analysis/sim/machine.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

// For work stealing on a stored, fully strict dag of unit instructions, in single instructions.
class critical_watch final : public observer {
 public:
  explicit critical_watch(const dag& d);
  void executed(const machine& m, id p, id t) override;
  void stepped(const machine& m) override;

  std::uint64_t rounds() const { return round_; }
  std::uint64_t most_above() const { return most_above_; }  // threads above a critical instruction in its deque
  // How many instructions were critical for exactly r whole rounds.
  const std::vector<std::uint64_t>& stayed() const { return stayed_; }
  // The share of instructions that stayed for r rounds or more; the proof says at most e^(3 - 2r).
  double share_staying(std::size_t r) const;

 private:
  void settle();
  void look_at_deque(const machine& m, const processor& q);

  const dag& dag_;
  std::vector<id> pending_;           // direct predecessors in G′ that are not executed, or have such predecessors
  std::vector<std::uint64_t> since_;  // the round in which an instruction became critical
  std::vector<bool> executed_;
  std::vector<id> settled_;  // executed, as is all that precedes them; their successors do not know yet
  std::vector<std::uint64_t> stayed_;
  std::uint64_t round_ = 0, round_began_ = 0;  // attempts when the round began
  std::uint64_t most_above_ = 0;
};

}  // namespace heist::analysis
