#include <heist/base/clock.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/visit.hpp>

namespace heist::detail {

visit::visit(pool_thread& place, const void* root, const terms& t) noexcept : place_(place) {
  introduce_native(home_);
  former_ = place_.sit({&home_, &thread_exceptions(), root, outer_});
  seat& s = *place_.at.get();
  s.accept(t);
  s.pool.search.begin_work(place_);
  sit_at(&s);
}

void visit::work(on_arrival first, void* argument) noexcept {
  if (stack* const fresh = place_.stacks.take()) {
    restart_for_work(*fresh);
    fresh->part_of.set({});
    tsan_release(argument);  // the stack sees what this thread saw
    visit_stacks(place_, home_, *fresh, first, argument);
  } else {
    place_.stackless.add();
    if (stack* const next = first(argument)) visit_stacks(place_, home_, *next);
  }
  mode_.apply();
}

void visit::leave() noexcept {
  // A short root cannot have touched much: the stack's own checks are enough.
  if (now() - place_.busy_since.get() > 1'000'000) place_.stacks.hand_back();
  place_.at.get()->pool.search.clock_out(place_);
  sit_at(outer_);
  place_.sit(former_);
}

}  // namespace heist::detail
