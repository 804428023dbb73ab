#include <heist/base/cpu.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/meter/clock.hpp>
#include <heist/sched/blocked.hpp>
#include <heist/sched/callers.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/visit.hpp>
#include <heist/sched/wait.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/stack/overflow.hpp>
#include <heist/strand/belongings.hpp>
#include <heist/strand/own_clock.hpp>

#include <pthread.h>

#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace heist::detail {

// A root, until its caller has received what it left. Lives in the caller's frame.
struct callers::under_way {
  under_way(root& r, const void* number) noexcept : what(r), id(number) {}

  // The caller.
  // order[root.end]: what the root left
  bool has_ended() const noexcept { return now.load(std::memory_order_acquire) == stage::ended; }

  // On a pool stack, or at home if there is none.
  stack* run() noexcept;
  // The caller. False if the root has ended.
  bool begin_wait() noexcept;
  // Whether the root ends within that time. A hint: begin_wait() makes sure.
  bool ended_within(nanoseconds patience) const noexcept;

  enum class stage : unsigned char {
    running,  // the caller does not wait yet
    blocked,  // the root continues without its caller, which waits on `done`
    called,   // the caller is to look for a strand of the root that can go on
    ended,
  };

  root& what;
  const void* const id;  // a number that no other root has had: strands that nobody joins may outlive their root
  std::atomic<stage> now{stage::running};
  parking done;
  under_way* next = nullptr;  // in the list of those whose callers wait
  pthread_t caller{};   // the thread that waits on `done`
  placement processor;  // where it continues
  std::unique_ptr<belongings> left;  // what its strand had at its end
};

// model: suspend.pml, run_strand()
stack* callers::under_way::run() noexcept {
  this_worker()->now.mark.set(this);
  what.invoke(what);
  this_seat()->pool.must_be_here();
  left = strand::end();
  chaos::step(chaos::at::root_ending);
  // order[root.end]: the caller sees what the root left; if it waits already, we see that
  if (now.exchange(stage::ended, std::memory_order_acq_rel) == stage::blocked) {
    if (this_seat()->pool.callers.placed()) processor.send(caller, spot::beside);  // this worker continues to search
    done.post();
  }
  chaos::step(chaos::at::root_ended);
  // Otherwise the caller is at home, or on its way there, and the root may no longer exist.
  return nullptr;
}

// model: suspend.pml, caller()
bool callers::under_way::begin_wait() noexcept {
  chaos::step(chaos::at::going_home);
  stage before = stage::running;
  // order[root.end]: whoever ends the root sees that we wait; if it has ended, we see what it left
  return now.compare_exchange_strong(before, stage::blocked, std::memory_order_acq_rel, std::memory_order_acquire);
}

bool callers::under_way::ended_within(nanoseconds patience) const noexcept {
  auto ended = [this] { return now.load(std::memory_order_relaxed) == stage::ended; };
  if (ended()) return true;
  const nanoseconds deadline = detail::now() + patience;
  for (unsigned round = 1; !ended() && detail::now() < deadline; ++round) {
    relax();
    if (round % 128 == 0) std::this_thread::yield();  // as in search::find()
  }
  return ended();
}

// A root whose caller has no seat, for the next worker that runs out of work. Lives in the caller's
// frame.
class callers::queued : public job {
 public:
  explicit queued(under_way& r) noexcept : job(of_root), what_(r) {}

 private:
  static stack* run(job& self) noexcept { return static_cast<queued&>(self).what_.run(); }
  static constexpr kind of_root{&run};

  under_way& what_;
};

namespace {

class counted_call {
 public:
  explicit counted_call(std::atomic<unsigned>& of) noexcept : of_(of) { of_.fetch_add(1, std::memory_order_relaxed); }
  ~counted_call() { of_.fetch_sub(1, std::memory_order_relaxed); }
  counted_call(const counted_call&) = delete;
  counted_call& operator=(const counted_call&) = delete;

 private:
  std::atomic<unsigned>& of_;
};

// A caller's place in the pool while its root is under way.
class admission {
 public:
  explicit admission(gate* g) noexcept : gate_(g) {
    if (gate_ != nullptr) gate_->enter();
  }
  ~admission() {
    if (gate_ != nullptr) gate_->leave();
  }
  admission(const admission&) = delete;
  admission& operator=(const admission&) = delete;

 private:
  gate* const gate_;
};

// For a call by a measured strand of another pool: its clock stops, because the root is a part of
// the strand and has a clock of its own.
class measured_caller {
 public:
  explicit measured_caller(scheduler& into) noexcept
      : strand_(this_worker() != nullptr && own_clock() != nullptr),
        metering_(strand_ && !into.profiled() ? &into.meters : nullptr) {  // a profiled pool is metered anyway
    if (strand_) end_own_clock();
  }
  ~measured_caller() {
    if (strand_) own_clock()->begin();
  }
  measured_caller(const measured_caller&) = delete;
  measured_caller& operator=(const measured_caller&) = delete;

