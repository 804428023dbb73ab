#include <heist/base/fatal.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/check/chaos.hpp>
#include <heist/measure/program_profile.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/wait.hpp>
#include <heist/stack/overflow.hpp>
#include <heist/topology/parallelism.hpp>

#include <algorithm>
#include <utility>

namespace heist::detail {

namespace {
// As many as the processors in that list can run, or those of the calling thread.
unsigned workers_for(const char* processors) {
  const auto named = processors_in(processors);
  return usable(named ? static_cast<unsigned>(CPU_COUNT(&*named)) : affinity_count(), cgroup_quota());
}
}  // namespace

scheduler::scheduler(const options& wanted)
    : scheduler(wanted, std::max(wanted.workers != 0 ? wanted.workers : workers_for(wanted.processors), wanted.workers_least)) {}

scheduler::scheduler(const options& wanted, unsigned workers)
    : workers_least_(wanted.workers_least),
      profile_(program_profile::get()),
      stacks(wanted.stack_size),
      turns(*this),
      loose(*this, wanted.on_unhandled),
      victims(workers + 16),
      fences(wanted.fences, victims),
      alarms(victims),
      meters(*this, victims),
      // A thread that is bound to a processor does not see the process's mask.
      allotment(*this, wanted.workers == 0 && !wanted.bind ? allotment::size::of_machine : allotment::size::fixed),
      outside(*this),
      search(*this, wanted),
      callers(*this, wanted.most_callers, wanted.placement),
      feedback(*this, wanted.share == heist::share::feedback ? feedback::mode::on : feedback::mode::off, workers),
      service(*this, workers, wanted.most_blocked),
      seats(*this, wanted, workers),
      timers(*this) {
  watch_for_overflow([]() -> overflow_site {
    const seat* const s = this_seat();
    return s != nullptr ? overflow_site{s->running.get(), s->by.get()->index} : overflow_site{nullptr, 0};
  });
  static const bool watching = (at_fork_in_child(begin_child_process), true);
  static_cast<void>(watching);
  if (profile_ != nullptr) profile_->enlist(meters);
}

scheduler::~scheduler() {
  if (profile_ != nullptr) profile_->strike(meters);
  if (waits.waiting() > 0) end_while_strands_wait();
  waits.await_resuming();
  seats.stop();
  tsan_acquire(this);  // see stack_main()
}

// The pool's threads continue until the process has ended, like those of the default pool.
bool scheduler::outlives_exit() noexcept {
  const worker* const w = this_worker();
  // One of its threads may be in another pool, called by a task of this one.
  const bool ours = (w != nullptr && &w->pool == this) || seats.has_this_thread();
  if (!ours && !callers.any()) return false;
  if (in_exit()) return true;
  if (ours) fatal("a pool was destroyed by a task that runs in it; destroy it outside the pool, after run() has returned");
  fatal("a pool was destroyed during a call of its run(); destroy it after run() has returned");
}

void scheduler::resize(unsigned workers) {
  must_be_here();
  in_range("the argument of pool::resize", workers, 1u, most_workers);
  const std::lock_guard hold(sizing_);
  allotment.stop_following();
  want(workers);
}

void scheduler::follow_machine(unsigned workers) {
  const std::lock_guard hold(sizing_);
  if (allotment.follows()) want(workers);
}

void scheduler::employ(unsigned workers) {
  const std::lock_guard hold(sizing_);
  employ_under_lock(std::min(workers, feedback.most()));  // a resize may have come between
}

void scheduler::want(unsigned workers) {
  if (!feedback.on()) return employ_under_lock(workers);
  feedback.limit(std::max(workers, workers_least_));
  if (this->workers() > feedback.most()) employ_under_lock(feedback.most());  // more come by quanta, but none stays too long
}

void scheduler::employ_under_lock(unsigned workers) {
  service.resize(std::max(workers, workers_least_));
}

void scheduler::end_while_strands_wait() noexcept {
  fatal("a pool was destroyed while strands waited in it; destroy it when everything that its strands wait for has come");
}

bool scheduler::only_waits() noexcept {
  return waits.waiting() > 0 && !timers.any() && seats.all_rest() && !search.work_in_sight();
}

nanoseconds scheduler::worked() {
  nanoseconds sum = 0;
  const nanoseconds time = now();
  seats.for_each([&](const pool_thread& t) {
    const nanoseconds since = t.working_since.get();
    sum += t.worked.get() + (since != 0 ? std::max(nanoseconds{0}, time - since) : 0);
  });
  return sum;
}

std::size_t scheduler::steals() {
  std::size_t sum = 0;
  seats.for_each([&](const pool_thread& t) { sum += t.steals.get(); });
  return sum;
}

std::size_t scheduler::moves() {
  std::size_t sum = 0;
  seats.for_each([&](const pool_thread& t) { sum += t.suspends.get() + t.resumes.get(); });
  return sum;
}

// model: idle.pml, injecting()
void scheduler::inject(const injector::item& i) noexcept {
  must_be_here();
  if_there_is_memory("no memory to queue a job; there are too many children, or the machine is short of memory",
                     [&] { injected.put(i); });
  chaos::step(chaos::at::injected);
  wait::urge(*this, resumer::worker);  // no caller at home needs to be called for it
}

void scheduler::inject(job& j, fp_mode mode, const void* scope, ticket* held) noexcept {
  inject({{&j, {mode, profiled()}}, scope, held});
}

void scheduler::inject(const stolen_job& j) noexcept { inject({j, nullptr, nullptr}); }

void scheduler::enlist(seat& s) {
  victims.add(s, [this](seat& newcomer) {
    fences.greet(newcomer);
    meters.greet(newcomer);
  });
}

void scheduler::add_to_profile(strand_clock&& root) {
  if (profile_ != nullptr) profile_->add(std::move(root));
}

void scheduler::end_child_process() noexcept {
  fatal(
      "a pool made before fork() was used in the child process, which does not have its workers; in the child, make a new "
      "pool or use the default pool, outside the parent's pools, or call exec or _exit");
}

// The strand that called fork() continues in the child process, where its pool does not exist. It
// gets a seat that shares nothing with that pool, no lock and no job, in a pool that also counts as
// the parent's. The next fork, or the end of a branch, notices that.
void scheduler::begin_child_process() noexcept {
  const worker* const parents = this_worker();
  if (parents == nullptr) return;
  options o;
  o.workers = 1;
  o.stack_size = stack::min_size;
  auto* const nobodys = new scheduler(o);
  seat& s = nobodys->seats.only();
  s.now = parents->now;  // the strand's own; the child process has only this strand
  s.jobs.trip();
  sit_at(&s);
  disown();
}

statistics scheduler::stats() {
  must_be_here();
  statistics sum;
  seats.for_each([&](const pool_thread& t) {
    const counters c = t.count();
    sum.steal_attempts += c.steal_attempts;
    sum.steals += c.steals;
    sum.stolen_along += c.stolen_along;
    sum.far_steals += c.far_steals;
    sum.lost += c.lost;
    sum.heavy_fences += c.heavy_fences;
    sum.suspends += c.suspends;
    sum.resumes += c.resumes;
    sum.sleeps += c.sleeps;
    sum.wakes += c.wakes;
    sum.stackless += c.stackless;
    sum.workers.push_back(c);
  });
  sum.waiting = waits.waiting();
  sum.waiting_peak = waits.peak();
  const auto held = stacks.read();
  sum.stacks_live = held.live;
  sum.stacks_peak = held.peak;
  sum.stack_bytes_peak = held.bytes_peak;
  return sum;
}

}  // namespace heist::detail
