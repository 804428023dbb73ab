#pragma once
// The switch from a strand to a child of its own, as spawn and async have it.

#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/stack/switch.hpp>
#include <heist/strand/seat.hpp>

HEIST_BEGIN

namespace heist::detail {

// Switches from the calling strand's stack, `mine`, to one for a child of it, where `body(&record)` runs. Returns when the
// strand continues; false, at once, if there is no stack. The caller is never inlined: see jump().
template <class Record>
HEIST_INLINE bool enter_child(seat& s, stack& mine, part of, Record& record, on_arrival body) noexcept {
  pool_thread& t = thread_at(s);
  stack* const fresh = t.stacks.take();
  if (fresh == nullptr) [[unlikely]] return false;
  record.parent = &mine;
  restart(*fresh, fresh, child_main);
  fresh->part_of.set(of);
  s.running.set(fresh);
  const kept_mark strands;
  tsan_release(&record);  // the child's stack sees its function and its record
  chaos::step(chaos::at::spawning);
  switch_inline(mine, *fresh, *t.exceptions.get(), body, &record);
  tsan_acquire(&mine);  // the child's start, and what a thief did
  strands.restore();
  return true;
}

// A stack for call_child(). Null: enter_child() must do.
HEIST_INLINE stack* ready_stack(pool_thread& t) noexcept {
  if (!has_call_on || t.exceptions.get()->any()) return nullptr;
  return t.stacks.take_kept();
}

// The same as enter_child() in fewer instructions, for the usual case: the child comes back to a parent that nobody has
// stolen.
template <class Record>
HEIST_INLINE void call_child(seat& s, stack& mine, stack* fresh, part of, Record& record, on_arrival body) noexcept {
  record.parent = &mine;
  fresh->part_of.set(of);
  s.running.set(fresh);
  const kept_mark strands;
  chaos::step(chaos::at::spawning);
  if (call_on(mine, fresh, body, &record)) [[likely]] {
    seat& now = *this_seat();  // perhaps on another thread
    stack_cache& stacks = thread_at(now).stacks;
    now.running.set(&mine);
    if (!stacks.put_early(fresh)) [[unlikely]] stacks.put(fresh);
  }
  strands.restore();
}

}  // namespace heist::detail

HEIST_END
