#pragma once
// Merging two sorted ranges, or two parts of one.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/buffer.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/merge_runs.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/shapes.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/fill.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class I1, class S1, class I2, class S2, class Out, class Comp, class Proj1, class Proj2>
consteval bool can_merge() noexcept {
  if constexpr (!can_copy<I1, S1, Out>()) {
    return false;
  } else if constexpr (!can_copy<I2, S2, Out>()) {
    return false;
  } else if constexpr (!can_project<I1, Proj1>() || !can_project<I2, Proj2>()) {
    return false;
  } else {
    constexpr bool mergeable = std::mergeable<I1, I2, Out, Comp, Proj1, Proj2>;
    static_assert(mergeable, "heist::merge: the comparison cannot be called with these elements");
    if constexpr (mergeable)
      return can_share<Comp, projection_of<I2, Proj2>, projection_of<I1, Proj1>>();
    else
      return false;
  }
}

template <class R1, class R2, class Out>
using merged_from =
    std::ranges::merge_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>, Out>;

}  // namespace detail

// Merges two sorted ranges into `out`. Of equal elements, those of the first range come first.
// Returns the end of what was written; the range form also returns the ends of the ranges, as
// std::ranges::merge does. Needs no scratch memory. If a comparison or a copy throws, or the call
// is cancelled, any of the elements at `out` may have been assigned to.
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, class Out,
          detail::function Comp = std::less<>, detail::function Proj1 = std::identity,
          detail::function Proj2 = std::identity, detail::option... O>
Out merge(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) {
  if constexpr (detail::is_noted<I1, S1> || detail::is_noted<I2, S2>) {
    detail::places<I1, S1> one(first1, last1);
    detail::places<I2, S2> other(first2, last2);
    return heist::merge(one.begin(), one.end(), other.begin(), other.end(), std::move(out), std::ref(comp),
                        std::ref(proj1), std::ref(proj2), o...);
  } else if constexpr (detail::is_sequential<Out> && std::mergeable<I1, I2, Out, Comp, Proj1, Proj2>) {
    const detail::options_of options(o...);
    for (std::size_t k = 0; first1 != last1 && first2 != last2; ++out, ++k) {
      if (k % 1024 == 0) options.check();
      if (std::invoke(comp, std::invoke(proj2, *first2), std::invoke(proj1, *first1)))
        *out = *first2, ++first2;
      else
        *out = *first1, ++first1;
    }
    out = heist::copy(first1, last1, std::move(out), o...);
    return heist::copy(first2, last2, std::move(out), o...);
  } else if constexpr (detail::can_merge<I1, S1, I2, S2, Out, Comp, Proj1, Proj2>()) {
    const std::size_t n1 = detail::length(first1, last1), n2 = detail::length(first2, last2);
    const detail::options_of options(o...);
    const detail::forking how(options, 2048);
    const detail::comparison less(comp, proj2, proj1);
    // With explicit types: clang 14 does not deduce those of an aggregate.
    const auto begin1 = detail::plain(first1);
    const auto begin2 = detail::plain(first2);
    const detail::run<std::remove_const_t<decltype(begin1)>> a{begin1, n1};
    const detail::run<std::remove_const_t<decltype(begin2)>> b{begin2, n2};
    const auto to = detail::plain(out);
    detail::first_failure failure;
    detail::merger<detail::copying, decltype(less), decltype(how)> merger(less, how, failure);
    how.check();
    how.enter(n1 + n2, [&] { merger.merge(a, b, to); });
    return detail::at(out, n1 + n2);
  } else {
    return out;
  }
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, class Out,
          detail::function Comp = std::less<>, detail::function Proj1 = std::identity, detail::option... O>
Out merge(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, Proj1 proj1, const O&... o) {
  return heist::merge(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(out),
                      std::move(comp), std::move(proj1), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, class Out,
          detail::function Comp = std::less<>, detail::option... O>
Out merge(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, const O&... o) {
  return heist::merge(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(out),
                      std::move(comp), std::identity(), std::identity(), o...);
}
template <class I1, detail::sentinel<I1> S1, class I2, detail::sentinel<I2> S2, class Out, detail::option... O>
Out merge(I1 first1, S1 last1, I2 first2, S2 last2, Out out, const O&... o) {
  return heist::merge(std::move(first1), std::move(last1), std::move(first2), std::move(last2), std::move(out),
                      std::less<>(), std::identity(), std::identity(), o...);
}
template <detail::range R1, detail::range R2, class Out, detail::function Comp = std::less<>,
          detail::function Proj1 = std::identity, detail::function Proj2 = std::identity, detail::option... O>
detail::merged_from<R1, R2, Out> merge(R1&& r1, R2&& r2, Out out, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) {
  Out end = heist::merge(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                         std::move(out), std::move(comp), std::move(proj1), std::move(proj2), o...);
  return {detail::end_of(std::forward<R1>(r1)), detail::end_of(std::forward<R2>(r2)), std::move(end)};
}
template <detail::range R1, detail::range R2, class Out, detail::function Comp = std::less<>,
          detail::function Proj1 = std::identity, detail::option... O>
detail::merged_from<R1, R2, Out> merge(R1&& r1, R2&& r2, Out out, Comp comp, Proj1 proj1, const O&... o) {
  return heist::merge(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out),
                      std::move(comp), std::move(proj1), std::identity(), o...);
}
template <detail::range R1, detail::range R2, class Out, detail::function Comp = std::less<>, detail::option... O>
detail::merged_from<R1, R2, Out> merge(R1&& r1, R2&& r2, Out out, Comp comp, const O&... o) {
  return heist::merge(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out),
                      std::move(comp), std::identity(), std::identity(), o...);
}
template <detail::range R1, detail::range R2, class Out, detail::option... O>
detail::merged_from<R1, R2, Out> merge(R1&& r1, R2&& r2, Out out, const O&... o) {
  return heist::merge(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out),
                      std::less<>(), std::identity(), std::identity(), o...);
}

