#pragma once
// Vectors from functions and ranges. Their elements are made in parallel and need no default
// constructor, only a move constructor. If something throws, the first in the order of the vector is
// what leaves, and nothing of the vector remains.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/build.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>
#include <heist/for_each.hpp>
#include <heist/scan.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class N, class F>
consteval bool can_tabulate() noexcept {
  constexpr bool counted = std::is_integral_v<N>;
  static_assert(counted, "heist::tabulate: the number of elements must be an integer");
  if constexpr (counted) {
    static_assert(callable<F, N>, "heist::tabulate: the function cannot be called with an index");
    if constexpr (callable<F, N>) {
      constexpr bool kept = std::move_constructible<std::remove_cvref_t<std::invoke_result_t<F&, N>>>;
      static_assert(kept, "heist: the elements of a vector must be movable");
      return kept && can_share<F, N>();
    }
  }
  return false;
}

// The elements of a vector made of f's results.
template <class F, class... Args>
struct collected {
  using type = std::vector<std::remove_cvref_t<std::invoke_result_t<F&, Args...>>>;
};
template <class F, class... Args>
  requires(!std::is_invocable_v<F&, Args...>)
struct collected<F, Args...> {
  using type = std::vector<int>;  // the call is refused
};

// An element by itself, and not a proxy for it.
template <class T>
struct as_value {
  template <class X>
  T operator()(X&& x) const {
    return static_cast<T>(std::forward<X>(x));
  }
};

template <class I, class S, class F, class... O>
typename collected<F, std::iter_reference_t<I>>::type collect_range(const I& first, const S& last, F& f, const O&... o) {
  if constexpr (can_read<I, S>()) {
    if constexpr (can_call<F, I>()) {
      using T = std::remove_cvref_t<std::invoke_result_t<F&, std::iter_reference_t<I>>>;
      constexpr bool made = std::move_constructible<T> &&
                            std::constructible_from<T, std::invoke_result_t<F&, std::iter_reference_t<I>>>;
      static_assert(made, "heist: the results of the function cannot be kept in a vector");
      if constexpr (made) {
        auto some = [&](std::size_t a, std::size_t b, auto&& put) {
          const local_function here(f);
          const I end = detail::at(first, b);
          for (I i = detail::at(first, a); i != end; ++i) put(here(*i));
        };
        constexpr bool plain = std::is_same_v<F, const as_value<T>> && std::contiguous_iterator<I>;
        return detail::build_vector<T>(detail::length(first, last), some, options_of(o...),
                                       plain ? plain_elements<T>() : 1);
      }
    }
  }
  return {};
}

// A copy of the element, unless it can only be moved.
template <class I>
std::iter_value_t<I> batch_value(const I& i) {
  using T = std::iter_value_t<I>;
  if constexpr (std::constructible_from<T, std::iter_reference_t<I>> || std::forward_iterator<I>)
    return static_cast<T>(*i);
  else
    return static_cast<T>(std::ranges::iter_move(i));
}

// For a range that cannot be split: f is called in parallel, and its results are appended in order.
template <class I, class S, class F, class... O>
auto feed_vector(I first, const S& last, F& f, const O&... o) {
  typename collected<F, std::iter_reference_t<fed_place<I>>>::type all;
  std::identity same;
  detail::feed_transform(std::move(first), last, std::back_inserter(all), f, same, o...);
  return all;
}

template <class I, class S, class... O>
std::vector<std::iter_value_t<I>> list_elements(I first, const S& last, const O&... o) {
  if constexpr (is_fed<I, S>) {
    const options_of options(o...);
    std::vector<std::iter_value_t<I>> all;
    if constexpr (std::sized_sentinel_for<S, I>) all.reserve(static_cast<std::size_t>(last - first));
    for (; first != last; ++first) {
      if (all.size() % 1024 == 0) options.check();
      all.push_back(batch_value(first));
    }
    return all;
  } else {
    constexpr as_value<std::iter_value_t<I>> value;
    constexpr bool copyable = std::constructible_from<std::iter_value_t<I>, std::iter_reference_t<I>>;
    static_assert(copyable, "heist: the elements cannot be copied into a vector");
    if constexpr (copyable)
      return detail::collect_range(first, last, value, o...);
    else
      return {};
  }
}

}  // namespace detail

// Returns the vector of f(0), …, f(n − 1). The index has the type of n. A negative n counts as 0.
template <class N, class F, detail::option... O>
[[nodiscard]] auto tabulate(N n, F&& f, const O&... o) -> typename detail::collected<F, N>::type {
  if constexpr (detail::can_tabulate<N, F>()) {
    using T = std::remove_cvref_t<std::invoke_result_t<F&, N>>;
    if (!(n > 0)) return {};
    auto some = [&f](std::size_t a, std::size_t b, auto&& put) {
      const detail::local_function here(f);
      for (; a != b; ++a) put(here(static_cast<N>(a)));
    };
    return detail::build_vector<T>(static_cast<std::size_t>(n), some, detail::options_of(o...));
  } else {
    return {};
  }
}

