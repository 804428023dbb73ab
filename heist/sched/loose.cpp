#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/sched/loose.hpp>
#include <heist/sched/scheduler.hpp>
#include <heist/sched/stop_call.hpp>
#include <heist/sched/wait.hpp>
#include <heist/strand/belongings.hpp>

#include <chrono>
#include <thread>
#include <utility>

namespace heist::detail {

struct loose::waiter {
  explicit waiter(loose& in) noexcept : of(in) {}

  // At the deadline or a stop, unless the last one has ended.
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
  // After the lock nothing of the pool is touched: it is not there any more if this thread is one from outside.
  waiter* w = nullptr;
  {
    const std::lock_guard hold(lock_);
    // order[loose.end]: as above
    if (out_.fetch_sub(1, std::memory_order_acq_rel) == 1) w = std::exchange(waiters_, nullptr);
  }
  while (w != nullptr) std::exchange(w, w->next)->rest.resume();
}

// For the pool's end: looks at it twice a second.
class loose::lookout {
 public:
  explicit lookout(scheduler& at) noexcept : pool_(at) {}

  static constexpr nanoseconds pace = 500'000'000;

  // Whether for two seconds only waits were left, and nothing has moved.
  bool nothing_comes() noexcept {
    if (now() < next_) return false;
    next_ = now() + pace - pace / 10;
    const bool only_waits = pool_.only_waits();
    const std::size_t moves = pool_.moves();  // read last: what moved before the look above is seen
    still_ = only_waits && moves == before_ ? still_ + 1 : 0;
    before_ = moves;
    return still_ >= 4;
  }

 private:
  scheduler& pool_;
  nanoseconds next_ = now() + pace;
  unsigned still_ = 0;  // looks in a row
  std::size_t before_ = ~std::size_t{0};
};

// If the pool has no thread, its callers run what is there. False after a stop, or if `at_end` says that nothing comes.
bool loose::help_without_threads(const std::stop_token& token, lookout* at_end) noexcept {
  if (this_worker() != nullptr) return true;
  while (pool_.seats.no_thread_can_start() && out_.load(std::memory_order_relaxed) > 0) {
    if (token.stop_requested()) return false;
    if (pool_.callers.help_with_anything()) continue;
    if (at_end != nullptr && at_end->nothing_comes()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool loose::wait(const std::stop_token& token) noexcept {
  if (!help_without_threads(token, nullptr) || !none_out_until(never, token)) return false;
  std::unique_ptr<belongings> all;
  {
    const std::lock_guard hold(lock_);
    all = std::move(left_);
  }
  receive_belongings(std::move(all));
  return true;
}

bool loose::none_out_until(nanoseconds deadline, const std::stop_token& token) noexcept {
  waiter me(*this);
  {
    const std::lock_guard hold(lock_);
    // order[loose.end]: what those have done that have ended
    if (out_.load(std::memory_order_acquire) == 0) return true;
    me.next = std::exchange(waiters_, &me);
  }
  auto stop = [&me] { me.give_up(); };
  const stop_call on_stop(token, stop);
  if (deadline == never)
    me.rest.rest();
  else
    me.rest.rest_until(deadline, [](void* w) noexcept { static_cast<waiter*>(w)->give_up(); }, &me);
  return !me.late;
}

bool loose::all_end(lookout& watch) noexcept {
  if (!help_without_threads({}, &watch)) return false;
  while (!none_out_until(now() + lookout::pace, {}))
    if (watch.nothing_comes()) return false;
  return true;
}

bool loose::wait_at_end() noexcept {
  if (lookout watch(pool_); !all_end(watch)) {
    if (in_exit()) return false;
    scheduler::end_while_strands_wait();
  }
  return wait({});
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
