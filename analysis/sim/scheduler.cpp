#include <analysis/sim/scheduler.hpp>

namespace heist::analysis {

void scheduler::move_to(id p, id t) {
  if (thread(t).home == p) return;
  counts().bytes += machine_.frame(t);
  thread(t).home = p;
}

void scheduler::start(id p, id t) {
  move_to(p, t);
  machine_.start(p, t);
}

void scheduler::push_bottom(id p, id t) {
  move_to(p, t);
  thread(t).state = state::ready;
  deque(p).push_bottom(t);
}

}  // namespace heist::analysis
