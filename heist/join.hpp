#pragma once
// join(f, g, …): runs functions, possibly in parallel, and waits for all of them.

#include <heist/base/export.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/travel.hpp>
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

// Whether a fork on its slow path throws heist::cancelled if its strand is unwanted.
enum class forking_way : unsigned char { may_stop, steady };

// A function without a type, and what it is called with.
struct address {
  void (*function)(void*);
  void* argument;

  void call() const { function(argument); }
};

// A join's second branch as the slow paths see it: by address.
struct second_branch {
  job& fork;
  std::exception_ptr& failure;  // constructed by a thief whose call threw; otherwise not alive
  address leave_value;
  address destroy_value;  // the function is null if there is nothing to do
  job* item;              // what is pushed: the fork, with a mark if it can travel
};

// Calls a branch as a strand of its own. No lambda in unchecked builds: a join has enough of them.
template <class F>
HEIST_INLINE value_of<F> call_branch(F&& f) {
#if defined(HEIST_CHECKED)
  return branch_of([&] { return call(static_cast<F&&>(f)); });
#else
  return call(static_cast<F&&>(f));
#endif
}

// A join whose push went past the deque's limit. The steps are the same, out of line. On
// return both branches have left their values; if it throws, nothing is left of the second one.
HEIST_API void join_tripped(worker& w, forking_way way, address first, const second_branch& second);
// In a pool: joins n branches, the first against the rest.
HEIST_API HEIST_COLD void join_rest(forking_way way, void (*const* calls)(void*), std::size_t n, void* argument);
// Outside every pool: the same in the default pool, the push included.
HEIST_API HEIST_COLD void join_outside(forking_way way, address first, const second_branch& second);
// After take_back() has failed. On return the value is there, from our own call or from the
// thief's.
HEIST_API HEIST_COLD void collect(job& fork, std::exception_ptr& failure, address leave_value);
// The first branch has thrown, and its exception is being handled. On return the second one will not
// start, or has ended, and nothing is left of it. Throws only if the first branch was stopped and the
// second one has failed.
HEIST_API HEIST_COLD void abandon(job& fork, std::exception_ptr& failure, address destroy_value);

// The second branch of a join, in the forker's frame. Only a thief and the forker that reclaims it
// touch the outcome.
template <class G>
class branch : public job {
 public:
  using value = std::remove_const_t<value_of<G>>;

  explicit branch(std::remove_reference_t<G>& g) noexcept : job(thieves_kind), g_(static_cast<G&&>(g)) {}
  branch(const branch&) = delete;
  ~branch() {}

  second_branch by_address() noexcept { return {*this, failure_, {&branch::leave_value, this}, destroyer(), item()}; }

  // What is pushed.
  HEIST_INLINE job* item() noexcept {
    if constexpr (can_travel<G>)
      return deque<job>::tagged(this);
    else
      return this;
  }

  // When it has left a value, once.
  value take_value() {
    if constexpr (std::is_trivially_destructible_v<value>) {
      return std::move(value_);
    } else {
      struct destroy {
        value& v;
        ~destroy() { v.~value(); }
      } after{value_};
      return std::move(value_);
    }
  }

  HEIST_COLD value collect() {
    detail::collect(*this, failure_, {&branch::leave_value, this});
    return take_value();
  }

  // No struct of addresses here: it would be in the frame of every join.
  HEIST_INLINE void abandon() { detail::abandon(*this, failure_, destroyer()); }

 private:
  // Called everywhere except on the hot path, so the user's function is compiled only twice. Not
  // cold: it may run for long.
  [[gnu::noinline]] static void leave_value(void* self) {
    auto& b = *static_cast<branch*>(self);
    ::new (&b.value_) value(call_branch(static_cast<G&&>(b.g_)));
  }
  static void destroy_value(void* self) { static_cast<branch*>(self)->value_.~value(); }
  HEIST_INLINE address destroyer() noexcept {
    if constexpr (std::is_trivially_destructible_v<value>)
      return {nullptr, nullptr};
    else
      return {&branch::destroy_value, this};
  }

