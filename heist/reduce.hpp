#pragma once
// Folds: reduce, transform_reduce, count and the extremes. They give the same bits on any number of
// workers: algorithm/README.md, "The fixed tree".

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/extremes.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/fold.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/op.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// The same for a range that cannot be split: batches are folded by the fixed tree, and combined from
// left to right. Where batches end depends on the range alone.
template <class I, class S, class T, class Op, class Transform, option... O>
T feed_fold(I first, const S& last, T& init, Op& op, Transform& transform, const O&... o) {
  using place = fed_place<I>;
  if constexpr (can_transform_and_fold<T, Op, Transform, place, place>()) {
    constexpr bool cheap = cheap_operation<Op, T> && cheap_operation<Transform, std::iter_value_t<I>>;
    auto work = [&](auto& items) {
      return detail::with_places<I>(items, [&](place a, place b) {
        const local_function of(transform);
        auto at = [of, a](std::size_t k) -> kept_result<Transform, place> { return of(*detail::at(a, k)); };
        return detail::fold_all<cheap, T>(detail::length(a, b), at, op, options_of(o...));
      });
    };
    auto take = [&](T&& x) {
      init = static_cast<T>(std::invoke(op, std::move(init), std::move(x)));
      return true;
    };
    detail::feed(std::move(first), last, rhythm::fixed, work, take, o...);
    return std::move(init);
  } else {
    return refused<T>();
  }
}

// op(init, the fold of transform(x) over the range), by the fixed tree.
template <class I, class S, class T, class Op, class Transform, option... O>
T fold_range(I first, const S& last, T& init, Op& op, Transform& transform, const O&... o) {
  if constexpr (combines_in_place<Op, T>) {
    by_value<T, Op> combine{op};
    return detail::fold_range(std::move(first), last, init, combine, transform, o...);
  } else if constexpr (is_fed<I, S>) {
    return detail::feed_fold(std::move(first), last, init, op, transform, o...);
  } else if constexpr (can_transform_and_fold<T, Op, Transform, S, I>()) {
    constexpr bool cheap = cheap_operation<Op, T> && cheap_operation<Transform, std::iter_value_t<I>>;
    const local_function of(transform);
    auto at = [of, begin = detail::plain(first)](std::size_t k) -> kept_result<Transform, I> {
      return of(*detail::at(begin, k));
    };
    return detail::fold_values<cheap>(detail::length(first, last), init, at, op, options_of(o...));
  } else {
    return refused<T>();
  }
}

// The same for transform(x, y), with y at the same position in another range.
template <class I1, class S, class I2, class T, class Op, class Transform, option... O>
T fold_ranges(const I1& first1, const S& last1, const I2& first2, T& init, Op& op, Transform& transform,
              const O&... o) {
  if constexpr (combines_in_place<Op, T>) {
    by_value<T, Op> combine{op};
    return detail::fold_ranges(first1, last1, first2, init, combine, transform, o...);
  } else if constexpr (is_noted<I1, S> || is_noted_beside<I2>) {
    places<I1, S> one(first1, last1);
    const auto n = static_cast<std::iter_difference_t<I2>>(std::ranges::distance(first1, last1));
    places<std::counted_iterator<I2>, std::default_sentinel_t> beside(std::counted_iterator<I2>(first2, n), std::default_sentinel);
    return detail::fold_ranges(one.begin(), one.end(), beside.begin(), init, op, transform, o...);
  } else if constexpr (can_transform_and_fold<T, Op, Transform, S, I1, I2>()) {
    constexpr bool cheap = cheap_operation<Op, T> && cheap_operation<Transform, std::iter_value_t<I1>> &&
                           std::is_arithmetic_v<std::iter_value_t<I2>>;
    const local_function of(transform);
    auto at = [of, begin1 = detail::plain(first1),
               begin2 = detail::plain(first2)](std::size_t k) -> kept_result<Transform, I1, I2> {
      return of(*detail::at(begin1, k), *detail::at(begin2, k));
    };
    return detail::fold_values<cheap>(detail::length(first1, last1), init, at, op, options_of(o...));
  } else {
    return refused<T>();
  }
}

