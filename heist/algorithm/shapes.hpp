#pragma once
// The ways in which algorithms are called. An algorithm is an object, and a class here gives it its
// calls: iterators or a range, then functions and projections that may be left out, then options.
// So the forms of a call are written once, and an algorithm says only what it does:
//
//   run(first, last, …, options…)   does it; gets every function and projection, and places with random access
//   giving_…                        what the call returns: for iterators what std returns, for a
//                                   range what std::ranges returns
//
// As objects they are also no candidates where a program's own function of that name is called.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// What run() returned is the result.
struct giving_value {
  template <class X>
  static X for_iterators(X x) {
    return x;
  }
  template <class R, class X>
  static X for_range(R&&, X x) {
    return x;
  }
  template <class R1, class R2, class X>
  static X for_ranges(R1&&, R2&&, X x) {
    return x;
  }
};

// run() returned a place in the (first) range.
struct giving_place {
  template <class I>
  static I for_iterators(I place) {
    return place;
  }
  template <class R, class I>
  static auto for_range(R&& r, I place) {
    return detail::in_range(std::forward<R>(r), std::move(place));
  }
  template <class R1, class R2, class I>
  static auto for_ranges(R1&& r1, R2&&, I place) {
    return detail::in_range(std::forward<R1>(r1), std::move(place));
  }
};

// run() returned the ends of a part of the (first) range; iterators give where it begins.
struct giving_part {
  template <class I>
  static I for_iterators(std::pair<I, I> part) {
    return std::move(part.first);
  }
  template <class R, class I>
  static auto for_range(R&& r, std::pair<I, I> part) {
    return detail::part_of(std::forward<R>(r), std::move(part.first), std::move(part.second));
  }
  template <class R1, class R2, class I>
  static auto for_ranges(R1&& r1, R2&&, std::pair<I, I> part) {
    return detail::part_of(std::forward<R1>(r1), std::move(part.first), std::move(part.second));
  }
};

// (range, predicate, projection)
template <class Algorithm>
struct asking {
  template <class I, sentinel<I> S, class Pred, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(I first, S last, Pred pred, Proj proj, const O&... o) const {
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, pred, proj, o...));
  }
  template <class I, sentinel<I> S, class Pred, option... O>
  [[nodiscard]] auto operator()(I first, S last, Pred pred, const O&... o) const {
    std::identity same;
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, pred, same, o...));
  }
  template <range R, function Pred, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(R&& r, Pred pred, Proj proj, const O&... o) const {
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), pred, proj, o...));
  }
  template <range R, function Pred, option... O>
  [[nodiscard]] auto operator()(R&& r, Pred pred, const O&... o) const {
    std::identity same;
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), pred, same, o...));
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes a range, or its two ends, and a predicate")
};

// (range, value, projection)
template <class Algorithm>
struct looking_for {
  template <class I, sentinel<I> S, class T, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(I first, S last, const T& value, Proj proj, const O&... o) const {
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, value, proj, o...));
  }
  template <class I, sentinel<I> S, class T, option... O>
  [[nodiscard]] auto operator()(I first, S last, const T& value, const O&... o) const {
    std::identity same;
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, value, same, o...));
  }
  template <range R, value_beside<R> T, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(R&& r, const T& value, Proj proj, const O&... o) const {
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), value, proj, o...));
  }
  template <range R, value_beside<R> T, option... O>
  [[nodiscard]] auto operator()(R&& r, const T& value, const O&... o) const {
    std::identity same;
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), value, same, o...));
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes a range, or its two ends, and a value")
};

// (range, comparison, projection)
template <class Algorithm, class Usual>
struct comparing {
  template <class I, sentinel<I> S, function Comp = Usual, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(I first, S last, Comp comp, Proj proj, const O&... o) const {
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, comp, proj, o...));
  }
  template <class I, sentinel<I> S, function Comp = Usual, option... O>
  [[nodiscard]] auto operator()(I first, S last, Comp comp, const O&... o) const {
    std::identity same;
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, comp, same, o...));
  }
  template <class I, sentinel<I> S, option... O>
  [[nodiscard]] auto operator()(I first, S last, const O&... o) const {
    Usual comp;
    std::identity same;
    return Algorithm::for_iterators(detail::run_on<Algorithm>(first, last, comp, same, o...));
  }
  template <range R, function Comp = Usual, function Proj = std::identity, option... O>
  [[nodiscard]] auto operator()(R&& r, Comp comp, Proj proj, const O&... o) const {
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), comp, proj, o...));
  }
  template <range R, function Comp = Usual, option... O>
  [[nodiscard]] auto operator()(R&& r, Comp comp, const O&... o) const {
    std::identity same;
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), comp, same, o...));
  }
  template <range R, option... O>
  [[nodiscard]] auto operator()(R&& r, const O&... o) const {
    Usual comp;
    std::identity same;
    return Algorithm::for_range(std::forward<R>(r),
                                detail::run_on<Algorithm>(std::ranges::begin(r), std::ranges::end(r), comp, same, o...));
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes a range, or its two ends, then perhaps a comparison")
};

// (range, middle, comparison, projection); for iterators the middle is between the ends. Changes
// the range, so its result may be dropped.
template <class Algorithm>
struct dividing {
  template <class I, sentinel<I> S, function Comp = std::less<>, function Proj = std::identity, option... O>
  void operator()(I first, I middle, S last, Comp comp, Proj proj, const O&... o) const {
    Algorithm::run(first, middle, last, comp, proj, o...);
  }
  template <class I, sentinel<I> S, function Comp = std::less<>, option... O>
  void operator()(I first, I middle, S last, Comp comp, const O&... o) const {
    std::identity same;
    Algorithm::run(first, middle, last, comp, same, o...);
  }
  template <class I, sentinel<I> S, option... O>
  void operator()(I first, I middle, S last, const O&... o) const {
    std::less<> comp;
    std::identity same;
    Algorithm::run(first, middle, last, comp, same, o...);
  }
  template <range R, function Comp = std::less<>, function Proj = std::identity, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle, Comp comp, Proj proj,
                                                 const O&... o) const {
    Algorithm::run(std::ranges::begin(r), middle, std::ranges::end(r), comp, proj, o...);
    return detail::end_of(std::forward<R>(r));
  }
  template <range R, function Comp = std::less<>, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle, Comp comp,
                                                 const O&... o) const {
    std::identity same;
    return (*this)(std::forward<R>(r), std::move(middle), std::move(comp), same, o...);
  }
  template <range R, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle, const O&... o) const {
    return (*this)(std::forward<R>(r), std::move(middle), std::less<>(), std::identity(), o...);
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes a range and an iterator into it, or three iterators, then perhaps a "
                     "comparison")
};

}  // namespace heist::detail

HEIST_END
