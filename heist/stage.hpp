#pragma once
// The stages of a chain, each to the right of a |, as in
//   heist::par(v) | heist::stage::transform(f) | heist::stage::filter(p) | heist::to<std::vector>()
// See docs/reference/lazy_ranges.md.

#include <heist/algorithm/arguments.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/chain.hpp>
#include <heist/lazy/stages.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Whether a stage must know the place of each element. After filter and flat_map it is not known, so what came out of them
// is gathered first.
template <template <class...> class Source, class C, class... Args>
auto placed(C&& c, Args... args) {
  auto from = detail::places_of(std::forward<C>(c));
  return detail::chain_from(Source<decltype(from)>{std::move(from), args...});
}

template <class F, template <class...> class Source, template <class> class Step, class C>
auto with_function(C&& c, F f) {
  using chain_type = std::remove_cvref_t<C>;
  if constexpr (!chain_type::indexed)
    return chain_type(std::forward<C>(c)).then(Step<F>{std::move(f)});
  else {
    auto from = detail::places_of(std::forward<C>(c));
    return detail::chain_from(Source<decltype(from), F>{std::move(from), std::move(f)});
  }
}
template <class Step, class C>
auto with_step(C&& c, Step step) {
  return std::remove_cvref_t<C>(std::forward<C>(c)).then(std::move(step));
}

template <class C>
using reference_in = typename std::remove_cvref_t<C>::reference;

template <class F, class X>
consteval bool can_flatten() noexcept {
  if constexpr (!can_stage<F, X>()) {
    return false;
  } else {
    constexpr bool range = std::ranges::input_range<result_with<F, X>>;
    static_assert(range, "heist::stage::flat_map: the function does not return a range");
    return range;
  }
}
template <class F, class X>
consteval bool can_filter_map() noexcept {
  if constexpr (!can_stage<F, X>()) {
    return false;
  } else {
    constexpr bool optional = requires(result_with<F, X>&& x) {
      static_cast<bool>(x);
      *std::move(x);
    };
    static_assert(optional, "heist::stage::filter_map: the function does not return a std::optional");
    return optional;
  }
}

}  // namespace detail

