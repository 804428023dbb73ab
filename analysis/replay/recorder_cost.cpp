#include <analysis/replay/recorder_cost.hpp>

#include <algorithm>

namespace heist::analysis {

namespace {

using kind = recorded_step::kind;

constexpr double ends_of_a_fork = 3;

double work_without(const recorded_run& run, const recorder_cost& cost) {
  double work = 0;
  for (const recorded_step& s : run.steps)
    if (s.what == kind::strand) work += cost.without(s.ns, s.number);
  return work;
}

}  // namespace

// A strand cannot take less than nothing, so the cost of a fork has no formula. It is found by halving.
recorder_cost::recorder_cost(const recorded_run& run, double work) {
  const double recorded = work_without(run, {});
  if (recorded <= 0) return;
  if (recorded <= work) {
    factor_ = work / recorded;
    return;
  }
  double low = 0, high = 1;
  const auto too_little = [&](double per_fork) {
    per_fork_ = per_fork;
    return work_without(run, *this) > work;
  };
  while (too_little(high) && high < 1e9) high *= 2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (too_little(middle) ? low : high) = middle;
  }
  per_fork_ = high;
}

double recorder_cost::without(double ns, std::uint64_t forks) const {
  return factor_ * std::max(0., ns - per_fork_ * (static_cast<double>(forks) + 1 / ends_of_a_fork));
}

double cost_of_forks(const recorded_run& run, double fork, double spawn) {
  double cost = 0;
  for (const recorded_step& s : run.steps) {
    if (s.what == kind::strand) cost += fork * s.number;
    if (s.what == kind::fork) cost += fork;
    if (s.what == kind::child || s.what == kind::queued) cost += spawn;
  }
  return cost;
}

}  // namespace heist::analysis