// As much as the shorter range has.
template <class R1, class R2, class T, class Op, class Transform, option... O>
T fold_both(R1& r1, R2& r2, T& init, Op& op, Transform& transform, const O&... o) {
  using I1 = std::ranges::iterator_t<R1>;
  using I2 = std::ranges::iterator_t<R2>;
  if constexpr (is_noted<I1, std::ranges::sentinel_t<R1>> || is_noted<I2, std::ranges::sentinel_t<R2>>) {
    places<I1, std::ranges::sentinel_t<R1>> one(std::ranges::begin(r1), std::ranges::end(r1));
    places<I2, std::ranges::sentinel_t<R2>> other(std::ranges::begin(r2), std::ranges::end(r2));
    const auto n = static_cast<std::ptrdiff_t>(std::min(detail::length(one.begin(), one.end()), detail::length(other.begin(), other.end())));
    return detail::fold_ranges(one.begin(), one.begin() + n, other.begin(), init, op, transform, o...);
  } else if constexpr (can_read<I1, std::ranges::sentinel_t<R1>>()) {
    if constexpr (can_read<I2, std::ranges::sentinel_t<R2>>()) {
      const I1 first1 = std::ranges::begin(r1);
      const I2 first2 = std::ranges::begin(r2);
      const std::size_t n = std::min(detail::length(first1, std::ranges::end(r1)), detail::length(first2, std::ranges::end(r2)));
      return detail::fold_ranges(first1, detail::at(first1, n), first2, init, op, transform, o...);
    }
  }
  return refused<T>();
}

template <class R>
using extremes_in = std::ranges::minmax_element_result<std::ranges::borrowed_iterator_t<R>>;

// Without an initial value a fold starts from T().
template <class I, class S, option... O>
std::iter_value_t<I> sum_of(I first, const S& last, const O&... o) {
  using T = std::iter_value_t<I>;
  constexpr bool starts = std::default_initializable<T>;
  static_assert(starts,
                "heist::reduce without an initial value starts from T(), and these elements have no default constructor; "
                "pass an initial value");
  if constexpr (starts) {
    T init = T();
    std::plus<> op;
    std::identity same;
    return detail::fold_range(std::move(first), last, init, op, same, o...);
  } else {
    return refused<T>();
  }
}

}  // namespace detail

// Returns op(init, the fold of transform(x) over the range), in the order of the range. op must be
// associative; it need not be commutative. An empty range gives init. T may be move-only and needs
// no default constructor. Any range will do: one without random access is fed to the workers by one
// strand. op is a function or any operation of heist/op.hpp. If it has an
// identity(), init may be left out: the fold starts from the identity.
template <class I, detail::sentinel<I> S, class T, class Op, detail::function Transform, detail::option... O>
[[nodiscard]] T transform_reduce(I first, S last, T init, Op op, Transform transform, const O&... o) {
  return detail::fold_range(std::move(first), last, init, op, transform, o...);
}
template <detail::range R, class T, detail::function Op, detail::function Transform, detail::option... O>
[[nodiscard]] T transform_reduce(R&& r, T init, Op op, Transform transform, const O&... o) {
  return detail::fold_range(std::ranges::begin(r), std::ranges::end(r), init, op, transform, o...);
}
template <class I, detail::sentinel<I> S, detail::monoid Op, detail::function Transform, detail::option... O>
[[nodiscard]] detail::identity_type<Op> transform_reduce(I first, S last, Op op, Transform transform, const O&... o) {
  auto init = op.identity();
  return detail::fold_range(std::move(first), last, init, op, transform, o...);
}
template <detail::range R, detail::monoid Op, detail::function Transform, detail::option... O>
[[nodiscard]] detail::identity_type<Op> transform_reduce(R&& r, Op op, Transform transform, const O&... o) {
  return heist::transform_reduce(std::ranges::begin(r), std::ranges::end(r), std::move(op), std::move(transform), o...);
}

