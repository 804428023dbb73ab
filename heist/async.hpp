#pragma once
// async: begins a computation and returns the future of its result.

#include <heist/base/export.hpp>
#include <heist/future.hpp>
#include <heist/pool.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/unattached.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Void if it cannot be carried, so that the static_assert that says so is the only complaint.
template <class F>
using async_result = typename std::conditional_t<returns_by_value<std::decay_t<F>> && gives_movable<std::decay_t<F>>,
                                                 std::type_identity<result_of<std::decay_t<F>>>, std::type_identity<void>>::type;

template <class F>
consteval bool can_begin() noexcept {
  using function = std::decay_t<F>;
  static_assert(std::is_invocable_v<function>, "heist::async takes a function that can be called without arguments");
  static_assert(can_spawn<F> || !std::is_invocable_v<function>,
                "heist::async keeps a copy of its function, and this one cannot be copied; pass it with std::move");
  static_assert(returns_by_value<function>, "heist::async: the function returns a reference; return a value or a pointer");
  static_assert(gives_movable<function>,
                "heist::async: the result of the function must be movable; return a std::unique_ptr to it");
  return can_spawn<F> && can_run<function>;
}

// A child of async whose end comes before the rest of its parent leaves its result here, in the parent's frame.
template <class T>
struct async_record : unattached {
  explicit async_record(void* closure) noexcept : unattached(closure, asker::future) {}

  void take_value(future_value<T>& v) noexcept {
    try {
      value.emplace(std::move(v));
    } catch (...) {
      failure = carry_exception();
    }
  }

  std::optional<future_value<T>> value;
  std::exception_ptr failure;
};

template <class T>
void* make_async_state() {
  return new outcome<future_value<T>>(2);  // the computation's, and the future's
}

template <class F>
stack* run_async_child(void* self) noexcept {
  using result = async_result<F>;
  tsan_acquire(self);
  auto& record = *static_cast<async_record<result>*>(static_cast<unattached*>(self));
  unattached_child me(record);
  std::optional<future_value<result>> value;
  std::exception_ptr failure;
  {
    std::decay_t<F> f(static_cast<F&&>(*static_cast<std::remove_reference_t<F>*>(record.function)));
    me.leave_parent();
    try {
      value.emplace(strand_of([&] { return call(std::move(f)); }));
    } catch (...) {
      failure = carry_exception();
    }
  }
  if (me.take_parent_back()) [[likely]] {
    if (value) [[likely]]
      record.take_value(*value);
    else
      record.failure = std::move(failure);
    tsan_release(record.parent);
    return to_caller();
  }
  auto& shared = *static_cast<outcome<future_value<result>>*>(me.meet_parent(&make_async_state<result>));
  if (value)
    shared.fill([&] { return std::move(*value); });
  else
    shared.failure = std::move(failure);
  value.reset();
  shared.begun_at(me.point);
  shared.fulfil();
  end_loose();
  return nullptr;
}

template <class T, class F>
future<T> call_as_future(F&& f) {
  try {
    return future_access::of_value<T>(call(std::forward<F>(f)));
  } catch (...) {
    return future_access::of_failure<T>(carry_exception());
  }
}

// Has a state, too, where the clock is until the future is asked.
template <class T>
HEIST_COLD future<T> measured_future(async_record<T>& record) {
  owned<outcome<future_value<T>>> s(new outcome<future_value<T>>);
  if (record.value)
    s->fill([&] { return *std::move(record.value); });
  else
    s->failure = std::move(record.failure);
  s->begun_at(record.point, record.measured);
  s->finish();
  return future_access::of_state<T>(s.release());
}

template <class F>
future<async_result<F>> async_here(std::remove_reference_t<F>& f) {
  using result = async_result<F>;
  async_record<result> record(const_cast<void*>(static_cast<const void*>(&f)));
  if (!start(record, &run_async_child<F>)) [[unlikely]] {
    std::decay_t<F> here(static_cast<F&&>(f));
    return call_as_future<result>([&] { return strand_of([&] { return std::invoke(std::move(here)); }); });
  }
  if (record.robbed) [[unlikely]]
    return future_access::of_state<result>(
        static_cast<outcome<future_value<result>>*>(meet_child(record, &make_async_state<result>)));
  if (record.point != nullptr) [[unlikely]] return measured_future<result>(record);
  if (record.value) [[likely]]
    return call_as_future<result>([&]() -> result {
      if constexpr (!std::is_void_v<result>) return *std::move(record.value);
    });
  return future_access::of_failure<result>(std::move(record.failure));
}

