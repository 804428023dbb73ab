#pragma once
// What the proofs say of every step, looked at after every step.

#include <analysis/sim/machine.hpp>

#include <string>
#include <vector>

namespace heist::analysis {

class invariants final : public observer {
 public:
  invariants(const computation& c, const options& o);
  void stepped(const machine& m) override;
  // After the run: adds what was checked, and what was found, to the report. The bounds on time and space are checked
  // here.
  void conclude(report& r) const;

 private:
  void check_greedy(const machine& m);
  void check_leaves(const machine& m);
  void check_deque(const machine& m, id p);
  void fail(std::string what);
  void plan(bool& flag, bool applies, const char* what, const std::string& why_not);

  std::uint32_t processors_;
  bool greedy_ = false, leaves_ = false, deques_ = false, serial_space_ = false, space_ = false;
  std::uint64_t could_run_ = 1, checks_ = 0;  // threads that could run in the step that follows
  std::vector<std::string> checked_, unchecked_, violations_;
};

// Runs c, and checks it if the options say so.
report simulate(const computation& c, const options& o);

}  // namespace heist::analysis
