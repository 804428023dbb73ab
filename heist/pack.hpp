#pragma once
// More filters: remove, the filters that write to another range, and the places of the elements that
// satisfy a predicate. A predicate is called once for each element, from several strands at once.
// The iterator forms return what std returns, the range forms what std::ranges returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lazy_copy.hpp>
#include <heist/algorithm/marks.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>
#include <heist/filter.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

template <class I, class S, class T, class Proj, class... O>
I remove_value(const I& first, const S& last, const T& value, Proj& proj, const O&... o) {
  if constexpr (can_search_for<I, S, T, Proj>()) {
    if constexpr (can_move<I, S>()) {
      auto is_value = [&value](const auto& x) -> bool { return x == value; };
      return heist::remove_if(first, last, is_value, proj, o...);
    }
  }
  return first;
}

// Writes the elements for which keep(place) is true to `out`, in order.
template <class I, class Out, class Keep, class... O>
Out copy_kept(const I& first, std::size_t n, const Out& out, const Keep& keep, const O&... o) {
  const auto begin = detail::plain(first);
  const auto to = detail::plain(out);
  const options_of options(o...);
  const forking how(options, detail::filter_grain(n));
  const auto put = [begin, to](std::size_t i, std::size_t place) {
    detail::assign(*detail::at(to, place), *detail::at(begin, i));
  };
  lazy_copy copier(how, mark_blocks(n, how.grain()), keep, put);
  return detail::at(out, how.enter(n, [&] { return copier.run(); }));
}

struct without_value {
  static constexpr bool takes_any = true;
  template <class I, class S, class Out, class T, class Proj, class... O>
  static Out run(const I& first, const S& last, const Out& out, const T& value, Proj& proj, const O&... o) {
    if constexpr (is_fed_into<I, S, Out>) {
      auto other = [&value](const auto& x) -> bool { return !(x == value); };
      return heist::copy_if(first, last, out, other, std::ref(proj), o...);
    } else if constexpr (can_search_for<I, S, T, Proj>()) {
      if constexpr (can_copy<I, S, Out>()) {
        auto is_value = [&value](const auto& x) -> bool { return x == value; };
        const question unwanted(is_value, proj);
        const auto keep = [unwanted, begin = detail::plain(first)](std::size_t i) {
          return !unwanted(*detail::at(begin, i));
        };
        return detail::copy_kept(first, detail::length(first, last), out, keep, o...);
      }
    }
    return out;
  }
};
struct without_wanted {
  static constexpr bool takes_any = true;
  template <class I, class S, class Out, class Pred, class Proj, class... O>
  static Out run(const I& first, const S& last, const Out& out, const Pred& pred, Proj& proj, const O&... o) {
    if constexpr (is_fed_into<I, S, Out>) {
      auto other = [&pred](auto&& x) -> bool { return !std::invoke(pred, std::forward<decltype(x)>(x)); };
      return heist::copy_if(first, last, out, other, std::ref(proj), o...);
    } else if constexpr (can_copy_if<I, S, Out, Pred, Proj>()) {
      const question unwanted(pred, proj);
      const auto keep = [unwanted, begin = detail::plain(first)](std::size_t i) {
        return !unwanted(*detail::at(begin, i));
      };
      return detail::copy_kept(first, detail::length(first, last), out, keep, o...);
    } else {
      return out;
    }
  }
};

template <class R, class Out>
using kept_from = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out>;

