#pragma once
// Loops. They need no grain: a loop splits when another worker is idle (algorithm/README.md). Ranges
// that cannot be split are fed to the workers by one strand (algorithm/feed.hpp).

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/build.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/index.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

// Calls f(i) for every i in [first, last), possibly in parallel; in order on one worker. Like every
// algorithm, it takes a heist::grain and a std::stop_token as last arguments. The ends may have
// different types, as in for_each_index(0, v.size(), f): then i has a type that holds every value
// between them (algorithm/index.hpp). If `last` does not fit into that type, std::out_of_range is
// thrown.
template <class I, class L, class F, detail::option... O>
void for_each_index(I first, L last, F&& f, const O&... o) {
  if constexpr (detail::can_count<I, L, F>()) {
    using index = detail::index_type<I, L>;
    const detail::end_type<I, L> end = last;
    if (!detail::is_before(first, end)) return;
    if (detail::is_before(std::numeric_limits<index>::max(), end)) detail::refuse_index();
    // Does not overflow, even if there are more values than the type can count.
    const auto from = static_cast<std::size_t>(first);
    auto some = [&f, from](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      const std::size_t stop = from + b;
      for (std::size_t i = from + a; i != stop; ++i) here(static_cast<index>(i));
    };
    detail::for_pieces(static_cast<std::size_t>(end) - from, some, detail::options_of(o...));
  }
}

namespace detail {

template <class R, class F>
using looped_over = std::ranges::for_each_result<std::ranges::borrowed_iterator_t<R>, F>;
template <class R, class Out>
using transformed_from = std::ranges::unary_transform_result<std::ranges::borrowed_iterator_t<R>, Out>;
template <class R1, class R2, class Out>
using combined_from = std::ranges::binary_transform_result<std::ranges::borrowed_iterator_t<R1>,
                                                           std::ranges::borrowed_iterator_t<R2>, Out>;

// The loops over ranges that cannot be split. Both return where they stopped.
template <class I, class S, class F, class Proj, option... O>
I feed_loop(I first, const S& last, F& f, Proj& proj, const O&... o);
template <class I, class S, class Out, class F, class Proj, option... O>
std::pair<I, Out> feed_transform(I first, const S& last, Out out, F& f, Proj& proj, const O&... o);

}  // namespace detail

// Calls f with every element of [first, last), or with its projection, possibly in parallel; in
// order on one worker. Returns f, as std::for_each does; the range form also returns the end of the
// range. Any range will do: one without random access is walked through by one strand, which feeds
// batches of it to the others. Strands may call copies of f. Pass std::ref(f) if all must call the same object.
template <class I, detail::sentinel<I> S, class F, detail::function Proj = std::identity, detail::option... O>
F for_each(I first, S last, F f, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<I, S>) {
    detail::feed_loop(std::move(first), last, f, proj, o...);
  } else if constexpr (detail::can_loop<I, S, F, Proj>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      const detail::local_function element(proj);
      const I end = detail::at(first, b);
      for (I i = detail::at(first, a); i != end; ++i) here(element(*i));
    };
    detail::for_pieces(n, some, detail::options_of(o...));
  }
  return f;
}
template <class I, detail::sentinel<I> S, class F, detail::option... O>
F for_each(I first, S last, F f, const O&... o) {
  return heist::for_each(std::move(first), std::move(last), std::move(f), std::identity(), o...);
}
template <detail::range R, detail::function F, detail::function Proj = std::identity, detail::option... O>
detail::looped_over<R, F> for_each(R&& r, F f, Proj proj, const O&... o) {
  if constexpr (detail::is_fed<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>>) {
    auto end = detail::feed_loop(std::ranges::begin(r), std::ranges::end(r), f, proj, o...);
    return {detail::in_range(std::forward<R>(r), std::move(end)), std::move(f)};
  } else {
    F called = heist::for_each(std::ranges::begin(r), std::ranges::end(r), std::move(f), std::move(proj), o...);
    return {detail::end_of(std::forward<R>(r)), std::move(called)};
  }
}
template <detail::range R, detail::function F, detail::option... O>
detail::looped_over<R, F> for_each(R&& r, F f, const O&... o) {
  return heist::for_each(std::forward<R>(r), std::move(f), std::identity(), o...);
}
// The same for values in braces.
template <class T, detail::function F, detail::option... O>
F for_each(std::initializer_list<T> values, F f, const O&... o) {
  return heist::for_each(values.begin(), values.end(), std::move(f), std::identity(), o...);
}

