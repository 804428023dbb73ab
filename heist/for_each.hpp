#pragma once
// Loops. None needs a grain: they split when somebody is hungry (algorithm/README.md).

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/function.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Calls f(i) for every i in [first, last), possibly in parallel; in order on one worker. As everywhere, heist::grain and
// std::stop_token may be passed last.
template <class I, class F, detail::option... O>
void for_each_index(I first, std::type_identity_t<I> last, F&& f, const O&... o) {
  static_assert(std::is_integral_v<I>, "heist::for_each_index counts with integers");
  if (first >= last) return;
  // Without overflow also where there are more than the type can say.
  const auto from = static_cast<std::size_t>(first);
  auto some = [&f, from](std::size_t a, std::size_t b) {
    const detail::local_function here(f);
    const std::size_t end = from + b;
    for (std::size_t i = from + a; i != end; ++i) here(static_cast<I>(i));
  };
  detail::for_pieces(static_cast<std::size_t>(last) - from, some, detail::options_of(o...));
}

// Where the end's type is the wider one, as in for_each_index(0, v.size(), f), that one counts, signed if `first` is.
template <class I, class L, class F, detail::option... O>
  requires(std::is_integral_v<I> && std::is_integral_v<L> && sizeof(L) > sizeof(I))
void for_each_index(I first, L last, F&& f, const O&... o) {
  using index = typename std::conditional_t<std::is_signed_v<I>, std::make_signed<L>, std::type_identity<L>>::type;
  for_each_index<index>(static_cast<index>(first), static_cast<index>(last), std::forward<F>(f), o...);
}

// Calls f with every element of [first, last), or with its projection, possibly in parallel; in order on one worker.
template <class I, detail::sentinel<I> S, class F, class Proj, detail::option... O>
  requires(!detail::option<Proj>)
void for_each(I first, S last, F&& f, Proj proj, const O&... o) {
  const std::size_t n = detail::length(first, last);
  detail::check_elements<I>();
  auto some = [&](std::size_t a, std::size_t b) {
    const detail::local_function here(f);
    const detail::local_function element(proj);
    const I end = detail::at(first, b);
    for (I i = detail::at(first, a); i != end; ++i) here(element(*i));
  };
  detail::for_pieces(n, some, detail::options_of(o...));
}
template <class I, detail::sentinel<I> S, class F, detail::option... O>
void for_each(I first, S last, F&& f, const O&... o) {
  heist::for_each(std::move(first), std::move(last), f, std::identity(), o...);
}
template <detail::range R, class F, class... More>
void for_each(R&& r, F&& f, const More&... more) {
  heist::for_each(std::ranges::begin(r), std::ranges::end(r), f, more...);
}

// The same for the n elements from `first` on; returns the end of them.
template <std::input_or_output_iterator I, class F, class... More>
I for_each_n(I first, std::iter_difference_t<I> n, F&& f, const More&... more) {
  detail::check_iterator<I>();
  const I last = n > 0 ? first + n : first;
  heist::for_each(first, last, f, more...);
  return last;
}

// Writes f(x) to out for every x in [first, last), or for its projection; returns the end of what was written. What is
// written may be the range itself.
template <class I, detail::sentinel<I> S, class Out, class F, class Proj, detail::option... O>
  requires(!std::input_or_output_iterator<F> && !detail::option<Proj>)
Out transform(I first, S last, Out out, F&& f, Proj proj, const O&... o) {
  const std::size_t n = detail::length(first, last);
  detail::check_output<Out>();
  auto some = [&](std::size_t a, std::size_t b) {
    const detail::local_function here(f);
    const detail::local_function element(proj);
    Out to = detail::at(out, a);
    const I end = detail::at(first, b);
    for (I i = detail::at(first, a); i != end; ++i, ++to) *to = here(element(*i));
  };
  detail::for_pieces(n, some, detail::options_of(o...));
  return detail::at(out, n);
}
template <class I, detail::sentinel<I> S, class Out, class F, detail::option... O>
  requires(!std::input_or_output_iterator<F>)
Out transform(I first, S last, Out out, F&& f, const O&... o) {
  return heist::transform(std::move(first), std::move(last), std::move(out), f, std::identity(), o...);
}
template <detail::range R, std::input_or_output_iterator Out, class F, class... More>
Out transform(R&& r, Out out, F&& f, const More&... more) {
  return heist::transform(std::ranges::begin(r), std::ranges::end(r), std::move(out), f, more...);
}

// Writes f(x, y) for every x in [first1, last1) and the y at the same place from first2 on.
template <class I1, detail::sentinel<I1> S, class I2, std::input_or_output_iterator Out, class F, detail::option... O>
Out transform(I1 first1, S last1, I2 first2, Out out, F&& f, const O&... o) {
  const std::size_t n = detail::length(first1, last1);
  detail::check_iterator<I2>();
  detail::check_output<Out>();
  auto some = [&](std::size_t a, std::size_t b) {
    const detail::local_function here(f);
    Out to = detail::at(out, a);
    I2 j = detail::at(first2, a);
    const I1 end = detail::at(first1, b);
    for (I1 i = detail::at(first1, a); i != end; ++i, ++j, ++to) *to = here(*i, *j);
  };
  detail::for_pieces(n, some, detail::options_of(o...));
  return detail::at(out, n);
}
// Of two ranges: as far as the shorter goes.
template <detail::range R1, detail::range R2, std::input_or_output_iterator Out, class F, detail::option... O>
Out transform(R1&& r1, R2&& r2, Out out, F&& f, const O&... o) {
  const auto first1 = std::ranges::begin(r1);
  const auto first2 = std::ranges::begin(r2);
  const std::size_t n =
      std::min(detail::length(first1, std::ranges::end(r1)), detail::length(first2, std::ranges::end(r2)));
  return heist::transform(first1, detail::at(first1, n), first2, std::move(out), f, o...);
}

}  // namespace heist

HEIST_END
