#include <analysis/proof/critical.hpp>

#include <analysis/proof/augmented.hpp>

#include <algorithm>

namespace heist::analysis {

critical_watch::critical_watch(const dag& d)
    : dag_(d), pending_(d.instructions(), 0), since_(d.instructions(), 0), when_(d.instructions()) {
  for (id i = 0; i < d.instructions(); ++i) for_augmented_successors(d, i, [&](id j) { ++pending_[j]; });
  when_[d.threads[d.root].first].holder = 0;
}

void critical_watch::executed(const machine& m, id, id t) {
  const auto i = static_cast<id>(m.thread(t).next.a - 1);
  when_[i].until = m.now();
  // Whole rounds only. An instruction that was executed before it was critical never stayed.
  const std::uint64_t whole = pending_[i] > 0 || rounds_.size() <= since_[i] ? 0 : rounds_.size() - since_[i] - 1;
  if (stayed_.size() <= whole) stayed_.resize(whole + 1, 0);
  ++stayed_[whole];
  if (pending_[i] == 0) settled_.push_back(i);
}

void critical_watch::asked(const machine& m, id, id victim) {
  attempts_.push_back({static_cast<std::uint32_t>(m.now()), victim});
}

// A deque edge does not make its target wait: an instruction may be executed before what precedes it in G′. Its
// successors are critical only when it, and all before it, are executed.
void critical_watch::settle(std::uint64_t now) {
  while (!settled_.empty()) {
    const id i = settled_.back();
    settled_.pop_back();
    for_augmented_successors(dag_, i, [&](id j) {
      if (--pending_[j] > 0) return;
      since_[j] = rounds_.size();
      when_[j].after = now;
      if (when_[j].until > 0) settled_.push_back(j);
    });
  }
}

void critical_watch::stepped(const machine& m) {
  settle(m.now());
  if (attempts_.size() - round_began_ >= 3 * m.processors().size()) {
    rounds_.push_back({attempts_[round_began_].step, attempts_.back().step, round_began_, attempts_.size()});
    round_began_ = attempts_.size();
  }
  for (id p = 0; p < m.processors().size(); ++p) look_at_deque(m, p);
}

void critical_watch::look_at_deque(const machine& m, id p) {
  const processor& q = m.processors()[p];
  const thread_deque& deque = m.deque(p);
  for (std::uint32_t i = 0; i < deque.size(); ++i) look_at(static_cast<id>(m.thread(deque[i]).next.a), p, i);
  // What the processor works on is below all of its deque; its instruction has been taken already.
  if (q.thread != none) look_at(static_cast<id>(m.thread(q.thread).next.a - 1), p, deque.size());
}

void critical_watch::look_at(id instruction, id p, std::uint64_t above) {
  if (pending_[instruction] > 0) return;
  most_above_ = std::max(most_above_, above);
  if (when_[instruction].holder == none) when_[instruction].holder = p;
}

double critical_watch::share_staying(std::size_t r) const {
  std::uint64_t all = 0, staying = 0;
  for (std::size_t i = 0; i < stayed_.size(); ++i) {
    all += stayed_[i];
    if (i >= r) staying += stayed_[i];
  }
  return all == 0 ? 0 : static_cast<double>(staying) / static_cast<double>(all);
}

}  // namespace heist::analysis
