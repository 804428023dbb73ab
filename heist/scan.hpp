#pragma once
// Prefix sums, and differences of neighbours. Prefix sums give the same bits on any number of
// workers: algorithm/README.md, "Scans".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/boxed.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/scan_tree.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/op.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {
namespace detail {

template <class T, class Op, class Transform, class I, class S, class Out>
consteval bool can_scan() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else if constexpr (!can_call<Transform, I>()) {
    return false;
  } else if constexpr (constexpr bool copyable = std::copyable<T>; !copyable) {
    static_assert(copyable,
                  "heist: the values of a scan must be copyable, because it writes each one and continues with it");
    return false;
  } else if constexpr (!can_fold<T, Op, kept_result<Transform, I>>()) {
    return false;
  } else {
    return can_assign<Out, const T&>();
  }
}

// `before` points to the initial value; null means there is none.
template <scan_kind kind, class T, class I, class S, class Out, class Op, class Transform, option... O>
Out scan_range(const I& first, const S& last, Out& out, const T* before, Op& op, Transform& transform, const O&... o) {
  if constexpr (combines_in_place<Op, T>) {
    by_value<T, Op> combine{op};
    return detail::scan_range<kind, T>(first, last, out, before, combine, transform, o...);
  } else if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::scan_range<kind, T>(all.begin(), all.end(), out, before, op, transform, o...);
  } else if constexpr (can_scan<T, Op, Transform, I, S, Out>()) {
    const std::size_t n = detail::length(first, last);
    constexpr bool cheap = cheap_operation<Op, T> && cheap_operation<Transform, std::iter_value_t<I>>;
    auto value = [&](std::size_t k) -> kept_result<Transform, I> {
      return std::invoke(transform, *detail::at(first, k));
    };
    if constexpr (is_large<T>) {
      boxed_operation<T, Op> boxed_op{op};
      std::optional<boxed<T>> start;
      if (before != nullptr) start.emplace(*before);
      auto put = [&](std::size_t k, auto&& x) { *detail::at(out, k) = detail::unboxed(std::forward<decltype(x)>(x)); };
      detail::scan_values<kind, false, boxed<T>>(n, start ? &*start : nullptr, value, put, boxed_op, options_of(o...));
    } else {
      auto put = [&](std::size_t k, auto&& x) { detail::assign(*detail::at(out, k), std::forward<decltype(x)>(x)); };
      detail::scan_values<kind, cheap, T>(n, before, value, put, op, options_of(o...));
    }
    return detail::at(out, n);
  } else {
    return out;
  }
}

// Scans transform(x), without an initial value.
template <class I, class S, class Out, class Op, class Transform, option... O>
Out inclusive_scan_range(const I& first, const S& last, Out& out, Op& op, Transform& transform, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::inclusive_scan_range(all.begin(), all.end(), out, op, transform, o...);
  } else if constexpr (can_read<I, S>()) {
    if constexpr (can_call<Transform, I>()) {
      using T = std::remove_cvref_t<std::invoke_result_t<Transform&, std::iter_reference_t<I>>>;
      return detail::scan_range<scan_kind::inclusive, T>(first, last, out, nullptr, op, transform, o...);
    }
  }
  return out;
}

}  // namespace detail

// Writes to `out`, for each element of [first, last), the fold of all elements up to and including
// it, by op or +. op must be associative; it need not be commutative. An initial value comes before
// all elements. Returns the end of what was written. `out` may be the range itself. op is a
// function or any operation of heist/op.hpp.
template <class I, detail::sentinel<I> S, class Out, detail::function Op = std::plus<>, detail::function Transform,
          class T, detail::option... O>
  requires(!detail::option<T>)
