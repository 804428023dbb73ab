#pragma once
// A pool from the inside: its parts, and what concerns all of them. See README.md.

#include <heist/base/export.hpp>
#include <heist/base/process.hpp>
#include <heist/options.hpp>
#include <heist/sched/alarm.hpp>
#include <heist/sched/allotment.hpp>
#include <heist/sched/callers.hpp>
#include <heist/sched/feedback.hpp>
#include <heist/sched/fencing.hpp>
#include <heist/sched/injector.hpp>
#include <heist/sched/loose.hpp>
#include <heist/sched/metering.hpp>
#include <heist/sched/outside.hpp>
#include <heist/sched/search.hpp>
#include <heist/sched/seats.hpp>
#include <heist/sched/service.hpp>
#include <heist/sched/stock.hpp>
#include <heist/sched/timers.hpp>
#include <heist/sched/turns.hpp>
#include <heist/sched/victims.hpp>
#include <heist/sched/waits.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/stack/supply.hpp>
#include <heist/stats.hpp>

#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class program_profile;
class strand_clock;

class scheduler {
 public:
  explicit scheduler(const options& wanted);  // throws std::invalid_argument
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  // Called by the thread that destroys the pool. True if the pool must stay, because exit() was
  // called while it is in use. If it is in use and this is not exit(), the program ends with a
  // message.
  bool outlives_exit() noexcept;
  // Any thread; a guess. Whether strands wait, and nothing in the pool will make one go on.
  bool only_waits() noexcept;
  [[noreturn]] static void end_while_strands_wait() noexcept;
  // For how long its workers have worked, if feedback is on; and how often they have stolen.
  nanoseconds worked();
  std::size_t steals();
  // How often strands have come to wait, and gone on.
  std::size_t moves();

  // Any thread. So many workers from now on, but not fewer than options::workers_least. Throws std::invalid_argument. The
  // pool no longer follows the machine.
  void resize(unsigned workers);
  // The same, if it does.
  void follow_machine(unsigned workers);
  // So many, now.
  void employ(unsigned workers);
  unsigned workers() const noexcept { return service.workers(); }
  statistics stats();

  // Any thread. False in a child of fork(), where the pool and its threads are the parent's. See
  // protocols/child_process.md.
  bool is_here() const noexcept { return made_in_ == this_process(); }
  // Any thread, before it waits for others in the pool or takes one of its locks: ends such a
  // child.
  void must_be_here() const noexcept {
    if (!is_here()) [[unlikely]] end_child_process();
  }

  // Any thread. A worker takes the job as soon as it has nothing else to do. `scope` is that of a
  // child; with a ticket, others may take the job, too.
  void inject(job& j, fp_mode mode, const void* scope = nullptr, ticket* held = nullptr) noexcept;
  // One that was stolen, and whose thief does not run it.
  void inject(const stolen_job& j) noexcept;
  // Any thread. Whether strands can go on, or jobs were injected, that no worker has taken yet.
  bool any_queued() const noexcept { return waits.any_ready() || !injected.empty(); }
  // A seat joins the victims.
  void enlist(seat& s);

  // HEIST_PROFILE and HEIST_RECORD: all roots are measured. add_to_profile() takes a root's clock
  // when the root has ended.
  bool profiled() const noexcept { return profile_ != nullptr; }
  void add_to_profile(strand_clock&& root);

 private:
  scheduler(const options& wanted, unsigned workers);
  void inject(const injector::item& i) noexcept;

  static void begin_child_process() noexcept;
  [[noreturn]] HEIST_COLD static void end_child_process() noexcept;

  const unsigned made_in_ = this_process();
  // Under sizing_. A pool that shares the machine has at most so many from then on.
  void want(unsigned workers);
  void employ_under_lock(unsigned workers);

  const unsigned workers_least_;
  std::mutex sizing_;  // held while the number of workers changes
  program_profile* const profile_;  // null: the program is not profiled

 public:
  stack_supply stacks;
  idle sleepers;
  injector injected;
  stocks stocked;
  class waits waits;
  class turns turns;
  class loose loose;
  victim_list victims;
  fencing fences;
  alarm alarms;
  metering meters;
  class allotment allotment;
  class outside outside;
  class search search;
  class callers callers;
  class feedback feedback;
  class service service;
  class seats seats;  // its threads use all the others
  class timers timers;  // and so does its thread
};

}  // namespace heist::detail

HEIST_END
