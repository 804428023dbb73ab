#include <analysis/proof/linear.hpp>

namespace heist::analysis {

linear_watch::linear_watch(const dag& d, std::uint64_t span)
    : dag_(d), span_(static_cast<std::int64_t>(span)), pending_(d.instructions(), 0), depth_(d.instructions(), 1) {
  for (id i = 0; i < d.instructions(); ++i) d.for_successors(i, [&](id j) { ++pending_[j]; });
  last_ = weight(d.threads[d.root].first, false);
}

void linear_watch::executed(const machine& m, id, id t) {
  const auto i = static_cast<id>(m.thread(t).next.a - 1);
  executed_.push_back(i);
  // The last predecessor to be executed enables its successor.
  dag_.for_successors(i, [&](id j) {
    if (--pending_[j] == 0) depth_[j] = depth_[i] + 1;
  });
}

void linear_watch::stepped(const machine& m) {
  std::int64_t all = 0;
  for (id p = 0; p < m.processors().size(); ++p) {
    const processor& q = m.processors()[p];
    const thread_deque& deque = m.deque(p);
    std::int64_t mine = 0;
    if (q.thread != none) mine += weight(static_cast<id>(m.thread(q.thread).next.a - 1), false);
    auto queued = [&](std::uint32_t i) { return weight(static_cast<id>(m.thread(deque[i]).next.a), true); };
    for (std::uint32_t i = 0; i < deque.size(); ++i) mine += queued(i);
    if (!deque.empty() && mine > 0) tops.add(static_cast<double>(queued(0)) / static_cast<double>(mine));
    all += mine;
  }
  ++steps;
  if (all > last_) {
    ++growths;
    if (!first) {
      first = worst(m);
      first->before = last_;
      first->after = all;
    }
  }
  last_ = all;
  executed_.clear();
}

// Of what was executed in this step: whose successors count most in comparison. One of them is worked on, the others lie
// in a deque.
linear_watch::growth linear_watch::worst(const machine& m) const {
  growth found{m.now(), none, 0, 0, 0, 0};
  for (const id i : executed_) {
    std::int64_t enabled = 0;
    bool queued = false;
    dag_.for_successors(i, [&](id j) {
      if (pending_[j] > 0 || depth_[j] != depth_[i] + 1) return;
      enabled += weight(j, queued);
      queued = true;
    });
    if (found.instruction != none && enabled - weight(i, false) <= found.enabled - found.it) continue;
    found.instruction = i;
    found.it = weight(i, false);
    found.enabled = enabled;
  }
  return found;
}

}  // namespace heist::analysis
