#pragma once
// How far apart the times of one and the same thing are on a machine that has other things to do.

#include <vector>

namespace heist::analysis {

// How much longer than the least of these times all but one run in 40 take, as a part of the least. The delays are taken to
// be exponentially distributed: of few runs the longest is seldom as long as runs can be. Zero for fewer than two.
double spread_of(const std::vector<double>& times);

// The times of slices of the same work, one after the other.
class slices {
 public:
  slices() = default;
  explicit slices(std::vector<double> ns);

  // How much longer a run of `ns` takes if it is as unlucky as the slowest of 40, as a part of `ns`. Long runs have lucky and
  // unlucky slices in them.
  double slower(double ns) const;
  // How much less time than an ordinary slice the quickest take.
  double quicker() const;

 private:
  std::vector<double> ns_;
  double ordinary_ = 0;  // the time of a slice that nobody disturbs
};

}  // namespace heist::analysis
