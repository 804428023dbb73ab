// How a strand waits for an event. The protocol is in protocols/waits.md.

#include <heist/base/cpu.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/blocked_strand.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/suspend.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/own_clock.hpp>

namespace heist::detail {

namespace {
// A wait is no work. The strand goes on later, so it is not counted twice.
class stopped_clock {
 public:
  stopped_clock() noexcept : clock_(touch_own_clock()) {}
  ~stopped_clock() {
    if (clock_ != nullptr && clock_->running()) clock_->begin();
  }
  stopped_clock(const stopped_clock&) = delete;
  stopped_clock& operator=(const stopped_clock&) = delete;

 private:
  strand_clock* const clock_;
};
}  // namespace

bool wait::over() const noexcept {
  // order[wait.end]: what the resumer did before
  return now_.load(std::memory_order_acquire) == stage::over;
}

void wait::rest(void (*first)(void*) noexcept, void* argument) noexcept {
  first_ = first;
  argument_ = argument;
  if (first == nullptr && over()) return;
  const stopped_clock not_counted;
  if (this_worker() != nullptr) {
    check_no_lock_held();
    if (park(leave)) return;
  }
  block(never, nullptr, nullptr);
}

void wait::rest_until(nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept {
  if (over()) return;
  if (const worker* const w = this_worker()) {
    const timer alarm(w->pool.timers, deadline, late, argument);
    if (alarm.set()) return rest();
  }
  const stopped_clock not_counted;
  block(deadline, late, argument);
}

// The strand ----------------------------------------------------------------------------------------------------------

// Outside every pool, on a native stack, or when there are no more stacks.
void wait::block(nanoseconds deadline, void (*late)(void*) noexcept, void* argument) noexcept {
  if (worker* const w = this_worker()) {
    w->pool.must_be_here();
    w->jobs.owner().share(portion::all);  // nobody answers here
  }
  if (first_ != nullptr) first_(argument_);
  if (!come_to_rest()) return;
  const blocked_strand here;
#if defined(HEIST_RACE)
  if (deadline == never) race::blocked(what_);
#endif
  if (deadline != never) {
    if (const nanoseconds left = deadline - now(); left > 0 && bed_.wait_for(left)) return;
    late(argument);
  }
  bed_.wait();
}

// model: wait.pml, strand()
bool wait::park(on_arrival way) noexcept {
  seat& s = *this_seat();
  s.pool.must_be_here();
  pool_ = &s.pool;
  parked_ = s.running.get();
  root_ = s.now.root.get();
  s.now.mode.set(fp_mode::current());
  const thread_record& before = *s.by.get();
  const nanoseconds since = before.lane != nullptr ? now() : 0;
  const bool left = switch_away(way, this);
  if (left) {
    // At the seat that it has left, or at another one, without jobs.
    if (seat_.load(std::memory_order_relaxed) == nullptr)
      mine_.arrive();
    else
      strand::go_on();
  } else {
    parked_ = nullptr;
  }
  if (trace_lane* const lane = since > 0 ? this_seat()->by.get()->lane : nullptr) lane->note_wait(what_, before.index, since);
  return left;
}

namespace {
// A caller works on its own root only; one that helps with a scope has none.
bool has_strand_for(const seat& s) noexcept {
  if (!s.pool.waits.any_ready()) return false;
  if (!thread_at(s).lent()) return true;
  const void* const root = s.now.root.get();
  return root != nullptr && s.pool.waits.any_of(root);
}

// Many strands have gone on here since the last injected job.
bool jobs_come_first(const seat& s) noexcept { return thread_at(s).in_a_row.get() >= search::most_in_a_row; }

// A part of a caller's root makes way for an injected job. A computation that nobody joins does so rarely, unless it is
// willing: or there would be ever more that have begun and not ended. A caller leaves its place to a worker only if the pool
// can have no more threads at work.
bool has_job_for(const seat& s, wait::manner how) noexcept {
  return !s.pool.injected.empty() && (!thread_at(s).lent() || s.pool.callers.capped()) &&
         (how == wait::manner::willing || s.now.root.get() != nullptr || jobs_come_first(s));
}

// Whether there are strands that can go on, or jobs, for which no worker is free but this one.
bool others_wait_for(const seat& s, wait::manner how) noexcept {
  return s.pool.any_queued() && s.pool.sleepers.searching() == 0 && (has_strand_for(s) || has_job_for(s, how));
}

// … and another turn has begun since the strand went on.
bool others_come_first(const seat& s) noexcept {
  return thread_at(s).turn.get() != s.pool.turns.now() && others_wait_for(s, wait::manner::asked);
}
}  // namespace

// Off the strand's stack, at its seat.
// model: wait.pml, leave()
stack* wait::leave(void* self) noexcept {
  auto& w = *static_cast<wait*>(self);
  stack& mine = *w.parked_;
  seat& s = *this_seat();
  w.seat_.store(&s, std::memory_order_relaxed);
  if (w.first_ != nullptr) w.first_(w.argument_);
  if (w.over()) {
    // Before the strand has left anything: there is nothing to put right.
    tsan_release(&mine);  // the strand comes after what was done here
    return others_come_first(s) ? leave_to_another(self) : &mine;
  }
  const bool with_seat = w.depart(s);
  if (!w.come_to_rest()) return take_up(w);
  // The strand may be running again.
  if (with_seat) give_up(s);
  return nullptr;
}

stack* wait::leave_to_another(void* self) noexcept {
  auto& w = *static_cast<wait*>(self);
  stack& mine = *w.parked_;
  seat& s = *this_seat();
  w.seat_.store(&s, std::memory_order_relaxed);
  pool_thread& t = thread_at(s);
  const bool job = has_job_for(s, w.how_);
  if (!job || !jobs_come_first(s)) {
    if (wait* const next = w.pool_->waits.take(t.lent() ? w.root_ : nullptr)) {
      w.queue_up(s);
      return take_up(*next);
    }
  }
  if (!job) {
    tsan_release(&mine);  // as in leave()
    return &mine;
  }
  scheduler& pool = *w.pool_;
  w.queue_up(s);
  t.in_a_row.set(search::most_in_a_row);  // the job comes first
  urge(pool, resumer::worker);
  return nullptr;
}

// The thread is one too many: it leaves the strand to others, and goes into reserve.
// model: resize.pml, leave_thread()
stack* wait::leave_thread(void* self) noexcept {
  auto& w = *static_cast<wait*>(self);
  stack& mine = *w.parked_;
  seat& s = *this_seat();
  w.seat_.store(&s, std::memory_order_relaxed);
  scheduler& pool = *w.pool_;
  if (!pool.service.retires(thread_at(s))) {
    tsan_release(&mine);  // as in leave()
    return &mine;
  }
  w.queue_up(s);
  urge(pool, resumer::other);
  return nullptr;
}

// Off the strand's stack, at its seat: the strand leaves, and can go on.
void wait::queue_up(seat& s) noexcept {
  stack& mine = *parked_;
  scheduler& pool = *pool_;
  const bool with_seat = depart(s);
  tsan_release(&mine);
  pool.waits.put(*this, resumer::other);
  pool.seats.rouse_one();  // one that lies down may have seen neither
  if (with_seat) give_up(s);
}

// model: wait.pml, leave()
bool wait::depart(seat& s) noexcept {
  pool_thread& t = thread_at(s);
  strand::pause();
  t.busy_since.set(0);  // how long it worked says nothing of its last steal
  t.stacks.waits(*parked_);
  pool_->waits.begin();
  if (s.jobs.size() == 0) {
    seat_.store(nullptr, std::memory_order_relaxed);
    mine_ = s.take_strand();
    return false;
  }
  s.jobs.owner().share(portion::all);
  s.deaf.store(true, std::memory_order_relaxed);
  pool_->seats.leave(t);
  chaos::step(chaos::at::seat_left);
  // order[wait.seat]: the one that takes it sees the seat as it was left; a thief that has taken the last job before sees
  // this, or is seen in give_up()
  s.left_by.store(this, std::memory_order_seq_cst);
  return true;
}

// False if the wait is over: then it is not resumed by others.
bool wait::come_to_rest() noexcept {
  chaos::step(chaos::at::coming_to_rest);
  stage before = stage::coming;
  // order[wait.end]: the resumer sees what was left; if it was faster, we see what it did
  return now_.compare_exchange_strong(before, stage::resting, std::memory_order_acq_rel, std::memory_order_acquire);
}

// The others ----------------------------------------------------------------------------------------------------------

namespace {
class resuming {
 public:
  explicit resuming(waits& in) noexcept : in_(in) { in_.begin_resuming(); }
  ~resuming() { in_.end_resuming(); }
  resuming(const resuming&) = delete;
  resuming& operator=(const resuming&) = delete;

 private:
  waits& in_;
};
}  // namespace

// model: wait.pml, resume()
void wait::resume() noexcept {
  chaos::step(chaos::at::resuming);
  // order[wait.end]: the strand sees what we did; if it rests, we see where
  if (now_.exchange(stage::over, std::memory_order_acq_rel) != stage::resting) return;
  if (parked_ == nullptr) return bed_.post();
  scheduler& pool = *pool_;
  pool.must_be_here();
  tsan_release(parked_);  // the strand comes after everything that was done here
  auto make_ready = [&](resumer who) {
    pool.waits.put(*this, who);
    chaos::step(chaos::at::made_ready);
    urge(pool, who);
  };
  if (const worker* const w = this_worker(); w != nullptr && &w->pool == &pool) return make_ready(resumer::worker);
  const resuming until_all_is_done(pool.waits);  // the strand may end, its root return, and its caller destroy the pool
  make_ready(resumer::other);
}

// Strands can go on: somebody is to take them up.
void wait::urge(scheduler& pool, resumer who) noexcept {
  if (pool.seats.rouse_one() || pool.sleepers.searching() > 0) return;
  // All workers are busy. The caller of the first strand's root may have nothing to do but wait; or else strands take
  // turns. A worker that has resumed one may soon take it up itself: then its caller is called with the next turn.
  if (who == resumer::other && pool.callers.recall_first() && pool.injected.empty()) return;
  pool.turns.want();
}

void wait::give_way() noexcept {
  const seat& s = *this_seat();
  if (s.pool.service.too_many() && s.running.get() != nullptr && !thread_at(s).lent()) {
    const stopped_clock not_counted;
    wait for_thread("another thread");
    static_cast<void>(for_thread.park(leave_thread));
  } else if (others_come_first(s)) {
    make_way(manner::asked);
  }
}

void wait::yield() noexcept {
  if (others_wait_for(*this_seat(), manner::willing)) make_way(manner::willing);
}

void wait::make_way(manner how) noexcept {
  if (this_seat()->running.get() == nullptr) return;
  const stopped_clock not_counted;
  wait turn("its turn");
  turn.how_ = how;
  static_cast<void>(turn.park(leave_to_another));
}

// model: wait.pml, take_up()
stack* wait::take_up(wait& w) noexcept {
  stack* const mine = w.parked_;
  pool_thread& t = thread_at(*this_seat());
  // order[wait.seat]: if the seat was given up, the strand's things
  while (seat* const left = w.seat_.load(std::memory_order_acquire)) {
    wait* expected = &w;
    // order[wait.seat]: the seat as it was left, and what thieves left of it
    if (left->left_by.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, std::memory_order_relaxed)) {
      left->deaf.store(false, std::memory_order_relaxed);
      w.pool_->seats.sit(t, *left);
      break;
    }
    relax();  // the thief of the last job is about to give the seat up
  }
  scheduler& pool = *w.pool_;
  pool.waits.end();
  t.busy_since.set(0);  // as in depart()
  t.turn.set(pool.turns.now());
  t.in_a_row.set(t.in_a_row.get() + 1);
  pool.search.clock_in(t);
  pool.search.invite(t);
  if (pool.any_queued()) urge(pool, resumer::worker);  // the others need a worker, too
  return resumed(*mine);
}

// model: wait.pml, give_up()
void wait::give_up(seat& s) noexcept {
  // order[wait.seat]: after the last job was taken, if it was ours; the strand leaves the seat, then looks
  while (s.left_by.load(std::memory_order_seq_cst) != nullptr && s.jobs.seems_empty()) {
    wait* const w = s.left_by.exchange(nullptr, std::memory_order_acq_rel);
    if (w == nullptr) return;
    chaos::step(chaos::at::giving_up);
    // Another strand may have left it meanwhile, with jobs: then it stays.
    if (!s.jobs.seems_empty()) {
      s.left_by.store(w, std::memory_order_seq_cst);  // order[wait.seat]: as when it was left
      continue;
    }
    scheduler& pool = *w->pool_;
    w->mine_ = s.take_strand();
    // order[wait.seat]: the strand's things
    w->seat_.store(nullptr, std::memory_order_release);
    pool.seats.retire(s);
    return;
  }
}

}  // namespace heist::detail
