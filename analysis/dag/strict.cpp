#include <analysis/dag/strict.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/measure.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heist::analysis {
namespace {

// Puts a new instruction before each of `where`, which are sorted; what went into one of them goes into the new one if
// it is a join.
dag with_waits_before(const dag& d, const std::vector<id>& where) {
  dag r = d;
  std::vector<id> at(d.instructions());  // where an instruction has moved to
  r.thread_of.clear();
  r.durations.clear();
  r.spawns.clear();
  r.labels.clear();
  r.parts.clear();
  auto next = where.begin();
  for (id t = 0; t < d.threads.size(); ++t) {
    r.threads[t].first = r.instructions();
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      const bool waits = next != where.end() && *next == i;
      if (waits) {
        ++next;
        r.labels.push_back(d.label(i) + "'");
        r.spawns.push_back(none);
        r.durations.push_back(1);
        r.thread_of.push_back(t);
      }
      at[i] = r.instructions();
      r.labels.push_back(d.label(i));
      r.spawns.push_back(d.spawns[i]);
      r.durations.push_back(d.durations[i]);
      r.thread_of.push_back(t);
    }
    r.threads[t].count = r.instructions() - r.threads[t].first;
  }
  for (auto& t : r.threads)
    if (t.spawner != none) t.spawner = at[t.spawner];
  for (edge& j : r.joins) {
    const bool waits = std::binary_search(where.begin(), where.end(), j.to);
    j = {at[j.from], waits ? at[j.to] - 1 : at[j.to]};
  }
  r.sort_joins();
  return r;
}

bool after_spawn(const dag& d, id i) { return i != d.threads[d.thread_of[i]].first && d.spawns[i - 1] != none; }

// Joins are a set, and those into an instruction right after a spawn get one of their own to wait at.
moved tidy(dag d, const std::set<std::pair<id, id>>& joins, std::size_t count) {
  const dag before = d;
  d.joins.clear();
  for (const auto& [from, to] : joins) d.joins.push_back({from, to});
  d.sort_joins();
  std::vector<id> waits;
  for (const edge& j : d.joins) {
    const auto old = before.joins_from(j.from);
    if (after_spawn(d, j.to) && std::find(old.begin(), old.end(), j) == old.end()) waits.push_back(j.to);
  }
  std::sort(waits.begin(), waits.end());
  waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  if (!waits.empty()) d = with_waits_before(d, waits);
  return {std::move(d), count, waits.size()};
}

// Throws if the joins close a cycle, naming one of those that went elsewhere.
void check_acyclic(dag d, const std::set<std::pair<id, id>>& joins, const std::vector<std::pair<edge, edge>>& went) {
  d.joins.clear();
  for (const auto& [from, to] : joins) d.joins.push_back({from, to});
  d.sort_joins();
  const std::vector<id> order = topological_order(d);
  if (order.size() == d.instructions()) return;
  std::vector<bool> done(d.instructions(), false);
  for (const id i : order) done[i] = true;
  const auto bad = std::find_if(went.begin(), went.end(), [&](const auto& w) { return !done[w.second.from]; });
  throw bad_input(fmt::format("cannot be made strict: the join {} -> {} would go into {}, which comes before {}",
                              d.label(bad->first.from), d.label(bad->first.to), d.label(bad->second.to),
                              d.label(bad->first.from)));
}

}  // namespace

moved make_strict(const dag& d) {
  const ancestry tree(d);
  std::set<std::pair<id, id>> joins;
  std::vector<std::pair<edge, edge>> went;  // from where to where
  std::size_t count = 0;
  for (const edge& j : d.joins) {
    const id from = d.thread_of[j.from], to = d.thread_of[j.to];
    if (tree.above(to, from)) {
      joins.emplace(j.from, j.to);
      continue;
    }
    id branch = to;
    while (!tree.above(d.parent(branch), from)) branch = d.parent(branch);
    ++count;
    // Inside one thread the join says no more than the order of its instructions.
    const id spawner = d.threads[branch].spawner;
    if (d.thread_of[spawner] == from && j.from <= spawner) continue;
    joins.emplace(j.from, spawner);
    went.push_back({j, {j.from, spawner}});
  }
  check_acyclic(d, joins, went);
  return tidy(d, joins, count);
}

moved make_fully_strict(const dag& d) {
  moved m = make_strict(d);
  const dag& s = m.result;
  std::set<std::pair<id, id>> joins;
  std::size_t count = 0;
  for (const edge& j : s.joins) {
    id from = j.from;
    const id to = s.thread_of[j.to];
    if (s.parent(s.thread_of[from]) != to) ++count;
    for (id t = s.parent(s.thread_of[from]); t != to; t = s.parent(t)) {
      joins.emplace(from, s.last(t));
      from = s.last(t);
    }
    joins.emplace(from, j.to);
  }
  moved f = tidy(s, joins, count + m.joins);
  f.instructions += m.instructions;
  return f;
}

}  // namespace heist::analysis
