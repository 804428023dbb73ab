#include <heist/base/clock.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/visit.hpp>

namespace heist::detail {

visit::visit(seat& s, const void* root, const terms& t) noexcept : seat_(s) {
  pool_thread& mine = *s.by.get();
  introduce_native(home_);
  former_ = mine.sit({&home_, &thread_exceptions(), root});
  s.accept(t);
  s.pool.search.begin_work(mine);
  sit_at(&s);
}

void visit::work(on_arrival first, void* argument) noexcept {
  pool_thread& mine = *seat_.by.get();
  if (stack* const fresh = mine.stacks.take()) {
    restart_for_work(*fresh);
    fresh->part_of.set({});
    tsan_release(argument);  // the stack sees what this thread saw
    visit_stacks(mine, home_, *fresh, first, argument);
  } else {
    seat_.stackless.add();
    if (stack* const next = first(argument)) visit_stacks(mine, home_, *next);
  }
  mode_.apply();
}

void visit::leave() noexcept {
  pool_thread& mine = *seat_.by.get();
  // A short root cannot have touched much: the stack's own checks are enough.
  if (now() - mine.busy_since.get() > 1'000'000) mine.stacks.hand_back();
  sit_at(outer_);
  mine.sit(former_);
}

}  // namespace heist::detail
