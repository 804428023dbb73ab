#include <analysis/sim/scheduler.hpp>

namespace heist::analysis {

void scheduler::move_to(id p, id t) {
  if (thread(t).home == p) return;
  counts().bytes += thread(t).frame;
  thread(t).home = p;
}

void scheduler::start(id p, id t) {
  move_to(p, t);
  machine_.start(p, t);
}

void scheduler::push_bottom(id p, id t) {
  move_to(p, t);
  processor& q = at(p);
  activation& a = thread(t);
  a.state = state::ready;
  a.above = q.bottom;
  a.below = none;
  (q.bottom == none ? q.top : thread(q.bottom).below) = t;
  q.bottom = t;
  ++q.size;
}

id scheduler::pop_bottom(id p) {
  processor& q = at(p);
  const id t = q.bottom;
  if (t == none) return none;
  q.bottom = thread(t).above;
  (q.bottom == none ? q.top : thread(q.bottom).below) = none;
  --q.size;
  return t;
}

void scheduler::unlink(id p, id t) {
  processor& q = at(p);
  const activation& a = thread(t);
  (a.above == none ? q.top : thread(a.above).below) = a.below;
  (a.below == none ? q.bottom : thread(a.below).above) = a.above;
  --q.size;
}

id scheduler::pop_top(id p) {
  processor& q = at(p);
  const id t = q.top;
  if (t == none) return none;
  q.top = thread(t).below;
  (q.top == none ? q.bottom : thread(q.top).above) = none;
  --q.size;
  return t;
}

}  // namespace heist::analysis
