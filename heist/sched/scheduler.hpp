#pragma once
// A pool from the inside: its seats and threads, and what they share. See README.md.

#include <heist/base/export.hpp>
#include <heist/base/process.hpp>
#include <heist/options.hpp>
#include <heist/sched/gate.hpp>
#include <heist/sched/governor.hpp>
#include <heist/sched/injector.hpp>
#include <heist/sched/root.hpp>
#include <heist/sched/seat.hpp>
#include <heist/sched/victims.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/sleep/inheritance.hpp>
#include <heist/stack/supply.hpp>
#include <heist/stats.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class program_profile;
class program_trace;
struct pool_trace;

class scheduler {
 public:
  explicit scheduler(const options& wanted);  // throws std::invalid_argument
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  // Who destroys the pool: true if it must not be, as exit() was called while somebody is at work in it. Ends the program with a
  // sentence if it was not exit().
  bool outlives_exit() noexcept;

  unsigned workers() const noexcept { return workers_; }
  bool places_callers() const noexcept { return placed_ == heist::placement::all; }
  statistics stats();

  // Any thread. False: this is a child of fork(), and the pool and its threads are the parent's. See README.md, "fork()".
  bool is_here() const noexcept { return made_in_ == this_process(); }
  // Any thread, before it waits for somebody in the pool or takes one of its locks: in such a child, the end.
  void must_be_here() const noexcept {
    if (!is_here()) [[unlikely]] end_child_process();
  }

  // A thread from outside. Runs the root on a seat of its own, or has it run; returns when it has ended.
  void run(root& r);
  // A thread from outside waits for strands of this pool. Where no pool thread can be started it runs them itself.
  void wait_outside(parking& p);
  // Any thread. Some worker takes the job as soon as it is out of work. If it is a child, of this scope.
  void inject(job& j, fp_mode mode, const void* scope = nullptr) noexcept;
  // A strand of the pool that keeps its worker while it waits for a scope: one of its children that no worker has taken, or null.
  job* take_queued(const void* scope) noexcept { return injected_.take(scope).what; }
  // A thread from outside that waits for a scope: it runs those of its children that no worker has taken yet.
  void help_with(const void* scope) noexcept;

  // A sitter with empty hands: runs what it finds until that yields a stack to go on with. Null: there is nothing to do
  // here, go home.
  static stack* work() noexcept;

  // A strand has to wait for others: true if that was over, as `over(what)` says, before there was something to steal and
  // before a search would have ended.
  static bool over_soon(bool (*over)(const void*) noexcept, const void* what) noexcept;

  // Sitter only, at its next fork after being asked.
  void give_sign() noexcept { static_cast<void>(rouse_one()); }
  bool has_searchers() const noexcept { return idle_.searching() > 0; }
  bool pushers_fence() const noexcept { return !heavy_works_.load(std::memory_order_relaxed); }
  stack_supply& supply() noexcept { return supply_; }

  // Any thread: from the first to the last, strands look whether they are still wanted. sound_alarm() after what makes them
  // unwanted: it sends every worker's next fork the slow way.
  void begin_alarm() noexcept { alarms_.fetch_add(1, std::memory_order_relaxed); }
  void sound_alarm() noexcept;
  void end_alarm() noexcept { alarms_.fetch_sub(1, std::memory_order_relaxed); }

  // What measured strands came to on each seat.
  struct share {
    std::size_t strands = 0, busy_ticks = 0;
  };
  std::vector<share> shares();

  // Any thread: from the first to the last, every fork takes the way on which the meter's hooks are.
  void begin_metering() noexcept;
  void end_metering() noexcept;

 private:
  // Seats: scheduler.cpp.
  seat* take_free_seat() noexcept;
  seat& take_seat();
  bool return_seat(seat& s, spot where) noexcept;
  bool is_temporary(const seat& s) const noexcept { return s.index >= workers_; }
  seat& add_seat();
  void greet(seat& s) noexcept;
  bool call_thread(seat& s, spot where) noexcept;
  void thread_main(seat& s) noexcept;
  bool rouse_one(spot where = spot::beside) noexcept;
  bool help(const void* scope = nullptr) noexcept;
  void run_queued(root& r);
  void wait_for(root& r);
  void receive(root& r) noexcept;
  static bool begin_wait(root& r) noexcept;
  static void begin_child_process() noexcept;
  [[noreturn]] HEIST_COLD static void end_child_process() noexcept;

  // The search: search.cpp.
  job* search(seat& s) noexcept;
  job* look_around(seat& s) noexcept;
  job* rob(seat& thief, seat& victim) noexcept;
  void begin_work(seat& s) noexcept;
  static void trim_below_here() noexcept;
  void judge_catch(seat& s) noexcept;
  nanoseconds patience(const seat& s) const noexcept;
  void sleep(seat& s) noexcept;
  bool work_in_sight() noexcept;
  bool ask_and_look() noexcept;
  void change_fences(fence_governor::verdict v) noexcept;
  void lose_heavy_fence() noexcept;
  void ask_for_meter(seat& s) noexcept;

  static constexpr unsigned most_vain = 16;

  const unsigned made_in_ = this_process();
  const unsigned workers_;
  const nanoseconds search_time_;
  const unsigned most_backoff_;
  const heist::placement placed_;
  std::atomic<bool> heavy_works_;  // until it fails
  const bool govern_;
  const inheritance inherited_;  // what the pool's threads have, whoever starts them

  stack_supply supply_;
  idle idle_;
  injector injected_;
  gate callers_;
  victim_list victims_;
  fence_governor governor_;
  std::atomic<bool> owners_fence_;
  std::atomic<int> alarms_{0};             // branches and scopes whose strands may be unwanted
  std::atomic<unsigned> meters_{0};        // measurements that run
  program_profile* const program_profile_;  // null: the program is not profiled
  program_trace* const program_trace_;      // null: the program is not traced
  pool_trace* trace_ = nullptr;
  std::atomic<bool> stopping_{false};

  std::mutex seats_lock_;
  std::deque<seat> seats_;         // the pool's own first; grows, never shrinks
  std::vector<seat*> vacant_;      // temporary ones nobody sits on
  std::vector<seat*> threadless_;  // whose thread could not be started
  std::atomic<unsigned> threads_{0};
  std::atomic<unsigned> guests_{0};    // callers on temporary seats
  std::atomic<unsigned> calls_{0};     // of run() that have not returned
  std::atomic<unsigned> failures_{0};  // threads that could not be started
};

// Suspend and resume: suspend.cpp.

// A stack's first function: does what it is started with, then works, until there is a stack to go on with.
void stack_main(handoff* from) noexcept;

// Sitter, on its native stack: goes to `first`, where `then(argument)` runs, and to whatever comes of it, until it is sent
// home.
void visit_stacks(seat& s, context& home, stack& first, on_arrival then = nullptr, void* argument = nullptr) noexcept;

// Sitter, on a pool stack: parks it and goes on elsewhere, where `parked(argument)` runs first: it may publish the
// stack, or return it to be gone on with at once. Returns true when the stack was resumed, false at once if there is no
// other stack to go on with.
[[nodiscard]] bool suspend(on_arrival parked, void* argument) noexcept;

// Sitter: counts, and returns, a suspended strand's stack that it is about to go on with.
stack* resumed(stack& parked) noexcept;

// Sitter: the job it has just stolen. Returns a stack to go on with, or null.
stack* run_stolen(job& j) noexcept;

}  // namespace heist::detail

HEIST_END
