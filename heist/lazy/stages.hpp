#pragma once
// What stands to the right of a |: stages and ends, which take a chain and give a chain or a result.

#include <heist/base/export.hpp>
#include <heist/lazy/chain.hpp>
#include <heist/lazy/source.hpp>
#include <heist/lazy/steps.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// An action with its arguments: action(chain, arguments…). Arguments of a temporary stage are moved.
template <class Action, class... Args>
struct staged {
  [[no_unique_address]] Action action;
  std::tuple<Args...> arguments;

  template <class C>
  decltype(auto) operator()(C&& c) const& {
    return std::apply([&](const Args&... a) -> decltype(auto) { return action(std::forward<C>(c), a...); }, arguments);
  }
  template <class C>
  decltype(auto) operator()(C&& c) && {
    return std::apply([&](Args&... a) -> decltype(auto) { return action(std::forward<C>(c), std::move(a)...); }, arguments);
  }
};
template <class Action, class... Args>
constexpr staged<Action, std::decay_t<Args>...> stage_of(Action action, Args&&... args) {
  return {action, {std::forward<Args>(args)...}};
}

template <class First, class Second>
struct stages {
  First first;
  Second second;

  template <class C>
  decltype(auto) operator()(C&& c) const {
    return second(first(std::forward<C>(c)));
  }
};

template <class S>
inline constexpr bool is_chain_stage = false;
template <class Action, class... Args>
inline constexpr bool is_chain_stage<staged<Action, Args...>> = true;
template <class First, class Second>
inline constexpr bool is_chain_stage<stages<First, Second>> = true;

template <class C, class S>
  requires is_chain<std::remove_cvref_t<C>> && is_chain_stage<std::remove_cvref_t<S>>
decltype(auto) operator|(C&& c, S&& s) {
  return std::forward<S>(s)(std::forward<C>(c));
}
template <class First, class Second>
  requires is_chain_stage<std::remove_cvref_t<First>> && is_chain_stage<std::remove_cvref_t<Second>>
stages<std::remove_cvref_t<First>, std::remove_cvref_t<Second>> operator|(First&& first, Second&& second) {
  return {std::forward<First>(first), std::forward<Second>(second)};
}
// Stands for a chain that was refused, so that its further stages are not complained of before it.
struct no_chain {
  template <class S>
    requires is_chain_stage<std::remove_cvref_t<S>>
  friend no_chain operator|(no_chain, S&&) {
    return {};
  }
};
template <class R, class S>
  requires(!is_chain<std::remove_cvref_t<R>> && !is_chain_stage<std::remove_cvref_t<R>> && std::ranges::range<R> &&
           is_chain_stage<std::remove_cvref_t<S>>)
auto operator|(R&&, S&&) {
  static_assert(is_chain<R>, "heist::stage: begin with heist::par(range)");
  return no_chain();
}

// The range that a source reads, or a view of its elements: for the standard's views.
template <class Source>
auto view_of(Source&& s) {
  using source = std::remove_cvref_t<Source>;
  if constexpr (requires { s.as_range(); })
    return std::forward<Source>(s);
  else
    return kept_range<cursor_view<decltype(s.open(options_of()))>>{cursor_view(s.open(options_of()))};
  static_cast<void>(sizeof(source));
}

// Makes a source of a range, perhaps without an end, or of a chain.
template <class R>
auto as_any_source(R&& r) {
  using range = std::remove_cvref_t<R>;
  if constexpr (is_chain<range>) {
    return detail::places_of(std::forward<R>(r));
  } else {
    constexpr bool readable = std::ranges::input_range<std::remove_reference_t<R>>;
    static_assert(readable, "heist::par takes a range, or a first and a last iterator or integer");
    if constexpr (!readable)
      return index_range<int>{0, 0};
    else if constexpr (std::is_lvalue_reference_v<R> && !std::ranges::view<range>)
      return lent_range<std::remove_reference_t<R>>{&r};
    else
      return kept_range<range>{std::forward<R>(r)};
  }
}
template <class R>
auto as_source(R&& r) {
  using range = std::remove_reference_t<R>;
  if constexpr (!is_chain<std::remove_cvref_t<R>> && std::ranges::input_range<range>)
    static_assert(!std::same_as<std::ranges::sentinel_t<range>, std::unreachable_sentinel_t>,
                  "heist::par: the range has no end; bound it first, as by std::views::take or std::views::iota(first, last)");
  return detail::as_any_source(std::forward<R>(r));
}
// For a range beside another: its size need not be known.
template <class R>
auto as_source_beside(R&& r) {
  auto source = detail::as_any_source(std::forward<R>(r));
  using range = std::remove_reference_t<R>;
  if constexpr (std::ranges::range<range> && !std::ranges::sized_range<range>)
    return unsized_range<decltype(source)>{std::move(source)};
  else
    return source;
}
template <class Source>
chain<Source> chain_from(Source s) {
  return chain<Source>(std::move(s));
}

template <class S, class C>
inline constexpr bool is_std_view = false;
template <class S, class... T>
  requires(!is_chain_stage<std::remove_cvref_t<S>>)
inline constexpr bool is_std_view<S, chain<T...>> =
    std::is_invocable_v<S, decltype(detail::view_of(std::declval<decltype(detail::places_of(std::declval<chain<T...>>()))>()).as_range())>;

// A view of the standard's, or of another library, as a stage.
template <class C, class S>
  requires(is_chain<std::remove_cvref_t<C>> && is_std_view<S, std::remove_cvref_t<C>>)
auto operator|(C&& c, S&& view) {
  auto from = detail::view_of(detail::places_of(std::forward<C>(c)));
  auto made = [&] {
    if constexpr (requires { from.range->begin(); })
      return std::forward<S>(view)(from.as_range());
    else
      return std::forward<S>(view)(std::move(from.as_range()));
  }();
  return detail::chain_from(kept_range<decltype(made)>{std::move(made)});
}
// Refused: a bare function.
template <class C, class F>
  requires(is_chain<std::remove_cvref_t<C>> && !is_chain_stage<std::remove_cvref_t<F>> &&
           !is_std_view<F, std::remove_cvref_t<C>> && accepts<F&, typename std::remove_cvref_t<C>::element::reference>)
C&& operator|(C&& c, F&&) {
  static_assert(is_chain_stage<F>, "heist::stage: a function is no stage; say which, as in heist::stage::transform(f)");
  return std::forward<C>(c);
}

}  // namespace heist::detail

HEIST_END