  bool measured() const noexcept { return strand_; }

 private:
  const bool strand_;
  const metered_block metering_;
};

}  // namespace

// model: suspend.pml, caller(); idle.pml, caller()
void callers::run(root& what) {
  pool_.must_be_here();
  const counted_call call(calls_);
  const locks_of_caller locks;
  // A strand of another pool keeps a worker there, and may be a part of what it would wait for: so
  // it does not wait.
  const bool outside = this_worker() == nullptr;
  const bool capped = outside && !gate_.open();
  const admission mine(capped ? &gate_ : nullptr);
  prepare_signal_stack();
  const measured_caller caller(pool_);
  under_way r(what, reinterpret_cast<const void*>(last_.fetch_add(1, std::memory_order_relaxed) + 1));
  pool_thread* const place = capped ? pool_.seats.take_free() : &pool_.seats.take();
  if (place != nullptr) {
    run_at(*place, r, outside ? pool_.profiled() : caller.measured());
    wait_for(r);
  } else {  // some worker runs it
    queued j(r);
    pool_.inject(j, fp_mode::current());
    wait_for(r);
  }
  receive(r);
}

// The caller, until it is home again: the root has ended, or continues without us.
void callers::run_at(pool_thread& place, under_way& r, bool measured) {
  visit here(place, &r, {fp_mode::current(), measured, r.id});
  pool_.search.note_processor(place);
  here.work(
      [](void* p) -> stack* {
        tsan_acquire(p);
        seat& mine = *this_seat();
        mine.now.root_mode.get().apply();
        if (mine.measured_from.get() != seat::never) try_hooks();
        strand::begin(beginning::root, {});
        return static_cast<under_way*>(p)->run();
      },
      &r);
  // It may end before the seat could be given back.
  const bool ended = r.ended_within(2 * pool_.fences.heavy_cost());
  const nanoseconds took = now() - place.busy_since.get();
  here.leave();
  // A thread that takes our place needs the processor. If none does, we wait as long as a worker
  // would search.
  if (!pool_.seats.give_back(place, ended ? spot::beside : spot::instead)) r.ended_within(pool_.search.time());
  pool_.allotment.look_from_outside(took);
}

// A root in the list, for as long as its caller waits.
class callers::home_wait {
 public:
  home_wait(callers& of, under_way& r) noexcept : of_(of), root_(r) {
    const std::lock_guard hold(of_.lock_);
    root_.next = of_.at_home_.load(std::memory_order_relaxed);
    // order[home.look]: listed, then it looks for strands that can go on
    of_.at_home_.store(&root_, std::memory_order_seq_cst);
  }
  ~home_wait() {
    const std::lock_guard hold(of_.lock_);
    under_way* before = of_.at_home_.load(std::memory_order_relaxed);
    if (before == &root_) {
      of_.at_home_.store(root_.next, std::memory_order_relaxed);
      return;
    }
    while (before->next != &root_) before = before->next;
    before->next = root_.next;
  }
  home_wait(const home_wait&) = delete;
  home_wait& operator=(const home_wait&) = delete;

 private:
  callers& of_;
  under_way& root_;
};

// The caller, without a seat.
void callers::wait_for(under_way& r) {
  r.caller = ::pthread_self();
  if (r.has_ended()) return;
  const home_wait listed(*this, r);
  for (;;) {
    // Those that could go on before it was listed, or since it was called.
    while (!r.has_ended() && continue_strand(r.id)) {
    }
    if (r.begin_wait()) {
      wait_outside(r.done);
      r.processor.arrive();
    }
    auto was = under_way::stage::called;
    // order[root.end]: what the root left, if it has ended
    if (!r.now.compare_exchange_strong(was, under_way::stage::running, std::memory_order_acq_rel, std::memory_order_acquire))
      return;
  }
}

bool callers::recall_first() noexcept {
  // order[home.look]: after the strand was counted; a caller that is not seen yet looks after it is listed
  if (at_home_.load(std::memory_order_seq_cst) == nullptr) return false;
  const void* const root = pool_.waits.first_root();
  if (root == nullptr) return false;
  const std::lock_guard hold(lock_);  // the caller does not leave meanwhile
  under_way* r = at_home_.load(std::memory_order_relaxed);
  while (r != nullptr && r->id != root) r = r->next;
  return r != nullptr && recall(*r);
}

void callers::recall_all() noexcept {
  const std::lock_guard hold(lock_);
  for (under_way* r = at_home_.load(std::memory_order_relaxed); r != nullptr; r = r->next)
    if (pool_.waits.any_of(r->id)) static_cast<void>(recall(*r));
}

