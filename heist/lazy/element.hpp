#pragma once
// What flows through a chain of stages: the type of its elements, and how functions are called with them.

#include <heist/algorithm/function.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// The type with which the next stage is called, and the type that is kept of it: a std::pair of references is kept as a
// pair of values.
template <class Reference, class Value = std::remove_cvref_t<Reference>>
struct element {
  using reference = Reference;
  using value = Value;
};

template <class T>
inline constexpr bool is_tuple = false;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;

template <class F, class X, class Parts>
inline constexpr bool takes_parts_of = false;
template <class F, class X, std::size_t... k>
inline constexpr bool takes_parts_of<F, X, std::index_sequence<k...>> =
    std::is_invocable_v<F, decltype(std::get<k>(std::declval<X>()))...>;

template <class F, class X>
consteval bool check_takes_parts() noexcept {
  if constexpr (!is_tuple<std::remove_cvref_t<X>> || std::is_invocable_v<F, X>)
    return false;
  else
    return takes_parts_of<F, X, std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<X>>>>;
}
// Whether f is called with the parts of a pair or tuple, as in zip(r) | transform([](double x, double y) { … }).
template <class F, class X>
inline constexpr bool takes_parts = check_takes_parts<F, X>();

template <class F, class X>
inline constexpr bool accepts = std::is_invocable_v<F, X> || takes_parts<F, X>;

template <class F, class X>
HEIST_INLINE constexpr decltype(auto) call_with(F& f, X&& x) {
  if constexpr (takes_parts<F&, X&&>)
    return std::apply(f, std::forward<X>(x));
  else
    return std::invoke(f, std::forward<X>(x));
}
template <class F, class X>
struct called_with {
  using type = decltype(detail::call_with(std::declval<F&>(), std::declval<X>()));
};
template <class F, class X>
using result_with = typename std::conditional_t<accepts<F&, X>, called_with<F, X>, std::type_identity<void>>::type;

// The same, from a chain that runs: in a build for races every two such calls are parallel (algorithm/function.hpp).
#if defined(HEIST_RACE)
template <class F, class X>
decltype(auto) call_stage(F& f, X&& x) {
  if constexpr (touches_nothing<std::remove_cv_t<F>>)
    return detail::call_with(f, std::forward<X>(x));
  else
    return detail::call_apart([&]() -> decltype(auto) { return detail::call_with(f, std::forward<X>(x)); }, x);
}
#else
template <class F, class X>
HEIST_INLINE constexpr decltype(auto) call_stage(F& f, X&& x) {
  return detail::call_with(f, std::forward<X>(x));
}
#endif

// A function of a stage as its strands call it: a copy if it is small.
template <class F>
class stage_function {
 public:
  explicit stage_function(const F& f) noexcept : f_(f) {}

  template <class X>
  HEIST_INLINE constexpr decltype(auto) operator()(X&& x) const {
    return detail::call_stage(f_, std::forward<X>(x));
  }

 private:
  const F& f_;
};
template <class F>
  requires(small_function<F> && !std::is_empty_v<F>)
class stage_function<F> {
 public:
  explicit stage_function(const F& f) noexcept : f_(f) {}

  template <class X>
  HEIST_INLINE constexpr decltype(auto) operator()(X&& x) const {
    return detail::call_stage(f_, std::forward<X>(x));
  }

 private:
  const F f_;
};
// Without captures there is nothing to change, so operator() need not be const.
template <class F>
  requires(small_function<F> && std::is_empty_v<F>)
class stage_function<F> {
 public:
  explicit stage_function(const F& f) noexcept : f_(f) {}

  template <class X>
  HEIST_INLINE constexpr decltype(auto) operator()(X&& x) const {
    return detail::call_stage(f_, std::forward<X>(x));
  }

 private:
  [[no_unique_address]] mutable F f_;
};

// To call f with elements of type X, from several strands.
template <class F, class X>
consteval bool can_stage() noexcept {
  constexpr bool called = accepts<F&, X>;
  constexpr bool shared = !called || std::is_empty_v<F> || accepts<const F&, X>;
  static_assert(called, "heist::stage: the function cannot be called with these elements");
  static_assert(shared,
                "heist::stage: the function changes its captures (a mutable lambda, or an operator() without const), but "
                "several strands call it at once; capture a reference to a heist::reducer or an atomic instead");
  return called && shared;
}
// The same for a predicate, which gets them as lvalues.
template <class F, class X>
consteval bool can_choose() noexcept {
  using lvalue = std::remove_reference_t<X>&;
  if constexpr (!can_stage<F, lvalue>()) {
    return false;
  } else {
    constexpr bool answers = std::is_constructible_v<bool, result_with<F, lvalue>>;
    static_assert(answers, "heist::stage: the predicate does not return a bool");
    return answers;
  }
}

// An element that is not passed on as a reference to something that ends with the call.
template <class R>
using passed_on = std::conditional_t<std::is_lvalue_reference_v<R>, R, std::remove_cvref_t<R>>;

}  // namespace heist::detail

HEIST_END