  static stack* run(job& self) noexcept {
    auto& b = static_cast<branch&>(self);
#if defined(HEIST_CHECKED)
    b.forker_.apply();
#endif
    std::uintptr_t outcome = done;
    try {
      if constexpr (can_travel<G>) {
        if (lends_this())
          ::new (&b.value_) value(call_branch([&] { return travel(b.g_); }));
        else
          leave_value(&b);
      } else {
        leave_value(&b);
      }
    } catch (...) {
      ::new (&b.failure_) std::exception_ptr(carry_exception());
      outcome = failed;
    }
    return finish(b, outcome);
  }

  static constexpr kind thieves_kind{&branch::run};

  kept<G> g_;
#if defined(HEIST_CHECKED)
  const forker_mark forker_;
#endif
  union {
    value value_;
    std::exception_ptr failure_;
  };
};

// Returns both values, by the slow path; without a worker it enters the default pool. `f` is a copy
// where that is cheap, so the hot path need not keep one in memory for us.
template <forking_way way, class F, class G>
[[gnu::noinline]] std::tuple<value_of<F>, value_of<G>> join_slowly(worker* w, branch<G>& right, kept<F> f) {
  constexpr forking_way wanted = may_throw<F, G> ? way : forking_way::steady;
  errand<F> left(f);
  if (w != nullptr)
    join_tripped(*w, wanted, {&errand<F>::run, &left}, right.by_address());
  else
    join_outside(wanted, {&errand<F>::run, &left}, right.by_address());
  value_of<G> b = right.take_value();  // first: nothing else destroys it if a move throws
  return {left.take(), std::move(b)};
}

// The fork nobody steals, whole: push, call, take back, call.
// model: deque_round_trip.pml, owner()
template <forking_way way = forking_way::may_stop, class F, class G>
HEIST_INLINE std::tuple<value_of<F>, value_of<G>> join_pair(worker& w, F&& f, G&& g) {
  check_no_lock_held();
  branch<G> right(g);
  if (!w.jobs.owner().push(right.item())) [[unlikely]] {
    // Taken apart, so the hot path's results may stay in registers.
    auto both = join_slowly<way, F, G>(&w, right, static_cast<kept<F>&&>(f));
    return {std::move(std::get<0>(both)), std::move(std::get<1>(both))};
  }
  auto left = [&]() __attribute__((always_inline)) -> value_of<F> {
    try {
      return call_branch(static_cast<F&&>(f));
    } catch (...) {
      if (!this_worker()->jobs.owner().take_back()) right.abandon();
      throw;
    }
  };
  value_of<F> a = left();
  // The strand may be on another worker now. Then the branch was stolen, and that worker's deque is
  // empty.
  if (this_worker()->jobs.owner().take_back()) [[likely]]
    return {std::move(a), call_branch(static_cast<G&&>(g))};
  return {std::move(a), right.collect()};
}

// Three branches or more, whose results need no destruction if another branch throws. While one
// runs, the rest is a job, and the same job for all of them: nobody knows of it when it comes back.
template <class... F>
class join_in_turn {
 public:
  HEIST_INLINE explicit join_in_turn(F&&... f) noexcept : branches_(static_cast<F&&>(f)...) {}

  HEIST_INLINE std::tuple<value_of<F>...> run(worker& w) {
    run_all(w, std::make_index_sequence<last>());
    return std::apply([](auto&... s) { return std::tuple<value_of<F>...>(std::move(s.value)...); }, results_);
  }

 private:
  static constexpr std::size_t last = sizeof...(F) - 1;
  static constexpr bool steady = !may_throw<F...> && (std::is_nothrow_move_constructible_v<value_of<F>> && ...);

  // The branches from `first` on.
  struct rest {
    join_in_turn& all;
    std::size_t first;
    void operator()() const noexcept(steady) { all.run_from(first, std::index_sequence_for<F...>()); }
  };
  enum class left : unsigned char { nothing, untold, stolen };  // of the rest, when a step has ended

  template <std::size_t... i>
  HEIST_INLINE void run_all(worker& w, std::index_sequence<i...>) {
    rest later{*this, 0};
    branch<rest&> right(later);
    worker* here = &w;
    left what = left::nothing;
    try {
      static_cast<void>((((what = step<i>(here, later, right)) == left::nothing) && ...));
    } catch (...) {
      if (!this_worker()->jobs.owner().take_back()) right.abandon();
      throw;
    }
    if (what == left::nothing) [[likely]]
      fill<last>();
    else if (what == left::stolen)
      right.collect();
    else
      run_tripped(*here, later, right, std::make_index_sequence<last>());
  }