template <class Which>
struct remove_copy_call {
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, class X, function Proj = std::identity, option... O>
  Out operator()(I first, S last, Out out, const X& x, Proj proj, const O&... o) const {
    return detail::run_on<Which>(first, last, out, x, proj, o...);
  }
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, class X, option... O>
  Out operator()(I first, S last, Out out, const X& x, const O&... o) const {
    std::identity same;
    return detail::run_on<Which>(first, last, out, x, same, o...);
  }
  template <range R, class Out, value_beside<R> X, function Proj = std::identity, option... O>
  kept_from<R, Out> operator()(R&& r, Out out, const X& x, Proj proj, const O&... o) const {
    Out end = detail::run_on<Which>(std::ranges::begin(r), std::ranges::end(r), out, x, proj, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
  template <range R, class Out, value_beside<R> X, option... O>
  kept_from<R, Out> operator()(R&& r, Out out, const X& x, const O&... o) const {
    std::identity same;
    Out end = detail::run_on<Which>(std::ranges::begin(r), std::ranges::end(r), out, x, same, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
};

template <class I, class S, class Out, class Equal, class Proj, class... O>
Out copy_unique(const I& first, const S& last, const Out& out, Equal& equal, Proj& proj, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::copy_unique(all.begin(), all.end(), out, equal, proj, o...);
  } else if constexpr (can_copy<I, S, Out>()) {
    if constexpr (can_match<I, I, Equal, Proj, Proj>()) {
      const comparison same(equal, proj, proj);
      const auto keep = [same, begin = detail::plain(first)](std::size_t i) {
        return i == 0 || !same(*detail::at(begin, i - 1), *detail::at(begin, i));
      };
      return detail::copy_kept(first, detail::length(first, last), out, keep, o...);
    }
  }
  return out;
}

struct unique_copy_call {
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, function Equal = std::equal_to<>,
            function Proj = std::identity, option... O>
  Out operator()(I first, S last, Out out, Equal equal, Proj proj, const O&... o) const {
    return detail::copy_unique(first, last, out, equal, proj, o...);
  }
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, function Equal = std::equal_to<>, option... O>
  Out operator()(I first, S last, Out out, Equal equal, const O&... o) const {
    std::identity same;
    return detail::copy_unique(first, last, out, equal, same, o...);
  }
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, option... O>
  Out operator()(I first, S last, Out out, const O&... o) const {
    std::equal_to<> equal;
    std::identity same;
    return detail::copy_unique(first, last, out, equal, same, o...);
  }
  template <range R, class Out, function Equal = std::equal_to<>, function Proj = std::identity, option... O>
  kept_from<R, Out> operator()(R&& r, Out out, Equal equal, Proj proj, const O&... o) const {
    Out end = detail::copy_unique(std::ranges::begin(r), std::ranges::end(r), out, equal, proj, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
  template <range R, class Out, function Equal = std::equal_to<>, option... O>
  kept_from<R, Out> operator()(R&& r, Out out, Equal equal, const O&... o) const {
    return (*this)(std::forward<R>(r), std::move(out), std::move(equal), std::identity(), o...);
  }
  template <range R, class Out, option... O>
  kept_from<R, Out> operator()(R&& r, Out out, const O&... o) const {
    return (*this)(std::forward<R>(r), std::move(out), std::equal_to<>(), std::identity(), o...);
  }
};

template <class I, class S, class Out1, class Out2, class Pred, class Proj, class... O>
std::pair<Out1, Out2> copy_parts(const I& first, const S& last, const Out1& yes, const Out2& no, Pred& pred,
                                 Proj& proj, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::copy_parts(all.begin(), all.end(), yes, no, pred, proj, o...);
  } else if constexpr (can_copy_if<I, S, Out1, Pred, Proj>()) {
    if constexpr (can_copy<I, S, Out2>()) {
      const std::size_t n = detail::length(first, last);
      const options_of options(o...);
      const forking how(options, detail::filter_grain(n));
      const question wanted(pred, proj);
      return how.enter(n, [&]() -> std::pair<Out1, Out2> {
        const marks m(how, mark_blocks(n, how.grain()),
                      [&](std::size_t i) { return wanted(*detail::at(first, i)); });
        detail::for_each_block(how, 0, m.blocks().count(), [&](std::size_t k) {
          Out1 to = detail::at(yes, m.before(k));
          m.each_marked(k, [&](std::size_t i) { detail::assign(*to, *detail::at(first, i)), ++to; });
          Out2 other = detail::at(no, m.unmarked_before(k));
          m.each_unmarked(k, [&](std::size_t i) { detail::assign(*other, *detail::at(first, i)), ++other; });
        });
        return {detail::at(yes, m.total()), detail::at(no, n - m.total())};
      });
    }
  }
  return {yes, no};
}

// The places k < n for which holds(k) is true, in order.
template <class Holds, class... O>
std::vector<std::size_t> places_that(std::size_t n, const Holds& holds, const O&... o) {
  const options_of options(o...);
  const forking how(options, detail::filter_grain(n));
  return how.enter(n, [&] {
    const marks m(how, mark_blocks(n, how.grain()), holds);
    std::vector<std::size_t> all(m.total());
    detail::for_each_block(how, 0, m.blocks().count(), [&](std::size_t k) {
      std::size_t to = m.before(k);
      m.each_marked(k, [&](std::size_t i) { all[to++] = i; });
    });
    return all;
  });
}

template <class I, class S, class Pred, class Proj, class... O>
std::vector<std::size_t> places_of(const I& first, const S& last, Pred& pred, Proj& proj, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::places_of(all.begin(), all.end(), pred, proj, o...);
  } else if constexpr (can_search<I, S, Pred, Proj>()) {
    const question wanted(pred, proj);
    auto holds = [wanted, begin = detail::plain(first)](std::size_t i) { return wanted(*detail::at(begin, i)); };
    return detail::places_that(detail::length(first, last), holds, o...);
  } else {
    return {};
  }
}

}  // namespace detail

// remove_if (filter.hpp) for the elements that equal value. No object like the others here: <cstdio> has
// a function of that name, and `using heist::remove` must be possible beside it.
template <class I, detail::sentinel<I> S, class T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] I remove(I first, S last, const T& value, Proj proj, const O&... o) {
  return detail::remove_value(first, last, value, proj, o...);
}
template <class I, detail::sentinel<I> S, class T, detail::option... O>
[[nodiscard]] I remove(I first, S last, const T& value, const O&... o) {
  std::identity same;
  return detail::remove_value(first, last, value, same, o...);
}
template <detail::range R, detail::value_beside<R> T, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] detail::rest_in<R> remove(R&& r, const T& value, Proj proj, const O&... o) {
  return detail::rest_of(std::forward<R>(r),
                         detail::remove_value(std::ranges::begin(r), std::ranges::end(r), value, proj, o...));
}
template <detail::range R, detail::value_beside<R> T, detail::option... O>
[[nodiscard]] detail::rest_in<R> remove(R&& r, const T& value, const O&... o) {
  return heist::remove(std::forward<R>(r), value, std::identity(), o...);
}

