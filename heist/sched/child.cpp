#include <heist/base/chaos.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/cancelled.hpp>
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

namespace {

// Not inlined: a strand may find another thread's after a switch.
[[gnu::noinline]] const void* this_thread() noexcept {
  asm volatile("");
  return &heist_this_worker;
}

// What home_ says of a scope that is gone.
const stack* ended_scope() noexcept {
  static constexpr char nowhere = 0;
  return reinterpret_cast<const stack*>(&nowhere);
}

[[noreturn]] void end_of_life() noexcept {
  fatal("a scope was used after it had ended; what spawns into it must be one of its children, or come before its sync");
}

}  // namespace

// Spawn: the child runs, the parent's continuation waits ------------------------------------------------------------

namespace {
HEIST_COLD spawning no_stack(seat& s) noexcept {
  s.pool.must_be_here();
  s.stackless.add();
  return spawning::here;
}
}  // namespace

// From the calling strand's stack to one for the child, whose number is known. Returns when the strand goes on.
HEIST_INLINE spawning scope_books::enter_child(seat& s, stack& mine, spawned& child, on_arrival body) noexcept {
  stack* const fresh = s.stacks.take();
  if (fresh == nullptr) [[unlikely]] return no_stack(s);
  child.parent = &mine;
  restart(*fresh, fresh, stack_main);
  fresh->strand.set({this, child.number});
  s.running.set(fresh);
  const strand_mark strand;
  tsan_release(&child);  // the child's stack sees its function and its record
  chaos::step(chaos::at::spawning);
  switch_inline(mine, *fresh, *s.exceptions.get(), body, &child);
  tsan_acquire(&mine);  // the child's start, and what the thief did, if there was one
  strand.restore();
  return spawning::started;
}

// model: scope.pml, run_parent()
[[gnu::noinline]] spawning scope_books::start(spawned& child, on_arrival body) noexcept {
  check_no_lock_held();
  seat* const s = this_seat();
  stack* const mine = s != nullptr ? s->running.get() : nullptr;  // the gate is never null
  if (mine != gate_.load(std::memory_order_relaxed)) [[unlikely]] return start_slowly(child, body);
  child.number = spawned_++;
  return enter_child(*s, *mine, child, body);
}

// The calling strand is another than the scope's, or cannot be left; or the scope has failed, was stopped, or has ended.
[[gnu::noinline]] spawning scope_books::start_slowly(spawned& child, on_arrival body) noexcept {
  if (home_ == ended_scope()) end_of_life();
  seat* const s = this_seat();
  if (s == nullptr || &s->pool != pool_) return spawning::elsewhere;
  if (!on_strand()) return start_counted(child, body);
  child.number = spawned_++;
  if (skip(child.number)) return spawning::skipped;
  stack* const mine = s->running.get();
  return mine != nullptr ? enter_child(*s, *mine, child, body) : no_stack(*s);
}

// Another strand than the scope's: the child is counted before there is anything to steal, so that it is not forgotten when
// its parent, whose continuation may be stolen, arrives first. It has its own belongings, as its parent's may end with
// the parent.
// model: scope.pml, run_spawned()
[[gnu::noinline]] spawning scope_books::start_counted(spawned& child, on_arrival body) noexcept {
  seat& s = *this_seat();
  child.number = counted_flag | next_counted();
  if (skip(child.number)) return spawning::skipped;
  stack* const mine = s.running.get();
  if (mine == nullptr) return no_stack(s);
  balance_.fetch_sub(1, std::memory_order_relaxed);  // the push that follows carries it to whoever arrives
  strand_clock* const c = own_clock();
  if (c != nullptr) {
    end_measured_strand();
    keep_belongings([&] { c->count_child(this, order(child.number)); });
  }
  belongings* const own = s.own.replace(nullptr);
  s.jobs.owner().trip();  // the child's push comes to leave_parent()'s slow part
  const spawning how = enter_child(s, *mine, child, body);
  if (how == spawning::here) balance_.fetch_add(1, std::memory_order_relaxed);
  std::unique_ptr<belongings> since = give_belongings();  // of a thief that goes on as this strand
  this_worker()->own.set(own);
  receive_belongings(std::move(since));
  if (c != nullptr) c->begin();
  return how;
}