Out transform_inclusive_scan(I first, S last, Out out, Op op, Transform transform, T init, const O&... o) {
  return detail::scan_range<detail::scan_kind::inclusive, T>(first, last, out, &init, op, transform, o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::function Op = std::plus<>, detail::function Transform,
          detail::option... O>
Out transform_inclusive_scan(I first, S last, Out out, Op op, Transform transform, const O&... o) {
  return detail::inclusive_scan_range(first, last, out, op, transform, o...);
}
template <detail::range R, class Out, detail::function Op = std::plus<>, detail::function Transform, class T,
          detail::option... O>
  requires(!detail::option<T>)
Out transform_inclusive_scan(R&& r, Out out, Op op, Transform transform, T init, const O&... o) {
  return detail::scan_range<detail::scan_kind::inclusive, T>(std::ranges::begin(r), std::ranges::end(r), out, &init, op,
                                                             transform, o...);
}
template <detail::range R, class Out, detail::function Op = std::plus<>, detail::function Transform,
          detail::option... O>
Out transform_inclusive_scan(R&& r, Out out, Op op, Transform transform, const O&... o) {
  return detail::inclusive_scan_range(std::ranges::begin(r), std::ranges::end(r), out, op, transform, o...);
}

template <class I, detail::sentinel<I> S, class Out, detail::function Op = std::plus<>, class T, detail::option... O>
  requires(!detail::option<T>)
Out inclusive_scan(I first, S last, Out out, Op op, T init, const O&... o) {
  std::identity same;
  return detail::scan_range<detail::scan_kind::inclusive, T>(first, last, out, &init, op, same, o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::function Op = std::plus<>, detail::option... O>
Out inclusive_scan(I first, S last, Out out, Op op, const O&... o) {
  std::identity same;
  return detail::inclusive_scan_range(first, last, out, op, same, o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out inclusive_scan(I first, S last, Out out, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::inclusive_scan_range(first, last, out, op, same, o...);
}
template <detail::range R, class Out, detail::function Op = std::plus<>, class T, detail::option... O>
  requires(!detail::option<T>)
Out inclusive_scan(R&& r, Out out, Op op, T init, const O&... o) {
  std::identity same;
  return detail::scan_range<detail::scan_kind::inclusive, T>(std::ranges::begin(r), std::ranges::end(r), out, &init, op,
                                                             same, o...);
}
template <detail::range R, class Out, detail::function Op = std::plus<>, detail::option... O>
Out inclusive_scan(R&& r, Out out, Op op, const O&... o) {
  std::identity same;
  return detail::inclusive_scan_range(std::ranges::begin(r), std::ranges::end(r), out, op, same, o...);
}
template <detail::range R, class Out, detail::option... O>
Out inclusive_scan(R&& r, Out out, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::inclusive_scan_range(std::ranges::begin(r), std::ranges::end(r), out, op, same, o...);
}

// The same, without the element itself: the first result is init, or the operation's identity if it
// has one and init is left out.
template <class I, detail::sentinel<I> S, class Out, class T, detail::function Op = std::plus<>,
          detail::function Transform = std::identity, detail::option... O>
Out transform_exclusive_scan(I first, S last, Out out, T init, Op op, Transform transform, const O&... o) {
  return detail::scan_range<detail::scan_kind::exclusive, T>(first, last, out, &init, op, transform, o...);
}
template <detail::range R, class Out, detail::value_beside<R> T, detail::function Op = std::plus<>,
          detail::function Transform = std::identity, detail::option... O>
Out transform_exclusive_scan(R&& r, Out out, T init, Op op, Transform transform, const O&... o) {
  return detail::scan_range<detail::scan_kind::exclusive, T>(std::ranges::begin(r), std::ranges::end(r), out, &init, op,
                                                             transform, o...);
}

template <class I, detail::sentinel<I> S, class Out, class T, detail::function Op = std::plus<>, detail::option... O>
  requires(!detail::option<T>)
Out exclusive_scan(I first, S last, Out out, T init, Op op, const O&... o) {
  std::identity same;
  return detail::scan_range<detail::scan_kind::exclusive, T>(first, last, out, &init, op, same, o...);
}
template <class I, detail::sentinel<I> S, class Out, class T, detail::option... O>
  requires(!detail::option<T> && !detail::monoid<T>)
Out exclusive_scan(I first, S last, Out out, T init, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::scan_range<detail::scan_kind::exclusive, T>(first, last, out, &init, op, same, o...);
}
template <detail::range R, class Out, detail::value_beside<R> T, detail::function Op = std::plus<>, detail::option... O>
Out exclusive_scan(R&& r, Out out, T init, Op op, const O&... o) {
  std::identity same;
  return detail::scan_range<detail::scan_kind::exclusive, T>(std::ranges::begin(r), std::ranges::end(r), out, &init, op,
                                                             same, o...);
}
template <detail::range R, class Out, detail::value_beside<R> T, detail::option... O>
  requires(!detail::monoid<T>)
Out exclusive_scan(R&& r, Out out, T init, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::scan_range<detail::scan_kind::exclusive, T>(std::ranges::begin(r), std::ranges::end(r), out, &init, op,
                                                             same, o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::monoid Op, detail::option... O>
Out exclusive_scan(I first, S last, Out out, Op op, const O&... o) {
  auto init = op.identity();
  return heist::exclusive_scan(std::move(first), std::move(last), std::move(out), std::move(init), std::move(op), o...);
}
template <detail::range R, class Out, detail::monoid Op, detail::option... O>
Out exclusive_scan(R&& r, Out out, Op op, const O&... o) {
  auto init = op.identity();
  return heist::exclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init), std::move(op),
                               o...);
}

namespace detail {

template <class I, class S, class Out, class Op>
consteval bool can_subtract() noexcept {
  if constexpr (!can_read<I, S>()) {
    return false;
  } else {
    using value = std::iter_value_t<I>;
    constexpr bool kept = std::copy_constructible<value> && std::is_constructible_v<value, std::iter_reference_t<I>>;
    constexpr bool called = std::is_invocable_v<Op&, const value&, const value&>;
    static_assert(kept, "heist::adjacent_difference: it keeps copies of the elements, and these cannot be copied");
    static_assert(called, "heist::adjacent_difference: the operation cannot be called with two elements");
    if constexpr (kept && called)
      return can_share<Op, const value&, const value&>() && can_assign<Out, const value&>() &&
             can_assign<Out, std::invoke_result_t<Op&, const value&, const value&>>();
    else
      return false;
  }
}

// In blocks, the element before each is copied first: so `out` may be the range itself.
template <class I, class S, class Out, class Op, option... O>
Out subtract_neighbours(const I& first, const S& last, const Out& out, Op& op, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::subtract_neighbours(all.begin(), all.end(), out, op, o...);
  } else if constexpr (can_subtract<I, S, Out, Op>()) {
    using value = std::iter_value_t<I>;
    const std::size_t n = detail::length(first, last);
    const options_of options(o...);
    const std::size_t size = options.grain_or(std::clamp<std::size_t>(n / 256, 1, 4096));
    const std::size_t blocks = n / size + (n % size != 0);
    std::vector<value> before;
    if (blocks > 1) before.reserve(blocks - 1);
    for (std::size_t k = 1; k < blocks; ++k) before.push_back(static_cast<value>(*detail::at(first, k * size - 1)));
    auto some = [&](std::size_t lo, std::size_t hi) {
      const local_function minus(op);
      for (std::size_t k = lo; k != hi; ++k) {
        const std::size_t from = k * size, to = std::min(n, from + size);
        value left = k == 0 ? static_cast<value>(*first) : before[k - 1];
        if (k == 0) detail::assign(*out, std::as_const(left));
        Out place = detail::at(out, std::max<std::size_t>(from, 1));
        for (std::size_t i = std::max<std::size_t>(from, 1); i != to; ++i, ++place) {
          value here = static_cast<value>(*detail::at(first, i));
          detail::assign(*place, minus(std::as_const(here), std::as_const(left)));
          left = std::move(here);
        }
      }
    };
    // A grain has made the blocks, and now a block is what is worth a fork.
    plain_body<decltype(some), decltype(options)> body{some, options};
    if (blocks == 1)
      body(0, 1);
    else if (blocks > 1)
      in_a_pool([&] {
        pace p = pace::of(blocks);
        detail::work_through(0, blocks, p, body);
      });
    return detail::at(out, n);
  } else {
    return out;
  }
}

}  // namespace detail

// Writes to `out` the first element, and then for every other element op(it, the one before it), by
// default their difference. Returns the end of what was written. `out` may be the range itself.
template <class I, detail::sentinel<I> S, class Out, detail::function Op = std::minus<>, detail::option... O>
Out adjacent_difference(I first, S last, Out out, Op op, const O&... o) {
  return detail::subtract_neighbours(first, last, out, op, o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out adjacent_difference(I first, S last, Out out, const O&... o) {
  std::minus<> op;
  return detail::subtract_neighbours(first, last, out, op, o...);
}
template <detail::range R, class Out, detail::function Op = std::minus<>, detail::option... O>
Out adjacent_difference(R&& r, Out out, Op op, const O&... o) {
  return detail::subtract_neighbours(std::ranges::begin(r), std::ranges::end(r), out, op, o...);
}
template <detail::range R, class Out, detail::option... O>
Out adjacent_difference(R&& r, Out out, const O&... o) {
  std::minus<> op;
  return detail::subtract_neighbours(std::ranges::begin(r), std::ranges::end(r), out, op, o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(inclusive_scan, "heist::inclusive_scan takes a range, or its two ends, and an iterator to "
                                   "write to, then perhaps an operation and a first value")
HEIST_NO_SUCH_FORM(exclusive_scan, "heist::exclusive_scan takes a range, or its two ends, an iterator to write "
                                   "to, and a first value, then perhaps an operation")

}  // namespace heist

HEIST_END
