#pragma once
// How C++20 coroutines wait for futures, and how they get into a pool. Empty for compilers without them (clang before 15).

#include <heist/base/export.hpp>
#include <heist/future.hpp>
#include <heist/pool.hpp>
#include <heist/sched/unattached.hpp>

#include <concepts>
#include <type_traits>
#include <utility>
#if defined(__cpp_impl_coroutine)
#include <coroutine>
#endif

HEIST_BEGIN

#if defined(__cpp_impl_coroutine)

namespace heist {

namespace detail {

// A coroutine on its way into a pool; in its frame. Each stretch in the pool is a computation that nobody joins.
struct entering : loose_job {
  entering() noexcept : loose_job([](loose_job& self) noexcept { static_cast<entering&>(self).who.resume(); }) {}
  std::coroutine_handle<> who;
};

// What co_await has for a future. `Derived::go_on()` resumes the coroutine, on the thread that has brought the outcome or
// elsewhere; nothing of the awaiter is used afterwards.
template <class Future, class Derived>
class future_awaiter : private listener {
 public:
  explicit future_awaiter(Future&& f) noexcept : listener(&future_awaiter::told), asked_(std::move(f)) {}

  decltype(auto) await_resume() { return asked_.get(); }

 protected:
  bool ready() const { return asked_.ready(); }
  // False: it is ready already.
  bool listen(std::coroutine_handle<> who) {
    who_ = who;
    future_state* const s = future_access::state(asked_);
    return s != nullptr && s->listen(*this);
  }
  std::coroutine_handle<> who() const noexcept { return who_; }

 private:
  static void told(listener& l, agenda&) noexcept {
    static_cast<Derived&>(static_cast<future_awaiter&>(l)).go_on();
  }

  Future asked_;
  std::coroutine_handle<> who_;
};

// Those that a coroutine's frame holds are HEIST_TYPE: g++ warns of a frame with something hidden in it.
template <class Future>
class HEIST_TYPE plain_awaiter : public future_awaiter<Future, plain_awaiter<Future>> {
 public:
  HEIST_OWN explicit plain_awaiter(Future&& f) noexcept : future_awaiter<Future, plain_awaiter>(std::move(f)) {}
  HEIST_OWN ~plain_awaiter() = default;
  HEIST_OWN bool await_ready() const { return this->ready(); }
  HEIST_OWN bool await_suspend(std::coroutine_handle<> who) { return this->listen(who); }
  HEIST_OWN void go_on() noexcept { this->who().resume(); }
};

template <class Future>
class HEIST_TYPE pool_awaiter : public future_awaiter<Future, pool_awaiter<Future>> {
 public:
  HEIST_OWN pool_awaiter(scheduler& p, Future&& f) noexcept : future_awaiter<Future, pool_awaiter>(std::move(f)), pool_(p) {}
  HEIST_OWN ~pool_awaiter() = default;
  HEIST_OWN bool await_ready() const { return inside(pool_) && this->ready(); }
  HEIST_OWN void await_suspend(std::coroutine_handle<> who) {
    if (!this->listen(who)) go_on();
  }
  HEIST_OWN void go_on() noexcept {
    door_.who = this->who();
    inject(pool_, door_);
  }

 private:
  scheduler& pool_;
  entering door_;
};

template <class Future, class Executor>
class HEIST_TYPE executor_awaiter : public future_awaiter<Future, executor_awaiter<Future, Executor>> {
 public:
  HEIST_OWN executor_awaiter(Executor& e, Future&& f) noexcept
      : future_awaiter<Future, executor_awaiter>(std::move(f)), executor_(e) {}
  HEIST_OWN ~executor_awaiter() = default;
  HEIST_OWN bool await_ready() const { return false; }
  HEIST_OWN void await_suspend(std::coroutine_handle<> who) {
    if (!this->listen(who)) go_on();
  }
  HEIST_OWN void go_on() noexcept {
    executor_.execute([who = this->who()] { who.resume(); });
  }

 private:
  Executor& executor_;
};

class HEIST_TYPE pool_entry {
 public:
  HEIST_OWN explicit pool_entry(scheduler& p) noexcept : pool_(p) {}
  HEIST_OWN bool await_ready() const noexcept { return inside(pool_); }
  HEIST_OWN void await_suspend(std::coroutine_handle<> who) noexcept {
    door_.who = who;
    inject(pool_, door_);
  }
  HEIST_OWN void await_resume() const noexcept {}

 private:
  scheduler& pool_;
  entering door_;
};

}  // namespace detail

// co_await f: suspends the coroutine until the future is ready, and gives what f.get() would. The coroutine goes on on the
// thread that has brought the value, or at once if it is there. A future<T> is used up, as by get(); a shared_future is not.
template <class T>
[[nodiscard]] HEIST_OWN auto operator co_await(future<T>&& f) noexcept {
  return detail::plain_awaiter<future<T>>(std::move(f));
}
template <class T>
[[nodiscard]] HEIST_OWN auto operator co_await(future<T>& f) noexcept {
  return detail::plain_awaiter<future<T>>(std::move(f));
}
template <class T>
[[nodiscard]] HEIST_OWN auto operator co_await(shared_future<T> f) noexcept {
  return detail::plain_awaiter<shared_future<T>>(std::move(f));
}

// co_await resume_on(p, f): the same, but the coroutine goes on on a worker of that pool.
template <detail::usable_future F>
[[nodiscard]] HEIST_OWN auto resume_on(pool& p, F&& f) noexcept {
  using future = std::remove_cvref_t<F>;
  return detail::pool_awaiter<future>(detail::scheduler_of(p), future(detail::used(f)));
}
// The same for any executor: e.execute(f) shall call f, which takes no arguments, somewhere; it must not throw.
template <class Executor, detail::usable_future F>
  requires(!std::derived_from<Executor, pool>) && requires(Executor& e, void (*f)()) { e.execute(f); }
[[nodiscard]] HEIST_OWN auto resume_on(Executor& e, F&& f) noexcept {
  using future = std::remove_cvref_t<F>;
  return detail::executor_awaiter<future, Executor>(e, future(detail::used(f)));
}

// co_await enter(p): the coroutine goes on on a worker of that pool, at once if it is on one. pool::wait_idle(), and the
// pool's destructor, wait for it until it suspends or ends.
[[nodiscard]] HEIST_OWN inline auto enter(pool& p) noexcept { return detail::pool_entry(detail::scheduler_of(p)); }

}  // namespace heist

#endif

HEIST_END
