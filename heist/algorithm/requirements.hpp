#pragma once
// What sorting and filtering ask of ranges and functions. Each of these says with a sentence what is missing, and
// returns whether all is there: if not, nothing more is compiled, so that the sentence does not drown.

#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>

#include <iterator>

HEIST_BEGIN

namespace heist::detail {

template <class I, class S>
consteval bool can_read() noexcept {
  check_iterator<I>();
  if constexpr (std::random_access_iterator<I>)
    static_assert(std::sized_sentinel_for<S, I>, "heist: the end of the range is not known in advance");
  return std::random_access_iterator<I> && std::sized_sentinel_for<S, I>;
}

template <class I>
consteval bool can_write() noexcept {
  check_output<I>();
  return std::random_access_iterator<I> && !shares_memory<std::iter_reference_t<I>>;
}

template <class I, class S, class Comp, class Proj>
consteval bool can_sort() noexcept {
  if constexpr (!can_read<I, S>() || !can_write<I>()) {
    return false;
  } else {
    static_assert(std::sortable<I, Comp, Proj>,
                  "heist: the comparison cannot be called with these elements, or they cannot be moved");
    return std::sortable<I, Comp, Proj>;
  }
}

template <class I, class Pred, class Proj>
consteval bool can_ask() noexcept {
  static_assert(std::indirect_unary_predicate<Pred, std::projected<I, Proj>>,
                "heist: the predicate cannot be called with these elements");
  return std::indirect_unary_predicate<Pred, std::projected<I, Proj>>;
}

template <class I, class Equal, class Proj>
consteval bool can_equate() noexcept {
  static_assert(std::indirect_equivalence_relation<Equal, std::projected<I, Proj>>,
                "heist: two of these elements cannot be compared for equality like this");
  return std::indirect_equivalence_relation<Equal, std::projected<I, Proj>>;
}

// To move elements about in place.
template <class I, class S>
consteval bool can_move() noexcept {
  if constexpr (!can_read<I, S>() || !can_write<I>()) {
    return false;
  } else {
    static_assert(std::permutable<I>, "heist: the elements cannot be moved");
    return std::permutable<I>;
  }
}

template <class I, class S, class Out>
consteval bool can_copy() noexcept {
  if constexpr (!can_read<I, S>() || !can_write<Out>()) {
    return false;
  } else {
    static_assert(std::indirectly_copyable<I, Out>, "heist: the elements cannot be copied to there");
    return std::indirectly_copyable<I, Out>;
  }
}

}  // namespace heist::detail

HEIST_END
