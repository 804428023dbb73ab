#include <analysis/sim/deques.hpp>

#include <fmt/format.h>

namespace heist::analysis {

const char* to_string(deque_event e) {
  constexpr const char* names[] = {"spawn", "stall", "death", "enable", "theft"};
  return names[static_cast<std::size_t>(e)];
}

void deque_table::executed(const machine& m, id p, id t) {
  now_.processors.resize(m.processors().size());
  now_.processors[p].executed = static_cast<id>(m.thread(t).next.a - 1);
}

void deque_table::asked(const machine& m, id thief, id victim) {
  victims_.resize(m.processors().size(), none);
  victims_[thief] = victim;
}

// A thread that is worked on has taken its instruction already; one that is not has it before it.
id deque_table::thread_of(const machine& m, id t) const {
  const activation& a = m.thread(t);
  return dag_.thread_of[a.next.a - (a.state == state::running ? 1 : 0)];
}

deque_view deque_table::look_at(const machine& m, id p) const {
  const processor& q = m.processors()[p];
  deque_view v;
  for (std::uint32_t i = 0; i < m.deque(p).size(); ++i) {
    const id t = m.deque(p)[i];
    v.deque.push_back({thread_of(m, t), static_cast<id>(m.thread(t).next.a)});
  }
  if (q.thread != none) v.works_on = {thread_of(m, q.thread), static_cast<id>(m.thread(q.thread).next.a - 1)};
  return v;
}

void deque_table::stepped(const machine& m) {
  now_.processors.resize(m.processors().size());
  for (id p = 0; p < m.processors().size(); ++p) now_.processors[p].after = look_at(m, p);
  std::vector<bool> stalled(dag_.threads.size(), false);
  for (id t = 0; t < m.slots(); ++t)
    if (m.thread(t).state == state::stalled) stalled[dag_.thread_of[m.thread(t).next.a]] = true;
  std::swap(stalled, was_stalled_);  // was_stalled_ is now of this step, `stalled` of the one before
  for (id p = 0; p < m.processors().size(); ++p) {
    deque_step::processor& q = now_.processors[p];
    if (q.executed != none) {
      const id t = dag_.thread_of[q.executed];
      for (const edge& j : dag_.joins_from(q.executed))
        if (const id to = dag_.thread_of[j.to]; stalled[to] && !was_stalled_[to])
          q.events.push_back({deque_event::enable, to});
      if (const id child = dag_.spawns[q.executed]; child != none) q.events.push_back({deque_event::spawn, child});
      if (dag_.ends_thread(q.executed))
        q.events.push_back({deque_event::death, t});
      else if (was_stalled_[t])
        q.events.push_back({deque_event::stall, t});
    } else if (!q.after.idle()) {
      q.events.push_back({deque_event::theft, q.after.works_on.thread, victims_[p]});
    }
  }
  steps_.push_back(std::move(now_));
  now_ = {};
}

std::string deque_table::describe(const deque_step::processor& p) const {
  std::string text = p.executed == none ? "" : dag_.label(p.executed);
  for (const auto& e : p.events) {
    if (!text.empty()) text += text.find(' ') == text.npos ? " " : ", ";
    const std::string& name = dag_.threads[e.thread].name;
    if (e.what == deque_event::spawn) text += "spawns " + name;
    if (e.what == deque_event::stall) text += name + " stalls";
    if (e.what == deque_event::death) text += name + " dies";
    if (e.what == deque_event::enable) text += "enables " + name;
    if (e.what == deque_event::theft)
      text += fmt::format("steals {} from p{}", name, e.from + 1);
  }
  return text.empty() ? "-" : text;
}

std::string deque_table::describe(const deque_view::place& p) const {
  return p.thread == none ? "-" : fmt::format("{} at {}", dag_.threads[p.thread].name, dag_.label(p.next));
}

std::string deque_table::to_string() const {
  std::string out = fmt::format("{:>5}  {:<5}{:<34}{:<14}{}\n", "step", "", "executes", "then works on", "  deque, top first");
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    for (id p = 0; p < steps_[s].processors.size(); ++p) {
      const deque_step::processor& q = at(s, p);
      out += fmt::format("{:>5}  {:<5}{:<34}{:<14}", p == 0 ? std::to_string(s + 1) : "", fmt::format("p{}", p + 1),
                         describe(q), describe(q.after.works_on));
      for (std::size_t i = 0; i < q.after.deque.size(); ++i) out += (i == 0 ? "  " : ", ") + describe(q.after.deque[i]);
      while (out.back() == ' ') out.pop_back();
      out += '\n';
    }
  }
  return out;
}

}  // namespace heist::analysis
