#include <heist/base/sanitizer.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/this_child.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>
#include <heist/strand/seat.hpp>

namespace heist::detail {

namespace {

struct child_here {
  scope_books& owner;
  std::int64_t number;

  child_here() noexcept : child_here(running()) {}

 private:
  static part running() noexcept {
    this_worker()->pool.must_be_here();  // in a child of fork() nothing runs
    return this_seat()->running.get()->part_of.get();
  }
  explicit child_here(part p) noexcept
      : owner(*const_cast<scope_books*>(static_cast<const scope_books*>(p.of))), number(p.number) {}
};

}  // namespace

forked this_child::left_slowly(worker& w, std::size_t depth) noexcept {
  tripped(w);
  wait::give_way();
  this_worker()->look_at_next_fork();
  if (scope_books::is_counted(child_here().number)) {  // always here: start_counted() has seen to it
    begin_own_clock();
    return forked::counted;
  }
  begin_measured_child(depth);
  return forked::slowly;
}

void this_child::fail() noexcept {
  const child_here c;
  c.owner.fail(c.number);
}

#if defined(HEIST_CHECKED)
const scope_books* this_child::scope() noexcept { return &child_here().owner; }
#endif

stack* this_child::end_slowly(forked how) noexcept {
  const child_here c;
  if (how == forked::counted) return c.owner.end_counted(c.number);
  end_measured_child(c.owner);
  return end_child(forked::lightly);
}

// To ThreadSanitizer the child comes before the sync, not before the parent's next line, although here the two happen to run
// one after the other on one worker. The parent may continue with the belongings.
void this_child::release_to_scope() noexcept {
  tsan_release(&child_here().owner);
  if (belongings* const own = this_worker()->now.own.get()) tsan_release(own);
}

// model: scope.pml, run_spawned()
stack* this_child::end_robbed() noexcept {
  if (this_worker()->jobs.owner().settle()) return to_caller();
  this_worker()->pool.must_be_here();
  const child_here c;
  c.owner.leavings_.leave_before(scope_books::order(c.number));
  return c.owner.arrivals_.arrive();
}

}  // namespace heist::detail
