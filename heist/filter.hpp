#pragma once
// copy_if, remove_if and unique keep some of the elements, in order. A predicate is called once for
// each element (or pair of neighbours), from several strands at once. The iterator forms return
// what std returns, the range forms what std::ranges returns.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/compact.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/feed.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lazy_copy.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/marks.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/split.hpp>
#include <heist/base/export.hpp>
#include <heist/base/no_such_form.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

inline constexpr std::size_t few = 1024;

// The number of elements that is worth a fork.
constexpr std::size_t filter_grain(std::size_t n) noexcept {
  return n <= few ? few : std::clamp<std::size_t>(n / 64, 256, 2048);
}

// Like keep_marked, for at most `few` elements, with the marks in the stack frame.
template <class I, class Keep, class How>
std::size_t keep_some(I first, std::size_t n, Keep& keep, const How& how) {
  mark_word words[few / marks_a_word];
  const mark_blocks all(n, few);
  lookout().through(how, 0, n, [&](std::size_t lo, std::size_t hi) { detail::ask_some(words, lo, hi, keep); });
  I to = first;
  all.each_word(0, [&](std::size_t w, std::size_t lo, std::size_t) {
    detail::each_set(words[w], lo, [&](std::size_t i) { detail::move_to(to++, detail::at(first, i)); });
  });
  return detail::length(first, to);
}

// Moves the elements for which keep(i) is true to the front, in order; returns how many there are.
template <class I, class Keep, class Options>
std::size_t keep_marked(I first, std::size_t n, Keep&& keep, const Options& options) {
  const forking how(options, detail::filter_grain(n));
  if (n <= std::min(how.grain(), few)) return detail::keep_some(first, n, keep, how);
  return how.enter(n, [&] {
    const marks m(how, mark_blocks(n, how.grain()), keep);
    return compaction(how, first, m).run();
  });
}

}  // namespace detail

