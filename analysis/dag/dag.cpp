#include <analysis/dag/dag.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {

std::string to_string(place p) {
  if (p.list == nullptr) return fmt::format("{}:{}", p.at, p.in);
  return p.in == 0 ? fmt::format("{}[{}]", p.list, p.at) : fmt::format("{}[{}][{}]", p.list, p.at, p.in - 1);
}

std::string dag::label(id i) const {
  const part p = parts.empty() ? part{i, 0} : parts[i];
  const thread& t = threads[thread_of[i]];
  const id first = parts.empty() ? t.first : parts[t.first].of;
  const std::string whole = labels.empty() ? fmt::format("{}.{}", t.name, p.of - first + 1) : labels[p.of];
  return p.number == 0 ? whole : fmt::format("{}({})", whole, p.number);
}

void dag::sort_joins() {
  join_begin.assign(instructions() + std::size_t{1}, 0);
  for (const edge& j : joins) ++join_begin[j.from + 1];
  for (std::size_t i = 1; i < join_begin.size(); ++i) join_begin[i] += join_begin[i - 1];
  // Those of one instruction stay in their order.
  std::vector<edge> sorted(joins.size());
  auto next = join_begin;
  for (const edge& j : joins) sorted[next[j.from]++] = j;
  joins = std::move(sorted);
}

std::vector<id> topological_order(const dag& d) {
  std::vector<id> waits_for(d.instructions(), 0), order;
  for (id i = 0; i < d.instructions(); ++i) d.for_successors(i, [&](id j) { ++waits_for[j]; });
  order.reserve(d.instructions());
  for (id i = 0; i < d.instructions(); ++i)
    if (waits_for[i] == 0) order.push_back(i);
  for (std::size_t next = 0; next < order.size(); ++next) {
    d.for_successors(order[next], [&](id j) {
      if (--waits_for[j] == 0) order.push_back(j);
    });
  }
  return order;
}

std::vector<id> spawn_order(const dag& d) {
  std::vector<id> order{d.root};
  order.reserve(d.threads.size());
  for (std::size_t next = 0; next < order.size(); ++next)
    for (id i = d.threads[order[next]].first; i < d.end(order[next]); ++i)
      if (d.spawns[i] != none) order.push_back(d.spawns[i]);
  return order;
}

dag unit(const dag& d) {
  if (std::all_of(d.durations.begin(), d.durations.end(), [](auto n) { return n == 1; })) return d;
  std::uint64_t total = 0;
  for (auto n : d.durations) total += n;
  if (total > 1u << 24)
    throw bad_input(fmt::format("the computation has {} unit instructions: too many to be stored", total));
  dag u;
  u.name = d.name;
  u.root = d.root;
  u.threads = d.threads;
  u.labels = d.labels;
  std::vector<id> first(d.instructions()), last(d.instructions());
  for (id t = 0; t < d.threads.size(); ++t) {
    u.threads[t].first = u.instructions();
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      first[i] = u.instructions();
      u.thread_of.insert(u.thread_of.end(), d.durations[i], t);
      for (id k = 1; k <= d.durations[i]; ++k) u.parts.push_back({i, d.durations[i] == 1 ? 0 : k});
      last[i] = u.instructions() - 1;
    }
    u.threads[t].count = u.instructions() - u.threads[t].first;
  }
  u.durations.assign(u.instructions(), 1);
  u.spawns.assign(u.instructions(), none);
  for (id i = 0; i < d.instructions(); ++i) u.spawns[last[i]] = d.spawns[i];
  for (auto& t : u.threads)
    if (t.spawner != none) t.spawner = last[t.spawner];
  for (const edge& j : d.joins) u.joins.push_back({last[j.from], first[j.to]});
  u.sort_joins();
  return u;
}

}  // namespace heist::analysis