  // Forks branch i and the rest behind it.
  template <std::size_t i>
  HEIST_INLINE left step(worker*& here, rest& later, branch<rest&>& right) {
    check_no_lock_held();
    later.first = i + 1;
    if (!here->jobs.owner().push(right.item())) [[unlikely]] return left::untold;
    fill<i>();
    here = this_worker();
    return here->jobs.owner().take_back() ? left::nothing : left::stolen;
  }

  template <std::size_t i>
  HEIST_INLINE void fill() {
    using value = value_of<std::tuple_element_t<i, std::tuple<F...>>>;
    ::new (static_cast<void*>(std::addressof(std::get<i>(results_).value)))
        std::remove_const_t<value>(call_branch(std::get<i>(std::move(branches_))));
  }

  // Off the hot path, where branches are called by address.
  static constexpr forking_way way = steady ? forking_way::steady : forking_way::may_stop;
  template <std::size_t... i>
  [[gnu::noinline]] void run_tripped(worker& w, const rest& later, branch<rest&>& right, std::index_sequence<i...>) {
    void (*const calls[])(void*) = {&call_one<i>...};
    join_tripped(w, way, {calls[later.first - 1], this}, right.by_address());
  }
  template <std::size_t i>
  [[gnu::noinline]] static void call_one(void* self) {
    static_cast<join_in_turn*>(self)->template fill<i>();
  }
  template <std::size_t... i>
  [[gnu::noinline]] void run_from(std::size_t first, std::index_sequence<i...>) {
    void (*const calls[])(void*) = {&call_one<i>...};
    join_rest(way, calls + first, sizeof...(F) - first, this);
  }

  std::tuple<F&&...> branches_;
  std::tuple<slot<value_of<F>>...> results_;
};

// The same for results that must be destroyed, and for branches that can travel: a fork within a
// fork. The rest is one reference, however many they are.
template <class... F>
class join_of_many {
 public:
  HEIST_INLINE explicit join_of_many(F&&... f) noexcept : branches_(static_cast<F&&>(f)...) {}

  HEIST_INLINE std::tuple<value_of<F>...> run(worker& w) { return from<0>(w); }

 private:
  static constexpr bool steady = !may_throw<F...> && (std::is_nothrow_move_constructible_v<value_of<F>> && ...);

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
};

template <class... F>
using join_result = std::conditional_t<(std::is_void_v<result_of<F>> && ...), void, std::tuple<value_of<F>...>>;

// Out of line: if it is inlined, g++ prepares the references to all branches before the test that
// tells the caller's leaves from its forks, and every leaf pays for them.
template <class... F>
[[gnu::noinline]] join_result<F...> join_many(worker& w, F&&... f) {
  constexpr bool in_turn = (std::is_trivially_destructible_v<value_of<F>> && ...) && !(can_travel<F> || ...);
  std::conditional_t<in_turn, join_in_turn<F...>, join_of_many<F...>> all(static_cast<F&&>(f)...);
  if constexpr (std::is_void_v<join_result<F...>>)
    all.run(w);
  else
    return all.run(w);
}

// A join that is never stopped between its branches, for code that moves elements and must not leave
// any behind. The caller is in a pool.
template <class F, class G>
HEIST_INLINE auto join_steadily(F&& f, G&& g) {
  return join_pair<forking_way::steady>(*this_worker(), static_cast<F&&>(f), static_cast<G&&>(g));
}

// Outside every pool: enters the default pool.
template <class F, class G>
HEIST_COLD std::tuple<value_of<F>, value_of<G>> enter_with_pair(kept<F> f, kept<G> g) {
  branch<G> right(g);
  return join_slowly<forking_way::may_stop, F, G>(nullptr, right, static_cast<kept<F>&&>(f));
}
template <class... F>
HEIST_COLD join_result<F...> enter_with(kept<F>... f);

