#include <analysis/dag/random_dag.hpp>

#include <analysis/dag/measure.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/dag/shapes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heist::analysis {
namespace {

bool may_wait(const dag& d, id i) { return i != d.threads[d.thread_of[i]].first && d.spawns[i - 1] == none; }

// An instruction of thread `in` at or after `from` that a join may go into.
id later(const dag& d, id in, id from, stream& random) {
  const id end = d.end(in);
  for (int tries = 0; tries < 8; ++tries) {
    const id i = from + random.below(end - from);
    if (may_wait(d, i)) return i;
  }
  return none;
}

}  // namespace

// A random series-parallel program to begin with; then joins that go forwards in the order in which one processor would
// run it, so that there is no cycle.
dag random_dag(std::uint64_t seed, id size, random_kind kind) {
  stream random(seed);
  dag d = unit(expand(*make_shape(fmt::format("sp:{},seed={},fork={:.2f},sync={:.3f},frame=8", std::max<id>(size, 8),
                                              seed, 0.2 + 0.6 * random.unit(), 0.5 * random.unit() * random.unit()))));
  d.parts.clear();  // it is itself
  std::set<std::pair<id, id>> joins;
  for (const edge& j : d.joins) joins.emplace(j.from, j.to);
  std::vector<id> rank(d.instructions());
  id r = 0;
  std::vector<std::pair<id, id>> open{{d.root, d.threads[d.root].first}};  // depth first: thread, next instruction
  while (!open.empty()) {
    auto& [t, next] = open.back();
    if (next == d.end(t)) {
      open.pop_back();
      continue;
    }
    rank[next] = r++;
    const id child = d.spawns[next++];
    if (child != none) open.emplace_back(child, d.threads[child].first);
  }
  const auto extra = static_cast<id>(d.threads.size());
  for (id k = 0; k < extra; ++k) {
    const id from = random.below(d.instructions());
    id branch = d.thread_of[from], to = d.parent(branch);
    if (to == none) continue;
    if (kind == random_kind::binary &&
        (d.spawns[from] != none || joins.lower_bound({from, 0}) != joins.lower_bound({from + 1, 0})))
      continue;
    if (kind == random_kind::strict || kind == random_kind::any) {
      while (d.parent(to) != none && random.below(2) == 0) {
        branch = to;
        to = d.parent(to);
      }
    }
    id into = later(d, to, d.threads[branch].spawner + 1, random);
    if (kind == random_kind::any && random.below(2) == 0) into = random.below(d.instructions());
    if (into == none || !may_wait(d, into) || rank[into] <= rank[from] || d.thread_of[into] == d.thread_of[from])
      continue;
    joins.emplace(from, into);
  }
  d.joins.clear();
  for (const auto& [from, to] : joins) d.joins.push_back({from, to});
  d.sort_joins();
  return d;
}

}  // namespace heist::analysis
