#pragma once
// Elements grouped by a key. Keys need == and std::hash, or else <. Each key is computed once. Groups
// come in the order in which their keys first appear, or in the order of the keys; the elements of a
// group in the order of the range. So results are the same on any number of workers.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/fold.hpp>
#include <heist/algorithm/groups.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>
#include <heist/collect.hpp>
#include <heist/group_order.hpp>
#include <heist/op.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class Key, class I>
using group_key = std::remove_cvref_t<std::invoke_result_t<Key&, std::iter_reference_t<I>>>;

template <class I, class S, class Key>
consteval bool can_group() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_call<Key, I>()) {
    return false;
  } else {
    using key = group_key<Key, I>;
    constexpr bool distinct = hashed_key<key> || ordered_key<key>;
    constexpr bool movable = std::movable<key>;
    static_assert(distinct, "heist: keys need == and std::hash, or <, to be told apart");
    static_assert(movable, "heist: keys must be movable");
    return distinct && movable;
  }
}

template <class Key, class I, bool = std::is_invocable_v<Key&, std::iter_reference_t<I>>>
struct grouped {
  template <class X>
  using by = std::vector<std::pair<group_key<Key, I>, X>>;
};
template <class Key, class I>
struct grouped<Key, I, false> {
  template <class X>
  using by = std::vector<std::pair<int, X>>;  // the call is refused
};

// Calls make(group) for every group; the result is a vector of pairs with the keys.
template <class X, class I, class S, class Key, class Make, class... O>
typename grouped<Key, I>::template by<X> for_groups(const I& first, const S& last, Key& key, group_order order,
                                                    const Make& make, const O&... o) {
  if constexpr (can_group<I, S, Key>()) {
    const std::size_t n = detail::length(first, last);
    grouping<group_key<Key, I>> groups(
        heist::tabulate(n, [&](std::size_t i) { return std::invoke(key, *detail::at(first, i)); }, o...), order, o...);
    using result = std::pair<group_key<Key, I>, X>;
    return heist::tabulate(
        groups.size(),
        [&](std::size_t g) {
          X made = make(groups.members(g));
          return result(groups.take_key(g), std::move(made));
        },
        o...);
  } else {
    return {};
  }
}

template <bool movable, class I, class S, class Key, class... O>
auto group_range(const I& first, const S& last, Key& key, group_order order, const O&... o) {
  using T = std::iter_value_t<I>;
  constexpr bool kept = movable || std::constructible_from<T, std::iter_reference_t<I>>;
  static_assert(kept, "heist: the elements cannot be copied into groups; pass the range as an rvalue, to move them");
  auto list = [&](const group_members& of) {
    auto member = [&](std::size_t k) -> T {
      if constexpr (movable)
        return T(std::ranges::iter_move(detail::at(first, of[k])));
      else if constexpr (kept)
        return T(*detail::at(first, of[k]));
      else
        return refused<T>();
    };
    return heist::tabulate(of.size, member, o...);
  };
  return detail::for_groups<std::vector<T>>(first, last, key, order, list, o...);
}

template <class I, class S, class Key, class... O>
auto count_groups(I first, const S& last, Key& key, group_order order, const O&... o) {
  if constexpr (is_fed<I, S>) {
    const auto all = heist::to_vector(std::move(first), last, o...);
    return detail::count_groups(all.begin(), all.end(), key, order, o...);
  } else
    return detail::for_groups<std::size_t>(first, last, key, order, [](const group_members& of) { return of.size; }, o...);
}

// The values that value(place) gives for the members of a group, folded by the fixed tree.
template <class T, class Value, class Op, class... O>
T fold_group(const group_members& of, Value& value, Op& op, const O&... o) {
  auto at = [&](std::size_t k) -> decltype(auto) { return value(of[k]); };
  if constexpr (combines_in_place<Op, T>) {
    by_value<T, Op> combine{op};
    return detail::fold_group<T>(of, value, combine, o...);
  } else {
    return detail::fold_all<false, T>(of.size, at, op, options_of(o...));
  }
}