// The same for transform(x, y), with x from one range and y from the same position in another.
// Without operations it is the inner product.
template <class I1, detail::sentinel<I1> S, std::input_or_output_iterator I2, class T,
          detail::function Op = std::plus<>, detail::function Transform = std::multiplies<>, detail::option... O>
[[nodiscard]] T transform_reduce(I1 first1, S last1, I2 first2, T init, Op op, Transform transform, const O&... o) {
  return detail::fold_ranges(first1, last1, first2, init, op, transform, o...);
}
template <class I1, detail::sentinel<I1> S, std::input_or_output_iterator I2, class T, detail::option... O>
  requires(!detail::option<T>)
[[nodiscard]] T transform_reduce(I1 first1, S last1, I2 first2, T init, const O&... o) {
  std::plus<> op;
  std::multiplies<> product;
  return detail::fold_ranges(first1, last1, first2, init, op, product, o...);
}
// Of two ranges, up to the end of the shorter one.
template <detail::range R1, detail::range R2, detail::value_beside<R1> T, detail::function Op = std::plus<>,
          detail::function Transform = std::multiplies<>, detail::option... O>
[[nodiscard]] T transform_reduce(R1&& r1, R2&& r2, T init, Op op, Transform transform, const O&... o) {
  return detail::fold_both(r1, r2, init, op, transform, o...);
}
template <detail::range R1, detail::range R2, detail::value_beside<R1> T, detail::option... O>
[[nodiscard]] T transform_reduce(R1&& r1, R2&& r2, T init, const O&... o) {
  std::plus<> op;
  std::multiplies<> product;
  return detail::fold_both(r1, r2, init, op, product, o...);
}

// The same without a transformation. Without an operation it adds. Without an initial value it
// starts from the operation's identity, or else from T(), where T is the type of an element.
template <class I, detail::sentinel<I> S, class T, detail::function Op = std::plus<>, detail::option... O>
  requires(!detail::option<T>)
