#pragma once
// What the algorithms require of ranges, functions and values. Each function here says in one
// static_assert what is missing, and returns whether everything is there. If not, nothing more is
// compiled, so that this message comes first and is not buried. For the same reason a concept goes
// into a variable first: compilers explain at length why a static_assert on a concept fails.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/op.hpp>
#include <heist/sched/closure.hpp>
#include <heist/shares_memory.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

template <class I>
consteval bool can_reach() noexcept {
  constexpr bool reached = std::random_access_iterator<I>;
  static_assert(
      reached, "heist: the algorithms need random access, to split a range in the middle; copy it into a std::vector");
  return reached;
}

template <class I, class S>
consteval bool can_read() noexcept {
  if constexpr (!can_reach<I>()) {
    return false;
  } else {
    constexpr bool known = std::sized_sentinel_for<S, I>;
    static_assert(known, "heist: the size of the range is not known in advance; copy what you need into a std::vector");
    return known;
  }
}

// To call f at all.
template <class F, class... Args>
inline constexpr bool callable = std::is_invocable_v<F&, Args...>;

// Whether f cannot be called as const. Without captures there is nothing to change, const or not.
template <class F, class... Args>
inline constexpr bool changes_itself =
    !std::is_empty_v<std::remove_cvref_t<F>> && !std::is_invocable_v<const std::decay_t<F>&, Args...>;

// To call f, which can be called, from several strands.
template <class F, class... Args>
consteval bool can_share() noexcept {
  static_assert(
      !changes_itself<F, Args...>,
      "heist: the function changes its captures (a mutable lambda, or an operator() without const), but several strands "
      "call it at once; capture a reference to a heist::reducer or an atomic instead");
  return !changes_itself<F, Args...>;
}

template <class I, class Proj>
consteval bool can_project() noexcept {
  static_assert(callable<Proj, std::iter_reference_t<I>>, "heist: the projection cannot be called with these elements");
  if constexpr (callable<Proj, std::iter_reference_t<I>>)
    return can_share<Proj, std::iter_reference_t<I>>();
  else
    return false;
}
template <class I, class Proj>
using projection_of = std::invoke_result_t<Proj&, std::iter_reference_t<I>>;

// To call f with elements, one from each range.
template <class F, class... I>
consteval bool can_call() noexcept {
  static_assert(callable<F, std::iter_reference_t<I>...>, "heist: the function cannot be called with these elements");
  if constexpr (callable<F, std::iter_reference_t<I>...>)
    return can_share<F, std::iter_reference_t<I>...>();
  else
    return false;
}

// The same with their projections.
template <class I, class F, class Proj>
consteval bool can_visit() noexcept {
  if constexpr (!can_project<I, Proj>()) {
    return false;
  } else {
    using element = projection_of<I, Proj>;
    static_assert(callable<F, element>,
                  "heist: the function cannot be called with these elements, or their projections");
    if constexpr (callable<F, element>)
      return can_share<F, element>();
    else
      return false;
  }
}

// Whether Pred gives a bool for arguments of these types.
template <class Pred, class... Args>
consteval bool answers() noexcept {
  if constexpr (callable<Pred, Args...>)
    return std::is_constructible_v<bool, std::invoke_result_t<Pred&, Args...>>;
  else
    return false;
}

template <class I, class Pred, class Proj>
consteval bool can_ask() noexcept {
  if constexpr (!can_project<I, Proj>()) {
    return false;
  } else {
    using element = projection_of<I, Proj>;
    static_assert(answers<Pred, element>(), "heist: the predicate cannot be called with these elements");
    if constexpr (answers<Pred, element>())
      return can_share<Pred, element>();
    else
      return false;
  }
}

template <class I, class T, class Proj>
consteval bool can_find() noexcept {
  if constexpr (!can_project<I, Proj>()) {
    return false;
  } else {
    constexpr bool comparable = requires(const std::remove_reference_t<projection_of<I, Proj>>& x, const T& value) {
      static_cast<bool>(x == value);
    };
    static_assert(comparable, "heist: these elements cannot be compared with the value by ==");
    return comparable;
  }
}

