#pragma once
// Folds: reduce, transform_reduce, count and the extremes. The same bits for every number of workers: algorithm/README.md,
// "The fixed tree".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/extremes.hpp>
#include <heist/algorithm/fold.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// op(init, the fold of transform(x) over the range), in the order of the range: op must be associative and need not be
// commutative. An empty range gives init. T may be move-only and needs no default constructor.
template <class I, detail::sentinel<I> S, class T, class Op, class Transform, detail::option... O>
  requires(!detail::option<Transform>)
T transform_reduce(I first, S last, T init, Op op, Transform transform, const O&... o) {
  const std::size_t n = detail::length(first, last);
  using value = std::iter_value_t<I>;
  constexpr bool cheap = detail::cheap_operation<Op, T> && detail::cheap_operation<Transform, value>;
  const detail::local_function of(transform);
  auto at = [of, begin = detail::plain(first)](std::size_t k) -> detail::kept_result<Transform, I> {
    return of(*detail::at(begin, k));
  };
  return detail::fold_values<cheap>(n, std::move(init), at, op, detail::options_of(o...));
}
template <detail::range R, class T, class Op, class Transform, detail::option... O>
  requires(!detail::option<Transform>)
T transform_reduce(R&& r, T init, Op op, Transform transform, const O&... o) {
  return heist::transform_reduce(std::ranges::begin(r), std::ranges::end(r), std::move(init), std::move(op),
                                 std::move(transform), o...);
}

// The same for transform(x, y), x from one range and y from the same place of another: without operations, the inner
// product.
template <class I1, detail::sentinel<I1> S, std::input_or_output_iterator I2, class T, class Op, class Transform,
          detail::option... O>
  requires(!detail::option<Transform>)
T transform_reduce(I1 first1, S last1, I2 first2, T init, Op op, Transform transform, const O&... o) {
  const std::size_t n = detail::length(first1, last1);
  detail::check_iterator<I2>();
  constexpr bool cheap = detail::cheap_operation<Op, T> && detail::cheap_operation<Transform, std::iter_value_t<I1>> &&
                         std::is_arithmetic_v<std::iter_value_t<I2>>;
  const detail::local_function of(transform);
  auto at = [of, begin1 = detail::plain(first1),
             begin2 = detail::plain(first2)](std::size_t k) -> detail::kept_result<Transform, I1, I2> {
    return of(*detail::at(begin1, k), *detail::at(begin2, k));
  };
  return detail::fold_values<cheap>(n, std::move(init), at, op, detail::options_of(o...));
}
template <class I1, detail::sentinel<I1> S, std::input_or_output_iterator I2, class T, detail::option... O>
  requires(!detail::option<T>)
T transform_reduce(I1 first1, S last1, I2 first2, T init, const O&... o) {
  return heist::transform_reduce(std::move(first1), std::move(last1), std::move(first2), std::move(init), std::plus<>(),
                                 std::multiplies<>(), o...);
}

// The same without a transformation. Without an operation it adds; without an initial value it starts from T(), T the
// type of an element.
template <class I, detail::sentinel<I> S, class T, class Op, detail::option... O>
  requires(!detail::option<T> && !detail::option<Op>)
T reduce(I first, S last, T init, Op op, const O&... o) {
  return heist::transform_reduce(std::move(first), std::move(last), std::move(init), std::move(op), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
  requires(!detail::option<T>)
T reduce(I first, S last, T init, const O&... o) {
  return heist::reduce(std::move(first), std::move(last), std::move(init), std::plus<>(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
std::iter_value_t<I> reduce(I first, S last, const O&... o) {
  return heist::reduce(std::move(first), std::move(last), std::iter_value_t<I>(), std::plus<>(), o...);
}
template <detail::range R, class... More>
auto reduce(R&& r, More&&... more) {
  return heist::reduce(std::ranges::begin(r), std::ranges::end(r), std::forward<More>(more)...);
}

// How many elements, or their projections, pred holds for.
template <class I, detail::sentinel<I> S, class Pred, class Proj, detail::option... O>
  requires(!detail::option<Proj>)
std::iter_difference_t<I> count_if(I first, S last, Pred pred, Proj proj, const O&... o) {
  const std::size_t n = detail::length(first, last);
  const detail::options_of options(o...);
  const detail::question holds(pred, proj);
  detail::count_body body{first, holds, options};
  detail::loop(n, body, options);
  return body.found;
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
std::iter_difference_t<I> count_if(I first, S last, Pred pred, const O&... o) {
  return heist::count_if(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, class Pred, class... More>
std::ranges::range_difference_t<R> count_if(R&& r, Pred pred, const More&... more) {
  return heist::count_if(std::ranges::begin(r), std::ranges::end(r), std::move(pred), more...);
}

// How many equal value.
template <class I, detail::sentinel<I> S, class T, class Proj, detail::option... O>
  requires(!detail::option<Proj>)
std::iter_difference_t<I> count(I first, S last, const T& value, Proj proj, const O&... o) {
  const std::size_t n = detail::length(first, last);
  const detail::options_of options(o...);
  auto equals = [&value](const auto& x) -> bool { return x == value; };
  const detail::question holds(equals, proj);
  detail::count_body body{first, holds, options};
  constexpr bool cheap = std::is_arithmetic_v<T> && detail::cheap_operation<Proj, std::iter_value_t<I>>;
  detail::loop(n, body, options, cheap ? detail::cheap_leaf : 1);
  return body.found;
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
std::iter_difference_t<I> count(I first, S last, const T& value, const O&... o) {
  return heist::count(std::move(first), std::move(last), value, std::identity(), o...);
}
template <detail::range R, class T, class... More>
std::ranges::range_difference_t<R> count(R&& r, const T& value, const More&... more) {
  return heist::count(std::ranges::begin(r), std::ranges::end(r), value, more...);
}

// The first of the smallest, the first of the largest, or the first of the smallest with the last of the largest, by
// comp and a projection; the end of an empty range.
template <class I, detail::sentinel<I> S, class... More>
I min_element(I first, S last, const More&... more) {
  return detail::find_extremes<detail::smallest>(first, last, more...)[0];
}
template <class I, detail::sentinel<I> S, class... More>
I max_element(I first, S last, const More&... more) {
  return detail::find_extremes<detail::largest>(first, last, more...)[0];
}
template <class I, detail::sentinel<I> S, class... More>
std::ranges::minmax_element_result<I> minmax_element(I first, S last, const More&... more) {
  const auto both = detail::find_extremes<detail::smallest_and_largest>(first, last, more...);
  return {both[0], both[1]};
}
template <detail::range R, class... More>
auto min_element(R&& r, const More&... more) {
  return detail::in_range(std::forward<R>(r), heist::min_element(std::ranges::begin(r), std::ranges::end(r), more...));
}
template <detail::range R, class... More>
auto max_element(R&& r, const More&... more) {
  return detail::in_range(std::forward<R>(r), heist::max_element(std::ranges::begin(r), std::ranges::end(r), more...));
}
template <detail::range R, class... More>
std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>> minmax_element(R&& r, const More&... more) {
  const auto both = heist::minmax_element(std::ranges::begin(r), std::ranges::end(r), more...);
  return {detail::in_range(r, both.min), detail::in_range(r, both.max)};
}

}  // namespace heist

HEIST_END
