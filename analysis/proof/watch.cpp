#include <analysis/proof/watch.hpp>

#include <analysis/dag/measure.hpp>
#include <analysis/proof/potential.hpp>

#include <fmt/format.h>

#include <algorithm>

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

options machine_of(std::uint32_t processors, std::uint64_t seed) {
  options o;
  o.processors = processors;
  o.seed = seed;
  return o;
}

std::string why_no_delays(const dag& d) {
  const classification c = classify(d);
  if (c.kind != strictness::fully_strict)
    return fmt::format("the join {} -> {} does not go to the parent", d.label(c.offender->from),
                       d.label(c.offender->to));
  const auto odd = oddities(d);
  return odd.empty() ? "" : odd[0];
}

delay_report concluded(const proof_subject& s, const critical_watch& seen, std::uint32_t processors,
                       const report& run) {
  delay_report r;
  r.run = run;
  r.all_rounds = seen.rounds().size();
  r.most_above = seen.most_above();
  for (std::size_t i = 0; i <= seen.stayed().size(); ++i) r.staying.push_back(seen.share_staying(i));
  const delay_sequence found = find_delay_sequence(s.units(), seen, processors);
  r.rounds = found.rounds;
  for (const auto& p : found.path)
    r.path.push_back({s.units().label(p.instruction), seen.when(p.instruction), p.rounds, p.between});
  r.groups = groups(found, seen);
  r.broken = check_delay_sequence(found, s.units(), seen);
  for (const auto& g : r.groups)
    if (g.hits > 1)
      r.broken.push_back(fmt::format("{} stayed critical for {} rounds, although {} attempts chose its processor",
                                     s.units().label(g.instruction), g.rounds, g.hits));
  return r;
}

}  // namespace

proof_subject::proof_subject(const dag& given)
    : single_(unit(given), stretches::single_instructions),
      span_(measure(units()).span),
      no_delays_(why_no_delays(units())) {
  for (id i = 0; i < units().instructions(); ++i) {
    std::uint32_t successors = 0;
    units().for_successors(i, [&](id) { ++successors; });
    most_successors_ = std::max(most_successors_, successors);
  }
}

potential_claims claims_of(proof_report::potential& p, std::uint32_t most_successors) {
  potential_claims c{most_successors <= 3, most_successors <= 2, {}};
  if (c.never_grows && p.growths > 0) c.broken.push_back(fmt::format("the potential grew in {} steps", p.growths));
  if (c.tops_have_most && p.tops.size() > 0 && p.tops.min() < 0.75 - 1e-9)
    c.broken.push_back(fmt::format("the top of a deque had {:.3f} of the potential", p.tops.min()));
  return c;
}

delay_report watch_delays(const proof_subject& s, std::uint32_t processors, std::uint64_t seed) {
  machine m(s.single(), machine_of(processors, seed));
  critical_watch critical(s.units());
  m.add(critical);
  return concluded(s, critical, processors, m.run());
}

proof_report watch(const proof_subject& s, std::uint32_t processors, std::uint64_t seed) {
  machine m(s.single(), machine_of(processors, seed));
  critical_watch critical(s.units());
  potential_watch queued(s.units(), s.span(), heavier::queued), executing(s.units(), s.span(), heavier::executing);
  if (s.no_delays().empty()) m.add(critical);
  m.add(queued);
  m.add(executing);
  linear_watch linear(s.units(), s.span());
  m.add(linear);
  proof_report r;
  r.run = m.run();
  if (s.no_delays().empty()) r.delays = concluded(s, critical, processors, r.run);
  r.queued = taken(queued);
  r.executing = taken(executing);
  r.linear.tops = linear.tops;
  r.linear.growths = linear.growths;
  r.linear.steps = linear.steps;
  r.linear.first = linear.first;
  if (linear.first) {
    r.linear.instruction = s.units().label(linear.first->instruction);
    r.linear.spawned = s.units().spawns[linear.first->instruction] != none;
  }
  return r;
}

}  // namespace heist::analysis