// On the child's stack: its end, and the parent's if nobody robbed it.
// model: scope.pml, end_spawned()
stack* scope_books::end_counted(std::int64_t number, stack& parent) noexcept {
  end_measured_strand();
  leave(queued_left_, number);
  tsan_release(this);  // as in end_child()
  auto jobs = this_worker()->jobs.owner();
  if (jobs.take_back_fenced() || jobs.settle()) {
    if (arrive() != nullptr)  // its parent goes on, and counts
      fatal("a scope was used by a strand that it does not enclose: its sync did not wait for that strand; spawn from "
            "the scope's own strand, or from its children");
    return &parent;
  }
  this_worker()->pool.must_be_here();
  return arrive();
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
  stack* const parent = record.parent;
  if (!scope_books::is_counted(record.number)) {
    // The continuation is ours: so is what its strand counts.
    ++record.owner->stolen_;
    if (parent->robbed != record.owner) record.owner->note_turn(*parent, record.number);
  }
  begin_measured_continuation(depth_of(*parent, &record));
  tsan_release(parent);
  return parent;
}

// Spawn later: the child waits, the parent goes on ------------------------------------------------------------------

queued_child::queued_child(scope_books& of, runner run_body) noexcept
    : job(child), body(run_body), owner(&of), number(0) {}

// Once: runs it as a strand, or skips it.
void queued_child::take_turn() noexcept {
  scope_books& s = *owner;
  const std::int64_t n = number;
  if (stack* const here = this_seat()->running.get()) here->strand.set({&s, n});
  body(*this, s.skip(n) ? turn_of_child::skip : turn_of_child::run);
  end_measured_strand();
  s.leave(s.queued_left_, n);
}

void queued_child::run_here() noexcept {
  scope_books& s = *owner;
  belongings* const callers = this_worker()->own.replace(nullptr);
  const stack* const here = this_seat()->running.get();
  const part strand = here != nullptr ? here->strand.get() : part{};
  if (callers != nullptr && callers->clock) begin_measured_strand();
  take_turn();
  if (stack* const now = this_seat()->running.get()) now->strand.set(strand);
  this_worker()->own.set(callers);
  tsan_release(&s);  // as in end_child()
}

// model: scope.pml, run_catch()
stack* queued_child::steal(job& self) noexcept {
  auto& c = static_cast<queued_child&>(self);
  scope_books& s = *c.owner;
  c.take_turn();
  return s.arrive();
}

