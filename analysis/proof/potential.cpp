#include <analysis/proof/potential.hpp>

#include <cmath>

namespace heist::analysis {
namespace {

double third_to(std::int64_t n) { return n > 600 ? 0 : std::pow(3.0, static_cast<double>(-n)); }

}  // namespace

void potential_watch::amount::add(std::int64_t p, double s) {
  if (sum == 0) {
    power = p;
    sum = s;
  } else if (p <= power) {
    sum += s * third_to(power - p);
  } else {
    sum = s + sum * third_to(p - power);
    power = p;
  }
}

double potential_watch::ratio(const amount& a, const amount& b) {
  if (a.sum == 0) return 0;
  const std::int64_t n = b.power - a.power;
  return n >= 0 ? a.sum / b.sum * third_to(n) : a.sum / b.sum / third_to(-n);
}

potential_watch::potential_watch(const dag& d, std::uint64_t span, heavier h)
    : dag_(d),
      span_(static_cast<std::int64_t>(span)),
      heavier_(h),
      pending_(d.instructions(), 0),
      depth_(d.instructions(), 1) {
  for (id i = 0; i < d.instructions(); ++i) d.for_successors(i, [&](id j) { ++pending_[j]; });
  last_.add(power(d.threads[d.root].first, false));
  phase_ = last_;
}

std::int64_t potential_watch::power(id i, bool queued) const {
  const std::int64_t twice = 2 * (span_ - depth_[i]);
  return queued == (heavier_ == heavier::queued) ? twice : twice - 1;
}

void potential_watch::executed(const machine& m, id, id t) {
  const auto i = static_cast<id>(m.thread(t).next.a - 1);
  // The last predecessor to be executed enables its successor.
  dag_.for_successors(i, [&](id j) {
    if (--pending_[j] == 0) depth_[j] = depth_[i] + 1;
  });
}

void potential_watch::stepped(const machine& m) {
  amount all;
  for (id p = 0; p < m.processors().size(); ++p) {
    const processor& q = m.processors()[p];
    const thread_deque& deque = m.deque(p);
    amount mine;
    if (q.thread != none) mine.add(power(static_cast<id>(m.thread(q.thread).next.a - 1), false));
    auto queued = [&](std::uint32_t i) { return power(static_cast<id>(m.thread(deque[i]).next.a), true); };
    for (std::uint32_t i = deque.size(); i > 0; --i) mine.add(queued(i - 1));
    if (!deque.empty()) {
      amount top;
      top.add(queued(0));
      tops.add(ratio(top, mine));
    }
    if (mine.sum > 0) all.add(mine.power, mine.sum);
  }
  ++steps;
  growths += ratio(all, last_) > 1 + 1e-9;
  last_ = all;
  if (m.so_far().attempts - phase_began_ < m.processors().size()) return;
  drops.add(1 - ratio(all, phase_));
  phase_ = all;
  phase_began_ = m.so_far().attempts;
}

}  // namespace heist::analysis
