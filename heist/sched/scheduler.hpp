#pragma once
// A pool from the inside: its parts, and what they are all asked for together. See README.md.

#include <heist/base/export.hpp>
#include <heist/base/process.hpp>
#include <heist/options.hpp>
#include <heist/sched/alarm.hpp>
#include <heist/sched/callers.hpp>
#include <heist/sched/fencing.hpp>
#include <heist/sched/injector.hpp>
#include <heist/sched/metering.hpp>
#include <heist/sched/search.hpp>
#include <heist/sched/seats.hpp>
#include <heist/sched/victims.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/stack/supply.hpp>
#include <heist/stats.hpp>

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

  // Who destroys the pool: true if it must not be, as exit() was called while somebody is at work in it. Ends the program with a
  // sentence if it was not exit().
  bool outlives_exit() noexcept;

  unsigned workers() const noexcept { return workers_; }
  statistics stats();

  // Any thread. False: this is a child of fork(), and the pool and its threads are the parent's. See README.md, "fork()".
  bool is_here() const noexcept { return made_in_ == this_process(); }
  // Any thread, before it waits for somebody in the pool or takes one of its locks: in such a child, the end.
  void must_be_here() const noexcept {
    if (!is_here()) [[unlikely]] end_child_process();
  }

  // Any thread. Some worker takes the job as soon as it is out of work. If it is a child, of this scope.
  void inject(job& j, fp_mode mode, const void* scope = nullptr) noexcept;
  // A seat joins the victims.
  void enlist(seat& s);

  // HEIST_PROFILE and HEIST_RECORD: all roots are measured. A root's clock, when it has ended.
  bool profiled() const noexcept { return profile_ != nullptr; }
  void add_to_profile(strand_clock&& root);

 private:
  static void begin_child_process() noexcept;
  [[noreturn]] HEIST_COLD static void end_child_process() noexcept;

  const unsigned made_in_ = this_process();
  const unsigned workers_;
  program_profile* const profile_;  // null: the program is not profiled

 public:
  stack_supply stacks;
  idle sleepers;
  injector injected;
  victim_list victims;
  fencing fences;
  alarm alarms;
  metering meters;
  class search search;
  class callers callers;
  class seats seats;  // last: its threads use all the others
};

}  // namespace heist::detail

HEIST_END
