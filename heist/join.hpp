#pragma once
// join(f, g, …): runs functions, possibly in parallel, and waits for all of them.

#include <heist/base/export.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/strand/worker.hpp>

#include <exception>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

HEIST_BEGIN

namespace heist {
namespace detail {

// What a branch that failed left, moved from where it lies.
HEIST_COLD inline std::exception_ptr take_failure(std::exception_ptr& from) noexcept {
  std::exception_ptr e = std::move(from);
  from.~exception_ptr();
  return e;
}
[[noreturn]] HEIST_COLD inline void rethrow_failure(std::exception_ptr& from) {
  std::rethrow_exception(take_failure(from));
}

// The first branch has thrown, and its exception is being handled. On return this branch will not
// start, or has ended; true if it has left a value. Throws only if the first branch was stopped and
// this one has failed.
HEIST_COLD inline bool leaves_value(job& branch, std::exception_ptr& failure) {
  const ending how = renounce(branch);
  if (how == ending::failed) throw_if_it_says_more(take_failure(failure));
  return how == ending::done;
}

// The second branch of a join, in the forker's frame. Only a thief and the forker that reclaims it
// touch the outcome.
template <class G>
class branch : public job {
 public:
  using value = std::remove_const_t<value_of<G>>;

  explicit branch(std::remove_reference_t<G>& g) noexcept : job(thieves_kind), g_(static_cast<G&&>(g)) {}
  branch(const branch&) = delete;
  ~branch() {}

  // Everywhere but on the hot path, so that the user's function is compiled twice, not four times.
  // Not cold: it may be long.
  [[gnu::noinline]] value run_out_of_line() {
    return strand_of([&] { return call(static_cast<G&&>(g_)); });
  }

  // After take_back() said no. The result of our own call, or of the thief's.
  HEIST_COLD value collect() {
    const ending how = reclaim(*this);
    if (how == ending::ours) return run_out_of_line();
    if (how == ending::failed) rethrow_failure(failure_);
    struct destroy {
      value& v;
      ~destroy() { v.~value(); }
    } after{value_};
    return std::move(value_);
  }

  // See leaves_value().
  void abandon(bool taken_back) {
    if (!taken_back && leaves_value(*this, failure_)) value_.~value();
  }

 private:
  static stack* run(job& self) noexcept {
    auto& b = static_cast<branch&>(self);
    std::uintptr_t outcome = done;
    try {
      ::new (&b.value_) value(b.run_out_of_line());
    } catch (...) {
      ::new (&b.failure_) std::exception_ptr(carry_exception());
      outcome = failed;
    }
    return finish(b, outcome);
  }

  static constexpr kind thieves_kind{&branch::run};

  kept<G> g_;
  union {
    value value_;
    std::exception_ptr failure_;
  };
};

// Whether a fork on its slow path throws heist::cancelled if its strand is unwanted.
enum class forking_way : unsigned char { may_stop, steady };

// The join whose push went past the deque's limit. The steps are the same, with a fence in the pop.
// `f` is a copy where that is cheap, so the hot path need not keep one in memory for us. Out of
// line, but not cold: the user's first branch, which may be long, would be compiled for size.
template <forking_way way, class F, class G>
[[gnu::noinline]] std::tuple<value_of<F>, value_of<G>> join_tripped(worker& w, branch<G>& right, kept<F> f) {
  tripped(w);
  measured_fork fork;
  auto left = [&]() -> value_of<F> {
    try {
      if constexpr (way == forking_way::may_stop && may_throw<F, G>)
        stop_if_unwanted();
      else
        w.look_at_next_fork();
      return strand_of([&] { return call(static_cast<F&&>(f)); });
    } catch (...) {
      fork.first_threw();
      right.abandon(this_worker()->jobs.owner().take_back_fenced());
      throw;
    }
  };
  value_of<F> a = left();
  fork.first_ended();
  if (this_worker()->jobs.owner().take_back_fenced()) return {std::move(a), right.run_out_of_line()};
  return {std::move(a), right.collect()};
}

// A join whose cost does not matter, for which the branches are not compiled again: as if every push
// went past the limit.
template <class F, class G>
std::tuple<value_of<F>, value_of<G>> join_cold(F&& f, G&& g) {
  check_no_lock_held();
  worker& w = *this_worker();
  branch<G> right(g);
  static_cast<void>(w.jobs.owner().push(&right));
  return join_tripped<forking_way::may_stop, F, G>(w, right, static_cast<kept<F>&&>(f));
}

// The fork nobody steals, whole: push, call, take back, call.
// model: deque_round_trip.pml, owner()
template <forking_way way = forking_way::may_stop, class F, class G>
HEIST_INLINE std::tuple<value_of<F>, value_of<G>> join_pair(worker& w, F&& f, G&& g) {
  check_no_lock_held();
  branch<G> right(g);
  if (!w.jobs.owner().push(&right)) [[unlikely]] {
    // Taken apart, so the hot path's results may stay in registers.
    auto both = join_tripped<way, F, G>(w, right, static_cast<kept<F>&&>(f));
    return {std::move(std::get<0>(both)), std::move(std::get<1>(both))};
  }
  auto left = [&]() __attribute__((always_inline)) -> value_of<F> {
    try {
      return strand_of([&]() __attribute__((always_inline)) { return call(static_cast<F&&>(f)); });
    } catch (...) {
      right.abandon(this_worker()->jobs.owner().take_back());
      throw;
    }
  };
  value_of<F> a = left();
  // The strand may be on another worker now. Then the branch was stolen, and that worker's deque is
  // empty.
  if (this_worker()->jobs.owner().take_back()) [[likely]]
    return {std::move(a), strand_of([&]() __attribute__((always_inline)) { return call(static_cast<G&&>(g)); })};
  return {std::move(a), right.collect()};
}

// Three branches or more: the first is forked against the rest. The rest is one reference, however
// many they are.
template <class... F>
class join_of_many {
 public:
  HEIST_INLINE explicit join_of_many(F&&... f) noexcept : branches_(static_cast<F&&>(f)...) {}

