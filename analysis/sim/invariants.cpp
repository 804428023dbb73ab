#include <analysis/sim/invariants.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace heist::analysis {
namespace {

// Why the lemmas that need strict computations do not speak of this one; empty: they do.
std::string not_strict(const computation& c, bool fully) {
  if (c.stored() == nullptr) return "";  // shapes are fully strict
  const classification k = classify(*c.stored());
  if (k.kind == strictness::neither || (fully && k.kind != strictness::fully_strict))
    return fmt::format("the computation is {}", to_string(k.kind));
  return oddities(*c.stored()).empty() ? "" : "the computation is odd";
}

}  // namespace

void invariants::plan(bool& flag, bool applies, const char* what, const std::string& why_not) {
  if (!applies) return;
  flag = why_not.empty();
  flag ? checked_.push_back(what) : unchecked_.push_back(fmt::format("{}: {}", what, why_not));
}

invariants::invariants(const computation& c, const options& o) : processors_(o.processors) {
  const bool local = o.policy == policy::burton_simpson, serial = o.policy == policy::depth_first;
  const bool pooled = o.policy == policy::greedy || o.policy == policy::busy_leaves || local || serial;
  const bool stealing = o.policy == policy::work_stealing;
  const bool leafy = o.policy == policy::busy_leaves || stealing || local;
  std::string steady = o.steady() ? "" : "processors come and go";
  plan(greedy_, pooled, "greedy, and T <= T1/P + Tinf", steady);
  std::string why = steady;
  if (stealing && why.empty() && o.amount == amount::half) why = "thieves take half";
  if (stealing && why.empty() && o.affinity) why = "children wait for the processor that had them";
  if (stealing && why.empty() && (o.latency > 1 || o.far_latency > 1)) why = "steals take longer than a step";
  if (leafy && why.empty()) why = not_strict(c, stealing || local);
  plan(leaves_, leafy, "every leaf is busy", why);
  plan(space_, leafy, "S <= P*S1", why);
  plan(serial_space_, serial, "S <= S1 + (P-1)*Tinf*S_max", steady.empty() ? not_strict(c, true) : steady);
  plan(deques_, stealing, "each thread in a deque is the parent of the one below it", why);
}

void invariants::fail(std::string what) {
  if (violations_.size() < 10) violations_.push_back(std::move(what));
}

void invariants::stepped(const machine& m) {
  ++checks_;
  if (greedy_) check_greedy(m);
  if (leaves_) check_leaves(m);
  if (deques_)
    for (id p = 0; p < m.processors().size(); ++p) check_deque(m, p);
}

void invariants::check_greedy(const machine& m) {
  const std::uint64_t should = std::min<std::uint64_t>(processors_, could_run_);
  if (m.executed_now() != should)
    fail(fmt::format("step {}: {} instructions were executed, and {} could have been", m.now(), m.executed_now(),
                     should));
  could_run_ = 0;
  for (id t = 0; t < m.slots(); ++t)
    could_run_ += m.thread(t).state == state::running || m.thread(t).state == state::ready;
}

void invariants::check_leaves(const machine& m) {
  for (id t = 0; t < m.slots(); ++t) {
    const activation& a = m.thread(t);
    if (a.state != state::dead && a.living == 0 && a.state != state::running)
      fail(fmt::format("step {}: thread {} is a leaf, and no processor works on it", m.now(), m.number(t)));
  }
}

void invariants::check_deque(const machine& m, id p) {
  const processor& q = m.processors()[p];
  const thread_deque& deque = m.deque(p);
  if (q.thread == none && !deque.empty())
    fail(fmt::format("step {}: processor {} is out of work, and its deque is not empty", m.now(), p));
  id below = q.thread;
  for (std::uint32_t i = deque.size(); i > 0 && below != none; below = deque[--i]) {
    const id t = deque[i - 1];
    if (m.thread(below).parent != t)
      fail(fmt::format("step {}: in the deque of processor {} thread {} is not the parent of {}, below it", m.now(), p,
                       m.number(t), m.number(below)));
    if (i > 1 && (m.last_child(t) != below || m.thread(t).worked))
      fail(
          fmt::format("step {}: thread {} was worked on since it spawned the one below it in the deque of processor {}",
                      m.now(), m.number(t), p));
  }
}

void invariants::conclude(report& r) const {
  r.checked = checked_;
  r.unchecked = unchecked_;
  r.checks = checks_;
  r.violations = violations_;
  const std::uint64_t p = processors_;
  if (greedy_ && r.time * p > r.of.work + p * r.of.span)
    r.violations.push_back(fmt::format("time {} is more than {}/{} + {}", r.time, r.of.work, p, r.of.span));
  if (greedy_ && (r.complete * p > r.of.work || r.incomplete() > r.of.span))
    r.violations.push_back(fmt::format("{} complete and {} incomplete steps", r.complete, r.incomplete()));
  if (serial_space_ && r.space > r.of.stack + (p - 1) * r.of.span * r.of.frame)
    r.violations.push_back(fmt::format("space {} is more than {} + {}*{}*{}", r.space, r.of.stack, p - 1, r.of.span,
                                       r.of.frame));
  if (space_ && r.space > p * r.of.stack)
    r.violations.push_back(fmt::format("space {} is more than {}*{}", r.space, p, r.of.stack));
}

report simulate(const computation& c, const options& o) {
  machine m(c, o);
  if (!o.check) return m.run();
  invariants look(c, o);
  m.add(look);
  report r = m.run();
  look.conclude(r);
  return r;
}

}  // namespace heist::analysis
