#pragma once
// Watches the delay-sequence argument. An instruction is critical when all its predecessors in G′ are executed. It is
// then near the top of a deque, so that within a few rounds of 3P to 4P steal attempts somebody takes it.

#include <analysis/sim/machine.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace heist::analysis {

// Steal attempts in a row: at least 3P and fewer than 4P, and with one of them all others of the same step.
struct steal_round {
  std::uint64_t first = 0, last = 0;  // the steps of its first and its last attempt
  std::size_t begin = 0, end = 0;     // its attempts, in critical_watch::attempts()
};

struct steal_attempt {
  std::uint32_t step;
  id victim;
};

// The steps in which an instruction was critical: those after `after`, up to `until`, in which it was executed.
struct critical_time {
  std::uint64_t after = 0, until = 0;
  id holder = none;  // the processor that had it when it became critical
  bool ever() const { return after < until; }
  bool throughout(const steal_round& r) const { return after < r.first && r.last <= until; }
};

// For work stealing on a stored, fully strict dag of unit instructions, in single instructions.
class critical_watch final : public observer {
 public:
  explicit critical_watch(const dag& d);
  void executed(const machine& m, id p, id t) override;
  void asked(const machine& m, id thief, id victim) override;
  void stepped(const machine& m) override;

  const std::vector<steal_round>& rounds() const { return rounds_; }  // those that are complete
  const std::vector<steal_attempt>& attempts() const { return attempts_; }
  const critical_time& when(id instruction) const { return when_[instruction]; }
  std::uint64_t most_above() const { return most_above_; }  // threads above a critical instruction in its deque
  // How many instructions were critical for exactly r whole rounds.
  const std::vector<std::uint64_t>& stayed() const { return stayed_; }
  // The share of instructions that stayed for r rounds or more; the proof says at most e^(3 - 2r).
  double share_staying(std::size_t r) const;

 private:
  void settle(std::uint64_t now);
  void look_at_deque(const machine& m, id p);
  void look_at(id instruction, id p, std::uint64_t above);

  const dag& dag_;
  std::vector<id> pending_;           // direct predecessors in G′ that are not executed, or have such predecessors
  std::vector<std::uint64_t> since_;  // the round in which an instruction became critical
  std::vector<critical_time> when_;   // `until` is 0 before it is executed
  std::vector<id> settled_;           // executed, as is all that precedes them; their successors do not know yet
  std::vector<std::uint64_t> stayed_;
  std::vector<steal_attempt> attempts_;
  std::vector<steal_round> rounds_;
  std::size_t round_began_ = 0;  // in attempts_
  std::uint64_t most_above_ = 0;
};

}  // namespace heist::analysis
