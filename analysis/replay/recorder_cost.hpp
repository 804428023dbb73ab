#pragma once
// What the recorder charged to the program, taken off again. See README.md, "The recorder's own time".

#include <analysis/replay/recorded.hpp>

#include <cstdint>
#include <vector>

namespace heist::analysis {

// Where the work of the recorded strands is too long, they were lengthened by being measured: each fork inside a strand
// by as much as any other, and the end of a strand by a third of that, as a fork has three. Where it is too short, the
// machine was quicker than in the run it is compared with.
class recorder_cost {
 public:
  recorder_cost() = default;
  // So that the strands of `run` have this work together, in nanoseconds.
  recorder_cost(const recorded_run& run, double work);

  double without(double ns, std::uint64_t forks) const;
  double per_fork() const { return per_fork_; }

 private:
  double per_fork_ = 0, factor_ = 1;
};

// What the forks and spawns of a run cost where nobody steals, in nanoseconds.
double cost_of_forks(const recorded_run& run, double fork, double spawn);

}  // namespace heist::analysis
