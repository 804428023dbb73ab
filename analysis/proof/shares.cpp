#include <analysis/proof/shares.hpp>

#include <algorithm>
#include <cmath>

namespace heist::analysis {
namespace {

// The average availability after `left_out` steps with the most of it; 0 if no step is left.
double trimmed(std::vector<quantum_record> quanta, double left_out) {
  std::sort(quanta.begin(), quanta.end(),
            [](const quantum_record& a, const quantum_record& b) { return a.available > b.available; });
  double steps = 0, sum = 0;
  for (const quantum_record& q : quanta) {
    const auto all = static_cast<double>(q.steps);
    const double dropped = std::min(left_out, all);
    left_out -= dropped;
    steps += all - dropped;
    sum += (all - dropped) * q.available;
  }
  return steps > 0 ? sum / steps : 0;
}

}  // namespace

share_bounds judge_share(const report& r, const options& o) {
  share_bounds b;
  const auto work = static_cast<double>(r.of.work), time = static_cast<double>(r.time);
  // A desire is a whole number, and rises to the next one.
  const double rho = std::ceil(o.responsiveness);
  b.waste = static_cast<double>(r.granted - r.work) / work;
  b.most_waste = (1 + rho - o.utilisation) / o.utilisation;
  const double rises = std::log(o.processors) / std::log(o.responsiveness) + 1;
  const double falls = static_cast<double>(r.of.span) / (1 - o.utilisation);
  // By the paper's rule a fall is undone by one rise; by heist's, by as many as there can be.
  b.allowance = o.share == share::feedback ? (falls + o.quantum) * rises : falls + o.quantum * rises;
  b.trimmed = trimmed(r.quanta, b.allowance);
  const double enough = b.trimmed > 0 ? work / (o.utilisation * b.trimmed) : 0;
  b.c = std::max(0.0, time - enough) / b.allowance;
  return b;
}

}  // namespace heist::analysis
