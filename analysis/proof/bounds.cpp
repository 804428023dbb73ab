#include <analysis/proof/bounds.hpp>

#include <analysis/dag/measure.hpp>
#include <analysis/dag/shapes.hpp>
#include <analysis/dag/stored.hpp>
#include <analysis/sim/invariants.hpp>
#include <analysis/sim/sweep.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace heist::analysis {
namespace {

struct one_run {
  options with;
  report seen;
};

// Spawn/sync programs, and dags with more joins than those, in turn. All of the latter kind if they need not be fully
// strict.
named_computation make(const bounds_options& o, std::uint64_t number) {
  stream random(mix(number, 77));
  const double low = std::log(static_cast<double>(o.smallest)), high = std::log(static_cast<double>(o.largest));
  const auto size = static_cast<std::uint64_t>(std::exp(low + (high - low) * random.unit()));
  if (number % 2 == 0 || o.kind != random_kind::fully_strict)
    return {fmt::format("a random dag, seed {}, size {}", number, size),
            std::make_shared<stored_computation>(random_dag(number, static_cast<id>(size), o.kind))};
  const std::string spec = fmt::format("sp:{},seed={},fork={:.2f},sync={:.3f},work={},frame={}",
                                       std::max<std::uint64_t>(size, 8), number, 0.1 + 0.8 * random.unit(),
                                       0.5 * random.unit() * random.unit(), 1 + random.below(20), 1 + random.below(16));
  return {spec, make_shape(spec)};
}

// Which bounds on space there are: Busy-Leaves needs a strict computation, work stealing a fully strict one.
strictness kind_of(const computation& c) {
  if (c.stored() == nullptr) return strictness::fully_strict;
  return oddities(*c.stored()).empty() ? classify(*c.stored()).kind : strictness::neither;
}

std::vector<one_run> run_all(const bounds_options& o, const computation& c) {
  std::vector<one_run> runs;
  for (const std::uint32_t p : o.processors) {
    options with;
    with.processors = p;
    for (const policy greedy : {policy::greedy, policy::busy_leaves}) {
      with.policy = greedy;
      runs.push_back({with, simulate(c, with)});
    }
    with.policy = policy::work_stealing;
    for (with.seed = 1; with.seed <= o.seeds; ++with.seed) runs.push_back({with, simulate(c, with)});
  }
  return runs;
}

bool space_bounded(policy p, strictness kind) {
  if (p == policy::busy_leaves) return kind != strictness::neither;
  return p == policy::work_stealing && kind == strictness::fully_strict;
}

void check(const one_run& run, const std::string& name, strictness kind, std::vector<std::string>& violations) {
  const options& with = run.with;  // no binding: clang 15 and older capture none
  const report& r = run.seen;
  const std::uint64_t p = with.processors;
  auto broken = [&](const char* what) {
    violations.push_back(
        fmt::format("{} on {} processors, {}, seed {}: {}", to_string(with.policy), p, name, with.seed, what));
  };
  if (space_bounded(with.policy, kind) && r.space > p * r.of.stack) broken("S_P > P*S1");
  if (with.policy != policy::work_stealing && r.time * p > r.of.work + p * r.of.span) broken("T_P > T1/P + Tinf");
  if (r.work != r.of.work || r.work + r.steal + r.wait + r.idle != r.granted) broken("the buckets do not add up");
}

void add(const one_run& run, bounds_row& row) {
  const report& r = run.seen;
  const double p = run.with.processors, span = static_cast<double>(r.of.span);
  row.c.add((static_cast<double>(r.time) - static_cast<double>(r.of.work) / p) / span);
  row.attempts.add(static_cast<double>(r.attempts) / (p * span));
  row.steals.add(static_cast<double>(r.steals) / (p * span));
  row.space.add(static_cast<double>(r.space) / (p * static_cast<double>(r.of.stack)));
  row.bytes.add(static_cast<double>(r.bytes) / (p * span * static_cast<double>((1 + r.of.joins) * r.of.frame)));
  row.wait += static_cast<double>(r.wait);
  row.steal += static_cast<double>(r.steal);
}

}  // namespace

bounds_result check_bounds(const bounds_options& o, const std::function<void()>& done) {
  const std::size_t count = o.given.empty() ? o.computations : o.given.size();
  std::vector<std::vector<one_run>> runs(count);
  std::vector<std::string> names(count);
  std::vector<strictness> kinds(count);
  in_parallel(
      count,
      [&](std::size_t i) {
        const named_computation c = o.given.empty() ? make(o, o.first + i) : o.given[i];
        names[i] = c.name;
        kinds[i] = kind_of(*c.what);
        runs[i] = run_all(o, *c.what);
      },
      done);
  bounds_result result;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    result.instructions += runs[i].empty() ? 0 : runs[i][0].seen.of.work;
    ++(kinds[i] == strictness::fully_strict ? result.fully_strict
       : kinds[i] == strictness::strict     ? result.strict
                                            : result.others);
    for (const one_run& run : runs[i]) {
      ++result.runs;
      result.steps += run.seen.granted;
      check(run, names[i], kinds[i], result.violations);
      if (run.with.policy != policy::work_stealing) continue;
      result.most_joins = std::max(result.most_joins, run.seen.of.joins);
      add(run, result.by_processors[run.with.processors]);
      const int decade = static_cast<int>(std::floor(std::log10(static_cast<double>(run.seen.of.work))));
      if (run.with.processors > 1) add(run, result.by_size[decade]);
    }
  }
  return result;
}

}  // namespace heist::analysis
