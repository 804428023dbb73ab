#pragma once
// What the theory says about a computation: its measures, its class, and what is odd about it.

#include <analysis/dag/dag.hpp>

#include <optional>
#include <string>
#include <vector>

namespace heist::analysis {

struct measures {
  std::uint64_t work = 0;   // T₁: instructions
  std::uint64_t span = 0;   // T∞: instructions on a longest path
  std::uint64_t stack = 0;  // S₁: the largest sum of frames from the root to a thread
  std::uint64_t frame = 0;  // S_max: the largest frame
  std::uint64_t joins = 0;  // n_d: the most joins from a thread to its parent
  std::uint64_t threads = 0;
  double parallelism() const { return static_cast<double>(work) / static_cast<double>(span); }
};
measures measure(const dag& d);

// The instructions of a longest path, in order.
std::vector<id> longest_path(const dag& d);

enum class strictness { fully_strict, strict, neither };
struct classification {
  strictness kind = strictness::fully_strict;
  std::optional<edge> offender;  // the first join that goes not to the parent; if none of the two, not to an ancestor
};
classification classify(const dag& d);
const char* to_string(strictness s);

// Sentences about what the theory rules out and the simulator can run nevertheless: a join into the instruction right
// after a spawn, a parent that can die before its child.
std::vector<std::string> oddities(const dag& d);

// True if `ancestor` is `t`, or spawned it, or spawned one that did.
class ancestry {
 public:
  explicit ancestry(const dag& d);
  bool above(id ancestor, id t) const { return enter_[ancestor] <= enter_[t] && leave_[t] <= leave_[ancestor]; }

 private:
  std::vector<id> enter_, leave_;  // of a walk through the spawn tree
};

}  // namespace heist::analysis
