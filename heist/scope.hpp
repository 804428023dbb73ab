#pragma once
// scope: spawns any number of children; sync() returns when all have ended. with_scope: the same,
// as one call.

#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/base/sole.hpp>
#include <heist/cancelled.hpp>
#include <heist/limit.hpp>
#include <heist/measure/hooks.hpp>
#include <heist/race/strands.hpp>
#include <heist/sched/checked.hpp>
#include <heist/sched/closure.hpp>
#include <heist/sched/scope_books.hpp>
#include <heist/sched/this_child.hpp>
#include <heist/sched/travel.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Only the strand that makes a scope may wait for it. Its children may spawn into it, too, and so
// may their children and the branches of joins inside: sync() waits for all, however deep. What a
// child captures by reference must outlive sync().
//
// Each child that runs has a stack of its own, while its parent's stack waits. A stack takes at
// least a page, and its share of page tables (heist/stack/README.md). So n nested scopes need n
// stacks, where n nested calls would need n frames.
class HEIST_TYPE scope {
 public:
  HEIST_OWN scope() = default;
  // After a stop request, children that have not begun do not run. Running ones throw
  // heist::cancelled where they check: docs/reference/quick_reference.md, "Stopping". sync() then
  // throws heist::cancelled, unless a child has thrown something else.
  HEIST_OWN explicit scope(std::stop_token token) : books_(std::move(token)) {}
  // At most so many children run at once; one that waits counts as running. Others wait until one ends. heist claims neither
  // the serial order of reducers nor that of failures for them.
  HEIST_OWN explicit scope(limit most) { books_.limit_to(most.most); }
  HEIST_OWN scope(std::stop_token token, limit most) : scope(std::move(token)) { books_.limit_to(most.most); }
  HEIST_OWN scope(limit most, std::stop_token token) : scope(std::move(token), most) {}
  // Refused: a pool, a number.
  template <class T>
    requires(!std::is_convertible_v<T, std::stop_token> && !std::is_convertible_v<T, limit> &&
             !std::is_same_v<std::remove_cvref_t<T>, scope>)
  HEIST_OWN explicit scope(T&&) {
    static_assert(std::is_void_v<T>, "heist::scope takes a std::stop_token, a heist::limit, or both; spawn from inside a "
                                     "pool to have its children there");
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  // Syncs. Throws a child's exception, unless another exception is already leaving the scope.
  HEIST_OWN ~scope() noexcept(false) {
    const std::exception_ptr e = ended();
    if (e && std::uncaught_exceptions() == uncaught_) std::rethrow_exception(e);
  }

  // Runs f now and leaves the rest of the caller to thieves: the code after spawn may continue on
  // another thread while f is still running. A single worker runs f to its end and then the rest,
  // as if f had been called. Never throws f's exception: sync() does. After a child has failed,
  // later children need not run. A thread outside the scope's pool hands f to that pool.
  template <class F>
  HEIST_OWN void spawn(F&& f) {
    check<F>();
    if constexpr (!detail::can_spawn<F>)
      return;
    else if constexpr (std::is_function_v<std::remove_reference_t<F>>)
      spawn(&f);
#if defined(HEIST_RACE)
    else
      books_.spawn(std::forward<F>(f));
#else
    else if constexpr (detail::can_travel<F>)
      queue(std::forward<F>(f));  // the child is what can travel, not its parent's continuation
    else
      spawn_here(std::forward<F>(f));
#endif
  }

  // Leaves f to thieves and returns; sync() runs the children that they did not take. If too many
  // children are waiting, it runs f at once: so no child may wait for one that is spawned later.
  // Meant for loops whose children are worth more than the rest of the loop. The space bound is not
  // claimed for it.
  template <class F>
  HEIST_OWN void spawn_later(F&& f) {
    check<F>();
#if defined(HEIST_RACE)
    spawn(std::forward<F>(f));
#else
    if constexpr (detail::can_spawn<F>) queue(std::forward<F>(f));
#endif
  }

  // Refused: arguments of f.
  template <class F, class T, class... More>
  HEIST_OWN void spawn(F&&, T&&, More&&...) {
    static_assert(std::is_void_v<F>, "heist::scope: arguments of a child cannot be passed; let a lambda capture them");
  }
  template <class F, class T, class... More>
  HEIST_OWN void spawn_later(F&&, T&&, More&&...) {
    static_assert(std::is_void_v<F>, "heist::scope: arguments of a child cannot be passed; let a lambda capture them");
  }

  // Returns when all children have ended, perhaps on another thread. If children of this strand
  // threw, throws the exception of the first of them in spawn order; else, if children spawned by
  // other strands threw, one of their exceptions. The scope can then be used again.
  HEIST_OWN void sync() {
    if (const std::exception_ptr e = ended()) std::rethrow_exception(e);
  }

 private:
  template <class F>
  HEIST_OWN static constexpr void check() noexcept {
    static_assert(std::is_invocable_v<std::decay_t<F>>, "heist::scope: a child must be callable without arguments");
    static_assert(detail::can_spawn<F> || !std::is_invocable_v<std::decay_t<F>>,
                  "heist::scope: a child keeps a copy of its function, and this one cannot be copied; pass it with std::move");
  }

#if defined(HEIST_RACE)
  HEIST_OWN std::exception_ptr ended() noexcept {
    books_.sync();
    return books_.take_failure();
  }

  detail::race::children books_;
#else
  HEIST_OWN std::exception_ptr ended() noexcept {
    books_.wait();
    return books_.take_failure();
  }

  template <class F>
  HEIST_OWN void spawn_here(F&& f) {
    using function = std::decay_t<F>;
    if constexpr (std::is_nothrow_constructible_v<function, F&&>) {
      spawn_from<F>(f);
    } else {
      // If copying f throws, spawn throws that, before there is a child.
      auto moved = std::make_unique<function>(std::forward<F>(f));
      auto owner = [held = std::move(moved)] { std::invoke(std::move(*held)); };
      spawn_from<decltype(owner)>(owner);
    }
  }

  using starter = detail::spawning (detail::scope_books::*)(detail::spawned&, detail::on_arrival);

  template <class F, starter start = &detail::scope_books::start>
  HEIST_OWN void spawn_from(std::remove_reference_t<F>& f) {
    using function = std::decay_t<F>;
    detail::spawned child(books_, const_cast<void*>(static_cast<const void*>(&f)));
    struct taken {
      explicit taken(detail::spawned& record)
          : mine(static_cast<F&&>(*static_cast<std::remove_reference_t<F>*>(record.function))) {}
      void run() noexcept { scope::run(mine, detail::this_child()); }
      function mine;
    };
    const detail::spawning became = (books_.*start)(child, &detail::run_spawned<taken>);
    if (became != detail::spawning::started) [[unlikely]] go_on_with<F>(f, became, child.number);
  }

  // There is no child yet.
  template <class F>
  HEIST_OWN HEIST_COLD void go_on_with(std::remove_reference_t<F>& f, detail::spawning became, std::int64_t number) {
    using function = std::decay_t<F>;
    if (became == detail::spawning::skipped) return;
    if (became == detail::spawning::elsewhere) return queue<F>(static_cast<F&&>(f));
    if (became == detail::spawning::limited) return limited<F>(f);
    detail::begin_measured_child(0);
    function here(static_cast<F&&>(f));
    run(here, detail::child_apart{books_, number});
    detail::end_measured_child(books_);
  }

  // The scope has a limit: the child waits for a lane, or a lane begins with it.
  template <class F>
  HEIST_OWN HEIST_COLD void limited(std::remove_reference_t<F>& f) {
    struct held_child : detail::limited_child {
      explicit held_child(F&& from) : f(static_cast<F&&>(from)) {}
      void run() override { std::invoke(std::move(f)); }
      std::decay_t<F> f;
    };
    auto first = books_.limited()->enter(detail::sole<detail::limited_child>(new held_child(static_cast<F&&>(f))));
    if (first == nullptr) return;
    detail::lane runs(*books_.limited(), std::move(first));
    if (books_.outside())
      queue<detail::lane>(std::move(runs));
    else
      spawn_from<detail::lane, &detail::scope_books::start_lane>(runs);
  }

  template <class F>
  HEIST_OWN void queue(F&& f) {
    using function = std::decay_t<F>;
    if constexpr (!std::is_same_v<function, detail::lane>)
      if (books_.limited() != nullptr) return limited<F>(f);
    struct held_child : detail::queued_child {
      held_child(detail::scope_books& of, F&& from)
          : queued_child(of,
                         [](queued_child& self, detail::turn_of_child turn) noexcept {
                           const std::unique_ptr<held_child> mine(static_cast<held_child*>(&self));
                           if (turn == detail::turn_of_child::run) run(mine->f, detail::child_apart{*mine->owner, mine->number});
                         }),
            f(std::forward<F>(from)) {}
      function f;
    };
    constexpr auto travels = detail::can_travel<function> ? detail::journeys::possible : detail::journeys::none;
    books_.queue(*new held_child(books_, std::forward<F>(f)), travels);
  }

  template <class F, class Child>
  HEIST_OWN static void run(F& f, const Child& self) noexcept {
    try {
      detail::child_of(
          [&] {
            if constexpr (detail::can_travel<F>)
              if (detail::lends_this()) return static_cast<void>(detail::travel(f));
            static_cast<void>(std::invoke(std::move(f)));
          },
          self);
    } catch (...) {
      self.fail();
    }
  }

  detail::scope_books books_;
#endif
  const int uncaught_ = std::uncaught_exceptions();
};

namespace detail {

// Void if F cannot be called, so that the static_assert below is reached.
template <class F>
using scoped_result = typename std::conditional_t<std::is_invocable_v<F, scope&>, std::invoke_result<F, scope&>,
                                                  std::type_identity<void>>::type;

template <class F>
consteval bool can_have_scope() noexcept {
  using result = scoped_result<F>;
  constexpr bool called = std::is_invocable_v<F, scope&>;
  constexpr bool by_value = !std::is_reference_v<result>;
  constexpr bool movable = std::is_void_v<result> || !by_value || std::is_move_constructible_v<result>;
  static_assert(called, "heist::with_scope takes a function that can be called with a heist::scope&");
  static_assert(by_value,
                "heist::with_scope: the function returns a reference; return a value or a pointer");
  static_assert(movable,
                "heist::with_scope: the result of the function must be movable; return a std::unique_ptr to it");
  return called && by_value && movable;
}

template <class F>
scoped_result<F> fill_and_sync(scope& s, F&& f) {
  if constexpr (can_have_scope<F>()) {
    auto body = [&]() -> scoped_result<F> { return std::invoke(static_cast<F&&>(f), s); };
    std::optional<value_of<decltype(body)>> value;
    std::exception_ptr stopped;
    try {
      value.emplace(detail::call(body));
    } catch (const cancelled&) {
      stopped = std::current_exception();  // yields to a child's failure
    }
    s.sync();
    if (stopped) std::rethrow_exception(std::move(stopped));
    if constexpr (std::is_void_v<scoped_result<F>>)
      return;
    else
      return *std::move(value);
  } else {
    return refused<scoped_result<F>>();
  }
}

}  // namespace detail

// Makes a scope, calls f with it, syncs, and returns what f returned. Throws a child's exception as
// sync() does. If f throws, with_scope waits for the children, throws f's exception and drops
// theirs; but a heist::cancelled from f yields to a child's failure. With a token it is like
// scope(token): a stop ends the children, and what f itself does goes on.
template <class F>
detail::scoped_result<F> with_scope(F&& f) {
  scope s;
  return detail::fill_and_sync(s, std::forward<F>(f));
}
template <class F>
detail::scoped_result<F> with_scope(F&& f, std::stop_token token) {
  scope s(std::move(token));
  return detail::fill_and_sync(s, std::forward<F>(f));
}
template <class F>
detail::scoped_result<F> with_scope(F&& f, limit most) {
  scope s(most);
  return detail::fill_and_sync(s, std::forward<F>(f));
}
template <class F>
detail::scoped_result<F> with_scope(F&& f, std::stop_token token, limit most) {
  scope s(std::move(token), most);
  return detail::fill_and_sync(s, std::forward<F>(f));
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(with_scope, "heist::with_scope takes a function of a heist::scope&, then perhaps a std::stop_token and "
                               "a heist::limit")

}  // namespace heist

HEIST_END
