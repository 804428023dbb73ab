#pragma once
// partition and stable_partition: first the elements that satisfy a predicate, then the others. The
// predicate is called once for each element, from several strands at once.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/compact.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/marks.hpp>
#include <heist/algorithm/parallel_partition.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>
#include <heist/filter.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

HEIST_BEGIN

namespace heist {

// Partitions in place, in no particular order. The iterator form returns the first of the others,
// the range form their subrange. If pred throws, or the call is cancelled, the range has its
// elements in some order.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
I partition(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::can_separate<I, S, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first), end = detail::at(begin, n);
    const detail::options_of options(o...);
    const detail::forking how(options, std::clamp<std::size_t>(n / 1024, 128, 1024));
    const detail::question wanted(pred, proj);
    return how.enter(
        n, [&] { return first + (detail::parallel_partition<true>(how, begin, end, wanted).middle - begin); });
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
I partition(I first, S last, Pred pred, const O&... o) {
  return heist::partition(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
detail::rest_in<R> partition(R&& r, Pred pred, Proj proj, const O&... o) {
  return detail::rest_of(std::forward<R>(r), heist::partition(std::ranges::begin(r), std::ranges::end(r),
                                                              std::move(pred), std::move(proj), o...));
}
template <detail::range R, detail::function Pred, detail::option... O>
detail::rest_in<R> partition(R&& r, Pred pred, const O&... o) {
  return heist::partition(std::forward<R>(r), std::move(pred), std::identity(), o...);
}

// Keeps the order in both parts; needs a buffer for the others. Returns what partition returns. If
// pred throws, or the call is cancelled, nothing has been moved.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
I stable_partition(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::can_separate<I, S, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first);
    const detail::options_of options(o...);
    const detail::forking how(options, detail::filter_grain(n));
    const detail::question wanted(pred, proj);
    return how.enter(n, [&] {
      const detail::marks m(how, detail::mark_blocks(n, how.grain()),
                            [&](std::size_t i) { return wanted(*detail::at(begin, i)); });
      detail::separate(how, begin, m);
      return detail::at(first, m.total());
    });
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
I stable_partition(I first, S last, Pred pred, const O&... o) {
  return heist::stable_partition(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
detail::rest_in<R> stable_partition(R&& r, Pred pred, Proj proj, const O&... o) {
  return detail::rest_of(std::forward<R>(r), heist::stable_partition(std::ranges::begin(r), std::ranges::end(r),
                                                                     std::move(pred), std::move(proj), o...));
}
template <detail::range R, detail::function Pred, detail::option... O>
detail::rest_in<R> stable_partition(R&& r, Pred pred, const O&... o) {
  return heist::stable_partition(std::forward<R>(r), std::move(pred), std::identity(), o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(partition, "heist::partition takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(stable_partition, "heist::stable_partition takes a range, or its two ends, and a predicate")

}  // namespace heist

HEIST_END