template <class I1, class I2, class Pred, class Proj1, class Proj2>
consteval bool can_match() noexcept {
  if constexpr (!can_project<I1, Proj1>() || !can_project<I2, Proj2>()) {
    return false;
  } else {
    using one = projection_of<I1, Proj1>;
    using other = projection_of<I2, Proj2>;
    static_assert(answers<Pred, one, other>(),
                  "heist: these elements cannot be compared by ==, or by the predicate");
    if constexpr (answers<Pred, one, other>())
      return can_share<Pred, one, other>();
    else
      return false;
  }
}

template <class I, class Comp, class Proj>
consteval bool can_compare() noexcept {
  if constexpr (!can_project<I, Proj>()) {
    return false;
  } else {
    using element = projection_of<I, Proj>;
    static_assert(answers<Comp, element, element>(), "heist: the comparison cannot be called with these elements");
    if constexpr (answers<Comp, element, element>())
      return can_share<Comp, element, element>();
    else
      return false;
  }
}

template <class I, class S, class Comp, class Proj>
consteval bool can_check_order() noexcept {
  if constexpr (can_read<I, S>())
    return can_compare<I, Comp, Proj>();
  else
    return false;
}

// To change elements in place.
template <class I>
consteval bool can_change() noexcept {
  using reference = std::iter_reference_t<I>;
  static_assert(!shares_memory<reference>,
                "heist: neighbours in a std::vector<bool> share a byte and cannot be written in parallel; use "
                "std::vector<char>");
  static_assert(!std::is_const_v<std::remove_reference_t<reference>>,
                "heist: the elements are const and cannot be changed");
  return !shares_memory<reference> && !std::is_const_v<std::remove_reference_t<reference>>;
}

// To pass elements to a function that may write to them.
template <class I>
consteval bool can_hand_out() noexcept {
  static_assert(!shares_memory<std::iter_reference_t<I>>,
                "heist: neighbours in a std::vector<bool> share a byte and cannot be written in parallel; pass it as "
                "const, or use std::vector<char>");
  return !shares_memory<std::iter_reference_t<I>>;
}

// To write anywhere in an output.
template <class Out>
consteval bool can_write() noexcept {
  constexpr bool reached = std::random_access_iterator<Out>;
  static_assert(reached,
                "heist: the output must be a random-access iterator, because strands write to it in many places at once; "
                "resize the container first, and pass its begin()");
  if constexpr (reached)
    return can_change<Out>();
  else
    return false;
}

template <class Out, class X>
consteval bool can_assign() noexcept {
  if constexpr (!can_write<Out>()) {
    return false;
  } else {
    static_assert(std::is_assignable_v<std::iter_reference_t<Out>, X>,
                  "heist: the values to be written do not convert to the type of the elements");
    return std::is_assignable_v<std::iter_reference_t<Out>, X>;
  }
}

// To move elements about in place.
template <class I, class S>
consteval bool can_move() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_change<I>()) {
    return false;
  } else {
    constexpr bool movable = std::permutable<I>;
    static_assert(movable, "heist: the elements cannot be moved");
    return movable;
  }
}

template <class I, class S, class Comp, class Proj>
consteval bool can_sort() noexcept {
  if constexpr (!can_move<I, S>()) {
    return false;
  } else if constexpr (!can_compare<I, Comp, Proj>()) {
    return false;
  } else {
    constexpr bool sortable = std::sortable<I, Comp, Proj>;
    static_assert(sortable, "heist: the comparison cannot be called with copies of these elements");
    return sortable;
  }
}

template <class I, class S, class Out>
consteval bool can_copy() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_write<Out>()) {
    return false;
  } else {
    constexpr bool copyable = std::indirectly_copyable<I, Out>;
    static_assert(copyable, "heist: the elements cannot be copied to the output");
    return copyable;
  }
}