#if defined(HEIST_RACE)
// By address, and out of line: the computation must not touch what its parent has on the stack.
template <class F, class State>
[[gnu::noinline]] void run_future(F* held, State* shared) {
  std::unique_ptr<F> mine(held);
  shared->fill([&] { return call(std::move(*mine)); });
  mine.reset();
  shared->drop();  // so that a future that nobody asks is freed after this
}

// Runs it now, to its end.
template <class F>
HEIST_INLINE future<async_result<F>> async_in_order(F&& f) {
  using result = async_result<F>;
  using state = outcome<future_value<result>>;
  auto* const held = new std::decay_t<F>(std::forward<F>(f));
  state* const shared = new state(2);
  race::place p;
  race::begin_future(p);
  detail::run_future(held, shared);
  shared->finish_at(race::end_future(p));
  return future_access::of_state<result>(shared);
}
#endif

template <class F>
future<async_result<F>> async_in(scheduler& pool, F&& f) {
  using result = async_result<F>;
  if constexpr (std::is_function_v<std::remove_reference_t<F>>) {
    return async_in(pool, &f);
#if defined(HEIST_RACE)
  } else if constexpr (true) {
    return async_in_order(std::forward<F>(f));
#endif
  } else if (!inside(pool)) {
    struct held : loose_job {
      explicit held(F&& from)
          : loose_job([](loose_job& self) noexcept {
              std::unique_ptr<held> mine(static_cast<held*>(&self));
              outcome<future_value<result>>& later = *mine->shared;
              later.begun();
              later.fill([&] { return strand_of([&] { return call(std::move(mine->f)); }); });
              mine.reset();
              later.fulfil();
            }),
            f(std::forward<F>(from)) {}
      std::decay_t<F> f;
      outcome<future_value<result>>* shared = nullptr;
    };
    auto job = std::make_unique<held>(std::forward<F>(f));
    auto* const shared = job->shared = new outcome<future_value<result>>(2);
    if (const void* const point = count_begun(pool)) [[unlikely]] shared->begun_at(point);
    inject(pool, *job.release(), &shared->queue_in(pool));
    return future_access::of_state<result>(shared);
  } else if constexpr (moves_safely<F>) {
    return async_here<F>(f);
  } else {
    auto boxed = movable(std::forward<F>(f));
    return async_here<decltype(boxed)>(boxed);
  }
}

}  // namespace detail

// Begins f and returns the future of what it returns or throws. In a pool f runs now, and the rest of the caller is left to
// thieves: the code after async may continue on another thread while f is still running. A single worker runs f to its end,
// or until it waits, and then the rest. Outside every pool f goes to the default pool, and the caller goes on.
//
// If the future is destroyed, f still runs to its end: the pool's destructor and pool::wait_idle() wait for it. What f adds
// to reducers comes to the strand that asks the future; if nobody asks, it may be lost.
template <class F>
[[nodiscard]] HEIST_OWN future<detail::async_result<F>> async(F&& f) {
  if constexpr (detail::can_begin<F>())
    return detail::async_in(detail::scheduler_around(), std::forward<F>(f));
  else
    return detail::refused<future<detail::async_result<F>>>();
}
// The same in that pool.
template <class F>
[[nodiscard]] HEIST_OWN future<detail::async_result<F>> async(pool& p, F&& f) {
  if constexpr (detail::can_begin<F>())
    return detail::async_in(detail::scheduler_of(p), std::forward<F>(f));
  else
    return detail::refused<future<detail::async_result<F>>>();
}
// Refused: std::async's form.
template <class F, class... Arguments>
  requires(sizeof...(Arguments) > (std::is_same_v<std::remove_cvref_t<F>, pool> ? 1 : 0))
HEIST_OWN future<void> async(F&&, Arguments&&...) {
  static_assert(sizeof...(Arguments) == 0, "heist::async: arguments cannot be passed; let a lambda capture them");
  return detail::refused<future<void>>();
}

}  // namespace heist

HEIST_END
