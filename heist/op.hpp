#pragma once
// Monoids for reducers: an associative operation and its identity. A reducer's answer is the serial one, so they need not
// commute: appending keeps the serial order.
//
// Your own is an empty class like these: `T identity() const`, and `void operator()(T& left, T&& right) const`, which makes
// left what left and right are together. What it throws while views merge ends the program.

#include <heist/base/export.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

HEIST_BEGIN

namespace heist::op {

namespace detail {

// Of two values the one that `Better` prefers, the left one if it has no preference. Over optional<T>: nothing is worse than
// anything, for types that have no largest value.
template <class T, class Better>
struct choose {
  void operator()(T& left, T&& right) const {
    if (Better{}(right, left)) left = std::move(right);
  }
};

template <class T, class Better>
struct choose<std::optional<T>, Better> {
  std::optional<T> identity() const { return std::nullopt; }
  void operator()(std::optional<T>& left, std::optional<T>&& right) const {
    if (right && (!left || Better{}(*right, *left))) left = std::move(right);
  }
};

template <class T>
constexpr bool has_limits = std::numeric_limits<T>::is_specialized;

}  // namespace detail

template <class T>
struct HEIST_TYPE sum {
  HEIST_OWN T identity() const { return T{}; }
  HEIST_OWN void operator()(T& left, T&& right) const
    requires requires { left += std::move(right); }
  {
    left += std::move(right);
  }
};

// For T with std::numeric_limits, or T = std::optional<U>.
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

// std::vector, std::string, and whatever else has insert at its end; std::list is spliced.
template <class T>
struct HEIST_TYPE append {
  HEIST_OWN T identity() const { return T{}; }
  HEIST_OWN void operator()(T& left, T&& right) const {
    if constexpr (requires { left.splice(left.end(), right); }) {
      left.splice(left.end(), right);
    } else if (left.empty()) {
      left = std::move(right);
    } else {
      left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
    }
  }
};

// std::map, std::unordered_map and their like; what both have under one key is combined by `Combine`, itself a monoid's
// operation.
template <class Map, class Combine = sum<typename Map::mapped_type>>
struct HEIST_TYPE merge_maps {
  HEIST_OWN Map identity() const { return Map{}; }
  HEIST_OWN void operator()(Map& left, Map&& right) const {
    if (left.empty()) std::swap(left, right);
    while (!right.empty()) {
      auto node = right.extract(right.begin());
      auto done = left.insert(std::move(node));
      if (!done.inserted) Combine{}(done.position->second, std::move(done.node.mapped()));
    }
  }
};

}  // namespace heist::op

HEIST_END
