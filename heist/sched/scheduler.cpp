#include <heist/base/chaos.hpp>
#include <heist/base/cpu.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/fence/fence.hpp>
#include <heist/sched/held_locks.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/program_profile.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/stack/overflow.hpp>
#include <heist/stack/switch.hpp>
#include <heist/trace/program_trace.hpp>

#include <pthread.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

constinit thread_local heist::detail::worker* heist_this_worker = nullptr;

namespace heist::detail {

namespace {
// Not instrumented by ThreadSanitizer: a thread's stacks, which it takes for threads, write it in turn.
[[gnu::noinline]] HEIST_NO_TSAN void sit_at(worker* w) noexcept {
  heist_this_worker = w;
  if (w != nullptr) chaos::work_as(static_cast<seat*>(w)->index);
}
}  // namespace

scheduler::scheduler(const options& wanted)
    : workers_(wanted.workers),
      search_time_(wanted.search_time.count()),
      most_backoff_(wanted.most_backoff),
      placed_(wanted.placement),
      heavy_works_(enable_heavy_fence()),
      govern_(wanted.fences == fences::automatic && !pushers_fence()),
      supply_(wanted.stack_size),
      // More than that find no seat: each of them has a strand that runs or waits on one.
      callers_(std::min(wanted.most_callers, wanted.workers), wanted.placement),
      victims_(wanted.workers + 16),
      owners_fence_(wanted.fences == fences::symmetric || pushers_fence()),
      program_profile_(program_profile::get()),
      program_trace_(program_trace::get()) {
  if (wanted.fences == fences::asymmetric && pushers_fence())
    throw std::invalid_argument(
        "heist: options::fences is asymmetric, but this kernel refuses membarrier; use automatic or symmetric");
  watch_for_overflow([]() -> overflow_site {
    const seat* const s = this_seat();
    return s != nullptr ? overflow_site{s->running.get(), s->index} : overflow_site{nullptr, 0};
  });
  static const bool watching = (at_fork_in_child(begin_child_process), true);
  static_cast<void>(watching);
  threadless_.reserve(workers_);  // room, when there is no memory for a thread
  if (program_trace_ != nullptr) trace_ = &program_trace_->enlist(workers_);
  for (unsigned i = 0; i < workers_; ++i) add_seat();
  // All asleep; a thread is started when its seat is first roused. The last listed is the first taken.
  for (unsigned i = workers_; i-- > 0;) {
    victims_.add(seats_[i], [&](seat& s) { greet(s); });
    idle_.add_asleep(seats_[i]);
  }
  if (program_profile_ != nullptr) program_profile_->enlist(*this);
}

// Threads of the pool go on with what they do until the process is gone, as those of the default pool.
bool scheduler::outlives_exit() noexcept {
  const worker* const w = this_worker();
  bool ours = w != nullptr && &w->pool == this;
  {
    const std::lock_guard hold(seats_lock_);
    for (const seat& s : seats_)
      ours = ours || s.thread.get_id() == std::this_thread::get_id();  // in another pool, called by a task of this one
  }
  if (!ours && calls_.load(std::memory_order_relaxed) == 0) return false;
  if (in_exit()) return true;
  if (ours) fatal("a pool was destroyed by a task that runs in it; destroy it outside, after run() has returned");
  fatal("a pool was destroyed while a call of its run() was under way; destroy it after run() has returned");
}

scheduler::~scheduler() {
  if (program_profile_ != nullptr) program_profile_->strike(*this);
  {
    const std::lock_guard hold(seats_lock_);
    stopping_.store(true, std::memory_order_relaxed);  // the post below carries it to each thread
  }
  for (seat& s : seats_) {
    if (!s.thread.joinable()) continue;
    s.bed.post();
    s.thread.join();
  }
  tsan_acquire(this);  // see stack_main()
  if (trace_ != nullptr) program_trace_->strike(*trace_);
}

// At the start, and later under seats_lock_.
seat& scheduler::add_seat() {
  trace_lane* const lane = program_trace_ != nullptr ? &program_trace_->add_lane(*trace_) : nullptr;
  return seats_.emplace_back(*this, alarms_, supply_, static_cast<unsigned>(seats_.size()), lane);
}

void scheduler::end_child_process() noexcept {
  fatal(
      "a pool made before fork() was used in the child, which has none of its workers; in the child make a pool or use "
      "the default one, outside of the parent's, or call exec or _exit");
}

// The strand that called fork() goes on in the child, in a pool that is not there. It gets a seat that has nothing in
// common with it, no lock and no job, of a pool that counts as the parent's, too: the next fork, and the end of any
// branch, finds that out.
void scheduler::begin_child_process() noexcept {
  const worker* const parents = this_worker();
  if (parents == nullptr) return;
  options o;
  o.workers = 1;
  o.stack_size = stack::min_size;
  auto* const nobodys = new scheduler(o);
  seat& s = nobodys->seats_.front();
  s.strand.set(parents->strand.get());
  s.own.set(parents->own.get());  // the strand's own, and the child has but this one
  s.jobs.trip();
  sit_at(&s);
  disown();
}

// A seat joins the list of victims, under its lock.
void scheduler::greet(seat& s) noexcept {
  if (owners_fence_.load(std::memory_order_relaxed))
    s.ask(request::fences);
  else
    s.withdraw(request::fences);
  ask_for_meter(s);
}

// Callers from outside ---------------------------------------------------------------------------------------------

void run_root(scheduler& s, root& r) { s.run(r); }

// On a pool stack, or at home where there is none.
// model: suspend.pml, run_strand()
static stack* run_strand(root& r) noexcept {
  r.invoke(r);
  this_seat()->pool.must_be_here();
  end_measured_strand();
  r.left = give_belongings();
  chaos::step(chaos::at::root_ending);
  // order[root.end]: the caller sees what the root left; if it waits already, we see that
  if (r.now.exchange(root::stage::ended, std::memory_order_acq_rel) == root::stage::blocked) {
    if (this_seat()->pool.places_callers()) r.processor.send(r.caller, spot::beside);  // this worker searches on
    r.done.post();
  }
  chaos::step(chaos::at::root_ended);
  // Else the caller is at home, or on its way, and the root may be gone.
  return nullptr;
}

static stack* run_to_end(void* which) noexcept {
  tsan_acquire(which);
  this_seat()->mode.get().apply();
  begin_measured_strand();
  return run_strand(*static_cast<root*>(which));
}

namespace {

// A root whose caller has no seat, for a worker that comes out of work; lies in the caller's frame.
struct queued_root : job {
  explicit queued_root(root& r) noexcept : job(queued), what(r) {}