// Returns the vector of the elements. A range without random access is copied by the calling strand; a
// vector that is given away is returned as it is.
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] std::vector<std::iter_value_t<I>> to_vector(I first, S last, const O&... o) {
  return detail::list_elements(std::move(first), last, o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::vector<std::ranges::range_value_t<R>> to_vector(R&& r, const O&... o) {
  if constexpr (std::is_same_v<R, std::vector<std::ranges::range_value_t<R>>>) {
    detail::options_of(o...).check();
    return std::move(r);
  } else
    return detail::list_elements(std::ranges::begin(r), std::ranges::end(r), o...);
}

// Returns the vector of f(x) for every element x; without a function, of the elements. If the range has
// no random access, one strand feeds it to the others.
template <class I, detail::sentinel<I> S, detail::function F, detail::option... O>
[[nodiscard]] auto collect(I first, S last, F f, const O&... o) {
  if constexpr (detail::is_fed<I, S>)
    return detail::feed_vector(std::move(first), last, f, o...);
  else
    return detail::collect_range(first, last, f, o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] auto collect(I first, S last, const O&... o) {
  return heist::to_vector(std::move(first), std::move(last), o...);
}
template <detail::range R, detail::function F, detail::option... O>
[[nodiscard]] auto collect(R&& r, F f, const O&... o) {
  return heist::collect(std::ranges::begin(r), std::ranges::end(r), std::move(f), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] auto collect(R&& r, const O&... o) {
  return heist::to_vector(std::forward<R>(r), o...);
}

namespace detail {

template <class R>
consteval bool can_flatten() noexcept {
  using ends = split_ends<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>;
  if constexpr (!can_read<typename ends::place, typename ends::end>()) {
    return false;
  } else {
    using inner = std::ranges::range_reference_t<R>;
    constexpr bool nested = std::ranges::range<inner>;
    static_assert(nested, "heist::flatten: the elements are no ranges");
    if constexpr (nested) {
      constexpr bool known = std::ranges::forward_range<inner> && std::ranges::sized_range<inner>;
      static_assert(known, "heist::flatten: the sizes of the inner ranges must be known, to find the place of each");
      return known;
    } else {
      return false;
    }
  }
}
template <class R, bool nested = std::ranges::range<std::ranges::range_reference_t<R>>>
struct flattened {
  using value = std::ranges::range_value_t<std::ranges::range_reference_t<R>>;
};
template <class R>
struct flattened<R, false> {
  using value = int;  // the call is refused
};

// Inner ranges that exist only while they are looked at.
template <class R>
inline constexpr bool makes_inner_ranges = !std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> &&
                                           !std::ranges::borrowed_range<std::ranges::range_reference_t<R>>;

// All inner ranges, one after the other; movable if their owner is not needed any more.
template <bool movable, class I, class... O>
auto join_ranges(const I& first, std::size_t n, const O&... o) {
  using inner = std::iter_reference_t<I>;
  using T = std::ranges::range_value_t<inner>;
  const options_of options(o...);
  std::vector<std::size_t> ends(n + 1);
  auto measure = [&](std::size_t a, std::size_t b) {
    for (; a != b; ++a) ends[a + 1] = static_cast<std::size_t>(std::ranges::size(*detail::at(first, a)));
  };
  detail::for_pieces(n, measure, options);
  heist::inclusive_scan(ends, ends.begin());
  auto some = [&](std::size_t a, std::size_t b, auto&& put) {
    auto k = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), a) - ends.begin()) - 1;
    while (a != b) {
      inner part = *detail::at(first, k);
      const std::size_t stop = std::min(b, ends[k + 1]);
      auto i = std::ranges::next(std::ranges::begin(part), static_cast<std::ranges::range_difference_t<inner>>(a - ends[k]));
      for (; a != stop; ++a, ++i) {
        if constexpr (movable)
          put(std::ranges::iter_move(i));
        else
          put(*i);
      }
      ++k;
    }
  };
  return detail::build_vector<T>(ends[n], some, options, plain_elements<T>());
}

}  // namespace detail

// Returns the elements of all inner ranges in one vector, in order. If the outer range is a container
// and an rvalue, its elements are moved.
template <detail::range R, detail::option... O>
[[nodiscard]] auto flatten(R&& r, const O&... o) -> std::vector<typename detail::flattened<R>::value> {
  if constexpr (detail::can_flatten<R>()) {
    if constexpr (detail::makes_inner_ranges<R> ||
                  detail::is_fed<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>) {
      return heist::flatten(heist::to_vector(std::forward<R>(r), o...), o...);
    } else {
      constexpr bool movable = !std::is_lvalue_reference_v<R> && !std::is_const_v<std::remove_reference_t<R>> &&
                               !std::ranges::borrowed_range<R> &&
                               !std::ranges::view<std::remove_cvref_t<R>>;
      const std::size_t n = detail::length(std::ranges::begin(r), std::ranges::end(r));
      return detail::join_ranges<movable>(std::ranges::begin(r), n, o...);
    }
  } else {
    return {};
  }
}

// Calls f with every element, which gives a range, and returns the elements of all these ranges in one
// vector, in order.
template <detail::range R, detail::function F, detail::option... O>
[[nodiscard]] auto concat_map(R&& r, F f, const O&... o) {
  return heist::flatten(heist::collect(std::forward<R>(r), std::move(f), o...), o...);
}
template <class I, detail::sentinel<I> S, detail::function F, detail::option... O>
[[nodiscard]] auto concat_map(I first, S last, F f, const O&... o) {
  return heist::flatten(heist::collect(std::move(first), std::move(last), std::move(f), o...), o...);
}

}  // namespace heist

HEIST_END
