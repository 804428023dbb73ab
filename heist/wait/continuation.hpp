#pragma once
// What then() does with its function, and how heist's own code makes futures and looks into them.

#include <heist/base/export.hpp>
#include <heist/wait/future_state.hpp>

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

template <class T>
class HEIST_TYPE future;
template <class T>
class HEIST_TYPE shared_future;

namespace detail {

template <class T>
consteval bool can_come_later() noexcept {
  constexpr bool by_value = !std::is_reference_v<T>;
  static_assert(by_value, "heist::future: the value is a reference; use a value or a pointer");
  if constexpr (by_value) {
    constexpr bool movable = std::is_void_v<T> || std::is_move_constructible_v<future_value<T>>;
    static_assert(movable, "heist::future: the value must be movable; use a std::unique_ptr to it");
    return movable;
  } else {
    return false;
  }
}

// What f returns if it is called with the value, or with nothing for void. Void if it cannot be called so.
template <class T, class F>
struct continued : std::conditional_t<std::is_invocable_v<F, T>, std::invoke_result<F, T>, std::type_identity<void>> {
  static constexpr bool possible = std::is_invocable_v<F, T>;
};
template <class F>
struct continued<void, F> : std::conditional_t<std::is_invocable_v<F>, std::invoke_result<F>, std::type_identity<void>> {
  static constexpr bool possible = std::is_invocable_v<F>;
};

// Whether then(f) can do with f what it promises, for a function that is called with a `Given`.
template <class Given, class F>
consteval bool can_continue() noexcept {
  using function = std::decay_t<F>;
  using next = continued<Given, function>;
  using result = typename next::type;
  constexpr bool kept = std::is_constructible_v<function, F>;
  constexpr bool by_value = !std::is_reference_v<result>;
  constexpr bool movable = !by_value || std::is_void_v<result> || std::is_move_constructible_v<result>;
  static_assert(next::possible,
                "heist::future::then takes a function that can be called with the future's value, or without arguments if "
                "that is void");
  static_assert(kept, "heist::future::then: this function cannot be copied; pass it with std::move");
  static_assert(by_value, "heist::future::then: the function returns a reference; return a value or a pointer");
  static_assert(movable, "heist::future::then: the result of the function must be movable; return a std::unique_ptr to it");
  return next::possible && kept && by_value && movable;
}

// What the function given to then() is called with: the value itself, or one that others see, too.
template <class T>
using shared_value = std::conditional_t<std::is_void_v<T>, void, std::add_lvalue_reference_t<const T>>;

template <class Given, class F, class T>
decltype(auto) call_with(F&& f, T& value) {
  if constexpr (std::is_void_v<Given>)
    return std::invoke(std::forward<F>(f));
  else
    return std::invoke(std::forward<F>(f), static_cast<Given&&>(value));
}

template <class T, class Given, class F, class U>
class then_state;

// How heist's own code makes futures, and looks into them.
struct future_access {
  template <class T>
  static future<T> of_state(outcome<future_value<T>>* share) noexcept {
    return future<T>(owned<outcome<future_value<T>>>(share));
  }
  template <class T>
  static future<T> of_value(future_value<T>&& v) {
    return future<T>(std::move(v));
  }
  template <class T>
  static future<T> of_failure(std::exception_ptr e) {
    owned<outcome<future_value<T>>> s(new outcome<future_value<T>>);
    s->failure = std::move(e);
    s->finish();
    return of_state<T>(s.release());
  }
  // The future of what f, as a `Function`, returns for the value of `source`, which stays as it is if f cannot be kept.
  template <class T, class Given, class Function, class U, class F>
  static future<U> follow(owned<outcome<future_value<T>>>&& source, F&& f) {
    owned<then_state<T, Given, Function, U>> next(new then_state<T, Given, Function, U>(std::forward<F>(f)));
    next->follow(std::move(source));  // one share listens, the other one is returned
    return of_state<U>(next.release());
  }
  // The state of a valid future, made if it has none; the future is used up.
  template <class T>
  static owned<outcome<future_value<T>>> take_state(future<T>& f) {
    return f.take_state();
  }
  // The state of a valid future; null if it has the value itself.
  template <class T>
  static future_state* state(const future<T>& f) {
    f.must_be_valid();
    return f.state_.get();
  }
  template <class T>
  static future_state* state(const shared_future<T>& f) {
    return &f.here();
  }
};

// The state of what then() gives, which also listens to the state that it comes after.
template <class T, class Given, class F, class U>
class then_state : public outcome<future_value<U>>, public listener {
 public:
  template <class G>
  explicit then_state(G&& f)
      : outcome<future_value<U>>([](future_state& s) noexcept { delete static_cast<then_state*>(&s); }, 2),
        listener(&then_state::source_ready),
        f_(std::forward<G>(f)) {}

  void follow(owned<outcome<future_value<T>>> source) noexcept {
    source_ = std::move(source);
    this->made_of([](future_state& self, std::vector<owned<future_state>>& to) {
      if (auto& from = static_cast<then_state&>(self).source_) to.push_back(share_of(*from));
    });
#if defined(HEIST_RACE)
    this->note_asked();
#endif
    if (source_->listen(*this)) return;
    agenda all;
    source_ready(*this, all);
    all.work();
  }

 private:
  static void source_ready(listener& self, agenda& later) noexcept {
    const owned<then_state> me(static_cast<then_state*>(&self));
    if (me->source_->failure) {
      const owned<outcome<future_value<T>>> source = me->take_sources(me->source_);
      me->failure = source->failure;
      me->append_left(*source);
    } else {
      // The function takes all from the state: nothing of the caller's frame may be touched beside the caller.
      me->call_apart(
          *me->source_,
          [](void* p) noexcept {
            auto& mine = *static_cast<then_state*>(p);
            const owned<outcome<future_value<T>>> source = mine.take_sources(mine.source_);
            mine.fill([&]() -> U {
              F f(std::move(mine.f_));  // gone before the state is ready
              return call_with<Given>(std::move(f), source->value());
            });
          },
          me.get());
    }
    me->finish(later);
  }

  owned<outcome<future_value<T>>> source_;
  F f_;
};

}  // namespace detail

}  // namespace heist

HEIST_END