// The same for n elements, starting at `first`. Returns the end of them.
template <std::input_or_output_iterator I, class F, detail::function Proj = std::identity, detail::option... O>
I for_each_n(I first, std::iter_difference_t<I> n, F f, Proj proj, const O&... o) {
  if constexpr (std::input_iterator<I> && !std::random_access_iterator<I>) {
    std::counted_iterator<I> some(std::move(first), n > 0 ? n : 0);
    return detail::feed_loop(std::move(some), std::default_sentinel, f, proj, o...).base();
  } else if constexpr (detail::can_reach<I>()) {
    const I last = n > 0 ? first + n : first;
    heist::for_each(first, last, std::move(f), std::move(proj), o...);
    return last;
  } else {
    return first;
  }
}
template <std::input_or_output_iterator I, class F, detail::option... O>
I for_each_n(I first, std::iter_difference_t<I> n, F f, const O&... o) {
  return heist::for_each_n(std::move(first), n, std::move(f), std::identity(), o...);
}

// Writes f(x) to `out` for every x in [first, last), or for its projection. Returns the end of what
// was written; the range form also returns the end of the range. `out` may be the range itself. If the
// range or `out` has no random access, the results are written in order, one at a time.
template <class I, detail::sentinel<I> S, class Out, detail::function F, detail::function Proj = std::identity,
          detail::option... O>
Out transform(I first, S last, Out out, F&& f, Proj proj, const O&... o) {
  if constexpr (detail::is_fed_into<I, S, Out>) {
    return detail::feed_transform(std::move(first), last, std::move(out), f, proj, o...).second;
  } else if constexpr (detail::can_transform<I, S, Out, F, Proj>()) {
    const std::size_t n = detail::length(first, last);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      const detail::local_function element(proj);
      Out to = detail::at(out, a);
      const I end = detail::at(first, b);
      for (I i = detail::at(first, a); i != end; ++i, ++to) detail::assign(*to, here(element(*i)));
    };
    detail::for_pieces(n, some, detail::options_of(o...));
    return detail::at(out, n);
  } else {
    return out;
  }
}
template <class I, detail::sentinel<I> S, class Out, detail::function F, detail::option... O>
Out transform(I first, S last, Out out, F&& f, const O&... o) {
  return heist::transform(std::move(first), std::move(last), std::move(out), f, std::identity(), o...);
}
template <detail::range R, class Out, detail::function F, detail::function Proj = std::identity, detail::option... O>
  requires(!detail::range<F>)
