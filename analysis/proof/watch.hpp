#pragma once
// Runs of work stealing with the proof's lemmas looked at.

#include <analysis/dag/stored.hpp>
#include <analysis/proof/delay.hpp>
#include <analysis/proof/linear.hpp>
#include <analysis/proof/statistics.hpp>
#include <analysis/sim/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heist::analysis {

// A computation in unit instructions, one by one. The potential covers every dag. Critical instructions and delay
// sequences need one that is fully strict and not odd.
class proof_subject {
 public:
  explicit proof_subject(const dag& given);
  const dag& units() const { return *single_.stored(); }
  const computation& single() const { return single_; }
  std::uint64_t span() const { return span_; }
  const std::string& no_delays() const { return no_delays_; }  // why; empty: they are looked at
  std::uint32_t most_successors() const { return most_successors_; }  // of an instruction

 private:
  stored_computation single_;
  std::uint64_t span_;
  std::string no_delays_;
  std::uint32_t most_successors_ = 0;
};

// The delay sequence of a run, and what the lemmas say of it.
struct delay_report {
  struct part {
    std::string label;
    critical_time when;
    std::uint64_t rounds, between;
  };
  report run;
  std::uint64_t all_rounds = 0, most_above = 0;
  std::vector<double> staying;  // [r]: the share of instructions that stayed critical for at least r rounds
  std::uint64_t rounds = 0;     // R; 0: Lemma 9 says nothing
  std::vector<part> path;       // U and Π
  std::vector<group_of_rounds> groups;
  std::vector<std::string> broken;  // conditions of Definition 8, Lemma 9, and Lemma 11's event
};

struct proof_report {
  report run;
  delay_report delays;  // empty if the subject has none
  struct potential {
    sample drops, tops;
    std::uint64_t growths = 0, steps = 0;
    double quarter = 0;  // the share of phases of P attempts that took a quarter or more
  };
  potential queued, executing;  // which of the two counts more

  // With linear weights.
  struct {
    sample tops;
    std::uint64_t growths = 0, steps = 0;
    std::optional<linear_watch::growth> first;
    std::string instruction;  // of the first growth
    bool spawned = false;     // it was a spawn
  } linear;
};

// What is claimed of the potential, and was seen not to hold. With w at the executed instruction and k successors enabled, one
// of which is executed next, at most 3^(2w - 3) + (k - 1)·3^(2w - 2) comes in the place of 3^(2w - 1): it cannot grow for
// k <= 3. A top has 3/4 for k <= 2. For more nothing is claimed.
struct potential_claims {
  bool never_grows, tops_have_most;  // whether it is claimed
  std::vector<std::string> broken;
};
potential_claims claims_of(proof_report::potential& p, std::uint32_t most_successors);

delay_report watch_delays(const proof_subject& s, std::uint32_t processors, std::uint64_t seed);
proof_report watch(const proof_subject& s, std::uint32_t processors, std::uint64_t seed);

}  // namespace heist::analysis
