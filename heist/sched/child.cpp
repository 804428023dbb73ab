#include <heist/base/chaos.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/pool.hpp>
#include <heist/sched/belongings.hpp>
#include <heist/sched/child.hpp>
#include <heist/sched/held_locks.hpp>
#include <heist/sched/program_profile.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/strand.hpp>
#include <heist/stack/switch.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace heist::detail {

// Spawn: the child runs, the parent's continuation waits ------------------------------------------------------------

// model: scope.pml, run_parent()
[[gnu::noinline]] bool scope_books::start(spawned& child, on_arrival body) noexcept {
  check_no_lock_held();
  seat& s = *this_seat();
  stack* const mine = s.running.get();
  stack* const fresh = mine != nullptr ? s.stacks.take() : nullptr;
  if (fresh == nullptr) {
    s.pool.must_be_here();
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
  this_worker()->pool.must_be_here();
  leave(robbed_left_, number);  // its last strand was ended by end_measured_child()
  return arrive();
}

const job::kind spawned::continuation{&spawned::steal, kind::theft::continuation};

// model: scope.pml, run_catch()
stack* spawned::steal(job& self) noexcept {
  auto& record = static_cast<spawned&>(self);
  // The continuation is ours: so is what its strand counts.
  ++record.owner->stolen_;
  stack* const parent = record.parent;
  if (parent->robbed != record.owner) record.owner->note_turn(*parent, record.number);
  begin_measured_continuation(depth_of(*parent, &record));
  tsan_release(parent);
  return parent;
}

// Spawn later: the child waits, the parent goes on ------------------------------------------------------------------

queued_child::queued_child(scope_books& of, void (*run_body)(queued_child&) noexcept) noexcept
    : job(child), body(run_body), owner(&of), number(of.next_number()) {}

void queued_child::run_here() noexcept {
  scope_books& s = *owner;
  const std::int64_t n = number;
  belongings* const callers = this_worker()->own.replace(nullptr);
  if (callers != nullptr && callers->clock) begin_measured_strand();
  body(*this);
  end_measured_strand();
  s.leave(s.queued_left_, n);
  this_worker()->own.set(callers);
  tsan_release(&s);  // as in end_child()
}

// model: scope.pml, run_catch()
stack* queued_child::steal(job& self) noexcept {
  auto& c = static_cast<queued_child&>(self);
  scope_books& s = *c.owner;
  const std::int64_t n = c.number;
  c.body(c);
  end_measured_strand();
  s.leave(s.queued_left_, n);
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
    if (here >= most_queued) return note_queued(child.number), child.run_here();
    stolen_ += queued_ - here;
    queued_ = here;
  }
  ++queued_;
  note_queued(child.number);
  worker& w = *this_worker();
  if (!w.jobs.owner().push(&child)) w.tripped();
}

// Before the child can run: where on the path it begins.
void scope_books::note_queued(std::int64_t number) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return;
  end_measured_strand();
  keep_belongings([&] { c->queue_child(this, number); });
  c->begin();
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
  if (std::exchange(waited_for_, spawned_) == spawned_) return;
  if (!outside()) {
    check_no_lock_held();
    end_measured_strand();
  }
  run_queued();
  tsan_acquire(this);  // what the children did that nobody robbed
  if (stolen_ != 0) {
    (outside() ? *pool_ : this_worker()->pool).must_be_here();
    // order[scope.arrive]: what the children did
    if (balance_.load(std::memory_order_acquire) != stolen_ && !arrive_soon() && !wait_parked()) wait_blocked();
    stolen_ = 0;
    balance_.store(0, std::memory_order_relaxed);
    if (robbed_on_ != nullptr) keep_belongings([this] { end_turns(); });
  }
  if (robbed_left_ != nullptr || queued_left_ != nullptr) keep_belongings([this] { collect(); });
  if (outside()) return;
  if (strand_clock* const c = own_clock()) {
    keep_belongings([&] { c->sync(this); });
    c->begin();
  }
}

