#include <heist/base/chaos.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/pool.hpp>
#include <heist/sched/child.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/strand.hpp>
#include <heist/stack/switch.hpp>
#include <heist/views/view_map.hpp>

#include <utility>

namespace heist::detail {

// Spawn: the child runs, the parent's continuation waits ------------------------------------------------------------

// model: scope.pml, run_parent()
[[gnu::noinline]] bool scope_books::start(spawned& child, on_arrival body) noexcept {
  seat& s = *this_seat();
  stack* const mine = s.running.get();
  stack* const fresh = mine != nullptr ? s.stacks.take() : nullptr;
  if (fresh == nullptr) {
    s.stackless.add();
    return false;
  }
  child.parent = mine;
  restart(*fresh, fresh, stack_main);
  s.running.set(fresh);
  const strand_mark strand;
  tsan_release(&child);  // the child's stack sees its function and its record
  chaos::step(chaos::at::spawning);
  switch_inline(*mine, *fresh, *s.exceptions.get(), body, &child);
  tsan_acquire(mine);  // the child's start, and what the thief did, if there was one
  strand.restore();
  return true;
}

// model: scope.pml, run_spawned()
stack* scope_books::end_robbed(std::int64_t number, stack& parent) noexcept {
  if (this_worker()->jobs.owner().settle()) return &parent;
  leave_views(robbed_views_, number, give_views());
  return arrive();
}

const job::kind spawned::continuation{&spawned::steal};

// model: scope.pml, run_catch()
stack* spawned::steal(job& self) noexcept {
  auto& record = static_cast<spawned&>(self);
  // The continuation is ours: so is what its strand counts.
  ++record.owner->stolen_;
  stack* const parent = record.parent;
  tsan_release(parent);
  return parent;
}

// Spawn later: the child waits, the parent goes on ------------------------------------------------------------------

queued_child::queued_child(scope_books& of, void (*run_body)(queued_child&) noexcept) noexcept
    : job(child), body(run_body), owner(&of), number(of.next_number()) {}

void queued_child::run_here() noexcept {
  scope_books& s = *owner;
  const std::int64_t n = number;
  view_map* const callers = this_worker()->views.replace(nullptr);
  body(*this);
  s.leave_views(s.queued_views_, n, give_views());
  this_worker()->views.set(callers);
  tsan_release(&s);  // as in end_child()
}

// model: scope.pml, run_catch()
stack* queued_child::steal(job& self) noexcept {
  auto& c = static_cast<queued_child&>(self);
  scope_books& s = *c.owner;
  const std::int64_t n = c.number;
  c.body(c);
  s.leave_views(s.queued_views_, n, give_views());
  return s.arrive();
}

// model: scope.pml, run_parent()
void scope_books::queue(queued_child& child) noexcept {
  if (outside()) {
    // order[scope.arrive]: a guess of how many are still out
    if (stolen_ - balance_.load(std::memory_order_acquire) >= most_queued)
      return default_pool().run([&] { child.run_here(); });
    ++stolen_;  // it will be
    return pool_->inject(child, fp_mode::current());
  }
  if (queued_ >= most_queued) {
    // If the deque is shorter than we think, thieves have taken some: there is room again.
    const std::int64_t here = this_worker()->jobs.size();
    if (here >= most_queued) return child.run_here();
    stolen_ += queued_ - here;
    queued_ = here;
  }
  ++queued_;
  worker& w = *this_worker();
  if (!w.jobs.owner().push(&child)) w.tripped();
}

// What is left of our queued children lies at the bottom of this worker's deque, perhaps among those of other scopes of
// this strand. If some were stolen, everything older was, too, so that popping until it is empty never takes anything
// but such children.
// model: scope.pml, run_queued()
void scope_books::run_queued() noexcept {
  while (queued_ > 0) {
    auto* const c = static_cast<queued_child*>(this_worker()->jobs.owner().pop());
    if (c == nullptr) {
      stolen_ += std::exchange(queued_, 0);
      return;
    }
    --c->owner->queued_;
    c->run_here();
  }
}

// The counters ------------------------------------------------------------------------------------------------------

scope_books::scope_books() {
  if (worker* const w = this_worker())
    strand_ = w->strand.get();
  else
    pool_ = &scheduler_of(default_pool()), strand_ = &heist_this_worker;  // the thread
}

// model: scope.pml, arrive()
stack* scope_books::arrive() noexcept {
  chaos::step(chaos::at::arriving);
  // order[scope.arrive]: the strand sees what the child did; the last arriver sees the strand parked
  if (balance_.fetch_add(1, std::memory_order_acq_rel) != -1) return nullptr;
  // The strand is parked, and we are the last: the books are there until we resume it.
  if (bed_ == nullptr) return resumed(*parked_);
  bed_->post();
  return nullptr;
}

// The strand, parked: true if all are here already. If not, the books belong to the last arriver from here on.
// model: scope.pml, expect_last()
bool scope_books::expect_last() noexcept {
  const std::int64_t stolen = stolen_;
  chaos::step(chaos::at::reckoning);
  // order[scope.arrive]: the stack is complete; if all are here, what they did
  const bool all_here = balance_.fetch_sub(stolen, std::memory_order_acq_rel) == stolen;
  chaos::step(chaos::at::reckoned);
  return all_here;
}

// model: scope.pml, sync()
void scope_books::wait() noexcept {
  run_queued();
  tsan_acquire(this);  // what the children did that nobody robbed
  if (stolen_ != 0) {
    // order[scope.arrive]: what the children did
    if (balance_.load(std::memory_order_acquire) != stolen_ && !wait_parked()) wait_blocked();
    stolen_ = 0;
    balance_.store(0, std::memory_order_relaxed);
  }
  if (robbed_views_ != nullptr || queued_views_ != nullptr) collect_views();
}

// model: scope.pml, sync()
bool scope_books::wait_parked() noexcept {
  if (outside()) return false;
  parked_ = this_seat()->running.get();
  return suspend(
      [](void* p) -> stack* {
        auto& self = *static_cast<scope_books*>(p);
        stack& mine = *self.parked_;
        return self.expect_last() ? resumed(mine) : nullptr;
      },
      this);
}

// model: scope.pml, sync()
void scope_books::wait_blocked() noexcept {
  parking bed;
  bed_ = &bed;
  if (!expect_last()) outside() ? pool_->wait_outside(bed) : bed.wait();
  bed_ = nullptr;
}

// Views: heist/views/README.md -------------------------------------------------------------------------------------

// Any child, before it arrives. The list is kept by falling number: the next one is usually the highest.
void scope_books::leave_views(view_map*& list, std::int64_t number, std::unique_ptr<view_map> views) noexcept {
  if (!views) return;
  const std::lock_guard hold(lock_);
  view_map** at = &list;
  while (*at != nullptr && (*at)->number > number) at = &(*at)->next;
  views->number = number;
  views->next = *at;
  *at = views.release();
}

// The scope's strand, when all have arrived: first what came before its last theft, then its own, then what waited.
void scope_books::collect_views() noexcept {
  using views = std::unique_ptr<view_map>;
  auto both = [](views left, views right) {
    if (!left) return right;
    if (right) left->append(std::move(right));
    return left;
  };
  auto all_before = [&](view_map* list, views after) {
    while (list != nullptr) {
      view_map* const last = std::exchange(list, list->next);
      after = both(views(last), std::move(after));
    }
    return after;
  };
  views own = outside() ? nullptr : give_views();
  views since_theft = both(std::move(own), all_before(std::exchange(queued_views_, nullptr), nullptr));
  receive_views(all_before(std::exchange(robbed_views_, nullptr), std::move(since_theft)));
}

// Failures ----------------------------------------------------------------------------------------------------------

void scope_books::fail(std::int64_t number, std::exception_ptr e) noexcept {
  const std::lock_guard hold(lock_);
  if (failure_ && failed_number_ < number) return;
  failed_number_ = number;
  failure_ = std::move(e);
}

std::exception_ptr scope_books::take_failure() noexcept { return std::exchange(failure_, nullptr); }

void scope_books::check_strand() const noexcept {
  const worker* const w = this_worker();
  const void* const mine = w != nullptr ? w->strand.get() : &heist_this_worker;
  if ((w == nullptr) != outside() || mine != strand_)
    fatal("a scope was used by another strand than the one that made it; make a scope of its own in each branch");
}

}  // namespace heist::detail