  HEIST_INLINE std::tuple<value_of<F>...> run(worker& w) {
    if constexpr (in_place) {
      fill_from<0>(w);
      return std::apply([](auto&... s) { return std::tuple<value_of<F>...>(std::move(s.value)...); }, results_);
    } else {
      return from<0>(w);
    }
  }

 private:
  static constexpr bool in_place = (std::is_trivially_destructible_v<value_of<F>> && ...);
  static constexpr bool steady = !may_throw<F...> && (std::is_nothrow_move_constructible_v<value_of<F>> && ...);

  // Results need no destruction if another branch throws, so each goes to its place at once.
  template <std::size_t i>
  HEIST_INLINE void fill_from(worker& w) {
    if constexpr (i + 2 == sizeof...(F)) {
      auto both = join_pair(w, std::get<i>(std::move(branches_)), std::get<i + 1>(std::move(branches_)));
      fill<i>(std::get<0>(both));
      fill<i + 1>(std::get<1>(both));
    } else {
      auto both = join_pair(w, std::get<i>(std::move(branches_)),
                            [this]() noexcept(steady) { fill_from<i + 1>(*this_worker()); });
      fill<i>(std::get<0>(both));
    }
  }
  template <std::size_t i, class T>
  HEIST_INLINE void fill(T& result) {
    ::new (static_cast<void*>(std::addressof(std::get<i>(results_).value))) std::remove_const_t<T>(std::move(result));
  }

  template <std::size_t i>
  HEIST_INLINE auto from(worker& w) {
    if constexpr (i + 2 == sizeof...(F)) {
      return join_pair(w, std::get<i>(std::move(branches_)), std::get<i + 1>(std::move(branches_)));
    } else {
      auto both = join_pair(w, std::get<i>(std::move(branches_)),
                            [this]() noexcept(steady) { return from<i + 1>(*this_worker()); });
      using value = std::tuple_element_t<0, decltype(both)>;
      return std::tuple_cat(std::tuple<value>(std::move(std::get<0>(both))), std::move(std::get<1>(both)));
    }
  }

