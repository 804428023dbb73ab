#include <heist/check/held_locks.hpp>
#include <heist/sched/blocked.hpp>
#include <heist/sched/scheduler.hpp>

namespace heist::detail {

blocked_call::blocked_call() noexcept {
  worker* const w = this_worker();
  if (w == nullptr) return;
  pool_ = &w->pool;
  pool_->must_be_here();
  begin_no_fork(no_fork::function_of_blocking);
  if (w->jobs.size() > 0) w->jobs.owner().share(portion::all);  // nobody answers here
  // If it cannot be set, the worker is lost for as long as the call takes.
  alarm_.emplace(
      pool_->timers, now() + patience,
      [](void* p) noexcept {
        auto& self = *static_cast<blocked_call*>(p);
        self.replaced_ = self.pool_->service.replace();
      },
      this);
}

blocked_call::~blocked_call() {
  if (pool_ == nullptr) return;
  end_no_fork();
  alarm_.reset();  // behind this it has rung, or does not
  if (replaced_) pool_->service.end_replacement();
}

}  // namespace heist::detail