[[nodiscard]] T reduce(I first, S last, T init, Op op, const O&... o) {
  std::identity same;
  return detail::fold_range(std::move(first), last, init, op, same, o...);
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
  requires(!detail::option<T> && !detail::monoid<T> && !detail::lone_operation<T, std::iter_value_t<I>>)
[[nodiscard]] T reduce(I first, S last, T init, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::fold_range(std::move(first), last, init, op, same, o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] std::iter_value_t<I> reduce(I first, S last, const O&... o) {
  return detail::sum_of(std::move(first), last, o...);
}
template <detail::range R, detail::value_beside<R> T, detail::function Op = std::plus<>, detail::option... O>
[[nodiscard]] T reduce(R&& r, T init, Op op, const O&... o) {
  std::identity same;
  return detail::fold_range(std::ranges::begin(r), std::ranges::end(r), init, op, same, o...);
}
template <detail::range R, detail::value_beside<R> T, detail::option... O>
  requires(!detail::monoid<T> && !detail::lone_operation<T, std::ranges::range_value_t<R>>)
[[nodiscard]] T reduce(R&& r, T init, const O&... o) {
  std::plus<> op;
  std::identity same;
  return detail::fold_range(std::ranges::begin(r), std::ranges::end(r), init, op, same, o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::ranges::range_value_t<R> reduce(R&& r, const O&... o) {
  return detail::sum_of(std::ranges::begin(r), std::ranges::end(r), o...);
}
template <class I, detail::sentinel<I> S, detail::monoid Op, detail::option... O>
[[nodiscard]] detail::identity_type<Op> reduce(I first, S last, Op op, const O&... o) {
  return heist::transform_reduce(std::move(first), std::move(last), std::move(op), std::identity(), o...);
}
template <detail::range R, detail::monoid Op, detail::option... O>
[[nodiscard]] detail::identity_type<Op> reduce(R&& r, Op op, const O&... o) {
  return heist::transform_reduce(std::ranges::begin(r), std::ranges::end(r), std::move(op), std::identity(), o...);
}

// Refused: an operation without an identity needs a value to start from.
template <class I, detail::sentinel<I> S, detail::lone_operation<std::iter_value_t<I>> Op, detail::option... O>
std::iter_value_t<I> reduce(I, S, Op, const O&...) {
  detail::refuse_lone_operation<Op>();
}
template <detail::range R, detail::lone_operation<std::ranges::range_value_t<R>> Op, detail::option... O>
std::ranges::range_value_t<R> reduce(R&&, Op, const O&...) {
  detail::refuse_lone_operation<Op>();
}
template <detail::range R, class Op, detail::function Transform, detail::option... O>
  requires detail::lone_operation<Op, detail::kept_result<Transform, std::ranges::iterator_t<R>>>
detail::kept_result<Transform, std::ranges::iterator_t<R>> transform_reduce(R&&, Op, Transform, const O&...) {
  detail::refuse_lone_operation<Op>();
}

namespace detail {

// Adds up count(first, last) over batches of a range that cannot be split.
template <class I, class S, class Count, option... O>
std::iter_difference_t<I> feed_count(I first, const S& last, const Count& count, const O&... o) {
  std::iter_difference_t<I> found = 0;
  auto work = [&](auto& items) { return static_cast<std::iter_difference_t<I>>(detail::with_places<I>(items, count)); };
  auto take = [&found](std::iter_difference_t<I> more) noexcept {
    found += more;
    return true;
  };
  detail::feed(std::move(first), last, rhythm::prompt, work, take, o...);
  return found;
}

}  // namespace detail

// Returns for how many elements pred holds, after projection.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::iter_difference_t<I> count_if(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    using place = detail::fed_place<I>;
    if constexpr (detail::can_search<place, place, Pred, Proj>())
      return detail::feed_count(
          std::move(first), last,
          [&](place a, place b) { return heist::count_if(a, b, std::ref(pred), std::ref(proj), o...); }, o...);
    else
      return 0;
  } else if constexpr (detail::can_search<I, S, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const detail::options_of options(o...);
    const detail::question holds(pred, proj);
    detail::count_body body{first, holds, options};
    detail::loop(n, body, options);
    return body.found;
  } else {
    return 0;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] std::iter_difference_t<I> count_if(I first, S last, Pred pred, const O&... o) {
  return heist::count_if(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::ranges::range_difference_t<R> count_if(R&& r, Pred pred, Proj proj, const O&... o) {
  return heist::count_if(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj), o...);
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] std::ranges::range_difference_t<R> count_if(R&& r, Pred pred, const O&... o) {
  return heist::count_if(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::identity(), o...);
}

// Returns how many elements equal value, after projection.
template <class I, detail::sentinel<I> S, class T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::iter_difference_t<I> count(I first, S last, const T& value, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    using place = detail::fed_place<I>;
    if constexpr (detail::can_search_for<place, place, T, Proj>())
      return detail::feed_count(
          std::move(first), last, [&](place a, place b) { return heist::count(a, b, value, std::ref(proj), o...); }, o...);
    else
      return 0;
  } else if constexpr (detail::can_search_for<I, S, T, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const detail::options_of options(o...);
    auto equals = [&value](const auto& x) -> bool { return x == value; };
    const detail::question holds(equals, proj);
    detail::count_body body{first, holds, options};
    constexpr bool cheap = std::is_arithmetic_v<T> && detail::cheap_operation<Proj, std::iter_value_t<I>>;
    detail::loop(n, body, options, cheap ? detail::cheap_leaf : 1);
    return body.found;
  } else {
    return 0;
  }
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
[[nodiscard]] std::iter_difference_t<I> count(I first, S last, const T& value, const O&... o) {
  return heist::count(std::move(first), std::move(last), value, std::identity(), o...);
}
template <detail::range R, detail::value_beside<R> T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] std::ranges::range_difference_t<R> count(R&& r, const T& value, Proj proj, const O&... o) {
  return heist::count(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj), o...);
}
template <detail::range R, detail::value_beside<R> T, detail::option... O>
[[nodiscard]] std::ranges::range_difference_t<R> count(R&& r, const T& value, const O&... o) {
  return heist::count(std::ranges::begin(r), std::ranges::end(r), value, std::identity(), o...);
}

// min_element returns the first smallest element, max_element the first largest, minmax_element the
// first smallest and the last largest, by comp and a projection; for an empty range the end. As in
// the standard, minmax_element returns a std::pair for iterators and a
// std::ranges::minmax_element_result for a range.
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] I min_element(I first, S last, Comp comp, Proj proj, const O&... o) {
  return detail::find_extremes<detail::smallest>(first, last, comp, proj, o...)[0];
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] I min_element(I first, S last, Comp comp, const O&... o) {
  return heist::min_element(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] I min_element(I first, S last, const O&... o) {
  return heist::min_element(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> min_element(R&& r, Comp comp, Proj proj, const O&... o) {
  return detail::in_range(std::forward<R>(r), heist::min_element(std::ranges::begin(r), std::ranges::end(r),
                                                                 std::move(comp), std::move(proj), o...));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> min_element(R&& r, Comp comp, const O&... o) {
  return heist::min_element(std::forward<R>(r), std::move(comp), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> min_element(R&& r, const O&... o) {
  return heist::min_element(std::forward<R>(r), std::less<>(), std::identity(), o...);
}

template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] I max_element(I first, S last, Comp comp, Proj proj, const O&... o) {
  return detail::find_extremes<detail::largest>(first, last, comp, proj, o...)[0];
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] I max_element(I first, S last, Comp comp, const O&... o) {
  return heist::max_element(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] I max_element(I first, S last, const O&... o) {
  return heist::max_element(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> max_element(R&& r, Comp comp, Proj proj, const O&... o) {
  return detail::in_range(std::forward<R>(r), heist::max_element(std::ranges::begin(r), std::ranges::end(r),
                                                                 std::move(comp), std::move(proj), o...));
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> max_element(R&& r, Comp comp, const O&... o) {
  return heist::max_element(std::forward<R>(r), std::move(comp), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::ranges::borrowed_iterator_t<R> max_element(R&& r, const O&... o) {
  return heist::max_element(std::forward<R>(r), std::less<>(), std::identity(), o...);
}

template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::pair<I, I> minmax_element(I first, S last, Comp comp, Proj proj, const O&... o) {
  const auto both = detail::find_extremes<detail::smallest_and_largest>(first, last, comp, proj, o...);
  return {both[0], both[1]};
}
template <class I, detail::sentinel<I> S, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] std::pair<I, I> minmax_element(I first, S last, Comp comp, const O&... o) {
  return heist::minmax_element(std::move(first), std::move(last), std::move(comp), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] std::pair<I, I> minmax_element(I first, S last, const O&... o) {
  return heist::minmax_element(std::move(first), std::move(last), std::less<>(), std::identity(), o...);
}
template <detail::range R, detail::function Comp = std::less<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] detail::extremes_in<R> minmax_element(R&& r, Comp comp, Proj proj, const O&... o) {
  const auto both =
      heist::minmax_element(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj), o...);
  return {both.first, both.second};
}
template <detail::range R, detail::function Comp = std::less<>, detail::option... O>
[[nodiscard]] detail::extremes_in<R> minmax_element(R&& r, Comp comp, const O&... o) {
  return heist::minmax_element(std::forward<R>(r), std::move(comp), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] detail::extremes_in<R> minmax_element(R&& r, const O&... o) {
  return heist::minmax_element(std::forward<R>(r), std::less<>(), std::identity(), o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(reduce, "heist::reduce takes a range, or its two ends, then perhaps a first value, and an "
                           "operation of two values")
HEIST_NO_SUCH_FORM(transform_reduce, "heist::transform_reduce takes a range, or its two ends, a first value, an "
                                     "operation of two values, and a function of an element; or two ranges and a first value")
HEIST_NO_SUCH_FORM(count, "heist::count takes a range, or its two ends, and a value")
HEIST_NO_SUCH_FORM(count_if, "heist::count_if takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(min_element, "heist::min_element takes a range, or its two ends, then perhaps a comparison")
HEIST_NO_SUCH_FORM(max_element, "heist::max_element takes a range, or its two ends, then perhaps a comparison")

}  // namespace heist

HEIST_END