bool scope_books::arrive_soon() const noexcept {
  auto all_here = [](const void* p) noexcept {
    const auto& self = *static_cast<const scope_books*>(p);
    // order[scope.arrive]: what the children did
    return self.balance_.load(std::memory_order_acquire) == self.stolen_;
  };
  return !outside() && scheduler::over_soon(all_here, this);
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

// What children leave: heist/views/README.md, heist/meter/README.md --------------------------------------------------

// Any child, before it arrives.
void scope_books::leave(belongings*& list, std::int64_t number) noexcept {
  std::unique_ptr<belongings> mine = give_belongings();
  if (!mine) return;
  mine->number = number;
  const std::lock_guard hold(lock_);
  mine->next = list;
  list = mine.release();
}

// In serial order.
static std::vector<std::unique_ptr<belongings>> in_order(belongings* list) {
  std::vector<std::unique_ptr<belongings>> all;
  while (list != nullptr) {
    all.emplace_back(list);
    list = list->next;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a->turn, a->number) < std::pair(b->turn, b->number);
  });
  return all;
}

// The scope's strand, when all have arrived: first what came before its last theft, then its own, then what waited.
void scope_books::collect() {
  std::unique_ptr<belongings> own = outside() ? nullptr : give_belongings();
  const bool measured = own && own->clock;  // if not, a robbed child may have been: its measurement is over
  auto all = std::make_unique<belongings>();
  auto append = [&](std::unique_ptr<belongings> later) {
    if (later) all->append(std::move(*later));
  };
  for (auto& segment : in_order(std::exchange(robbed_left_, nullptr))) append(std::move(segment));
  append(std::move(own));
  if (!measured) all->clock.reset();
  const auto queued = in_order(std::exchange(queued_left_, nullptr));
  // Outside every pool nothing is measured but the whole program: the children side by side.
  if (outside() && !queued.empty() && queued.front()->clock) {
    all->clock.emplace().drop();
    for (const auto& child : queued) all->clock->queue_child(this, child->number);
  }
  for (const auto& child : queued) {
    all->views.append(std::move(child->views));
    if (child->clock && all->clock) all->clock->join_queued(this, child->number, std::move(*child->clock));
  }
  if (outside() && all->clock) {
    all->clock->sync(this);
    program_profile::get()->add(std::move(*all->clock));
  }
  receive_belongings(std::move(all));
}

// Scopes of one strand in turns: heist/views/README.md --------------------------------------------------------------

// The thief, before it goes on as the strand: from here on it is our turn.
void scope_books::note_turn(stack& strand, std::int64_t number) noexcept {
  auto* const before = static_cast<scope_books*>(strand.robbed);
  if (robbed_on_ != nullptr) {
    keep_belongings([this] { turns_.push_back(now_); });
    strike_off();
  }
  now_ = {number, before != nullptr ? before->now_.number + 1 : 0};
  robbed_on_ = &strand;
  robbed_before_ = static_cast<scope_books*>(std::exchange(strand.robbed, this));
}

void scope_books::strike_off() noexcept {
  auto* at = static_cast<scope_books*>(robbed_on_->robbed);
  if (at == this) {
    robbed_on_->robbed = robbed_before_;
  } else {
    while (at->robbed_before_ != this) at = at->robbed_before_;
    at->robbed_before_ = robbed_before_;
  }
}

std::int64_t scope_books::turn_of(std::int64_t child) const noexcept {
  if (child >= now_.from) return now_.number;
  const auto after = std::upper_bound(turns_.begin(), turns_.end(), child,
                                      [](std::int64_t c, const turn& t) { return c < t.from; });
  return after[-1].number;
}

// The scope's strand, when all have arrived. Views from before the last theft of another scope, which is still open, belong
// in front of what that one's child will leave: they are left there.
void scope_books::end_turns() {
  strike_off();
  auto* const later = static_cast<scope_books*>(std::exchange(robbed_on_, nullptr)->robbed);
  for (belongings* left = robbed_left_; left != nullptr; left = left->next) {
    if (left->turn == belongings::unknown) left->turn = turn_of(left->number);
    if (later == nullptr || left->turn > later->now_.number) continue;
    auto earlier = std::make_unique<belongings>();
    earlier->views.append(std::move(left->views));
    earlier->number = left->number;
    earlier->turn = left->turn;
    const std::lock_guard hold(later->lock_);
    earlier->next = later->robbed_left_;
    later->robbed_left_ = earlier.release();
  }
  turns_.clear();
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
