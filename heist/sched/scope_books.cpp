#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/child_stack.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/scope_wait.hpp>
#include <heist/sched/stop_call.hpp>
#include <heist/sched/this_child.hpp>
#include <heist/strand/apart.hpp>
#include <heist/strand/belongings.hpp>

#include <memory>
#include <utility>

namespace heist::detail {

// Its beginning and its end -----------------------------------------------------------------------------------------

scope_books::scope_books() : gate_(this) {
  open_scopes::add(*this);
  const stack* const home = place_.home();
  if (home == nullptr) return;
  gate_.store(home, std::memory_order_relaxed);
  if (!thread_at(*this_seat()).unwinding()) made_by_ = home->part_of.get();
}

// The stop token of a scope: after the request, the scope's children are not wanted.
class scope_books::watch {
 public:
  watch(scope_books& b, std::stop_token t) : token_(std::move(t)), call_(token_, bell{b}) {}

 private:
  struct bell {
    scope_books& books;
    void operator()() const noexcept {
      books.failures_.stop();
      books.close_gate();
    }
  };
  const std::stop_token token_;
  const stop_call<bell> call_;
};

scope_books::scope_books(std::stop_token token) : scope_books() {
  if (!token.stop_possible()) return;
  gate_.store(this, std::memory_order_relaxed);  // for good: a stop may come at any time
  // Starts a thread: while the process has only one, libstdc++ assumes that a callback ends on the
  // thread that it runs on.
  place_.pool().seats.rouse_one();
  watch_ = new watch(*this, std::move(token));
}

void scope_books::limit_to(std::size_t most) {
  limit_.reset(new scope_limit(most));
  gate_.store(this, std::memory_order_relaxed);  // for good: every spawn needs a lane
}

// After wait().
scope_books::~scope_books() {
  delete watch_;  // from here on nothing closes the gate
  if (alarmed_.load(std::memory_order_relaxed)) place_.pool().alarms.end();
  open_scopes::remove(*this);
  // A spawn after the end finds this, if the memory has not been reused.
  gate_.store(this, std::memory_order_relaxed);
  place_.end();
}

// Whether children are wanted ---------------------------------------------------------------------------------------

// Later spawns take the slow path, and running strands check whether they are wanted.
void scope_books::close_gate() noexcept {
  gate_.store(this, std::memory_order_relaxed);
  alarm& of_pool = place_.pool().alarms;
  if (!alarmed_.exchange(true, std::memory_order_relaxed)) of_pool.begin();
  of_pool.sound();
}

// The scope's strand, when all have arrived.
void scope_books::reopen() noexcept {
  counted_.store(0, std::memory_order_relaxed);
  if (!failures_.reset() || watch_ != nullptr || limit_ != nullptr) return;
  if (place_.home() != nullptr) gate_.store(place_.home(), std::memory_order_relaxed);
  if (alarmed_.exchange(false, std::memory_order_relaxed)) place_.pool().alarms.end();
}

// True if the child is not wanted. If that is because of a stop, the sync reports it.
bool scope_books::skip(std::int64_t number) noexcept {
  if (!stops(number)) return false;
  if (failures_.stopped()) failures_.note_stopped(order(number));
  return true;
}

void scope_books::fail(std::int64_t number) noexcept {
  if (failures_.fail(order(number))) close_gate();
}

std::exception_ptr scope_books::take_failure() noexcept { return failures_.take(); }

// Spawn: the child runs, the parent's continuation waits ------------------------------------------------------------

namespace {

HEIST_COLD spawning no_stack(seat& s) noexcept {
  s.pool.must_be_here();
  s.by.get()->stackless.add();
  return spawning::here;
}

// The child's number is known. Returns when the strand continues.
HEIST_INLINE spawning enter_child(const scope_books& owner, seat& s, stack& mine, spawned& child, on_arrival body) noexcept {
  if (!enter_child(s, mine, {&owner, child.number}, child, body)) [[unlikely]] return no_stack(s);
  return spawning::started;
}

}  // namespace

// model: scope.pml, run_parent()
[[gnu::noinline]] spawning scope_books::start(spawned& child, on_arrival body) noexcept {
  seat* const s = this_seat();
  stack* const mine = s != nullptr ? s->running.get() : nullptr;  // the gate is never null
  if (mine != gate_.load(std::memory_order_relaxed)) [[unlikely]] return start_slowly(child, body);
  if (mine == nullptr) __builtin_unreachable();
  check_no_lock_held();
  stack* const fresh = ready_stack(thread_at(*s));
  if (fresh == nullptr) [[unlikely]] return start_slowly(child, body);
  child.number = spawned_++;
  call_child(*s, *mine, fresh, {this, child.number}, child, body);
  return spawning::started;
}

// The calling strand is not the scope's, or cannot be left as by a call; or the scope has failed, was
// stopped, or has ended.
[[gnu::noinline]] spawning scope_books::start_slowly(spawned& child, on_arrival body) noexcept {
  if (place_.ended()) end_of_life();
  if (place_.outside() || !place_.in_pool()) return spawning::elsewhere;
  check_no_lock_held();
  if (limit_ != nullptr) return spawning::limited;
  return start_in_pool(child, body);
}

spawning scope_books::start_lane(spawned& child, on_arrival body) noexcept {
  if (!place_.in_pool()) return spawning::elsewhere;
  check_no_lock_held();
  return start_in_pool(child, body);
}

spawning scope_books::start_in_pool(spawned& child, on_arrival body) noexcept {
  if (!place_.on_strand()) return start_counted(child, body);
  child.number = spawned_++;
  if (skip(child.number)) return spawning::skipped;
  seat& s = *this_seat();
  stack* const mine = s.running.get();
  return mine != nullptr ? enter_child(*this, s, *mine, child, body) : no_stack(s);
}

// A strand other than the scope's: the child is counted before there is anything to steal, so that
// it is not forgotten if its parent, whose continuation may be stolen, arrives first. It has its
// own belongings, because its parent's may end with the parent.
// model: scope.pml, run_spawned()
[[gnu::noinline]] spawning scope_books::start_counted(spawned& child, on_arrival body) noexcept {
  seat& s = *this_seat();
  const std::int64_t others = counted_.fetch_add(1, std::memory_order_relaxed);
  // Children of the scope's own strand keep their order.
  child.number = counted_flag | (place_.on_strand() ? spawned_++ : of_others + others);
  if (skip(child.number)) return spawning::skipped;
  stack* const mine = s.running.get();
  if (mine == nullptr) return no_stack(s);
  arrivals_.count();
  const apart parents;  // a thief that continues as this strand may begin with others
  if (strand_clock* const c = parents.clock()) keep_belongings([&] { c->queue_child(this, order(child.number)); });
  s.jobs.owner().trip();  // so that the child's push takes the slow path of leave_parent()
  const spawning how = enter_child(*this, s, *mine, child, body);
  if (how == spawning::here) arrivals_.discount();
  return how;
}

// On the child's stack: its end. Returns to the parent if the continuation was not stolen.
// model: scope.pml, end_spawned()
stack* scope_books::end_counted(std::int64_t number) noexcept {
  leavings_.leave_after(order(number));
  tsan_release(this);  // as in release_to_scope()
  auto jobs = this_worker()->jobs.owner();
  if (jobs.take_back() || jobs.settle()) {
    if (arrivals_.arrive() != nullptr)  // its parent continues, and is counted
      fatal("a strand spawned into a scope whose sync did not wait for that strand; spawn from the strand that made the "
            "scope, or from the scope's children");
    return to_caller();
  }
  this_worker()->pool.must_be_here();
  return arrivals_.arrive();
}

// Spawn later: the child waits, the parent goes on ------------------------------------------------------------------

namespace {

// Before the child can run: notes where on the path it begins. Returns the calling strand's clock, stopped; null if it is not
// measured.
strand_clock* note_queued(const scope_books& scope, std::int64_t number) noexcept {
  strand_clock* const c = own_clock();
  if (c == nullptr) return nullptr;
  end_own_clock();
  keep_belongings([&] { c->queue_child(&scope, number); });
  return c;
}

}  // namespace

// model: scope.pml, run_parent()
void scope_books::queue(queued_child& child, journeys travels) noexcept {
  if (place_.ended()) end_of_life();
  if (!place_.on_strand()) return queue_counted(child);
  // Inside a branch of a join the child would lie above the join's own job in the deque, or be
  // mistaken for it.
  if (!outside() && place_.home() != nullptr && !place_.at_base()) return queue_counted(child);
  child.number = spawned_++;
  if (outside()) {
    const bool many = arrivals_.out() >= most_queued;
    arrivals_.expect();  // it will be stolen
    // If many are out, this thread, which is not in the pool, runs the child itself, and comes back when the child ends or
    // waits: others may wait for those that are yet to be spawned.
    if (many && place_.pool().callers.run_child(child)) return;
    return place_.pool().inject(child, fp_mode::current(), this);
  }
  if (place_.home() == nullptr) {  // no stacks: runs like the serial program
    place_.pool().must_be_here();
    return child.run_here();
  }
  if (queued_ >= most_queued) {
    // If the deque is shorter than our count, thieves have taken some children: there is room
    // again.
    const std::int64_t here = this_worker()->jobs.size();
    if (here >= most_queued) {
      strand_clock* const c = note_queued(*this, child.number);
      child.run_here();
      if (c != nullptr) c->begin();
      return;
    }
    arrivals_.expect(queued_ - here);
    queued_ = here;
  }
  ++queued_;
  if (strand_clock* const c = note_queued(*this, child.number)) c->begin();
  worker& w = *this_worker();
  job* const item = travels == journeys::possible ? deque<job>::tagged(&child) : &child;
  if (!w.jobs.owner().push(item)) tripped(w);
  place_.note_base();
}

// A child of another strand, or of a branch of a join that the scope's strand has open: it cannot
// lie in the deque, above the join's own job. Its strand's continuation can.
void scope_books::queue_counted(queued_child& child) noexcept {
  if (!place_.in_pool()) {
    child.number = counted_flag | (of_others + counted_.fetch_add(1, std::memory_order_relaxed));
    arrivals_.count();
    return place_.pool().inject(child, fp_mode::current(), this);
  }
  struct taken {
    explicit taken(spawned& record) noexcept : waited(*static_cast<queued_child*>(record.function)) {
      waited.number = record.number;
    }
    void run() noexcept { waited.body(waited, turn_of_child::run); }
    queued_child& waited;
  };
  spawned record(*this, &child);
  const spawning how = start_counted(record, run_spawned<taken>);
  if (how == spawning::started) return;
  child.number = record.number;
  how == spawning::skipped ? child.body(child, turn_of_child::skip) : child.run_here();
}

// The rest of our queued children are at the bottom of this worker's deque. If some were stolen, so
// was everything older, so popping until the deque is empty takes only such children.
// model: scope.pml, run_queued()
void scope_books::run_queued() noexcept {
  const bool based = place_.at_base();
  while (queued_ > 0) {
    auto* const c = static_cast<queued_child*>(this_worker()->jobs.owner().pop());
    if (c == nullptr) {
      arrivals_.expect(std::exchange(queued_, 0));
      return;
    }
    if (c->owner != this) refuse_order_of_scopes();
    --queued_;
    if (based) place_.note_base();
    c->run_here();
  }
}

// Sync --------------------------------------------------------------------------------------------------------------

// model: scope.pml, sync()
void scope_books::wait() noexcept {
  place_.must_be_on_strand();
  open_scopes::must_be_innermost(*this);
  // What other strands have spawned is visible here: each of them learned of the scope from this
  // strand, and has ended or was spawned by one that has.
  auto counted = [this] { return counted_.load(std::memory_order_relaxed) != 0; };
  if (std::exchange(waited_for_, spawned_) == spawned_ && !counted()) return;
  const bool based = !outside() && place_.home() != nullptr && place_.at_base();
  if (queued_ > 0 && place_.inside_fork())
    fatal("a scope with spawn_later children was synced inside a branch of a join, where it cannot reach them; sync it "
          "where it was made");
  if (!outside()) {
    check_no_lock_held();
    end_own_clock();
  }
#if defined(HEIST_CHECKED)
  const syncing here(synced_by_);
#endif
  if (queued_ > 0) run_queued();
  tsan_acquire(this);  // what the children did whose parents were not stolen
  if (arrivals_.expects_any() || counted()) {
    place_.pool().must_be_here();
    if (outside()) place_.pool().callers.help_with(this);
    scope_wait(*this, arrivals_, place_).until_all_here();
    arrivals_.reset();
  }
  reopen();
  if (based) place_.note_base();
  if (leavings_.any()) keep_belongings([this] { collect(); });
  if (outside()) return;
  if (strand_clock* const c = own_clock()) {
    keep_belongings([&] { c->sync(this); });
    c->begin();
  }
}

// When all have arrived.
void scope_books::collect() {
  if (!outside()) return receive_belongings(leavings_.collect(give_belongings(), this));
  std::unique_ptr<belongings> all = leavings_.collect_outside(this, of_others);
  if (all->clock) place_.pool().add_to_profile(std::move(*all->clock));
  receive_belongings(std::move(all));
}

}  // namespace heist::detail
