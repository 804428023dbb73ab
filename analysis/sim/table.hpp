#pragma once
// The step table: who executed what in each step, and the threads that nobody worked on.

#include <analysis/sim/machine.hpp>

#include <string>
#include <vector>

namespace heist::analysis {

// For a stored computation in single instructions.
class step_table final : public observer {
 public:
  struct row {
    std::vector<std::string> executed;  // by processor; empty: it did not work
    std::vector<std::string> pool;      // "Γ1 r", "Γ2 s": ready and stalled threads, the oldest first
  };
  void executed(const machine& m, id p, id t) override;
  void stepped(const machine& m) override;
  const std::vector<row>& rows() const { return rows_; }
  std::string to_string() const;

 private:
  void look_at_pool(const machine& m);
  row now_;
  std::vector<std::string> pool_;  // as it is during the next step
  std::vector<row> rows_;
};

}  // namespace heist::analysis
