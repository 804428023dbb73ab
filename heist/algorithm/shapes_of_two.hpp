#pragma once
// Calls with two ranges, as in shapes.hpp.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <functional>
#include <iterator>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// (range, range, comparison, projection, projection)
template <class Algorithm, class Usual>
struct comparing_two {
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = Usual, function Proj1 = std::identity,
            function Proj2 = std::identity, option... O>
  [[nodiscard]] auto operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, Proj1 proj1, Proj2 proj2,
                                const O&... o) const {
    return Algorithm::for_iterators(detail::run_on_two<Algorithm>(first1, last1, first2, last2, comp, proj1, proj2, o...));
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = Usual, function Proj1 = std::identity,
            option... O>
  [[nodiscard]] auto operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, Proj1 proj1,
                                const O&... o) const {
    std::identity same;
    return Algorithm::for_iterators(detail::run_on_two<Algorithm>(first1, last1, first2, last2, comp, proj1, same, o...));
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, function Comp = Usual, option... O>
  [[nodiscard]] auto operator()(I1 first1, S1 last1, I2 first2, S2 last2, Comp comp, const O&... o) const {
    std::identity same;
    return Algorithm::for_iterators(detail::run_on_two<Algorithm>(first1, last1, first2, last2, comp, same, same, o...));
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, option... O>
  [[nodiscard]] auto operator()(I1 first1, S1 last1, I2 first2, S2 last2, const O&... o) const {
    Usual comp;
    std::identity same;
    return Algorithm::for_iterators(detail::run_on_two<Algorithm>(first1, last1, first2, last2, comp, same, same, o...));
  }
  template <range R1, range R2, function Comp = Usual, function Proj1 = std::identity, function Proj2 = std::identity,
            option... O>
  [[nodiscard]] auto operator()(R1&& r1, R2&& r2, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) const {
    return Algorithm::for_ranges(
        std::forward<R1>(r1), std::forward<R2>(r2),
        detail::run_on_two<Algorithm>(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2), comp,
                       proj1, proj2, o...));
  }
  template <range R1, range R2, function Comp = Usual, function Proj1 = std::identity, option... O>
  [[nodiscard]] auto operator()(R1&& r1, R2&& r2, Comp comp, Proj1 proj1, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(comp), std::move(proj1), std::identity(), o...);
  }
  template <range R1, range R2, function Comp = Usual, option... O>
  [[nodiscard]] auto operator()(R1&& r1, R2&& r2, Comp comp, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(comp), std::identity(), std::identity(), o...);
  }
  template <range R1, range R2, option... O>
  [[nodiscard]] auto operator()(R1&& r1, R2&& r2, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), Usual(), std::identity(), std::identity(), o...);
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes two ranges, or the two ends of each, then perhaps a comparison")
};

// (range, range, out, comparison, projection, projection)
template <class Algorithm>
struct combining {
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, class Out, function Comp = std::less<>,
            function Proj1 = std::identity, function Proj2 = std::identity, option... O>
  Out operator()(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, Proj1 proj1, Proj2 proj2,
                 const O&... o) const {
    return detail::run_on_two<Algorithm>(first1, last1, first2, last2, out, comp, proj1, proj2, o...);
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, class Out, function Comp = std::less<>,
            function Proj1 = std::identity, option... O>
  Out operator()(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, Proj1 proj1, const O&... o) const {
    std::identity same;
    return detail::run_on_two<Algorithm>(first1, last1, first2, last2, out, comp, proj1, same, o...);
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, class Out, function Comp = std::less<>, option... O>
  Out operator()(I1 first1, S1 last1, I2 first2, S2 last2, Out out, Comp comp, const O&... o) const {
    std::identity same;
    return detail::run_on_two<Algorithm>(first1, last1, first2, last2, out, comp, same, same, o...);
  }
  template <class I1, sentinel<I1> S1, class I2, sentinel<I2> S2, class Out, option... O>
  Out operator()(I1 first1, S1 last1, I2 first2, S2 last2, Out out, const O&... o) const {
    std::less<> comp;
    std::identity same;
    return detail::run_on_two<Algorithm>(first1, last1, first2, last2, out, comp, same, same, o...);
  }
  template <range R1, range R2, class Out, function Comp = std::less<>, function Proj1 = std::identity,
            function Proj2 = std::identity, option... O>
  auto operator()(R1&& r1, R2&& r2, Out out, Comp comp, Proj1 proj1, Proj2 proj2, const O&... o) const {
    return Algorithm::for_ranges(
        std::forward<R1>(r1), std::forward<R2>(r2),
        detail::run_on_two<Algorithm>(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2), out,
                       comp, proj1, proj2, o...));
  }
  template <range R1, range R2, class Out, function Comp = std::less<>, function Proj1 = std::identity, option... O>
  auto operator()(R1&& r1, R2&& r2, Out out, Comp comp, Proj1 proj1, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out), std::move(comp), std::move(proj1),
                   std::identity(), o...);
  }
  template <range R1, range R2, class Out, function Comp = std::less<>, option... O>
  auto operator()(R1&& r1, R2&& r2, Out out, Comp comp, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out), std::move(comp), std::identity(),
                   std::identity(), o...);
  }
  template <range R1, range R2, class Out, option... O>
  auto operator()(R1&& r1, R2&& r2, Out out, const O&... o) const {
    return (*this)(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out), std::less<>(), std::identity(),
                   std::identity(), o...);
  }
  // Refused: what fits no form.
  HEIST_NO_SUCH_CALL("heist: this algorithm takes two ranges, or the two ends of each, and an iterator to write to, then "
                     "perhaps a comparison")
};

}  // namespace heist::detail

HEIST_END