#if defined(HEIST_RACE)
// One after the other.
template <class F, class G>
HEIST_INLINE std::tuple<value_of<F>, value_of<G>> join_in_order(F&& f, G&& g) {
  if constexpr (may_throw<F, G>) race::stop_if_asked();
  auto left = [&]() -> value_of<F> { return call(static_cast<F&&>(f)); };
  auto right = [&]() -> value_of<G> { return call(static_cast<G&&>(g)); };
  race::place p;
  race::begin_fork(p);
  if (race::reversed()) {
    value_of<G> b = race::first_branch(p, right);
    race::end_first(p);
    value_of<F> a = race::last_branch(p, left);
    return {std::move(a), std::move(b)};
  }
  value_of<F> a = race::first_branch(p, left);
  race::end_first(p);
  value_of<G> b = race::last_branch(p, right);
  return {std::move(a), std::move(b)};
}
template <class F, class G, class H, class... More>
HEIST_INLINE auto join_in_order(F&& f, G&& g, H&& h, More&&... more) {
  auto rest = [&] { return join_in_order(static_cast<G&&>(g), static_cast<H&&>(h), static_cast<More&&>(more)...); };
  auto both = join_in_order(static_cast<F&&>(f), rest);
  return std::tuple_cat(std::tuple<value_of<F>>(std::move(std::get<0>(both))), std::move(std::get<1>(both)));
}
#endif

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
                "heist::join: a branch returns a reference; return a value or a pointer");
  static_assert(detail::gives_movable<F> && detail::gives_movable<G> && (detail::gives_movable<More> && ...),
                "heist::join: the result of a branch must be movable; return a std::unique_ptr to it");
  [[maybe_unused]] detail::worker* const w = detail::this_worker();
  if constexpr (!(detail::can_run<F> && detail::can_run<G> && (detail::can_run<More> && ...))) {
    return detail::refused<detail::join_result<F, G, More...>>();
#if defined(HEIST_RACE)
  } else if constexpr (std::is_void_v<detail::join_result<F, G, More...>>) {
    detail::join_in_order(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
  } else if constexpr (true) {
    return detail::join_in_order(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
#endif
  } else if constexpr (sizeof...(More) == 0) {
    if (w == nullptr) [[unlikely]] {
      auto both = detail::enter_with_pair<F, G>(static_cast<detail::kept<F>&&>(f), static_cast<detail::kept<G>&&>(g));
      if constexpr (std::is_void_v<detail::join_result<F, G>>)
        return;
      else
        return {std::move(std::get<0>(both)), std::move(std::get<1>(both))};
    }
    if constexpr (std::is_void_v<detail::join_result<F, G>>)
      detail::join_pair(*w, static_cast<F&&>(f), static_cast<G&&>(g));
    else
      return detail::join_pair(*w, static_cast<F&&>(f), static_cast<G&&>(g));
  } else {
    if (w == nullptr) [[unlikely]]
      return detail::enter_with<F, G, More...>(static_cast<detail::kept<F>&&>(f), static_cast<detail::kept<G>&&>(g),
                                               static_cast<detail::kept<More>&&>(more)...);
    return detail::join_many<F, G, More...>(*w, static_cast<F&&>(f), static_cast<G&&>(g), static_cast<More&&>(more)...);
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

// Refused: nothing to run beside it.
template <class F = int>
void join(F&& = 0) {
  static_assert(std::is_void_v<F>, "heist::join takes two functions or more; call a single one directly");
}

template <std::size_t... i, class... T>
auto detail::join_until(std::index_sequence<i...>, std::tuple<T...> all) {
  using result = join_result<std::tuple_element_t<i, std::tuple<T...>>..., std::tuple_element_t<sizeof...(i), std::tuple<T...>>>;
  static_assert(stop_argument<std::tuple_element_t<sizeof...(T) - 1, std::tuple<T...>>>,
                "heist::join: pass a std::stop_token last, and only once");
  auto both = [&]() -> result { return join(std::get<i>(std::move(all))..., std::get<sizeof...(i)>(std::move(all))); };
  const std::stop_token& token = std::get<sizeof...(T) - 1>(all);
#if defined(HEIST_RACE)
  return until(token, both);
#endif
  if (this_worker() != nullptr) return until(token, both);
  return call_through(run_outside, [&]() -> result { return until(token, both); });
}

template <class... F>
detail::join_result<F...> detail::enter_with(kept<F>... f) {
  return call_through(run_outside, [&]() -> join_result<F...> { return join(static_cast<F&&>(f)...); });
}

}  // namespace heist

HEIST_END
