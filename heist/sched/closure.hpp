#pragma once
// What the templates know of a user's function: how to keep it, how to call it, and how to carry
// its result.

#include <heist/base/export.hpp>

#include <new>
#include <type_traits>
#include <utility>
#include <variant>

HEIST_BEGIN

namespace heist::detail {

// Void if F cannot be called, so that the static_assert that says so is reached.
template <class F>
using result_of = typename std::conditional_t<std::is_invocable_v<F>, std::invoke_result<F>, std::type_identity<void>>::type;

// std::monostate for a void function.
template <class F>
using value_of = std::conditional_t<std::is_void_v<result_of<F>>, std::monostate, result_of<F>>;

template <class F>
constexpr bool returns_by_value = !std::is_reference_v<result_of<F>>;

// True for references, too: another static_assert refuses those.
template <class F>
constexpr bool gives_movable = !returns_by_value<F> || std::is_move_constructible_v<value_of<F>>;

// Whether a join or a pool can run it. If not, a static_assert says why, and nothing more is
// compiled, so that no other errors follow.
template <class F>
constexpr bool can_run = std::is_invocable_v<F> && returns_by_value<F> && gives_movable<F>;

// Whether it can be a scope's child, which keeps a copy of it.
template <class F>
constexpr bool can_spawn = std::is_invocable_v<std::decay_t<F>> && std::is_constructible_v<std::decay_t<F>, F>;

// After a failed static_assert: a result of any type, so that no second error follows. Never
// called.
template <class T>
[[noreturn]] T refused() noexcept;

template <class F>
constexpr value_of<F> call(F&& f) {
  if constexpr (std::is_void_v<result_of<F>>) {
    std::forward<F>(f)();
    return {};
  } else {
    return std::forward<F>(f)();
  }
}

// How a frame keeps a branch's function while a thief may take it. A small one is copied into the
// frame, which saves a pointer to it and lets the compiler put the captures where the thief looks.
// Others stay where the caller has them.
template <class F>
constexpr bool kept_by_value = std::is_trivially_copyable_v<F> && sizeof(F) <= 64;
template <class F>
constexpr bool kept_by_value<F&> = false;
template <class F>
using kept = std::conditional_t<kept_by_value<F>, F, F&&>;

// Storage for a result that does not exist yet. It is not destroyed here.
template <class T>
union slot {
  slot() noexcept {}
  ~slot() {}
  std::remove_const_t<T> value;
};

// A function that is called where its type is not known, and its result. Lives in a frame that
// outlives the call.
template <class F>
class errand {
 public:
  explicit errand(std::remove_reference_t<F>& f) noexcept : f_(f) {}
  errand(const errand&) = delete;
  ~errand() {
    if (done_) result_.value.~value();
  }

  // Call once, with an errand.
  static void run(void* self) {
    auto& e = *static_cast<errand*>(self);
    ::new (static_cast<void*>(&e.result_)) value(call(static_cast<F&&>(e.f_)));
    e.done_ = true;
  }
  // Call after run().
  std::remove_const_t<value_of<F>>&& take() noexcept { return std::move(result_.value); }

 private:
  using value = std::remove_const_t<value_of<F>>;

  std::remove_reference_t<F>& f_;
  slot<value> result_;
  bool done_ = false;
};

// Returns or throws what f does, when called through run(body, argument), which calls
// body(argument) and passes on its exceptions.
template <class Run, class F>
result_of<F> call_through(Run&& run, F&& f) {
  errand<F> e(f);
  run(&errand<F>::run, &e);
  if constexpr (std::is_void_v<result_of<F>>)
    return;
  else
    return e.take();
}

}  // namespace heist::detail

HEIST_END
