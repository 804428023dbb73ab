#pragma once
// replace and its like: some elements become another value, in place or in a copy. The iterator
// forms return what std returns, the range forms what std::ranges returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {

// Which elements are replaced: those equal to a value, or those that satisfy a predicate.
struct equal_ones {
  template <class I, class S, class T, class Proj>
  static consteval bool can_test() noexcept {
    return can_search_for<I, S, T, Proj>();
  }
  template <class T>
  static auto test(const T& old) {
    return [&old](const auto& x) -> bool { return x == old; };
  }
};
struct wanted_ones {
  template <class I, class S, class Pred, class Proj>
  static consteval bool can_test() noexcept {
    return can_search<I, S, Pred, Proj>();
  }
  template <class Pred>
  static auto test(const Pred& pred) {
    return std::ref(pred);
  }
};

template <class Which, class I, class S, class Old, class New, class Proj, option... O>
void replace_some(const I& first, const S& last, const Old& old, const New& with, Proj& proj, const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    detail::replace_some<Which>(all.begin(), all.end(), old, with, proj, o...);
  } else if constexpr (Which::template can_test<I, S, Old, Proj>()) {
    if constexpr (can_assign<I, const New&>()) {
      auto test = Which::test(old);
      auto some = [&](std::size_t a, std::size_t b) {
        const question wanted(test, proj);
        const I end = detail::at(first, b);
        for (I i = detail::at(first, a); i != end; ++i)
          if (wanted(*i)) detail::assign(*i, with);
      };
      detail::for_pieces(detail::length(first, last), some, options_of(o...));
    }
  }
}

template <class Which, class I, class S, class Out, class Old, class New, class Proj, option... O>
Out copy_replaced(const I& first, const S& last, const Out& out, const Old& old, const New& with, Proj& proj,
                  const O&... o) {
  if constexpr (is_noted<I, S>) {
    places<I, S> all(first, last);
    return detail::copy_replaced<Which>(all.begin(), all.end(), out, old, with, proj, o...);
  } else if constexpr (Which::template can_test<I, S, Old, Proj>()) {
    if constexpr (can_copy<I, S, Out>()) {
      if constexpr (can_assign<Out, const New&>()) {
        auto test = Which::test(old);
        auto some = [&](std::size_t a, std::size_t b) {
          const question wanted(test, proj);
          const I end = detail::at(first, b);
          Out to = detail::at(out, a);
          for (I i = detail::at(first, a); i != end; ++i, ++to) {
            if (wanted(*i))
              detail::assign(*to, with);
            else
              detail::assign(*to, *i);
          }
        };
        const std::size_t n = detail::length(first, last);
        detail::for_pieces(n, some, options_of(o...));
        return detail::at(out, n);
      }
    }
  }
  return out;
}

template <class Which>
struct replace_call {
  template <class I, sentinel<I> S, class Old, class New, function Proj = std::identity, option... O>
  void operator()(I first, S last, const Old& old, const New& with, Proj proj, const O&... o) const {
    detail::replace_some<Which>(first, last, old, with, proj, o...);
  }
  template <class I, sentinel<I> S, class Old, class New, option... O>
  void operator()(I first, S last, const Old& old, const New& with, const O&... o) const {
    std::identity same;
    detail::replace_some<Which>(first, last, old, with, same, o...);
  }
  template <range R, value_beside<R> Old, class New, function Proj = std::identity, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, const Old& old, const New& with, Proj proj,
                                                 const O&... o) const {
    detail::replace_some<Which>(std::ranges::begin(r), std::ranges::end(r), old, with, proj, o...);
    return detail::end_of(std::forward<R>(r));
  }
  template <range R, value_beside<R> Old, class New, option... O>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, const Old& old, const New& with, const O&... o) const {
    std::identity same;
    detail::replace_some<Which>(std::ranges::begin(r), std::ranges::end(r), old, with, same, o...);
    return detail::end_of(std::forward<R>(r));
  }
};

template <class R, class Out>
using replaced_from = std::ranges::in_out_result<std::ranges::borrowed_iterator_t<R>, Out>;

template <class Which>
struct replace_copy_call {
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, class Old, class New,
            function Proj = std::identity, option... O>
  Out operator()(I first, S last, Out out, const Old& old, const New& with, Proj proj, const O&... o) const {
    return detail::copy_replaced<Which>(first, last, out, old, with, proj, o...);
  }
  template <class I, sentinel<I> S, std::input_or_output_iterator Out, class Old, class New, option... O>
  Out operator()(I first, S last, Out out, const Old& old, const New& with, const O&... o) const {
    std::identity same;
    return detail::copy_replaced<Which>(first, last, out, old, with, same, o...);
  }
  template <range R, class Out, class Old, class New, function Proj = std::identity, option... O>
    requires(!sentinel<Out, std::decay_t<R>> || !std::input_or_output_iterator<Old>)
  replaced_from<R, Out> operator()(R&& r, Out out, const Old& old, const New& with, Proj proj, const O&... o) const {
    Out end = detail::copy_replaced<Which>(std::ranges::begin(r), std::ranges::end(r), out, old, with, proj, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
  template <range R, class Out, class Old, class New, option... O>
  replaced_from<R, Out> operator()(R&& r, Out out, const Old& old, const New& with, const O&... o) const {
    std::identity same;
    Out end = detail::copy_replaced<Which>(std::ranges::begin(r), std::ranges::end(r), out, old, with, same, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
};

}  // namespace detail

// replace(r, old, with, proj) assigns `with` to every element that equals `old`, after projection;
// replace_if(r, pred, with, proj) to every element for which pred is true.
inline constexpr detail::replace_call<detail::equal_ones> replace{};
inline constexpr detail::replace_call<detail::wanted_ones> replace_if{};

// replace_copy(r, out, old, with, proj) and replace_copy_if(r, out, pred, with, proj) write the
// result to `out`, which may be the range itself.
inline constexpr detail::replace_copy_call<detail::equal_ones> replace_copy{};
inline constexpr detail::replace_copy_call<detail::wanted_ones> replace_copy_if{};

}  // namespace heist

HEIST_END
