#include <heist/check/held_locks.hpp>
#include <heist/sched/blocked.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/scheduler.hpp>

#include <new>

namespace heist::detail {

blocked_call::blocked_call() noexcept : blocked_call(this_worker()) {}

blocked_call::blocked_call(worker* w) noexcept {
  if (w == nullptr) return;
  pool_ = &w->pool;
  pool_->must_be_here();
  worker* outer = thread_at(*static_cast<seat*>(w)).outer.get();
  if (outer != nullptr && !outer->pool.is_here()) outer = nullptr;  // a pool of the process that this one was forked from
  if (outer != nullptr) outer_.reset(new (std::nothrow) blocked_call(outer));  // without memory, that worker is lost meanwhile
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
