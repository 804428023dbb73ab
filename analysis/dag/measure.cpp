#include <analysis/dag/measure.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {

measures measure(const dag& d) {
  measures m;
  m.threads = d.threads.size();
  std::vector<std::uint64_t> before(d.instructions(), 0);  // the longest path that ends just before an instruction
  for (const id i : topological_order(d)) {
    const std::uint64_t path = before[i] + d.durations[i];
    m.work += d.durations[i];
    m.span = std::max(m.span, path);
    d.for_successors(i, [&](id j) { before[j] = std::max(before[j], path); });
  }
  std::vector<std::uint64_t> stack(d.threads.size(), 0), joins(d.threads.size(), 0);
  for (const id t : spawn_order(d)) {
    stack[t] = d.threads[t].frame + (t == d.root ? 0 : stack[d.parent(t)]);
    m.stack = std::max(m.stack, stack[t]);
    m.frame = std::max<std::uint64_t>(m.frame, d.threads[t].frame);
  }
  for (const edge& j : d.joins) {
    const id from = d.thread_of[j.from];
    if (d.parent(from) == d.thread_of[j.to]) m.joins = std::max(m.joins, ++joins[from]);
  }
  return m;
}

std::vector<id> longest_path(const dag& d) {
  std::vector<std::uint64_t> before(d.instructions(), 0);
  std::vector<id> via(d.instructions(), none);
  id last = none;
  std::uint64_t longest = 0;
  for (const id i : topological_order(d)) {
    const std::uint64_t path = before[i] + d.durations[i];
    if (path > longest) longest = path, last = i;
    d.for_successors(i, [&](id j) {
      if (path > before[j]) before[j] = path, via[j] = i;
    });
  }
  std::vector<id> path;
  for (id i = last; i != none; i = via[i]) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

ancestry::ancestry(const dag& d) : enter_(d.threads.size()), leave_(d.threads.size()) {
  // A thread's subtree is numbered in one piece: its size is known from the leaves up.
  const std::vector<id> order = spawn_order(d);
  std::vector<id> size(d.threads.size(), 1), next(d.threads.size(), 0);
  for (auto t = order.rbegin(); t != order.rend(); ++t)
    if (*t != d.root) size[d.parent(*t)] += size[*t];
  for (const id t : order) {
    enter_[t] = t == d.root ? 0 : next[d.parent(t)];
    leave_[t] = enter_[t] + size[t];
    next[t] = enter_[t] + 1;
    if (t != d.root) next[d.parent(t)] = leave_[t];
  }
}

classification classify(const dag& d) {
  classification c;
  const ancestry tree(d);
  for (const edge& j : d.joins) {
    const id from = d.thread_of[j.from], to = d.thread_of[j.to];
    if (to == d.parent(from)) continue;
    if (!tree.above(to, from)) return {strictness::neither, j};
    if (c.kind == strictness::fully_strict) c = {strictness::strict, j};
  }
  return c;
}

const char* to_string(strictness s) {
  switch (s) {
    case strictness::fully_strict:
      return "fully strict";
    case strictness::strict:
      return "strict";
    case strictness::neither:
      return "not strict";
  }
  return "";
}

namespace {

// Whether every path of execution runs the child's last instruction before the parent's.
class survivors {
 public:
  explicit survivors(const dag& d) : dag_(d), seen_(d.instructions(), 0), rank_(d.instructions()) {
    id r = 0;
    for (const id i : topological_order(d)) rank_[i] = r++;
  }

  bool outlives(id child) {
    const id parent = dag_.parent(child), end = dag_.last(parent);
    ++search_;
    open_.assign(1, dag_.last(child));
    while (!open_.empty()) {
      const id i = open_.back();
      open_.pop_back();
      if (dag_.thread_of[i] == parent) return false;
      dag_.for_successors(i, [&](id j) {
        if (seen_[j] == search_ || rank_[j] > rank_[end]) return;
        seen_[j] = search_;
        open_.push_back(j);
      });
    }
    return true;
  }

 private:
  const dag& dag_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t search_ = 0;
  std::vector<id> rank_, open_;
};

}  // namespace

std::vector<std::string> oddities(const dag& d) {
  std::vector<std::string> found;
  for (const edge& j : d.joins) {
    if (j.to != d.threads[d.thread_of[j.to]].first && d.spawns[j.to - 1] != none)
      found.push_back(fmt::format("the join {} -> {} goes into the instruction right after the spawn {}",
                                  d.label(j.from), d.label(j.to), d.label(j.to - 1)));
  }
  survivors s(d);
  for (id t = 0; t < d.threads.size(); ++t) {
    if (t != d.root && s.outlives(t))
      found.push_back(
          fmt::format("thread {} can die before its child {}", d.threads[d.parent(t)].name, d.threads[t].name));
  }
  return found;
}

}  // namespace heist::analysis
