#pragma once
// Prefix sums. The same bits for every number of workers: algorithm/README.md, "Scans".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/scan_tree.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {
namespace detail {

template <scan_kind kind, class T, class I, class S, class Out, class Op, class Transform, option... O>
Out scan_range(I first, S last, Out out, const T* before, Op& op, Transform& transform, const O&... o) {
  const std::size_t n = detail::length(first, last);
  check_output<Out>();
  constexpr bool cheap = cheap_operation<Op, T> && cheap_operation<Transform, std::iter_value_t<I>>;
  auto value = [&](std::size_t k) -> kept_result<Transform, I> {
    return std::invoke(transform, *detail::at(first, k));
  };
  auto put = [&](std::size_t k, auto&& x) { *detail::at(out, k) = std::forward<decltype(x)>(x); };
  detail::scan_values<kind, cheap, T>(n, before, value, put, op, options_of(o...));
  return detail::at(out, n);
}

}  // namespace detail

// Writes to out, for each place of [first, last), the fold of all up to and with it: op, or plus, must be associative
// and need not be commutative. Returns the end of what was written, which may be the range itself. With an initial value,
// that comes before all.
template <class I, detail::sentinel<I> S, class Out, class Op, class Transform, class T, detail::option... O>
  requires(!detail::option<T>)
Out transform_inclusive_scan(I first, S last, Out out, Op op, Transform transform, T init, const O&... o) {
  return detail::scan_range<detail::scan_kind::inclusive, T>(std::move(first), std::move(last), std::move(out), &init, op,
                                                             transform, o...);
}
template <class I, detail::sentinel<I> S, class Out, class Op, class Transform, detail::option... O>
  requires(!detail::option<Transform>)
Out transform_inclusive_scan(I first, S last, Out out, Op op, Transform transform, const O&... o) {
  using T = std::remove_cvref_t<std::invoke_result_t<Transform&, std::iter_reference_t<I>>>;
  return detail::scan_range<detail::scan_kind::inclusive, T>(std::move(first), std::move(last), std::move(out), nullptr, op,
                                                             transform, o...);
}
template <detail::range R, std::input_or_output_iterator Out, class Op, class Transform, class... More>
Out transform_inclusive_scan(R&& r, Out out, Op op, Transform transform, const More&... more) {
  return heist::transform_inclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(op),
                                         std::move(transform), more...);
}

template <class I, detail::sentinel<I> S, class Out, class Op, class T, detail::option... O>
  requires(!detail::option<Op> && !detail::option<T>)
Out inclusive_scan(I first, S last, Out out, Op op, T init, const O&... o) {
  return heist::transform_inclusive_scan(std::move(first), std::move(last), std::move(out), std::move(op), std::identity(),
                                         std::move(init), o...);
}
template <class I, detail::sentinel<I> S, class Out, class Op, detail::option... O>
  requires(!detail::option<Op>)
Out inclusive_scan(I first, S last, Out out, Op op, const O&... o) {
  return heist::transform_inclusive_scan(std::move(first), std::move(last), std::move(out), std::move(op), std::identity(),
                                         o...);
}
template <class I, detail::sentinel<I> S, class Out, detail::option... O>
Out inclusive_scan(I first, S last, Out out, const O&... o) {
  return heist::inclusive_scan(std::move(first), std::move(last), std::move(out), std::plus<>(), o...);
}
template <detail::range R, std::input_or_output_iterator Out, class... More>
Out inclusive_scan(R&& r, Out out, const More&... more) {
  return heist::inclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), more...);
}

// The same without the place itself: the first result is init.
template <class I, detail::sentinel<I> S, class Out, class T, class Op, class Transform, detail::option... O>
  requires(!detail::option<Transform>)
Out transform_exclusive_scan(I first, S last, Out out, T init, Op op, Transform transform, const O&... o) {
  return detail::scan_range<detail::scan_kind::exclusive, T>(std::move(first), std::move(last), std::move(out), &init, op,
                                                             transform, o...);
}
template <detail::range R, std::input_or_output_iterator Out, class T, class Op, class Transform, class... More>
Out transform_exclusive_scan(R&& r, Out out, T init, Op op, Transform transform, const More&... more) {
  return heist::transform_exclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init),
                                         std::move(op), std::move(transform), more...);
}

template <class I, detail::sentinel<I> S, class Out, class T, class Op, detail::option... O>
  requires(!detail::option<T> && !detail::option<Op>)
Out exclusive_scan(I first, S last, Out out, T init, Op op, const O&... o) {
  return heist::transform_exclusive_scan(std::move(first), std::move(last), std::move(out), std::move(init), std::move(op),
                                         std::identity(), o...);
}
template <class I, detail::sentinel<I> S, class Out, class T, detail::option... O>
  requires(!detail::option<T>)
Out exclusive_scan(I first, S last, Out out, T init, const O&... o) {
  return heist::exclusive_scan(std::move(first), std::move(last), std::move(out), std::move(init), std::plus<>(), o...);
}
template <detail::range R, std::input_or_output_iterator Out, class T, class... More>
Out exclusive_scan(R&& r, Out out, T init, const More&... more) {
  return heist::exclusive_scan(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(init), more...);
}

}  // namespace heist

HEIST_END