template <class I, class S, class Key, class Value, class Op, class... O>
auto reduce_groups(const I& first, const S& last, Key& key, Value& value, Op& op, group_order order, const O&... o) {
  using X = std::invoke_result_t<Value&, std::iter_reference_t<I>>;
  using T = std::remove_cvref_t<X>;
  auto at = [&](std::size_t i) -> decltype(auto) { return std::invoke(value, *detail::at(first, i)); };
  auto fold = [&](const group_members& of) { return detail::fold_group<T>(of, at, op, o...); };
  using step = std::conditional_t<combines_in_place<Op, T>, by_value<T, Op>, Op>;
  if constexpr (can_fold<T, step, X>())
    return detail::for_groups<T>(first, last, key, order, fold, o...);
  else
    return typename grouped<Key, I>::template by<T>();
}

template <class I, class S, class Key, class Value, class Op, class... O>
auto reduce_groups(I first, const S& last, Key& key, Value& value, Op& op, group_order order, const O&... o)
  requires is_fed<I, S>
{
  const auto all = heist::to_vector(std::move(first), last, o...);
  return detail::reduce_groups(all.begin(), all.end(), key, value, op, order, o...);
}

struct first_of_pair {
  template <class P>
  decltype(auto) operator()(P&& p) const {
    return std::get<0>(std::forward<P>(p));
  }
};
struct second_of_pair {
  template <class P>
  decltype(auto) operator()(P&& p) const {
    return std::get<1>(std::forward<P>(p));
  }
};

template <class R>
inline constexpr bool owned_elements = !std::is_lvalue_reference_v<R> && !std::is_const_v<std::remove_reference_t<R>> &&
                                       !std::ranges::borrowed_range<R> && !std::ranges::view<std::remove_cvref_t<R>>;

template <class F>
concept not_an_order = function<F> && !std::same_as<std::remove_cvref_t<F>, group_order> && !range<F>;

}  // namespace detail

// Returns the groups of elements with equal key(x): a vector of pairs of a key and a vector of the
// elements. If the range is a container and an rvalue, its elements are moved.
template <class I, detail::sentinel<I> S, detail::function Key, detail::option... O>
[[nodiscard]] auto group_by(I first, S last, Key key, group_order order, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    auto all = heist::to_vector(std::move(first), std::move(last), o...);
    return detail::group_range<true>(all.begin(), all.end(), key, order, o...);
  } else {
    return detail::group_range<false>(first, last, key, order, o...);
  }
}
template <class I, detail::sentinel<I> S, detail::function Key, detail::option... O>
[[nodiscard]] auto group_by(I first, S last, Key key, const O&... o) {
  return heist::group_by(std::move(first), std::move(last), std::move(key), group_order::first_appearance, o...);
}
template <detail::range R, detail::function Key, detail::option... O>
[[nodiscard]] auto group_by(R&& r, Key key, group_order order, const O&... o) {
  if constexpr (detail::is_fed<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>)
    return heist::group_by(std::ranges::begin(r), std::ranges::end(r), std::move(key), order, o...);
  else
    return detail::group_range<detail::owned_elements<R>>(std::ranges::begin(r), std::ranges::end(r), key, order, o...);
}
template <detail::range R, detail::function Key, detail::option... O>
[[nodiscard]] auto group_by(R&& r, Key key, const O&... o) {
  return heist::group_by(std::forward<R>(r), std::move(key), group_order::first_appearance, o...);
}

