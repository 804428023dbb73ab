#pragma once
// Operations for reducers, folds and scans. Each is associative and has an identity: a monoid. It
// need not be commutative: appending keeps the serial order.
//
// An operation on T is anything that can be called in one of two ways:
//   T op(T left, T right)             returns the result, as std::plus<> and lambdas do
//   void op(T& left, T&& right)       leaves the result in `left`, which saves moves of a large T
// The operations below are called in the first way, so the standard's algorithms accept them, too.
// If no initial value is passed, the operation supplies one: a member `T identity() const`.

#include <heist/base/export.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class Op, class T>
inline constexpr bool combines_by_value = std::is_invocable_r_v<T, Op&, T, T> && !std::is_void_v<T>;

template <class Op, class T>
consteval bool check_combines_in_place() noexcept {
  if constexpr (!combines_by_value<Op, T> && std::is_invocable_v<Op&, T&, T>) {
    // If it returns a value, it does not leave the result in `left`.
    using result = std::invoke_result_t<Op&, T&, T>;
    return std::is_void_v<result> || std::is_same_v<result, T&>;
  } else {
    return false;
  }
}
template <class Op, class T>
inline constexpr bool combines_in_place = check_combines_in_place<Op, T>();

template <class Op, class T>
inline constexpr bool combines = combines_by_value<Op, T> || combines_in_place<Op, T>;

// Leaves the result in `left`, whichever way the operation is called.
template <class Op, class T>
void combine_into(Op& op, T& left, std::type_identity_t<T>&& right) {
  if constexpr (combines_in_place<Op, T>)
    std::invoke(op, left, std::move(right));
  else
    left = static_cast<T>(std::invoke(op, std::move(left), std::move(right)));
}

// Makes an operation of the first kind from one of the second.
template <class T, class Op>
struct by_value {
  Op& op;
  T operator()(T left, T right) const {
    std::invoke(op, left, std::move(right));
    return left;
  }
};

// A monoid is an operation with an identity. A matrix with a member identity() is not one: it does
// not combine two matrices.
template <class Op>
concept has_identity = requires(const std::remove_cvref_t<Op>& op) { op.identity(); };
template <class Op>
using identity_type = std::remove_cvref_t<decltype(std::declval<const std::remove_cvref_t<Op>&>().identity())>;
template <class Op>
concept monoid = has_identity<Op> && combines<const std::remove_cvref_t<Op>, identity_type<Op>>;

#define HEIST_NO_IDENTITY \
  "heist: this operation has no identity() to start the fold from; pass a start value before the operation"

// An operation on values of type X that does not say what a fold starts from.
template <class Op, class X>
concept lone_operation = !has_identity<Op> && std::is_invocable_v<Op&, X, X> && !std::is_constructible_v<Op, X>;

template <class Op>
[[noreturn]] void refuse_lone_operation() noexcept {
  constexpr bool has = has_identity<Op>;  // the concept itself would add ten lines of notes
  static_assert(has, HEIST_NO_IDENTITY);
  std::terminate();
}

}  // namespace detail

namespace op {

namespace detail {

// Returns the value that `Better` prefers, or the left one if it prefers neither. For types without
// a largest value there is optional<T>: an empty one is worse than any value.
template <class T, class Better>
struct choose {
  T operator()(T left, T right) const {
    if (Better{}(right, left)) return right;
    return left;
  }
};

template <class T, class Better>
struct choose<std::optional<T>, Better> {
  std::optional<T> identity() const { return std::nullopt; }
  std::optional<T> operator()(std::optional<T> left, std::optional<T> right) const {
    if (right && (!left || Better{}(*right, *left))) return right;
    return left;
  }
};

template <class T>
constexpr bool has_limits = std::numeric_limits<T>::is_specialized;

}  // namespace detail

template <class T>
struct HEIST_TYPE sum {
  HEIST_OWN T identity() const { return T{}; }
  HEIST_OWN T operator()(T left, T right) const
    requires requires { left += std::move(right); }
  {
    left += std::move(right);
    return left;
  }
};

// These have an identity if T has std::numeric_limits or is a std::optional.
template <class T>
struct HEIST_TYPE min : detail::choose<T, std::less<>> {
  HEIST_OWN T identity() const
    requires detail::has_limits<T>
  {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
  using detail::choose<T, std::less<>>::operator();
};

template <class T>
struct HEIST_TYPE max : detail::choose<T, std::greater<>> {
  HEIST_OWN T identity() const
    requires detail::has_limits<T>
  {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
  using detail::choose<T, std::greater<>>::operator();
};

template <class U>
struct HEIST_TYPE min<std::optional<U>> : detail::choose<std::optional<U>, std::less<>> {};
template <class U>
struct HEIST_TYPE max<std::optional<U>> : detail::choose<std::optional<U>, std::greater<>> {};

// For std::vector, std::string and other containers with insert at the end; a std::list is spliced.
template <class T>
struct HEIST_TYPE append {
  HEIST_OWN T identity() const { return T{}; }
  HEIST_OWN T operator()(T left, T right) const {
    if constexpr (requires { left.splice(left.end(), right); })
      left.splice(left.end(), right);
    else if (left.empty())
      return right;
    else
      left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
    return left;
  }
};

// For std::map, std::unordered_map and the like. If both have a key, the operation `Combine`
// combines the two values.
template <class Map, class Combine = sum<typename Map::mapped_type>>
struct HEIST_TYPE merge_maps {
  HEIST_OWN Map identity() const { return Map{}; }
  HEIST_OWN Map operator()(Map left, Map right) const {
    if (left.empty()) return right;
    while (!right.empty()) {
      auto node = right.extract(right.begin());
      auto done = left.insert(std::move(node));
      Combine combine;
      if (!done.inserted) heist::detail::combine_into(combine, done.position->second, std::move(done.node.mapped()));
    }
    return left;
  }
};

}  // namespace op
}  // namespace heist

HEIST_END
