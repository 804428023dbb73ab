#pragma once
// Threads from outside that bring work to a pool and wait for it. See protocols/callers.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/gate.hpp>
#include <heist/sched/root.hpp>
#include <heist/sched/search.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

HEIST_BEGIN

namespace heist::detail {

class pool_thread;
class scheduler;
struct ticket;

class callers {
 public:
  callers(scheduler& of, unsigned most, heist::placement placed) noexcept : pool_(of), placed_(placed), gate_(most, placed) {}

  // Whether there is a cap on callers.
  bool capped() const noexcept { return !gate_.open(); }
  // Whether the thread that wakes a caller chooses the processor on which it continues.
  bool placed() const noexcept { return placed_ == heist::placement::all; }

  // A thread from outside. Runs the root on a seat of its own, or lets a worker run it; returns
  // when it has ended.
  void run(root& r);
  // Any thread. Whether some call of run() has not returned.
  bool any() const noexcept { return calls_.load(std::memory_order_relaxed) > 0; }

  // A thread from outside waits for strands of this pool. If no pool thread can be started, it runs
  // them itself.
  void wait_outside(parking& p);
  // Any thread, when strands can go on and no worker is free. True if the caller of the first one's root waits, and will
  // see to it.
  bool recall_first() noexcept;
  // The same for every root.
  void recall_all() noexcept;
  // A thread from outside that waits for a scope runs those of its children that no worker has
  // taken yet.
  void help_with(const void* scope) noexcept;
  // A thread from outside that waits for this injected job runs it, until it ends or waits, unless it was taken.
  void help_with(ticket& of_job) noexcept;
  // A thread from outside runs the child, until it ends or waits. False if there is no seat for it.
  bool run_child(job& child) noexcept;
  // A thread from outside takes a branch that can travel, and runs it until it ends or waits. False if there was none.
  bool run_traveller() noexcept;
  // A thread from outside, if no thread of the pool can be started: takes whatever there is. False if there was nothing.
  bool help_with_anything() noexcept;

 private:
  struct under_way;
  class home_wait;
  class queued;

  bool recall(under_way& r) noexcept;
  void run_at(pool_thread& place, under_way& r, bool measured);
  void wait_for(under_way& r);
  void receive(under_way& r) noexcept;
  pool_thread* place_for_caller() noexcept;
  template <class Take>
  bool help(Take take) noexcept;
  template <class Which>
  search::catch_of take_injected(pool_thread& place, Which& which) noexcept;
  // Goes on with a strand of that root. False if there is none that can.
  bool continue_strand(const void* root) noexcept;

  scheduler& pool_;
  const heist::placement placed_;
  gate gate_;
  std::atomic<unsigned> calls_{0};
  std::atomic<std::uintptr_t> last_{0};  // the number of the last root
  std::mutex lock_;
  std::atomic<under_way*> at_home_{nullptr};  // those whose callers wait; changed under lock_
};

}  // namespace heist::detail

HEIST_END
