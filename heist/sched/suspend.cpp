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
  thread_at(*this_seat()).stacks.put(static_cast<stack*>(used));
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
  return from.parked(from.argument);
}

stack* park_elsewhere(void* d) noexcept {
  tsan_acquire(d);
  thread_at(*this_seat()).stacks.parked(*static_cast<departure*>(d)->left);
  return arrive_elsewhere(d);
}

}  // namespace

// Not instrumented by ThreadSanitizer: it is entered again and again and never returns, so its
// calls would pile up in the sanitizer's records.
HEIST_NO_TSAN void stack_main(handoff* from) noexcept {
  stack& self = static_cast<stack&>(*from->to);
  heist_leave_fresh(&self, arrive(from));
}

extern "C" [[gnu::used]] HEIST_NO_TSAN void heist_leave_fresh(stack* self, stack* next) noexcept {
  if (next == nullptr) next = search::work();
  seat& s = *this_seat();
  pool_thread& t = thread_at(s);
  s.running.set(next);
  context& to = next != nullptr ? static_cast<context&>(*next) : *t.home.get();
  exception_globals& thread = *t.exceptions.get();
  const on_arrival then = t.stacks.put_early(self) ? nullptr : recycle;
  tsan_release(&s.pool);  // everything that ran on this stack comes before the pool's end
  leave_to(*self, to, thread, then, self);
}

void restart_for_work(stack& fresh) noexcept { restart(fresh, &fresh, stack_main); }

void visit_stacks(pool_thread& t, context& home, stack& first, on_arrival then, void* argument) noexcept {
  for (stack* next = &first; next != nullptr;) {
    t.at.get()->running.set(next);
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

namespace {

// A strand that leaves its stack: where its worker continues.
class exit_from_stack {
 public:
  exit_from_stack() noexcept {
    // A caller from outside works only on this root: it goes home. A pool thread steals, on a fresh
    // stack.
    if (left_ != nullptr && !thread_.lent()) fresh_ = thread_.stacks.take();
    if (!open()) thread_.stackless.add();
  }
  // False: the strand is on a native stack, or there is no other stack.
  bool open() const noexcept { return left_ != nullptr && (fresh_ != nullptr || thread_.lent()); }

  // Returns when the stack is resumed.
  void take(on_arrival way, on_arrival parked, void* argument) const noexcept {
    departure d{left_, parked, argument};
    if (fresh_ != nullptr) restart_for_work(*fresh_);
    this_seat()->running.set(fresh_);
    chaos::step(chaos::at::suspending);
    tsan_release(&d);  // the other side publishes what this side wrote
    context& to = fresh_ != nullptr ? static_cast<context&>(*fresh_) : *thread_.home.get();
    switch_to(*d.left, to, *thread_.exceptions.get(), way, &d);
    tsan_acquire(d.left);  // what the resumer did
  }

 private:
  pool_thread& thread_ = thread_at(*this_seat());
  stack* const left_ = this_seat()->running.get();
  stack* fresh_ = nullptr;
};

}  // namespace

bool switch_away(on_arrival parked, void* argument) noexcept {
  const exit_from_stack way;
  if (!way.open()) return false;
  way.take(arrive_elsewhere, parked, argument);
  return true;
}

// model: suspend.pml, reclaim(); scope.pml, sync()
bool suspend(on_arrival parked, void* argument) noexcept {
  const exit_from_stack way;
  if (!way.open()) return false;
  const strand mine = strand::depart();
  way.take(park_elsewhere, parked, argument);
  mine.arrive();
  return true;
}

stack* resumed(stack& parked) noexcept {
  seat& s = *this_seat();
  s.by.get()->resumes.add();
  s.note(trace_event::kind::resume);
  tsan_release(&parked);  // the resumed strand comes after everything that its resumer did
  return &parked;
}

}  // namespace heist::detail