namespace stage {

// f(x) for every element x.
template <class F>
constexpr auto transform(F f) {
  return detail::stage_of(
      []<class C, class G>(C&& c, G g) {
        if constexpr (detail::can_stage<G, detail::reference_in<C>>()) {
          using result = detail::result_with<G, detail::reference_in<C>>;
          static_assert(!std::is_void_v<result>,
                        "heist::stage::transform: the function returns nothing; use inspect(f), or end with for_each(f)");
          return detail::with_function<G, detail::transform_source, detail::transform_step>(std::forward<C>(c), std::move(g));
        } else {
          return std::remove_cvref_t<C>(std::forward<C>(c));
        }
      },
      std::move(f));
}

// The elements that pred accepts.
template <class Pred>
constexpr auto filter(Pred pred) {
  return detail::stage_of(
      []<class C, class G>(C&& c, G g) {
        if constexpr (detail::can_choose<G, detail::reference_in<C>>())
          return detail::with_step(std::forward<C>(c), detail::filter_step<G>{std::move(g)});
        else
          return std::remove_cvref_t<C>(std::forward<C>(c));
      },
      std::move(pred));
}

// f returns a std::optional (or a pointer): *f(x) for the elements for which it is not empty.
template <class F>
constexpr auto filter_map(F f) {
  return detail::stage_of(
      []<class C, class G>(C&& c, G g) {
        if constexpr (detail::can_filter_map<G, detail::reference_in<C>>())
          return detail::with_step(std::forward<C>(c), detail::filter_map_step<G>{std::move(g)});
        else
          return std::remove_cvref_t<C>(std::forward<C>(c));
      },
      std::move(f));
}

// f returns a range: the elements of all of these.
template <class F>
constexpr auto flat_map(F f) {
  return detail::stage_of(
      []<class C, class G>(C&& c, G g) {
        if constexpr (detail::can_flatten<G, detail::reference_in<C>>())
          return detail::with_step(std::forward<C>(c), detail::flat_map_step<G>{std::move(g)});
        else
          return std::remove_cvref_t<C>(std::forward<C>(c));
      },
      std::move(f));
}
// The elements are ranges: the elements of all of these.
// This one, keys() and values() are templates, so that only programs that use them compile them.
template <class = void>
constexpr auto flatten() { return stage::flat_map(std::identity()); }

// Calls f with every element on its way.
template <class F>
constexpr auto inspect(F f) {
  return detail::stage_of(
      []<class C, class G>(C&& c, G g) {
        if constexpr (detail::can_stage<G, std::remove_reference_t<detail::reference_in<C>>&>())
          return detail::with_function<G, detail::inspect_source, detail::inspect_step>(std::forward<C>(c), std::move(g));
        else
          return std::remove_cvref_t<C>(std::forward<C>(c));
      },
      std::move(f));
}

// Pairs of the place, from 0 on, and the element.
constexpr auto enumerate() {
  return detail::stage_of([]<class C>(C&& c) { return detail::placed<detail::enumerate_source>(std::forward<C>(c)); });
}

// Pairs of an element and that in the same place of another range or chain; of several ranges, tuples. Ends with the
// shortest, so a range without an end will do, as std::views::iota(1). A range that is not a temporary is not copied, and
// must outlive the chain.
template <class... R>
constexpr auto zip(R&&... others) {
  return detail::stage_of(
      []<class C, class... S>(C&& c, S... sources) {
        auto from = detail::places_of(std::forward<C>(c));
        return detail::chain_from(detail::zip_source<decltype(from), S...>{{std::move(from), std::move(sources)...}});
      },
      detail::as_source_beside(std::forward<R>(others))...);
}

// Ranges of n neighbours: one after the other, the last may be shorter; or every n neighbours that there are. They are
// std::spans of an array, else ranges with random access.
inline auto chunks(std::size_t n) {
  return detail::stage_of(
      []<class C>(C&& c, std::size_t length) {
        auto from = detail::places_of(std::forward<C>(c));
        return detail::chain_from(detail::slices_source<decltype(from), detail::slicing::chunks>{std::move(from), length});
      },
      detail::checked_length(n));
}
inline auto windows(std::size_t n) {
  return detail::stage_of(
      []<class C>(C&& c, std::size_t length) {
        auto from = detail::places_of(std::forward<C>(c));
        return detail::chain_from(detail::slices_source<decltype(from), detail::slicing::windows>{std::move(from), length});
      },
      detail::checked_length(n));
}

// The first n elements; all but the first n; every n-th, from the first on; all from the last to the first.
constexpr auto take(std::size_t n) {
  return detail::stage_of(
      []<class C>(C&& c, std::size_t most) {
        auto from = detail::places_of(std::forward<C>(c), most);
        return detail::chain_from(detail::slice_source<decltype(from)>{std::move(from), 0, most, 1});
      },
      n);
}
constexpr auto drop(std::size_t n) {
  return detail::stage_of(
      []<class C>(C&& c, std::size_t skipped) {
        return detail::placed<detail::slice_source>(std::forward<C>(c), skipped, detail::all_of_them, std::size_t{1});
      },
      n);
}
inline auto stride(std::size_t n) {
  return detail::stage_of(
      []<class C>(C&& c, std::size_t by) {
        return detail::placed<detail::slice_source>(std::forward<C>(c), std::size_t{0}, detail::all_of_them, by);
      },
      detail::checked_length(n));
}
constexpr auto reverse() {
  return detail::stage_of([]<class C>(C&& c) { return detail::placed<detail::reverse_source>(std::forward<C>(c)); });
}

// The elements as rvalues, to move them out of the range.
constexpr auto as_rvalue() {
  return detail::stage_of([]<class C>(C&& c) {
    if constexpr (std::remove_cvref_t<C>::indexed) {
      return detail::placed<detail::rvalue_source>(std::forward<C>(c));
    } else {
      auto moved = [](auto& x) -> auto&& { return std::move(x); };
      return detail::with_step(std::forward<C>(c), detail::transform_step<decltype(moved)>{moved});
    }
  });
}

// The first and the second parts of pairs.
template <class = void>
constexpr auto keys() {
  return stage::transform([]<class X>(X&& x) -> std::remove_cvref_t<decltype(std::get<0>(x))> {
    return std::get<0>(std::forward<X>(x));
  });
}
template <class = void>
constexpr auto values() {
  return stage::transform([]<class X>(X&& x) -> std::remove_cvref_t<decltype(std::get<1>(x))> {
    return std::get<1>(std::forward<X>(x));
  });
}

// Ends: what the members of a chain with these names do.
template <class... Args>
constexpr auto for_each(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.for_each(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class C, class... Args>
constexpr auto to(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.template to<C>(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <template <class...> class C, class... Args>
constexpr auto to(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.template to<C>(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class C, class... Args>
constexpr auto collect(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.template collect<C>(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <template <class...> class C, class... Args>
constexpr auto collect(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.template collect<C>(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
constexpr auto collect() {
  return detail::stage_of([](const auto& c) { return c.collect(); });
}
template <class... Args>
constexpr auto copy(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.copy(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto reduce(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.reduce(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto sum(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.sum(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto count(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.count(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto min(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.min(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto max(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.max(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto min_by(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.min_by(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto max_by(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.max_by(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto find_first(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.find_first(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto find_any(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.find_any(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto any(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.any(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto all(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.all(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}
template <class... Args>
constexpr auto none(Args&&... args) {
  return detail::stage_of([](const auto& c, auto&&... a) { return c.none(std::forward<decltype(a)>(a)...); },
                          std::forward<Args>(args)...);
}

}  // namespace stage

// The end that puts the elements into a container, in order: heist::to<std::vector>(), heist::to<std::set<int>>().
using stage::to;

}  // namespace heist

HEIST_END
