#pragma once
// Prefix sums. They give the same bits on any number of workers: algorithm/README.md, "Scans".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/boxed.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/scan_tree.hpp>
#include <heist/base/export.hpp>
#include <heist/op.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

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
  if constexpr (can_read<I, S>()) {
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

}  // namespace heist

HEIST_END
