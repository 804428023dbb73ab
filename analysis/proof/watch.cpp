#include <analysis/proof/watch.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/proof/augmented.hpp>
#include <analysis/proof/critical.hpp>
#include <analysis/proof/potential.hpp>

#include <fmt/format.h>

namespace heist::analysis {
namespace {

proof_report::potential taken(const potential_watch& w) {
  proof_report::potential p{w.drops, w.tops, w.growths, w.steps, 0};
  double low = 0, high = 1;  // the share of drops below a quarter
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (p.drops.quantile(middle) < 0.25 ? low : high) = middle;
  }
  p.quarter = p.drops.size() == 0 ? 0 : 1 - low;
  return p;
}

}  // namespace

proof_report watch(const dag& given, std::uint32_t processors, std::uint64_t seed) {
  const dag d = unit(given);
  const classification c = classify(d);
  if (c.kind != strictness::fully_strict)
    throw bad_input(
        fmt::format("the proof covers only fully strict computations: the join {} -> {} does not go to the parent",
                    d.label(c.offender->from), d.label(c.offender->to)));
  if (const auto odd = oddities(d); !odd.empty())
    throw bad_input("the proof does not cover this computation: " + odd[0]);
  const stored_computation single(d, stretches::single_instructions);
  options o;
  o.processors = processors;
  o.seed = seed;
  machine m(single, o);
  critical_watch critical(d);
  const std::uint64_t span = measure(d).span;
  potential_watch queued(d, span, heavier::queued), executing(d, span, heavier::executing);
  m.add(critical);
  m.add(queued);
  m.add(executing);
  proof_report r;
  r.run = m.run();
  r.augmented_span = augmented_span(d);
  r.rounds = critical.rounds();
  r.most_above = critical.most_above();
  for (std::size_t i = 0; i <= critical.stayed().size(); ++i) r.staying.push_back(critical.share_staying(i));
  r.queued = taken(queued);
  r.executing = taken(executing);
  return r;
}

}  // namespace heist::analysis
