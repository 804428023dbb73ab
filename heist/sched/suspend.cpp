#include <heist/base/cpu.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/stack/switch.hpp>

#include <thread>
#include <utility>

namespace heist::detail {

namespace {

stack* recycle(void* used) noexcept {
  this_seat()->by.get()->stacks.put(static_cast<stack*>(used));
  return nullptr;
}

// Where a worker continues when a strand leaves it, and what it does there first.
struct departure {
  stack* left;
  on_arrival parked;
  void* argument;
};

stack* arrive_elsewhere(void* d) noexcept {
  tsan_acquire(d);
  const departure from = *static_cast<departure*>(d);
  this_seat()->by.get()->stacks.parked(*from.left);
  return from.parked(from.argument);
}

}  // namespace

// Not instrumented by ThreadSanitizer: it is entered again and again and never returns, so its
// calls would pile up in the sanitizer's records.
HEIST_NO_TSAN void stack_main(handoff* from) noexcept {
  stack& self = static_cast<stack&>(*from->to);
  stack* next = arrive(from);
  if (next == nullptr) next = search::work();
  seat& s = *this_seat();
  pool_thread& t = *s.by.get();
  s.running.set(next);
  context& to = next != nullptr ? static_cast<context&>(*next) : *t.home.get();
  exception_globals& thread = *t.exceptions.get();
  const on_arrival then = t.stacks.put_early(&self) ? nullptr : recycle;
  tsan_release(&s.pool);  // everything that ran on this stack comes before the pool's end
  leave_to(self, to, thread, then, &self);
}

void restart_for_work(stack& fresh) noexcept { restart(fresh, &fresh, stack_main); }

void visit_stacks(pool_thread& t, context& home, stack& first, on_arrival then, void* argument) noexcept {
  for (stack* next = &first; next != nullptr;) {
    t.at->running.set(next);
    next = switch_to(home, *next, *t.exceptions.get(), std::exchange(then, nullptr), argument);
  }
}

// A parked strand continues on its thief's core, away from this core's caches. So while there is
// nothing to steal, and its worker would only search, the strand stays. A chaos build parks at
// once: it is meant to test that.
bool over_soon(bool (*over)(const void*) noexcept, const void* what) noexcept {
#ifndef HEIST_CHAOS
  search& around = this_seat()->pool.search;
  const nanoseconds deadline = now() + around.time();
  unsigned round = 0;
  do {
    for (int i = 0; i < 16; ++i) {
      if (over(what)) return true;
      relax();
    }
    if (++round % 8 == 0) std::this_thread::yield();  // as in search::find()
  } while (now() < deadline && !around.work_in_sight());
#endif
  return over(what);
}

// model: suspend.pml, reclaim(); scope.pml, sync()
bool suspend(on_arrival parked, void* argument) noexcept {
  seat& s = *this_seat();
  pool_thread& t = *s.by.get();
  departure d{s.running.get(), parked, argument};
  // A caller from outside works only on this root: it goes home. A pool thread steals, on a fresh
  // stack.
  stack* const fresh = d.left == nullptr || t.lent() ? nullptr : t.stacks.take();
  if (d.left == nullptr || (fresh == nullptr && !t.lent())) {
    s.stackless.add();
    return false;
  }
  if (fresh != nullptr) restart_for_work(*fresh);
  const strand mine = strand::depart();
  s.running.set(fresh);
  chaos::step(chaos::at::suspending);
  tsan_release(&d);  // the other side publishes what this side wrote
  context& to = fresh != nullptr ? static_cast<context&>(*fresh) : *t.home.get();
  switch_to(*d.left, to, *t.exceptions.get(), arrive_elsewhere, &d);
  tsan_acquire(d.left);  // what the resumer did
  mine.arrive();
  return true;
}

stack* resumed(stack& parked) noexcept {
  seat& s = *this_seat();
  s.resumes.add();
  s.note(trace_event::kind::resume);
  tsan_release(&parked);  // the resumed strand comes after everything that its resumer did
  return &parked;
}

}  // namespace heist::detail