  std::tuple<F&&...> branches_;
  std::conditional_t<in_place, std::tuple<slot<value_of<F>>...>, std::monostate> results_;
};

template <class F, class G, class... More>
HEIST_INLINE std::tuple<value_of<F>, value_of<G>, value_of<More>...> join_values(worker& w, F&& f, G&& g,
                                                                                 More&&... more) {
  if constexpr (sizeof...(More) == 0) {
    return join_pair(w, static_cast<F&&>(f), static_cast<G&&>(g));
  } else {
    return join_of_many<F, G, More...>(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...).run(w);
  }
}

// A join that is never stopped between its branches, for code that moves elements and must not leave
// any behind. The caller is in a pool.
template <class F, class G>
HEIST_INLINE auto join_steadily(F&& f, G&& g) {
  return join_pair<forking_way::steady>(*this_worker(), static_cast<F&&>(f), static_cast<G&&>(g));
}

template <class... F>
using join_result = std::conditional_t<(std::is_void_v<result_of<F>> && ...), void, std::tuple<value_of<F>...>>;

// Outside every pool: enters the default pool.
template <class... F>
HEIST_COLD join_result<F...> join_outside(kept<F>... f);

template <class T>
concept stop_argument = std::is_same_v<std::remove_cvref_t<T>, std::stop_token>;

// Joins all elements of the tuple but the last, which is the token. The tuple has two elements more
// than there are indices.
template <std::size_t... i, class... T>
auto join_until(std::index_sequence<i...>, std::tuple<T...> all);

}  // namespace detail

// Runs all functions, possibly in parallel, and returns when all have ended. The result is a
// std::tuple of their results, with std::monostate for a void function; it is void if all are void.
// A single worker runs them in the order written. If several throw, the first in that order wins;
// join throws when all that had started have ended. Inside a pool it may return on another thread.
// Outside it enters the default pool and returns on the calling thread.
template <class F, class G, class... More>
  requires(!(detail::stop_argument<More> || ...))
HEIST_INLINE detail::join_result<F, G, More...> join(F&& f, G&& g, More&&... more) {
  static_assert(std::is_invocable_v<F> && std::is_invocable_v<G> && (std::is_invocable_v<More> && ...),
                "heist::join takes functions that can be called without arguments");
  static_assert(detail::returns_by_value<F> && detail::returns_by_value<G> && (detail::returns_by_value<More> && ...),
                "heist::join: a branch returns a reference; return a value, or a pointer if it must be");
  static_assert(detail::gives_movable<F> && detail::gives_movable<G> && (detail::gives_movable<More> && ...),
                "heist::join: what a branch returns must be movable, to get to the caller; return a std::unique_ptr to it");
  [[maybe_unused]] detail::worker* const w = detail::this_worker();
  if constexpr (!(detail::can_run<F> && detail::can_run<G> && (detail::can_run<More> && ...))) {
    return detail::refused<detail::join_result<F, G, More...>>();
  } else if constexpr (std::is_void_v<detail::join_result<F, G, More...>>) {
    if (w == nullptr) [[unlikely]]
      return detail::join_outside<F, G, More...>(static_cast<detail::kept<F>&&>(f), static_cast<detail::kept<G>&&>(g),
                                                 static_cast<detail::kept<More>&&>(more)...);
    detail::join_values(*w, static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  } else {
    if (w == nullptr) [[unlikely]]
      return std::apply([](auto&&... v) { return detail::join_result<F, G, More...>(std::move(v)...); },
                        detail::join_outside<F, G, More...>(static_cast<detail::kept<F>&&>(f),
                                                            static_cast<detail::kept<G>&&>(g),
                                                            static_cast<detail::kept<More>&&>(more)...));
    return detail::join_values(*w, static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  }
}

// The same, with a std::stop_token last. After a stop request, loops inside, and forks that take the
// slow path, throw heist::cancelled. So does this call, unless all branches end normally or one
// throws something else.
template <class F, class G, class... More>
  requires(detail::stop_argument<More> || ...)
auto join(F&& f, G&& g, More&&... more) {
  return detail::join_until(std::make_index_sequence<sizeof...(More)>(), std::forward_as_tuple(static_cast<F&&>(f),
                            static_cast<G&&>(g), static_cast<More&&>(more)...));
}

template <std::size_t... i, class... T>
auto detail::join_until(std::index_sequence<i...>, std::tuple<T...> all) {
  using result = join_result<std::tuple_element_t<i, std::tuple<T...>>..., std::tuple_element_t<sizeof...(i), std::tuple<T...>>>;
  static_assert(stop_argument<std::tuple_element_t<sizeof...(T) - 1, std::tuple<T...>>>,
                "heist::join: a std::stop_token is passed last, and once");
  auto both = [&]() -> result { return join(std::get<i>(std::move(all))..., std::get<sizeof...(i)>(std::move(all))); };
  const std::stop_token& token = std::get<sizeof...(T) - 1>(all);
  if (this_worker() != nullptr) return until(token, both);
  return call_through(run_outside, [&]() -> result { return until(token, both); });
}

template <class... F>
detail::join_result<F...> detail::join_outside(kept<F>... f) {
  return call_through(run_outside, [&]() -> join_result<F...> {
    if constexpr (sizeof...(F) == 2 && std::is_void_v<join_result<F...>>)
      join_cold<F...>(static_cast<F&&>(f)...);
    else if constexpr (sizeof...(F) == 2)
      return join_cold<F...>(static_cast<F&&>(f)...);
    else
      return join(static_cast<F&&>(f)...);
  });
}

}  // namespace heist

HEIST_END
