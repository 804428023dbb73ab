#pragma once
// The part of a worker that a fork touches. The rest is its seat: strand/seat.hpp.

#include <heist/base/export.hpp>
#include <heist/deque/deque.hpp>
#include <heist/strand/current.hpp>
#include <heist/strand/job.hpp>
#include <heist/strand/strand.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class worker {
 public:
  worker(scheduler& of, const std::atomic<int>& of_pool) : pool(of), alarms(of_pool) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Owner only, where a strand begins or goes on, and where a fork came by that could not throw: while an alarm is on, the next
  // fork looks whether the strand is wanted. The alarm itself has asked only those that ran when it began.
  void look_at_next_fork() noexcept {
    if (alarms.load(std::memory_order_relaxed) > 0) [[unlikely]] jobs.owner().trip();
  }

  deque<job> jobs;
  scheduler& pool;
  const std::atomic<int>& alarms;  // the pool's: above 0, some strand in it may be unwanted
  strand now;                      // the one that runs here

 protected:
  ~worker() = default;
};

}  // namespace heist::detail

HEIST_END
