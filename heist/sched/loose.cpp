#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/sched/loose.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/belongings.hpp>

#include <chrono>
#include <thread>
#include <utility>

namespace heist::detail {

struct loose::waiter {
  explicit waiter(loose& in) noexcept : of(in) {}

  // At the deadline, unless the last one has ended.
  void give_up() noexcept {
    {
      const std::lock_guard hold(of.lock_);
      waiter** at = &of.waiters_;
      while (*at != nullptr && *at != this) at = &(*at)->next;
      if (*at == nullptr) return;
      *at = next;
      late = true;
    }
    rest.resume();
  }

  loose& of;
  detail::wait rest{"what nobody joins"};
  waiter* next = nullptr;
  bool late = false;
};

loose::loose(scheduler& of, const exception_handler& on_unhandled) noexcept : pool_(of), on_unhandled_(on_unhandled) {}
loose::~loose() = default;

void loose::end() noexcept {
  std::int64_t out = out_.load(std::memory_order_relaxed);
  // order[loose.end]: the one that finds none out sees what all have done
  while (out > 1)
    if (out_.compare_exchange_weak(out, out - 1, std::memory_order_acq_rel, std::memory_order_relaxed)) return;
  // Perhaps the last one. Under the lock: one that waits since, and for others that have begun since, is not woken.
  // The pool is there until this thread, which is one of its own, has gone on.
  waiter* w = nullptr;
  {
    const std::lock_guard hold(lock_);
    // order[loose.end]: as above
    if (out_.fetch_sub(1, std::memory_order_acq_rel) == 1) w = std::exchange(waiters_, nullptr);
  }
  while (w != nullptr) std::exchange(w, w->next)->rest.resume();
}

// If the pool has no thread, its callers run what is there.
void loose::help_without_threads() noexcept {
  if (this_worker() != nullptr) return;
  while (pool_.seats.no_thread_can_start() && out_.load(std::memory_order_relaxed) > 0)
    if (!pool_.callers.help_with_anything()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void loose::wait() noexcept {
  help_without_threads();
  none_out_until(never);
  std::unique_ptr<belongings> all;
  {
    const std::lock_guard hold(lock_);
    all = std::move(left_);
  }
  receive_belongings(std::move(all));
}

bool loose::none_out_until(nanoseconds deadline) noexcept {
  waiter me(*this);
  {
    const std::lock_guard hold(lock_);
    // order[loose.end]: what those have done that have ended
    if (out_.load(std::memory_order_acquire) == 0) return true;
    me.next = std::exchange(waiters_, &me);
  }
  if (deadline == never)
    me.rest.rest();
  else
    me.rest.rest_until(deadline, [](void* w) noexcept { static_cast<waiter*>(w)->give_up(); }, &me);
  return !me.late;
}

bool loose::wait_at_end() noexcept {
  help_without_threads();
  constexpr nanoseconds pace = 500'000'000;
  unsigned still = 0;  // looks in a row at which only waits were left, and nothing had moved
  std::size_t before = ~std::size_t{0};
  while (!none_out_until(now() + pace)) {
    const bool only_waits = pool_.only_waits();
    const std::size_t moves = pool_.moves();  // read last: what moved before the look above is seen
    still = only_waits && moves == before ? still + 1 : 0;
    before = moves;
    if (still < 4) continue;
    if (in_exit()) return false;
    scheduler::end_while_strands_wait();
  }
  wait();
  return true;
}

void loose::leave(std::unique_ptr<belongings> all) noexcept {
  if (!all) return;
  if (all->clock) keep_belongings([&] { pool_.add_to_profile(std::move(*all->clock)); });
  all->clock.reset();  // it belongs to no other measurement
  const std::lock_guard hold(lock_);
  if (!left_)
    left_ = std::move(all);
  else
    keep_belongings([&] { left_->append(std::move(*all)); });
}

void loose::unhandled() const noexcept {
  if (on_unhandled_) return on_unhandled_(std::current_exception());
  say("an exception left a detached function; catch it there, or set options::on_unhandled");
  std::terminate();
}

}  // namespace heist::detail