// The searches.
template <class I, class S, class Pred, class Proj>
consteval bool can_search() noexcept {
  if constexpr (can_read<I, S>())
    return can_ask<I, Pred, Proj>();
  else
    return false;
}
template <class I, class S, class T, class Proj>
consteval bool can_search_for() noexcept {
  if constexpr (can_read<I, S>())
    return can_find<I, T, Proj>();
  else
    return false;
}
template <class I1, class S1, class I2, class S2, class Pred, class Proj1, class Proj2>
consteval bool can_compare_ranges() noexcept {
  if constexpr (!can_read<I1, S1>()) {
    return false;
  } else if constexpr (!can_read<I2, S2>()) {
    return false;
  } else {
    return can_match<I1, I2, Pred, Proj1, Proj2>();
  }
}

// The filters.
template <class I, class S, class Out, class Pred, class Proj>
consteval bool can_copy_if() noexcept {
  if constexpr (can_copy<I, S, Out>())
    return can_ask<I, Pred, Proj>();
  else
    return false;
}
template <class I, class S, class Pred, class Proj>
consteval bool can_separate() noexcept {
  if constexpr (can_move<I, S>())
    return can_ask<I, Pred, Proj>();
  else
    return false;
}
template <class I, class S, class Equal, class Proj>
consteval bool can_unify() noexcept {
  if constexpr (can_move<I, S>())
    return can_match<I, I, Equal, Proj, Proj>();
  else
    return false;
}

// To hand every element, or its projection, to f.
template <class I, class S, class F, class Proj>
consteval bool can_loop() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_hand_out<I>()) {
    return false;
  } else {
    return can_visit<I, F, Proj>();
  }
}

// To write f's results for elements, or their projections, to Out.
template <class I, class S, class Out, class F, class Proj>
consteval bool can_transform() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_visit<I, F, Proj>()) {
    return false;
  } else {
    return can_assign<Out, std::invoke_result_t<F&, projection_of<I, Proj>>>();
  }
}

// The same for two ranges.
template <class I1, class S, class I2, class Out, class F>
consteval bool can_combine() noexcept {
  if constexpr (!can_read<I1, S>()) {
    return false;
  } else if constexpr (!can_reach<I2>()) {
    return false;
  } else if constexpr (!can_call<F, I1, I2>()) {
    return false;
  } else {
    return can_assign<Out, std::invoke_result_t<F&, std::iter_reference_t<I1>, std::iter_reference_t<I2>>>();
  }
}

// To fold values of type X into a T by op.
template <class T, class Op, class X>
consteval bool can_fold() noexcept {
  constexpr bool movable = std::movable<T>;
  constexpr bool begins = std::is_constructible_v<T, X>;
  constexpr bool combines = std::is_invocable_r_v<T, Op&, T, T>;
  if constexpr (!movable) {
    static_assert(movable, "heist: the result of a fold must be movable; fold pointers or indices instead");
    return false;
  } else if constexpr (!begins && lone_operation<T, X>) {
    static_assert(begins, HEIST_NO_IDENTITY);  // exclusive_scan(r, out, op)
    return false;
  } else if constexpr (!begins) {
    static_assert(begins,
                  "heist: a fold starts from an element, and these elements do not convert to the type of the result");
    return false;
  } else if constexpr (std::same_as<Op, std::plus<>> && !combines) {
    static_assert(combines,
                  "heist: a fold without an operation adds, and these values have no operator+ that returns their type");
    return false;
  } else if constexpr (!combines || !callable<Op, T, X>) {
    static_assert(
        combines && callable<Op, T, X>,
        "heist: a parallel fold combines partial results, so its operation must accept two values of its result type");
    return false;
  } else {
    return can_share<Op, T, T>();
  }
}

// The same for what `Transform` returns for elements, one from each range.
template <class T, class Op, class Transform, class S, class I, class... More>
consteval bool can_transform_and_fold() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!(can_reach<More>() && ...)) {
    return false;
  } else if constexpr (!can_call<Transform, I, More...>()) {
    return false;
  } else {
    return can_fold<T, Op, kept_result<Transform, I, More...>>();
  }
}

}  // namespace heist::detail

HEIST_END