detail::transformed_from<R, Out> transform(R&& r, Out out, F&& f, Proj proj, const O&... o) {
  if constexpr (detail::is_fed_into<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, Out>) {
    auto [end, written] =
        detail::feed_transform(std::ranges::begin(r), std::ranges::end(r), std::move(out), f, proj, o...);
    return {detail::in_range(std::forward<R>(r), std::move(end)), std::move(written)};
  } else {
    Out end = heist::transform(std::ranges::begin(r), std::ranges::end(r), std::move(out), f, std::move(proj), o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
}
template <detail::range R, class Out, detail::function F, detail::option... O>
  requires(!detail::range<F>)
detail::transformed_from<R, Out> transform(R&& r, Out out, F&& f, const O&... o) {
  if constexpr (detail::is_fed_into<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, Out>) {
    return heist::transform(std::forward<R>(r), std::move(out), f, std::identity(), o...);
  } else {
    // Does not call the form above: for an array that call would be ambiguous.
    Out end = heist::transform(std::ranges::begin(r), std::ranges::end(r), std::move(out), f, std::identity(), o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
}

// Writes f(x, y) for every x in [first1, last1) and the y at the same position, counted from
// first2.
template <class I1, detail::sentinel<I1> S, class I2, std::input_or_output_iterator Out, class F, detail::option... O>
Out transform(I1 first1, S last1, I2 first2, Out out, F&& f, const O&... o) {
  if constexpr (detail::is_noted<I1, S> || detail::is_noted_beside<I2>) {
    detail::places<I1, S> one(first1, last1);
    const auto n = static_cast<std::iter_difference_t<I2>>(std::ranges::distance(first1, last1));
    const std::counted_iterator<I2> other(std::move(first2), n);
    detail::places<std::counted_iterator<I2>, std::default_sentinel_t> beside(other, std::default_sentinel);
    return heist::transform(one.begin(), one.end(), beside.begin(), std::move(out), f, o...);
  } else if constexpr (detail::can_combine<I1, S, I2, Out, F>()) {
    const std::size_t n = detail::length(first1, last1);
    auto some = [&](std::size_t a, std::size_t b) {
      const detail::local_function here(f);
      Out to = detail::at(out, a);
      I2 j = detail::at(first2, a);
      const I1 end = detail::at(first1, b);
      for (I1 i = detail::at(first1, a); i != end; ++i, ++j, ++to) detail::assign(*to, here(*i, *j));
    };
    detail::for_pieces(n, some, detail::options_of(o...));
    return detail::at(out, n);
  } else {
    return out;
  }
}
// The same for two ranges, up to the end of the shorter one. Returns where it stopped in each
// range, and the end of what was written.
template <detail::range R1, detail::range R2, class Out, class F, detail::option... O>
detail::combined_from<R1, R2, Out> transform(R1&& r1, R2&& r2, Out out, F&& f, const O&... o) {
  using I1 = std::ranges::iterator_t<R1>;
  using I2 = std::ranges::iterator_t<R2>;
  if constexpr (detail::is_noted<I1, std::ranges::sentinel_t<R1>> || detail::is_noted<I2, std::ranges::sentinel_t<R2>>) {
    detail::places<I1, std::ranges::sentinel_t<R1>> one(std::ranges::begin(r1), std::ranges::end(r1));
    detail::places<I2, std::ranges::sentinel_t<R2>> other(std::ranges::begin(r2), std::ranges::end(r2));
    const auto n = static_cast<std::ptrdiff_t>(std::min(detail::length(one.begin(), one.end()), detail::length(other.begin(), other.end())));
    Out end = heist::transform(one.begin(), one.begin() + n, other.begin(), std::move(out), f, o...);
    return {detail::in_range(std::forward<R1>(r1), one.real(one.begin() + n)),
            detail::in_range(std::forward<R2>(r2), other.real(other.begin() + n)), std::move(end)};
  } else if constexpr (detail::can_combine<I1, std::ranges::sentinel_t<R1>, I2, Out, F>()) {
    if constexpr (detail::can_read<I2, std::ranges::sentinel_t<R2>>()) {
      const I1 first1 = std::ranges::begin(r1);
      const I2 first2 = std::ranges::begin(r2);
      const std::size_t n =
          std::min(detail::length(first1, std::ranges::end(r1)), detail::length(first2, std::ranges::end(r2)));
      Out end = heist::transform(first1, detail::at(first1, n), first2, std::move(out), f, o...);
      return {detail::in_range(std::forward<R1>(r1), detail::at(first1, n)),
              detail::in_range(std::forward<R2>(r2), detail::at(first2, n)), std::move(end)};
    }
  }
  return {detail::in_range(std::forward<R1>(r1), std::ranges::begin(r1)),
          detail::in_range(std::forward<R2>(r2), std::ranges::begin(r2)), std::move(out)};
}

namespace detail {

template <class I, class S, class F, class Proj, option... O>
I feed_loop(I first, const S& last, F& f, Proj& proj, const O&... o) {
  using place = fed_place<I>;
  if constexpr (can_loop<place, place, F, Proj>()) {
    auto work = [&](auto& items) {
      return detail::with_places<I>(items, [&](place a, place b) {
        heist::for_each(a, b, std::ref(f), std::ref(proj), o...);
        return nothing_made();
      });
    };
    return detail::feed(std::move(first), last, rhythm::prompt, work, take_nothing, o...);
  } else {
    return first;
  }
}

template <class I, class S, class Out, class F, class Proj, option... O>
std::pair<I, Out> feed_transform(I first, const S& last, Out out, F& f, Proj& proj, const O&... o) {
  using place = fed_place<I>;
  if constexpr (can_visit<place, F, Proj>()) {
    using T = std::remove_cvref_t<std::invoke_result_t<F&, projection_of<place, Proj>>>;
    constexpr bool written = requires { *out = std::declval<T>(), ++out; };
    static_assert(written, "heist: the values to be written do not convert to the type of the elements");
    if constexpr (written) {
      auto work = [&](auto& items) {
        return detail::with_places<I>(items, [&](place all, place end) {
          auto some = [&](std::size_t a, std::size_t b, auto&& put) {
            const local_function here(f);
            const local_function element(proj);
            const place stop = detail::at(all, b);
            for (place i = detail::at(all, a); i != stop; ++i) put(here(element(*i)));
          };
          return detail::build_vector<T>(detail::length(all, end), some, options_of(o...));
        });
      };
      auto take = [&out](std::vector<T>&& made) {
        for (auto&& x : made) {
          *out = static_cast<T>(std::move(x));
          ++out;
        }
        return true;
      };
      I end = detail::feed(std::move(first), last, rhythm::prompt, work, take, o...);
      return {std::move(end), std::move(out)};
    }
  }
  return {std::move(first), std::move(out)};
}

}  // namespace detail
// Refused: what fits no form.
HEIST_NO_SUCH_FORM(for_each_index, "heist::for_each_index takes two integers, where to begin and where to end, "
                                   "and a function of one")
HEIST_NO_SUCH_FORM(for_each, "heist::for_each takes a range, or its two ends, and a function of an element")
HEIST_NO_SUCH_FORM(for_each_n, "heist::for_each_n takes an iterator, a number of elements, and a function of one")
HEIST_NO_SUCH_FORM(transform, "heist::transform takes a range, or its two ends, or two of those, then an "
                              "iterator to write to, and a function")

}  // namespace heist

HEIST_END