// Returns how many elements have each key: a vector of pairs. Without a function the elements are the
// keys.
template <class I, detail::sentinel<I> S, detail::function Key = std::identity, detail::option... O>
[[nodiscard]] auto count_by(I first, S last, Key key, group_order order, const O&... o) {
  return detail::count_groups(first, last, key, order, o...);
}
template <class I, detail::sentinel<I> S, detail::not_an_order Key = std::identity, detail::option... O>
[[nodiscard]] auto count_by(I first, S last, Key key, const O&... o) {
  return detail::count_groups(first, last, key, group_order::first_appearance, o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] auto count_by(I first, S last, const O&... o) {
  std::identity same;
  return detail::count_groups(first, last, same, group_order::first_appearance, o...);
}
template <detail::range R, detail::function Key = std::identity, detail::option... O>
[[nodiscard]] auto count_by(R&& r, Key key, group_order order, const O&... o) {
  return detail::count_groups(std::ranges::begin(r), std::ranges::end(r), key, order, o...);
}
template <detail::range R, detail::not_an_order Key = std::identity, detail::option... O>
[[nodiscard]] auto count_by(R&& r, Key key, const O&... o) {
  return detail::count_groups(std::ranges::begin(r), std::ranges::end(r), key, group_order::first_appearance, o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] auto count_by(R&& r, const O&... o) {
  std::identity same;
  return detail::count_groups(std::ranges::begin(r), std::ranges::end(r), same, group_order::first_appearance, o...);
}

// Folds value(x) over the elements with equal key(x), in the order of the range, by op: a vector of
// pairs of a key and a result. op must be associative; it need not be commutative. Sums have the same
// bits on any number of workers. Without key and value the elements are pairs of both. Without an
// operation it adds.
template <detail::range R, detail::not_an_order Key, detail::not_an_order Value, detail::function Op = std::plus<>,
          detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& r, Key key, Value value, Op op, group_order order, const O&... o) {
  return detail::reduce_groups(std::ranges::begin(r), std::ranges::end(r), key, value, op, order, o...);
}
template <detail::range R, detail::not_an_order Key, detail::not_an_order Value, detail::not_an_order Op = std::plus<>,
          detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& r, Key key, Value value, Op op, const O&... o) {
  return heist::reduce_by_key(std::forward<R>(r), std::move(key), std::move(value), std::move(op),
                              group_order::first_appearance, o...);
}
template <detail::range R, detail::not_an_order Key, detail::not_an_order Value, detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& r, Key key, Value value, const O&... o) {
  return heist::reduce_by_key(std::forward<R>(r), std::move(key), std::move(value), std::plus<>(),
                              group_order::first_appearance, o...);
}
// The same for keys and values in two ranges, up to the end of the shorter one.
template <detail::range R1, detail::range R2, detail::not_an_order Op = std::plus<>, detail::option... O>
[[nodiscard]] auto reduce_by_key(R1&& keys, R2&& values, Op op, const O&... o) {
  const auto first1 = std::ranges::begin(keys);
  const auto first2 = std::ranges::begin(values);
  std::size_t n = 0;
  if constexpr (detail::can_read<std::ranges::iterator_t<R1>, std::ranges::sentinel_t<R1>>()) {
    if constexpr (detail::can_read<std::ranges::iterator_t<R2>, std::ranges::sentinel_t<R2>>())
      n = std::min(detail::length(first1, std::ranges::end(keys)), detail::length(first2, std::ranges::end(values)));
  }
  const std::vector<std::size_t> places = heist::tabulate(n, std::identity(), o...);
  auto key = [&first1](std::size_t i) -> std::ranges::range_value_t<R1> { return *detail::at(first1, i); };
  auto value = [&first2](std::size_t i) -> std::ranges::range_value_t<R2> { return *detail::at(first2, i); };
  return detail::reduce_groups(places.begin(), places.end(), key, value, op, group_order::first_appearance, o...);
}
template <detail::range R1, detail::range R2, detail::option... O>
[[nodiscard]] auto reduce_by_key(R1&& keys, R2&& values, const O&... o) {
  return heist::reduce_by_key(std::forward<R1>(keys), std::forward<R2>(values), std::plus<>(), o...);
}
template <detail::range R, detail::not_an_order Op = std::plus<>, detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& pairs, Op op, group_order order, const O&... o) {
  return heist::reduce_by_key(std::forward<R>(pairs), detail::first_of_pair(), detail::second_of_pair(), std::move(op),
                              order, o...);
}
template <detail::range R, detail::not_an_order Op = std::plus<>, detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& pairs, Op op, const O&... o) {
  return heist::reduce_by_key(std::forward<R>(pairs), detail::first_of_pair(), detail::second_of_pair(), std::move(op),
                              group_order::first_appearance, o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] auto reduce_by_key(R&& pairs, const O&... o) {
  return heist::reduce_by_key(std::forward<R>(pairs), detail::first_of_pair(), detail::second_of_pair(), std::plus<>(),
                              group_order::first_appearance, o...);
}

}  // namespace heist

HEIST_END