// model: scope.pml, run_parent()
void scope_books::queue(queued_child& child) noexcept {
  if (home_ == ended_scope()) end_of_life();
  if (!on_strand()) return queue_counted(child);
  // Inside a branch of a join the child would lie on top of what the join has left, or would be taken for it.
  if (!outside() && home_ != nullptr && !at_base()) return queue_counted(child);
  child.number = spawned_++;
  if (!outside() && home_ == nullptr) {  // no stacks: no time for more than the serial program
    pool_->must_be_here();
    return child.run_here();
  }
  if (outside()) {
    // A guess of how many are still out.
    if (stolen_ + awake - balance_.load(std::memory_order_relaxed) >= most_queued) return run_in_pool(child);
    ++stolen_;  // it will be
    return pool_->inject(child, fp_mode::current(), this);
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
  note_base();
}

// A child of another strand, or of a branch of a join that the scope's strand has open: there it cannot lie in the deque, on
// top of what the join has left. Its strand's continuation can.
void scope_books::queue_counted(queued_child& child) noexcept {
  worker* const w = this_worker();
  if (w == nullptr || &w->pool != pool_) {
    child.number = counted_flag | next_counted();
    balance_.fetch_sub(1, std::memory_order_relaxed);  // the queue's lock carries it to whoever arrives
    return pool_->inject(child, fp_mode::current(), this);
  }
  spawned record(*this, &child);
  const spawning how = start_counted(record, [](void* self) noexcept {
    tsan_acquire(self);
    auto& r = *static_cast<spawned*>(self);
    auto& waited = *static_cast<queued_child*>(r.function);
    scope_books& owner = *r.owner;
    stack& parent = *r.parent;
    const std::int64_t number = waited.number = r.number;
    const forked left = leave_parent(r, parent, number);
    waited.body(waited, turn_of_child::run);
    return end_child(owner, number, parent, left);
  });
  if (how == spawning::started) return;
  child.number = record.number;
  how == spawning::skipped ? child.body(child, turn_of_child::skip) : child.run_here();
}

// Too many wait: this thread, which is not in the pool, runs the child itself.
void scope_books::run_in_pool(queued_child& child) noexcept {
  auto run_child = [&] { child.run_here(); };
  root_call<decltype(run_child)&> r(run_child);
  run_root(*pool_, r);
  r.take();
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
  const bool based = at_base();
  while (queued_ > 0) {
    auto* const c = static_cast<queued_child*>(this_worker()->jobs.owner().pop());
    if (c == nullptr) {
      stolen_ += std::exchange(queued_, 0);
      return;
    }
    --c->owner->queued_;
    c->owner->base_on_ = nullptr;  // another scope of this strand does not know how the deque has changed
    if (based) note_base();
    c->run_here();
  }
}

// The counters ------------------------------------------------------------------------------------------------------

scope_books::scope_books() : gate_(this) {
  seat* const s = this_seat();
  if (s == nullptr) {
    pool_ = &scheduler_of(default_pool());
    thread_ = this_thread();
    return;
  }
  pool_ = &s->pool;
  strand_ = s->strand.get();
  note_base();
  home_ = s->running.get();
  if (home_ == nullptr) return;
  gate_.store(home_, std::memory_order_relaxed);
  if (!s->unwinding()) made_by_ = home_->strand.get();
}

// A scope of a token: from the request on, its children are not wanted.
class scope_books::watch {
 public:
  watch(scope_books& b, std::stop_token t) : token_(std::move(t)), call_(token_, bell{b}) {}

 private:
  struct bell {
    scope_books& books;
    void operator()() const noexcept {
      books.stopped_.store(true, std::memory_order_relaxed);
      books.close_gate();
    }
  };
  const std::stop_token token_;
  const std::stop_callback<bell> call_;
};

scope_books::scope_books(std::stop_token token) : scope_books() {
  if (!token.stop_possible()) return;
  gate_.store(this, std::memory_order_relaxed);  // for good: a stop may come at any time
  // libstdc++ takes a callback that runs while the process has one thread for one that ends on the same thread.
  pool_->give_sign();
  watch_ = new watch(*this, std::move(token));
}

// After wait().
scope_books::~scope_books() {
  delete watch_;  // from here on nobody closes the gate
  if (alarmed_.load(std::memory_order_relaxed)) pool_->end_alarm();
  // A spawn that comes later finds this, if it finds anything.
  gate_.store(this, std::memory_order_relaxed);
  home_ = ended_scope();
  asm volatile("" ::: "memory");  // or the compiler would drop what it takes for the last words of an object
}

// Whoever spawns next looks more closely, and strands that run look whether they are wanted.
void scope_books::close_gate() noexcept {
  gate_.store(this, std::memory_order_relaxed);
  if (alarmed_.exchange(true, std::memory_order_relaxed)) return pool_->sound_alarm();
  pool_->begin_alarm();
  pool_->sound_alarm();
}

// The scope's strand, when all have arrived.
void scope_books::reopen() noexcept {
  counted_.store(0, std::memory_order_relaxed);
  if (first_failed_.load(std::memory_order_relaxed) == nobody) return;
  first_failed_.store(nobody, std::memory_order_relaxed);
  if (watch_ != nullptr) return;
  if (home_ != nullptr) gate_.store(home_, std::memory_order_relaxed);
  if (alarmed_.exchange(false, std::memory_order_relaxed)) pool_->end_alarm();
}

// Of a child that is counted: the strand's own keep their order.
std::int64_t scope_books::next_counted() noexcept {
  const std::int64_t n = counted_.fetch_add(1, std::memory_order_relaxed);
  return on_strand() ? spawned_++ : of_others + n;
}

// True: the child is not wanted. If that is so because of a stop, the sync says it.
bool scope_books::skip(std::int64_t number) noexcept {
  if (!stops(number)) return false;
  if (stopped_.load(std::memory_order_relaxed)) keep_failure(number, std::make_exception_ptr(cancelled()), true);
  return true;
}

// The calling strand is the scope's, or a branch of a join that runs in its place.
bool scope_books::on_strand() const noexcept {
  if (outside()) return this_worker() == nullptr && this_thread() == thread_;
  const seat* const s = this_seat();
  if (s == nullptr || &s->pool != pool_ || s->running.get() != home_) return false;
  return home_ != nullptr || s == base_on_;  // on a native stack, which keeps its seat
}

bool scope_books::at_base() const noexcept {
  worker& w = *this_worker();
  return base_on_ == &w && w.jobs.owner().next() == base_;
}

void scope_books::note_base() noexcept {
  base_on_ = this_worker();
  base_ = this_worker()->jobs.owner().next();
}

// A branch of a join that the scope's strand has begun lies in its deque: on its stack, where a queued child never lies.
bool scope_books::inside_fork() const noexcept {
  worker& w = *this_worker();
  return w.jobs.size() > 0 && !at_base() && home_->holds(w.jobs.owner().last());
}

void scope_books::must_be_on_strand() const noexcept {
  bool good = on_strand();
#if defined(HEIST_CHECKED)
  good = good && (outside() || this_worker()->strand.get() == strand_);
#endif
  if (good) return;
  if (home_ == ended_scope()) end_of_life();
  pool_->must_be_here();
  fatal("a scope was synced or destroyed by another strand than the one that made it; children and branches may spawn "
        "into it, but only its own strand may wait for it");
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
  const std::int64_t all = stolen_ + awake;
  chaos::step(chaos::at::reckoning);
  // order[scope.arrive]: the stack is complete; if all are here, what they did
  const bool all_here = balance_.fetch_sub(all, std::memory_order_acq_rel) == all;
  chaos::step(chaos::at::reckoned);
  return all_here;
}

// model: scope.pml, sync()
void scope_books::wait() noexcept {
  must_be_on_strand();
  // What other strands have spawned is seen: each was told of the scope by this one, and has ended or was left behind by
  // one that has.
  auto counted = [this] { return counted_.load(std::memory_order_relaxed) != 0; };
  if (std::exchange(waited_for_, spawned_) == spawned_ && !counted()) return;
  const bool based = !outside() && home_ != nullptr && at_base();
  if (queued_ > 0 && inside_fork())
    fatal("a scope with children of spawn_later was synced inside a branch of a join, where they cannot be reached; sync "
          "it where it was made");
  if (!outside()) {
    check_no_lock_held();
    end_measured_strand();
  }
  if (queued_ > 0) run_queued();
  tsan_acquire(this);  // what the children did that nobody robbed
  if (stolen_ != 0 || counted()) {
    pool_->must_be_here();
    if (outside()) pool_->help_with(this);
    // order[scope.arrive]: what the children did
    if (balance_.load(std::memory_order_acquire) != stolen_ + awake && !arrive_soon() && !wait_parked()) wait_blocked();
    stolen_ = 0;
    balance_.store(awake, std::memory_order_relaxed);
    if (robbed_on_ != nullptr) keep_belongings([this] { end_turns(); });
  }
  reopen();
  if (based) note_base();
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
    return self.balance_.load(std::memory_order_acquire) == self.stolen_ + awake;
  };
  return !outside() && scheduler::over_soon(all_here, this);
}

