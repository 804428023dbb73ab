#include <heist/base/fatal.hpp>
#include <heist/base/once.hpp>
#include <heist/cancelled.hpp>
#include <heist/pool.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/default_scheduler.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/topology/parallelism.hpp>

namespace heist {

unsigned available_parallelism() { return detail::available_parallelism({}); }

pool::pool(const options& wanted) : scheduler_(new detail::scheduler(detail::checked(wanted))) {}
pool::pool(detail::scheduler& of) noexcept : scheduler_(&of) {}
pool::~pool() {
  // In a child of fork(), threads of the parent were using the pool when it was copied, and the
  // calling strand may be on one of its stacks. At exit() the calling strand may be, too, and
  // others may be at work.
  if (!scheduler_->is_here() || scheduler_->outlives_exit() || !scheduler_->loose.wait_at_end())
    static_cast<void>(scheduler_.release());
}
void pool::wait_idle() { wait_idle(std::stop_token()); }
void pool::wait_idle(const std::stop_token& token) {
#if defined(HEIST_RACE)
  static_cast<void>(token);
  return detail::race::forget_futures();
#endif
  scheduler_->must_be_here();
  const detail::worker* const w = detail::this_worker();
  if (w != nullptr && &w->pool == scheduler_.get())
    detail::fatal("pool::wait_idle was called by a task that runs in the pool, and might wait for itself; call it outside "
                  "the pool");
  if (!scheduler_->loose.wait(token)) throw cancelled();
}
detail::scheduler& detail::scheduler_of(pool& p) noexcept { return *p.scheduler_; }
pool* detail::make_default_pool() { return new pool(default_scheduler()); }
unsigned detail::workers_here() {
  const worker* const w = this_worker();
  return w != nullptr ? w->pool.workers() : default_scheduler().workers();
}
void pool::resize(unsigned n) { scheduler_->resize(n); }
unsigned pool::workers() const noexcept { return scheduler_->workers(); }
statistics pool::stats() const { return scheduler_->stats(); }
pool& default_pool() { return detail::made_once<pool, detail::make_default_pool>(); }

}  // namespace heist