// Under lock_. True if the root's caller waits, and will see to its strands.
bool callers::recall(under_way& r) noexcept {
  auto before = r.now.load(std::memory_order_relaxed);
  do {
    if (before == under_way::stage::ended) return false;
    if (before == under_way::stage::called) return gate_.open();
    // order[root.end]: as in run(): of the two that may find it blocked, one posts
  } while (!r.now.compare_exchange_weak(before, under_way::stage::called, std::memory_order_acq_rel, std::memory_order_relaxed));
  if (before == under_way::stage::blocked) r.done.post();
  // If it was not at home, it looks before it waits, but that may be late. And with a gate it may find no seat.
  return before == under_way::stage::blocked && gate_.open();
}

// The caller: what the root's strand left becomes its own or, outside every pool, the whole
// program's.
void callers::receive(under_way& r) noexcept {
  if (this_worker() == nullptr && r.left && r.left->clock)
    keep_belongings([&] { pool_.add_to_profile(std::move(*r.left->clock)); });
  receive_belongings(std::move(r.left));
}

// If no thread of the pool can be started, the threads that wait for its roots run them.
void callers::wait_outside(parking& p) {
  if (!pool_.seats.any_thread()) pool_.seats.rouse_one();
  // A strand of another pool: somebody else has its worker's place there meanwhile. If it is in a child of fork(), that
  // pool is gone.
  const worker* const w = this_worker();
  const bool leaves_worker = w != nullptr && w->pool.is_here();
  // Until one has been started, it is not known whether one can be.
  while (!pool_.seats.any_thread()) {
    {
      std::optional<blocked_call> here;
      if (leaves_worker) here.emplace();
      if (p.wait_for(1'000'000)) return;
    }
    while (pool_.seats.no_thread_can_start() && help_with_anything()) {
    }
  }
  std::optional<blocked_call> here;
  if (leaves_worker) here.emplace();
  p.wait();
}

namespace {

// On the stack that a visit works on.
stack* continue_ready(void* taken) noexcept {
  tsan_acquire(taken);
  return wait::take_up(*static_cast<wait*>(taken));
}

stack* run_taken(void* taken) noexcept {
  tsan_acquire(taken);
  return run_stolen(*static_cast<job*>(taken));
}

}  // namespace

// Null if there is none, or no memory for one. A cap is for callers from outside: a strand of another pool may be what keeps
// the last place here.
pool_thread* callers::place_for_caller() noexcept {
  try {
    return gate_.open() || this_worker() != nullptr ? &pool_.seats.take() : pool_.seats.take_free();
  } catch (const std::exception&) {
    return nullptr;
  }
}

// A thread from outside takes a seat, and works there on what `take(place)` finds, until there is nothing more to do. False
// if there is no seat, or nothing was found: some worker will come.
template <class Take>
bool callers::help(Take take) noexcept {
  pool_thread* const place = place_for_caller();
  if (place == nullptr) return false;
  visit here(*place, place, {fp_mode::current(), pool_.profiled()});
  search::catch_of found = take(*place);
  if (found) {
    const locks_of_caller locks;
    if (found.ready != nullptr)
      here.work(continue_ready, found.ready);
    else
      here.work(run_taken, found.what);
  }
  here.leave();
  static_cast<void>(pool_.seats.give_back(*place, spot::beside));  // this thread continues
  return static_cast<bool>(found);
}

bool callers::help_with_anything() noexcept {
  return help([this](pool_thread& place) {
    if (wait* const w = pool_.waits.take()) return search::catch_of{nullptr, w};
    return pool_.search.look_around(place);
  });
}

bool callers::continue_strand(const void* root) noexcept {
  return pool_.waits.any_ready() && help([&](pool_thread&) { return search::catch_of{nullptr, pool_.waits.take(root)}; });
}

// By scope or ticket.
template <class Which>
search::catch_of callers::take_injected(pool_thread& place, Which& which) noexcept {
  const injector::item i = pool_.injected.take(which);
  if (i.what != nullptr) place.at.get()->accept(i.its);
  return {i.what};
}

void callers::help_with(const void* scope) noexcept {
  while (pool_.injected.has(scope) && help([&](pool_thread& place) { return take_injected(place, scope); })) {
  }
}

void callers::help_with(ticket& of_job) noexcept {
  static_cast<void>(help([&](pool_thread& place) { return take_injected(place, of_job); }));
}

bool callers::run_traveller() noexcept {
  return help([this](pool_thread& place) { return search::catch_of{pool_.search.rob_traveller(place)}; });
}

bool callers::run_child(job& child) noexcept {
  return help([&](pool_thread&) { return search::catch_of{&child}; });
}

}  // namespace heist::detail