// model: scope.pml, sync()
bool scope_books::wait_parked() noexcept {
  // A strand leaves a worker only when its deque is empty: not inside a branch of a join whose other branch is left.
  if (outside() || this_worker()->jobs.size() != 0) return false;
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
  if (!expect_last()) outside() ? pool_->wait_outside(bed) : wait_and_run_queued(bed);
  bed_ = nullptr;
}

// A strand that keeps its worker. What other pools and threads spawn waits for a worker, and all may be waiting like this one:
// so it looks for children of its own. Whoever is the last to arrive posts, unless that is this strand itself.
void scope_books::wait_and_run_queued(parking& bed) noexcept {
  do {
    while (job* const j = pool_->take_queued(this)) {
      static_cast<queued_child*>(j)->run_here();
      // order[scope.arrive]: what the others did
      if (balance_.fetch_add(1, std::memory_order_acq_rel) == -1) return;
    }
  } while (!bed.wait_for(1'000'000));
}

// What children leave: heist/views/README.md, heist/meter/README.md --------------------------------------------------

// Any child, before it arrives.
void scope_books::leave(belongings*& list, std::int64_t number) noexcept {
  std::unique_ptr<belongings> mine = give_belongings();
  if (!mine) return;
  mine->number = order(number);
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
    for (const auto& child : queued)
      if (child->number < of_others) all->clock->queue_child(this, child->number);  // others: their parents know where
  }
  for (const auto& child : queued) all->views.append(std::move(child->views));
  if (all->clock) {
    std::vector<strand_clock::queued_child> clocks;
    for (const auto& child : queued)
      if (child->clock) clocks.push_back({child->number, &*child->clock});
    all->clock->join_queued(this, clocks);
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

void scope_books::fail(std::int64_t number) noexcept {
  const bool was_cancelled = handles_cancelled();
  keep_failure(number, carry_exception(), was_cancelled);
  if (was_cancelled) return;
  // Those after it need not go on; those before it must, as one of them may fail and win.
  std::int64_t first = first_failed_.load(std::memory_order_relaxed);
  while (order(number) < first && !first_failed_.compare_exchange_weak(first, order(number), std::memory_order_relaxed)) {
  }
  close_gate();
}

void scope_books::keep_failure(std::int64_t number, std::exception_ptr e, bool was_cancelled) noexcept {
  const std::lock_guard hold(lock_);
  if (failure_ && std::pair(failed_by_stop_, failed_number_) < std::pair(was_cancelled, order(number))) return;
  failed_number_ = order(number);
  failed_by_stop_ = was_cancelled;
  failure_ = std::move(e);
}

std::exception_ptr scope_books::take_failure() noexcept { return std::exchange(failure_, nullptr); }

}  // namespace heist::detail