namespace detail {

struct inplace_merge_call : dividing<inplace_merge_call> {
  template <class I, class S, class Comp, class Proj, class... O>
  static void run(const I& first, const I& middle, const S& last, Comp& comp, Proj& proj, const O&... o) {
    if constexpr (can_sort<I, S, Comp, Proj>()) {
      const std::size_t n = detail::length(first, last), half = detail::length(first, middle);
      if (half == 0 || half == n) return;
      const options_of options(o...);
      const forking how(options, 2048);
      const comparison less(comp, proj, proj);
      how.check();
      how.enter(n, [&] { merge_halves(detail::plain(first), n, half, less, how); });
    }
  }

 private:
  // All elements move to a buffer, and are merged from there. They all come back, whatever throws.
  template <class I, class Less, class How>
  static void merge_halves(const I& first, std::size_t n, std::size_t half, const Less& less, const How& how) {
    if (!less(*detail::at(first, half), *detail::at(first, half - 1))) return;
    using value = std::iter_value_t<I>;
    buffer<value, How> room(how, n);
    const std::size_t piece = how.grain();
    auto start = [n, piece](std::size_t k) { return std::min(n, k * piece); };
    room.fill(0, (n + piece - 1) / piece, start, [&](std::size_t k, auto& add) {
      for (I i = detail::at(first, start(k)), end = detail::at(first, start(k + 1)); i != end; ++i)
        add(std::ranges::iter_move(i));
    });
    first_failure failure;
    merger<moving, const Less, How> both(less, how, failure);
    if (const std::exception_ptr failed =
            both.merge(run_of(room.begin(), half), run_of(room.begin() + half, n - half), first))
      std::rethrow_exception(failed);
  }
  template <class T>
  static detail::run<T*> run_of(T* first, std::size_t n) {
    return {first, n};
  }
};

}  // namespace detail

// inplace_merge(r, middle, comp, proj) merges the sorted parts before and after `middle` where they
// are; for iterators (first, middle, last, comp, proj). Of equal elements, those of the first part come
// first. Needs a buffer of n elements. If a comparison throws, or the call is cancelled, the range has
// its elements in some order.
inline constexpr detail::inplace_merge_call inplace_merge{};

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(merge, "heist::merge takes two ranges, or the two ends of each, and an iterator to write to, "
                          "then perhaps a comparison")

}  // namespace heist

HEIST_END
