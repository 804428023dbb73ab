#pragma once
// The part of a worker that a fork touches. The rest is its seat: sched/seat.hpp.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/deque/deque.hpp>
#include <heist/sched/current.hpp>
#include <heist/sched/job.hpp>

#include <atomic>

HEIST_BEGIN

namespace heist::detail {

class scheduler;
struct belongings;

class worker {
 public:
  worker(scheduler& of, const std::atomic<int>& of_pool) : pool(of), alarms(of_pool) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Owner only: the last push went past the limit. On return the item may be popped by take_back_fenced() only.
  HEIST_API HEIST_COLD void tripped() noexcept;

  deque<job> jobs;
  scheduler& pool;
  const std::atomic<int>& alarms;  // the pool's: above 0, some strand in it may be unwanted
  cell<belongings*> own;     // of the strand that runs here; null: it has none
  cell<const void*> strand;  // checked builds: a mark of the strand that runs here

 protected:
  ~worker() = default;
};

}  // namespace heist::detail

HEIST_END
