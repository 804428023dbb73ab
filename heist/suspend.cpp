#include <heist/base/fatal.hpp>
#include <heist/cancelled.hpp>
#include <heist/check/chaos.hpp>
#include <heist/check/held_locks.hpp>
#include <heist/sched/stop_call.hpp>
#include <heist/suspend.hpp>
#include <heist/wait/lock_by_address.hpp>
#include <heist/wait/unwanted_watch.hpp>

#include <mutex>
#include <stdexcept>

namespace heist {

namespace detail {
namespace {

// A call of f by a thread, while f runs: f must not wait, so it ends where it began.
struct call_under_way {
  const suspended* of;
  bool dropped = false;  // f has destroyed its resumption
  call_under_way* outer = nullptr;
};

constinit thread_local call_under_way* last_call = nullptr;

// Of a wait that may be over, and its frame gone: so it is found by the address alone. Under it the resumption and the wait
// know each other, or both know that they do not. Not a queue_lock(): a channel moves resumptions under that one.
short_lock& resumption_lock(const suspended* of) noexcept { return lock_by_address<suspended>(of); }

// Not instrumented by ThreadSanitizer, which takes a thread's stacks for threads: they use it in turn.
[[gnu::noinline]] HEIST_NO_TSAN call_under_way* calling() noexcept {
  asm volatile("");
  return last_call;
}
[[gnu::noinline]] HEIST_NO_TSAN void set_calling(call_under_way* c) noexcept {
  asm volatile("");
  last_call = c;
}

}  // namespace
}  // namespace detail

const char* broken_wait::what() const noexcept { return "heist: the resumption of a suspended strand was destroyed unused"; }

detail::suspended* resumption::claim(bool& too_late) noexcept {
  // Whoever handed the resumption on has ordered the rest, and of two calls at once one finds it.
  // order[resumption.withdraw]: the withdrawal is over, for what comes to lie here next
  std::uintptr_t of = of_.load(std::memory_order_acquire);
  if (of % 2 == 0) return reinterpret_cast<detail::suspended*>(of_.exchange(nobody, std::memory_order_relaxed));
  auto* const s = reinterpret_cast<detail::suspended*>(of - 1);
  const std::lock_guard hold(detail::resumption_lock(s));
  of = of_.exchange(nobody, std::memory_order_relaxed);
  too_late = of == withdrawn;
  if (of <= withdrawn) return nullptr;
  s->out = nullptr;
  return s;
}

void resumption::take_withdrawable(resumption& other) noexcept {
  // order[resumption.withdraw]: as in claim()
  const std::uintptr_t of = other.of_.load(std::memory_order_acquire);
  auto* const s = reinterpret_cast<detail::suspended*>(of - 1);
  const std::lock_guard hold(detail::resumption_lock(s));
  const std::uintptr_t still = other.of_.exchange(nobody, std::memory_order_relaxed);
  of_.store(still, std::memory_order_relaxed);
  if (still > withdrawn) s->out = this;
}

void resumption::resume() {
  bool too_late = false;
  if (detail::suspended* const s = claim(too_late)) return s->end(false);
  if (!too_late)
    throw std::logic_error("heist: a resumption was resumed twice, or has been moved from; resume each one once");
}

void resumption::break_wait() noexcept {
  bool too_late = false;
  detail::suspended* const s = claim(too_late);
  if (s == nullptr) return;
  // In f itself, the one that called f goes on: f may have thrown.
  if (detail::call_under_way* const c = detail::calling(); c != nullptr && c->of == s)
    c->dropped = true;
  else
    s->end(true);
}

namespace detail {

void suspended::end(bool nobody) noexcept {
  broken = nobody;
  rest.resume();
}

// Under the lock: the resumption is made, unless the strand is to stop already.
bool suspended::give_out(resumption& r) noexcept {
  if (!withdrawable) {
    r.of_.store(reinterpret_cast<std::uintptr_t>(this), std::memory_order_relaxed);
    return true;
  }
  const std::lock_guard hold(resumption_lock(this));
  given_out = true;
  if (stopped) return false;
  out = &r;
  r.of_.store(reinterpret_cast<std::uintptr_t>(this) + 1, std::memory_order_relaxed);
  return true;
}

void suspended::withdraw() noexcept {
  {
    const std::lock_guard hold(resumption_lock(this));
    if (stopped || (given_out && out == nullptr)) return;  // somebody has claimed it, and ends the wait
    stopped = true;
    if (!given_out) return;  // call_off_stack() will see it
    // order[resumption.withdraw]: the last access; whoever sees it need not take the lock to destroy the resumption
    out->of_.store(resumption::withdrawn, std::memory_order_release);
    out = nullptr;
  }
  chaos::step(chaos::at::resuming);
  end(false);
}

// Until it returns the strand does not go on, though its wait may be over.
void suspended::call_off_stack(void* p) noexcept { static_cast<suspended*>(p)->call_function(); }

void suspended::call_function() noexcept {
  const no_fork_here checked(no_fork::function_of_suspend);
  call_under_way now{this, false, calling()};
  set_calling(&now);
  std::exception_ptr thrown;
  {
    resumption r;
    if (!give_out(r)) {
      set_calling(now.outer);
      return end(false);
    }
    try {
      call(function, std::move(r));
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  set_calling(now.outer);
  if (now.dropped) {
    failure = std::move(thrown);
    end(failure == nullptr);
  } else if (thrown && stopped_meanwhile()) {
    failure = std::move(thrown);
  } else if (thrown) {
    fatal("the function given to heist::suspend threw after it had handed its resumption on; hand it on last");
  }
}

bool suspended::stopped_meanwhile() noexcept {
  if (!withdrawable) return false;
  const std::lock_guard hold(resumption_lock(this));
  return stopped;
}

void suspended::park(caller what, void* with) {
  call = what;
  function = with;
  rest.rest(call_off_stack, this);
  return_or_throw();
}

void suspended::park(caller what, void* with, const std::stop_token& token) {
  withdrawable = token.stop_possible() || unwanted_watch::possible();
  if (!withdrawable) return park(what, with);
  call = what;
  function = with;
  {
    auto stop = [this] { withdraw(); };
    const stop_call on_stop(token, stop);
    const unwanted_watch on_alarm([](void* self) noexcept { static_cast<suspended*>(self)->withdraw(); }, this);
    rest.rest(call_off_stack, this);
  }
  return_or_throw();
}

void suspended::return_or_throw() {
  if (failure) std::rethrow_exception(std::move(failure));
  if (broken) throw broken_wait();
  if (stopped) throw cancelled();
}

}  // namespace detail

}  // namespace heist
