#pragma once
// What a machine has to do: batches of subtrees, each batch a loan. It works on the youngest, in the order of one
// processor that is as fast as all its cores, so that a moment in time is a place in the tree: between two messages
// nothing needs to be simulated, however many nodes that is.

#include <analysis/cluster/tree.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace heist::clusters {

using loan_number = std::uint32_t;

class holdings {
 public:
  struct batch {
    loan_number loan;
    std::deque<subtree> parts;  // the oldest first; the last is worked on if the batch is the last
  };

  bool empty() const { return batches_.empty(); }
  const std::vector<batch>& batches() const { return batches_; }

  // Something borrowed. A machine that had nothing begins at `from`, when its cores have spread over it.
  void add(batch b, double from);

  // Works until `now`, at so many nodes a µs; returns how many nodes were done.
  double work_until(double now, double speed);

  // When the youngest batch will have been worked off.
  double batch_ends(double speed) const;
  // It has been: which loan was it?
  loan_number drop_batch(double now);

  struct gift {
    loan_number from;  // the loan that it is a part of
    std::vector<subtree> parts;
  };
  // What a thief gets, of branches of at least `grain` nodes: the oldest one of the oldest loan, or the older half.
  std::optional<gift> give(const tree& t, double grain, bool half);

  double nodes_left() const;
  double nodes_left(const batch& b) const;

 private:
  bool unfold(const tree& t, double grain);

  std::vector<batch> batches_;  // the oldest first
  double done_ = 0;             // nodes of the current part; below zero: something else is to be done first
  double since_ = 0;            // when that was so
};

}  // namespace heist::clusters