// remove_copy(r, out, value, proj) and remove_copy_if(r, out, pred, proj) write the other elements to
// `out`, in order; unique_copy(r, out, equal, proj) writes the first of each group of equal
// neighbours. They return what copy_if returns. `out` must not overlap the range. If something
// throws, or the call is cancelled, any of the elements at `out` may have been assigned to.
inline constexpr detail::remove_copy_call<detail::without_value> remove_copy{};
inline constexpr detail::remove_copy_call<detail::without_wanted> remove_copy_if{};
inline constexpr detail::unique_copy_call unique_copy{};

// Writes the elements for which pred is true to `yes`, and the others to `no`, both in order.
// Returns the ends of both; the range form also returns the end of the range.
template <class I, detail::sentinel<I> S, std::input_or_output_iterator Out1, std::input_or_output_iterator Out2,
          class Pred, detail::function Proj = std::identity, detail::option... O>
std::pair<Out1, Out2> partition_copy(I first, S last, Out1 yes, Out2 no, Pred pred, Proj proj, const O&... o) {
  return detail::copy_parts(first, last, yes, no, pred, proj, o...);
}
template <class I, detail::sentinel<I> S, std::input_or_output_iterator Out1, std::input_or_output_iterator Out2,
          class Pred, detail::option... O>
std::pair<Out1, Out2> partition_copy(I first, S last, Out1 yes, Out2 no, Pred pred, const O&... o) {
  std::identity same;
  return detail::copy_parts(first, last, yes, no, pred, same, o...);
}
template <detail::range R, class Out1, class Out2, detail::function Pred, detail::function Proj = std::identity,
          detail::option... O>
std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>, Out1, Out2> partition_copy(
    R&& r, Out1 yes, Out2 no, Pred pred, Proj proj, const O&... o) {
  auto [end1, end2] = detail::copy_parts(std::ranges::begin(r), std::ranges::end(r), yes, no, pred, proj, o...);
  return {detail::end_of(std::forward<R>(r)), std::move(end1), std::move(end2)};
}
template <detail::range R, class Out1, class Out2, detail::function Pred, detail::option... O>
std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>, Out1, Out2> partition_copy(
    R&& r, Out1 yes, Out2 no, Pred pred, const O&... o) {
  return heist::partition_copy(std::forward<R>(r), std::move(yes), std::move(no), std::move(pred), std::identity(),
                               o...);
}

// Returns the places, counted from 0, of the elements for which pred is true, in order. Without a
// predicate the elements themselves say so: they are flags.
template <class I, detail::sentinel<I> S, detail::function Pred = std::identity, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(I first, S last, Pred pred, Proj proj, const O&... o) {
  return detail::places_of(first, last, pred, proj, o...);
}
template <class I, detail::sentinel<I> S, detail::function Pred = std::identity, detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(I first, S last, Pred pred, const O&... o) {
  std::identity same;
  return detail::places_of(first, last, pred, same, o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(I first, S last, const O&... o) {
  std::identity same;
  return detail::places_of(first, last, same, same, o...);
}
template <detail::range R, detail::function Pred = std::identity, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(R&& r, Pred pred, Proj proj, const O&... o) {
  return detail::places_of(std::ranges::begin(r), std::ranges::end(r), pred, proj, o...);
}
template <detail::range R, detail::function Pred = std::identity, detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(R&& r, Pred pred, const O&... o) {
  std::identity same;
  return detail::places_of(std::ranges::begin(r), std::ranges::end(r), pred, same, o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] std::vector<std::size_t> pack_index(R&& r, const O&... o) {
  std::identity same;
  return detail::places_of(std::ranges::begin(r), std::ranges::end(r), same, same, o...);
}

}  // namespace heist

HEIST_END