  static stack* run(job& self) noexcept {
    root& r = static_cast<queued_root&>(self).what;
    this_worker()->strand.set(&r);
    return run_strand(r);
  }
  static constexpr kind queued{&run};

  root& what;
};

class counted_call {
 public:
  explicit counted_call(std::atomic<unsigned>& of) noexcept : of_(of) { of_.fetch_add(1, std::memory_order_relaxed); }
  ~counted_call() { of_.fetch_sub(1, std::memory_order_relaxed); }
  counted_call(const counted_call&) = delete;
  counted_call& operator=(const counted_call&) = delete;

 private:
  std::atomic<unsigned>& of_;
};

// What a caller from outside has while its root is under way.
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

}  // namespace

// model: suspend.pml, caller(); idle.pml, caller()
void scheduler::run(root& r) {
  must_be_here();
  const counted_call call(calls_);
  const locks_of_caller locks;
  worker* const outer = this_worker();  // null, or of a pool around this one
  // A strand of another pool has a worker there, and may be a part of what it would wait for: it does not.
  const bool capped = outer == nullptr && !callers_.open();
  const admission mine(capped ? &callers_ : nullptr);
  prepare_signal_stack();
  // A measured strand of another pool: the root is a part of it. From outside, it may be a part of the whole program.
  const bool measured = outer != nullptr ? own_clock() != nullptr : program_profile_ != nullptr;
  if (measured && outer != nullptr) end_measured_strand();
  seat* const free = capped ? take_free_seat() : &take_seat();
  if (free == nullptr) return run_queued(r);
  seat& s = *free;
  context home;
  introduce_native(home);
  const bool meter = measured && program_profile_ == nullptr;  // else the pool does so anyway
  if (meter) begin_metering();
  const sitter former = s.sit({&home, &thread_exceptions(), &r});
  const fp_mode mode = fp_mode::current();
  s.mode.set(mode);
  s.measured_from.set(measured ? 0 : seat::never);
  s.strand.set(&r);
  s.note(trace_event::kind::root);
  begin_work(s);
  sit_at(&s);
  if (stack* const k = s.stacks.take()) {
    restart(*k, k, stack_main);
    k->strand.set({});
    tsan_release(&r);  // the root's stack sees what it captures
    visit_stacks(s, home, *k, run_to_end, &r);
  } else {
    // On the native stack, which cannot leave this thread: every wait in the root blocks it.
    s.stackless.add();
    run_to_end(&r);
  }
  // Home again: the root has ended, or it goes on without us, and may end before the seat could be given back.
  mode.apply();
  auto ended_within = [&](nanoseconds patience) {
    // A hint: begin_wait() makes sure.
    auto ended = [&] { return r.now.load(std::memory_order_relaxed) == root::stage::ended; };
    if (ended()) return true;
    const nanoseconds deadline = now() + patience;
    for (unsigned round = 1; !ended() && now() < deadline; ++round) {
      relax();
      if (round % 128 == 0) std::this_thread::yield();  // as in search()
    }
    return ended();
  };
  const bool ended = ended_within(2 * governor_.heavy_cost());
  // A short root cannot have touched much: that is left to the stack's own checks.
  if (now() - s.busy_since.get() > 1'000'000) s.stacks.hand_back();
  sit_at(outer);
  s.sit(former);
  // Who takes our place needs the processor; if nobody does, we wait as long as a worker would search.
  if (!return_seat(s, ended ? spot::beside : spot::instead)) ended_within(search_time_);
  wait_for(r);
  if (meter) end_metering();
  receive(r);
  if (strand_clock* const c = outer != nullptr ? own_clock() : nullptr) c->begin();
}

// A caller without a seat, of a pool that has no more: some worker runs the root.
void scheduler::run_queued(root& r) {
  queued_root j(r);
  inject(j, fp_mode::current());
  wait_for(r);
  receive(r);
}

// The caller, without a seat.
void scheduler::wait_for(root& r) {
  r.caller = ::pthread_self();
  if (!begin_wait(r)) return;
  wait_outside(r.done);
  r.processor.arrive();
}

// The caller: what the root's strand left is its own, or, outside of every pool, the whole program's.
void scheduler::receive(root& r) noexcept {
  if (this_worker() == nullptr && program_profile_ != nullptr && r.left && r.left->clock)
    keep_belongings([&] { program_profile_->add(std::move(*r.left->clock)); });
  receive_belongings(std::move(r.left));
}

// False: the root has ended.
// model: suspend.pml, caller()
bool scheduler::begin_wait(root& r) noexcept {
  chaos::step(chaos::at::going_home);
  root::stage running = root::stage::running;
  // order[root.end]: whoever ends the root sees that we wait; if it has ended, we see what it left
  return r.now.compare_exchange_strong(running, root::stage::blocked, std::memory_order_acq_rel,
                                       std::memory_order_acquire);
}

// One of the pool's own whose thread sleeps, or could not be started; null: there is none.
// model: idle.pml, take_seat()
seat* scheduler::take_free_seat() noexcept {
  if (sleeper* const z = idle_.borrow()) return static_cast<seat*>(z);
  const std::lock_guard hold(seats_lock_);
  if (threadless_.empty()) return nullptr;
  seat* const s = threadless_.back();
  threadless_.pop_back();
  return s;
}

// model: idle.pml, take_seat()
seat& scheduler::take_seat() {
  if (seat* const s = take_free_seat()) return *s;
  const std::lock_guard hold(seats_lock_);
  if (vacant_.empty()) {
    // Room for its return, when nothing may throw.
    vacant_.reserve(seats_.size() + 1);
    seat& s = add_seat();
    tsan_release(&s);  // whatever stack runs on it sees it made
    vacant_.push_back(&s);
  }
  seat& s = *vacant_.back();
  victims_.add(s, [&](seat& t) { greet(t); });
  vacant_.pop_back();
  chaos::step(chaos::at::seat_taken);
  // order[idle.guest]: before the guest asks who sleeps; who returns a seat lists it first, then asks for guests
  guests_.fetch_add(1, std::memory_order_seq_cst);
  return s;
}

// True: there was work, and somebody has been roused for it.
// model: idle.pml, return_seat()
bool scheduler::return_seat(seat& s, spot where) noexcept {
  s.note(trace_event::kind::rest);
  if (is_temporary(s)) {
    victims_.remove(s);
    guests_.fetch_sub(1, std::memory_order_relaxed);  // too many guests only make somebody look in vain
    const std::lock_guard hold(seats_lock_);
    vacant_.push_back(&s);
    return false;
  }
  if (s.threadless) {
    const std::lock_guard hold(seats_lock_);
    threadless_.push_back(&s);
    return false;
  }
  idle_.add_asleep(s);
  chaos::step(chaos::at::seat_returned);
  // While the seat was lent nobody could rouse its thread. Who searches now will look, or wake the next one.
  if (idle_.searching() > 0) return false;
  // If everybody else sleeps, nobody has left work either.
  // order[idle.guest]: after the seat is listed: a guest not counted yet will see it asleep
  const bool all_rest =
      idle_.asleep() + static_cast<int>(failures_.load(std::memory_order_relaxed)) == static_cast<int>(workers_) &&
      guests_.load(std::memory_order_seq_cst) == 0 && injected_.empty();
  return !all_rest && ask_and_look() && rouse_one(where);
}

// model: idle.pml, injecting()
void scheduler::inject(job& j, fp_mode mode, const void* scope) noexcept {
  must_be_here();
  if_there_is_memory("no memory to queue a job; too many children, or the machine is too full",
                     [&] { injected_.put({&j, mode, scope}); });
  chaos::step(chaos::at::injected);
  rouse_one();
}

// A pool none of whose threads can be started still ends its roots: who waits for them works.
void scheduler::wait_outside(parking& p) {
  if (threads_.load(std::memory_order_relaxed) == 0) rouse_one();
  // While none has been started it is not known whether one can be.
  while (threads_.load(std::memory_order_relaxed) == 0) {
    if (p.wait_for(1'000'000)) return;
    while (failures_.load(std::memory_order_relaxed) == workers_ && help()) {
    }
  }
  p.wait();
}

void scheduler::help_with(const void* scope) noexcept {
  while (help(scope)) {
  }
}

// A thread from outside takes a job that waits, one of the scope's if there is one, and works on it and what comes of it.
// False: there is none, or no seat for it.
bool scheduler::help(const void* scope) noexcept {
  if (!injected_.has(scope)) return false;
  seat* free = nullptr;
  try {
    free = callers_.open() ? &take_seat() : take_free_seat();
  } catch (const std::exception&) {  // no memory for a seat: some worker will come
  }
  if (free == nullptr) return false;
  seat& s = *free;
  const auto [j, mode, of] = injected_.take(scope);
  if (j == nullptr) {
    static_cast<void>(return_seat(s, spot::beside));
    return false;
  }
  root nobody{[](root&) noexcept {}};
  context home;
  introduce_native(home);
  const locks_of_caller locks;
  worker* const outer = this_worker();
  const sitter former = s.sit({&home, &thread_exceptions(), &nobody});
  const fp_mode own_mode = fp_mode::current();
  s.mode.set(mode);
  s.measured_from.set(program_profile_ != nullptr ? 0 : seat::never);
  mode.apply();
  begin_work(s);
  sit_at(&s);
  if (stack* const k = s.stacks.take()) {
    restart(*k, k, stack_main);
    tsan_release(j);  // what this thread saw when it took it
    visit_stacks(
        s, home, *k,
        [](void* taken) {
          tsan_acquire(taken);
          return run_stolen(*static_cast<job*>(taken));
        },
        j);
  } else {
    s.stackless.add();
    if (stack* const next = run_stolen(*j)) visit_stacks(s, home, *next);
  }
  own_mode.apply();
  sit_at(outer);
  s.sit(former);
  static_cast<void>(return_seat(s, spot::beside));  // this thread goes on
  return true;
}

// Pool threads -----------------------------------------------------------------------------------------------------

// True: somebody was.
// model: idle.pml, rouse_one()
bool scheduler::rouse_one(spot where) noexcept {
  while (sleeper* const z = idle_.rouse()) {
    chaos::step(chaos::at::roused);
    seat& s = static_cast<seat&>(*z);
    if (call_thread(s, where)) {
      s.bed.post();
      return true;
    }
    idle_.strike();
  }
  return false;
}

// The caller has just taken the seat off the list of sleepers: its thread will run once the bed is posted. False: it cannot
// be had.
bool scheduler::call_thread(seat& s, spot where) noexcept {
  const std::lock_guard hold(seats_lock_);
  const bool stopping = stopping_.load(std::memory_order_relaxed);
  try {
    if (!s.thread.joinable()) {
      if (stopping) throw std::system_error(std::make_error_code(std::errc::operation_canceled));
      {
        const signals_held until_it_has_its_own_mask;
        s.thread = std::thread([this, &s] { thread_main(s); });
      }
      inherited_.allow_processors(s.thread.native_handle());
      ::pthread_setname_np(s.thread.native_handle(), ("heist-" + std::to_string(s.index)).c_str());
      threads_.fetch_add(1, std::memory_order_relaxed);
    }
    // Then nobody has joined it yet. One that gives way to others may be kept from where it is sent.
    if (!stopping && inherited_.ordinary() && placed_ != heist::placement::off)
      s.processor.send(s.thread.native_handle(), where);
    return true;
  } catch (const std::exception&) {
    s.threadless = true;
    threadless_.push_back(&s);
    if (failures_.fetch_add(1, std::memory_order_relaxed) == 0)
      say("the system starts no more threads: the pool runs with fewer workers than asked for; raise the limit on "
          "processes (ulimit -u, pids.max) or ask for fewer (HEIST_WORKERS)");
    return false;
  }
}

// model: idle.pml, thread()
void scheduler::thread_main(seat& s) noexcept {
  inherited_.take();
  prepare_signal_stack();
  context home;
  introduce_native(home);
  s.bed.wait();  // whoever started us has the seat until then
  s.processor.arrive();
  s.sit({&home, &thread_exceptions(), nullptr});
  sit_at(&s);
  s.searching.set(true);  // counted by whoever roused us
  s.wakes.add();
  s.note(trace_event::kind::wake);
  while (!stopping_.load(std::memory_order_relaxed)) {
    stack* next = s.stacks.take();
    if (next != nullptr) {
      restart(*next, next, stack_main);
    } else {
      s.stackless.add();
      next = work();
    }
    if (next != nullptr) visit_stacks(s, home, *next);
    sleep(s);
  }
  sit_at(nullptr);  // destructors of the thread's own objects may use heist
}

// Figures ----------------------------------------------------------------------------------------------------------

counters seat::count() const noexcept {
  counters c;
  c.steal_attempts = steal_attempts.get();
  c.steals = steals.get();
  c.lost = lost.get();
  c.suspends = suspends.get();
  c.resumes = resumes.get();
  c.sleeps = sleeps.get();
  c.wakes = wakes.get();
  c.stackless = stackless.get();
  return c;
}

std::vector<scheduler::share> scheduler::shares() {
  must_be_here();
  const std::lock_guard hold(seats_lock_);
  std::vector<share> all;
  all.reserve(seats_.size());
  for (const seat& s : seats_) all.push_back({s.strands.get(), s.busy_ticks.get()});
  return all;
}

statistics scheduler::stats() {
  must_be_here();
  statistics sum;
  {
    const std::lock_guard hold(seats_lock_);
    for (const seat& s : seats_) {
      const counters c = s.count();
      sum.steal_attempts += c.steal_attempts;
      sum.steals += c.steals;
      sum.lost += c.lost;
      sum.suspends += c.suspends;
      sum.resumes += c.resumes;
      sum.sleeps += c.sleeps;
      sum.wakes += c.wakes;
      sum.stackless += c.stackless;
      sum.workers.push_back(c);
    }
  }
  const auto stacks = supply_.read();
  sum.stacks_live = stacks.live;
  sum.stacks_peak = stacks.peak;
  sum.stack_bytes_peak = stacks.bytes_peak;
  return sum;
}

}  // namespace heist::detail
