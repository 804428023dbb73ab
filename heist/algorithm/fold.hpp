#pragma once
// Folds. The order of operations depends only on the number of elements, the grain and the types.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/boxed.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/tree.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// So many values a leaf folds before it looks whether to stop: a multiple of eight.
constexpr std::size_t values_between_looks = 64;
// So many values that may not be cheap are a leaf in lanes, which does not look.
constexpr std::size_t most_in_lanes = 256;

// Folds value(a), …, value(b − 1), at least one, from left to right, and calls look() now and then.
// Plain values are combined eight at a time as a tree, and then with what came before, so that
// fewer operations wait for each other.
template <class T, class Value, class Op, class Look>
T fold_in_order(std::size_t a, std::size_t b, Value& all, Op& combine, const Look& look) {
  const local_function value(all);
  const local_function op(combine);
  if constexpr (std::is_trivially_copyable_v<T>) {
    // Values are read from left to right, even if one throws.
    auto two = [&](std::size_t k) -> T {
      T left = static_cast<T>(value(k));
      return static_cast<T>(op(std::move(left), static_cast<T>(value(k + 1))));
    };
    auto four = [&](std::size_t k) -> T {
      T left = two(k);
      return static_cast<T>(op(std::move(left), two(k + 2)));
    };
    auto eight = [&](std::size_t k) -> T {
      T left = four(k);
      return static_cast<T>(op(std::move(left), four(k + 4)));
    };
    const std::size_t odd = (b - a) % 8;
    std::size_t k = odd == 0 ? a + 8 : a + 1;
    T sum = odd == 0 ? eight(a) : static_cast<T>(value(a));
    for (; (b - k) % 8 != 0; ++k) sum = static_cast<T>(op(std::move(sum), value(k)));
    while (k != b) {
      const std::size_t end = k + std::min(b - k, values_between_looks);
      for (; k != end; k += 8) sum = static_cast<T>(op(std::move(sum), eight(k)));
      if (k != b) look();
    }
    return sum;
  } else {
    T sum = static_cast<T>(value(a));
    while (++a != b) {
      if (a % values_between_looks == 0) look();
      sum = static_cast<T>(op(std::move(sum), value(a)));
    }
    return sum;
  }
}

// The same for numbers and a commutative operation: eight interleaved folds, so that the compiler
// can vectorise them. It vectorises integers without help. Does not look: that costs the vectors.
template <class T, class Value, class Op>
T fold_in_lanes(std::size_t a, std::size_t b, Value& all, Op& combine) {
  const local_function value(all);
  const local_function op(combine);
  auto fold = [&](T x, auto y) -> T { return static_cast<T>(op(x, static_cast<T>(y))); };
  if (std::is_integral_v<T> || b - a < 16) {
    T sum = static_cast<T>(value(a));
    for (std::size_t k = a + 1; k < b; ++k) sum = fold(sum, value(k));
    return sum;
  }
  T lane[8];
  for (std::size_t j = 0; j < 8; ++j) lane[j] = static_cast<T>(value(a + j));
  std::size_t k = a + 8;
  for (; b - k >= 8; k += 8)
    for (std::size_t j = 0; j < 8; ++j) lane[j] = fold(lane[j], value(k + j));
  for (std::size_t j = 0; k < b; ++j, ++k) lane[j] = fold(lane[j], value(k));
  for (std::size_t half = 4; half != 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) lane[j] = fold(lane[j], lane[j + half]);
  return lane[0];
}

// The fold of value(0), …, value(n − 1), at least one, by the fixed tree. Cheap says that the values are, too.
template <bool cheap, class T, class Value, class Op, option... O>
T fold_some(std::size_t n, Value& value, Op& op, const options_of<O...>& o) {
  constexpr bool lanes = cheap_operation<Op, T>;
  const leaves by{n, o.grain_or(cheap ? cheap_leaf : lanes ? std::min(usual_leaf(n), most_in_lanes) : usual_leaf(n))};
  const auto look = [&o] { o.check(); };
  auto leaf = [&](std::size_t a, std::size_t b) -> T {
    if constexpr (lanes)
      return detail::fold_in_lanes<T>(a, b, value, op);
    else
      return detail::fold_in_order<T>(a, b, value, op, look);
  };
  auto combine = [&op](T&& a, T&& b) -> T { return static_cast<T>(detail::call_back(op, std::move(a), std::move(b))); };
  return detail::fold_leaves<T>(by, leaf, combine, o);
}

// The fold of all, at least one, where the type may be too large for stacks.
template <bool cheap, class T, class Value, class Op, option... O>
T fold_all(std::size_t n, Value& value, Op& op, const options_of<O...>& o) {
  if constexpr (is_large<T>) {
    boxed_operation<T, Op> boxed_op{op};
    return std::move(*detail::fold_some<false, boxed<T>>(n, value, boxed_op, o));
  } else {
    return detail::fold_some<cheap, T>(n, value, op, o);
  }
}

// op(init, the fold of all). Cheap means numbers, and an operation that is known to be commutative
// and very fast.
template <bool cheap, class T, class Value, class Op, option... O>
T fold_values(std::size_t n, T& init, Value& value, Op& op, const options_of<O...>& o) {
  if (n == 0) return std::move(init);
  if constexpr (is_large<T>) {
    boxed_operation<T, Op> boxed_op{op};
    return static_cast<T>(
        std::invoke(op, std::move(init), std::move(*detail::fold_some<false, boxed<T>>(n, value, boxed_op, o))));
  } else {
    return static_cast<T>(std::invoke(op, std::move(init), detail::fold_some<cheap, T>(n, value, op, o)));
  }
}

}  // namespace heist::detail

HEIST_END