namespace detail {

// The same for a range that cannot be split; returns both ends. pred is called in parallel, and what is
// wanted is written in order, one at a time.
template <class I, class S, class Out, class Pred, class Proj, option... O>
std::pair<I, Out> feed_wanted(I first, const S& last, Out out, Pred& pred, Proj& proj, const O&... o) {
  using look = typename batch<I>::look;
  if constexpr (can_search<look, look, Pred, Proj>()) {
    constexpr bool copyable = std::indirectly_copyable<fed_place<I>, Out>;
    static_assert(copyable, "heist: the elements cannot be copied to the output");
    if constexpr (copyable) {
      using items_type = std::vector<typename batch<I>::item>;
      struct found {
        items_type items;
        std::vector<char> wanted;
      };
      auto work = [&](items_type& items) {
        std::vector<char> wanted(items.size());
        const question asked(pred, proj);
        auto some = [&](std::size_t a, std::size_t b) {
          for (; a != b; ++a) wanted[a] = static_cast<char>(asked(*look(items.data() + a)));
        };
        detail::for_pieces(items.size(), some, options_of(o...));
        return found{std::move(items), std::move(wanted)};
      };
      auto take = [&out](found&& of) {
        for (std::size_t k = 0; k < of.wanted.size(); ++k)
          if (of.wanted[k] != 0) {
            *out = *batch<I>::at(of.items, k);
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

template <class I, class S, class Out, class Pred, class Proj, option... O>
Out copy_wanted(const I& first, const S& last, const Out& out, Pred& pred, Proj& proj, const O&... o) {
  if constexpr (can_copy_if<I, S, Out, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first);
    const auto to = detail::plain(out);
    const options_of options(o...);
    const forking how(options, detail::filter_grain(n));
    const question wanted(pred, proj);
    const auto keep = [wanted, begin](std::size_t i) { return wanted(*detail::at(begin, i)); };
    const auto put = [begin, to](std::size_t i, std::size_t place) {
      detail::assign(*detail::at(to, place), *detail::at(begin, i));
    };
    lazy_copy copier(how, mark_blocks(n, how.grain()), keep, put);
    return detail::at(out, how.enter(n, [&] { return copier.run(); }));
  } else {
    return out;
  }
}

template <class R, class Out>
using copied_from = std::ranges::copy_if_result<std::ranges::borrowed_iterator_t<R>, Out>;

}  // namespace detail

// Copies the elements for which pred is true to `out`, in order. Returns the end of what was
// written; the range form also returns the end of the range. If the range or `out` has no random access, the
// elements are written one at a time. If something throws, or the call is
// cancelled, any of the elements at `out` may have been assigned to.
template <class I, detail::sentinel<I> S, std::input_or_output_iterator Out, class Pred,
          detail::function Proj = std::identity, detail::option... O>
Out copy_if(I first, S last, Out out, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::is_fed_into<I, S, Out>)
    return detail::feed_wanted(std::move(first), last, std::move(out), pred, proj, o...).second;
  else
    return detail::copy_wanted(first, last, out, pred, proj, o...);
}
template <class I, detail::sentinel<I> S, std::input_or_output_iterator Out, class Pred, detail::option... O>
Out copy_if(I first, S last, Out out, Pred pred, const O&... o) {
  return heist::copy_if(std::move(first), std::move(last), std::move(out), std::move(pred), std::identity(), o...);
}
template <detail::range R, class Out, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
detail::copied_from<R, Out> copy_if(R&& r, Out out, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::is_fed_into<std::ranges::iterator_t<R>, std::ranges::sentinel_t<R>, Out>) {
    auto [end, written] = detail::feed_wanted(std::ranges::begin(r), std::ranges::end(r), std::move(out), pred, proj, o...);
    return {detail::in_range(std::forward<R>(r), std::move(end)), std::move(written)};
  } else {
    Out end = detail::copy_wanted(std::ranges::begin(r), std::ranges::end(r), out, pred, proj, o...);
    return {detail::end_of(std::forward<R>(r)), std::move(end)};
  }
}
template <detail::range R, class Out, detail::function Pred, detail::option... O>
detail::copied_from<R, Out> copy_if(R&& r, Out out, Pred pred, const O&... o) {
  return heist::copy_if(std::forward<R>(r), std::move(out), std::move(pred), std::identity(), o...);
}

// Moves the elements for which pred is false to the front, in order. The iterator form returns the
// end of them, the range form the subrange after them, whose elements are valid but unspecified:
//   const auto rest = heist::remove_if(v, p);
//   v.erase(rest.begin(), rest.end());
// If pred throws, or the call is cancelled, nothing has been moved.
template <class I, detail::sentinel<I> S, class Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] I remove_if(I first, S last, Pred pred, Proj proj, const O&... o) {
  if constexpr (detail::can_separate<I, S, Pred, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first);
    const detail::question unwanted(pred, proj);
    auto keep = [unwanted, begin](std::size_t i) { return !unwanted(*detail::at(begin, i)); };
    return detail::at(first, detail::keep_marked(begin, n, keep, detail::options_of(o...)));
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, class Pred, detail::option... O>
[[nodiscard]] I remove_if(I first, S last, Pred pred, const O&... o) {
  return heist::remove_if(std::move(first), std::move(last), std::move(pred), std::identity(), o...);
}
template <detail::range R, detail::function Pred, detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] detail::rest_in<R> remove_if(R&& r, Pred pred, Proj proj, const O&... o) {
  return detail::rest_of(std::forward<R>(r), heist::remove_if(std::ranges::begin(r), std::ranges::end(r),
                                                              std::move(pred), std::move(proj), o...));
}
template <detail::range R, detail::function Pred, detail::option... O>
[[nodiscard]] detail::rest_in<R> remove_if(R&& r, Pred pred, const O&... o) {
  return heist::remove_if(std::forward<R>(r), std::move(pred), std::identity(), o...);
}

// Keeps the first element of each group of equal neighbours, and moves these to the front. `equal`
// is called for every pair of neighbours and must be an equivalence. Otherwise like remove_if, the
// results included.
template <class I, detail::sentinel<I> S, detail::function Equal = std::equal_to<>,
          detail::function Proj = std::identity, detail::option... O>
[[nodiscard]] I unique(I first, S last, Equal equal, Proj proj, const O&... o) {
  if constexpr (detail::can_unify<I, S, Equal, Proj>()) {
    const std::size_t n = detail::length(first, last);
    const auto begin = detail::plain(first);
    const detail::comparison same(equal, proj, proj);
    auto keep = [same, begin](std::size_t i) {
      return i == 0 || !same(*detail::at(begin, i - 1), *detail::at(begin, i));
    };
    return detail::at(first, detail::keep_marked(begin, n, keep, detail::options_of(o...)));
  } else {
    return first;
  }
}
template <class I, detail::sentinel<I> S, detail::function Equal = std::equal_to<>, detail::option... O>
[[nodiscard]] I unique(I first, S last, Equal equal, const O&... o) {
  return heist::unique(std::move(first), std::move(last), std::move(equal), std::identity(), o...);
}
template <class I, detail::sentinel<I> S, detail::option... O>
[[nodiscard]] I unique(I first, S last, const O&... o) {
  return heist::unique(std::move(first), std::move(last), std::equal_to<>(), std::identity(), o...);
}
template <detail::range R, detail::function Equal = std::equal_to<>, detail::function Proj = std::identity,
          detail::option... O>
[[nodiscard]] detail::rest_in<R> unique(R&& r, Equal equal, Proj proj, const O&... o) {
  return detail::rest_of(std::forward<R>(r), heist::unique(std::ranges::begin(r), std::ranges::end(r),
                                                           std::move(equal), std::move(proj), o...));
}
template <detail::range R, detail::function Equal = std::equal_to<>, detail::option... O>
[[nodiscard]] detail::rest_in<R> unique(R&& r, Equal equal, const O&... o) {
  return heist::unique(std::forward<R>(r), std::move(equal), std::identity(), o...);
}
template <detail::range R, detail::option... O>
[[nodiscard]] detail::rest_in<R> unique(R&& r, const O&... o) {
  return heist::unique(std::forward<R>(r), std::equal_to<>(), std::identity(), o...);
}

// Refused: what fits no form.
HEIST_NO_SUCH_FORM(copy_if, "heist::copy_if takes a range, or its two ends, an iterator to write to, and a "
                            "predicate")
HEIST_NO_SUCH_FORM(remove_if, "heist::remove_if takes a range, or its two ends, and a predicate")
HEIST_NO_SUCH_FORM(unique, "heist::unique takes a range, or its two ends, then perhaps a predicate of two "
                           "elements")

}  // namespace heist

HEIST_END
