#pragma once
// Sorted ranges as sets, or multisets: includes, union, intersection, differences. Of equal elements
// as many go to the output as in the standard, and the same ones: those of the first range if both
// have them.

#include <heist/algorithm/arguments.hpp>
#include <heist/algorithm/comparison.hpp>
#include <heist/algorithm/cuts.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/lazy_blocks.hpp>
#include <heist/algorithm/lookout.hpp>
#include <heist/algorithm/places.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/algorithm/requirements.hpp>
#include <heist/algorithm/search.hpp>
#include <heist/algorithm/shapes.hpp>
#include <heist/algorithm/shapes_of_two.hpp>
#include <heist/base/export.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

namespace detail {

// What comes of an element that is only in the first range, in both, or only in the second.
struct set_union_kind {
  static constexpr bool first = true, both = true, second = true;
};
struct set_intersection_kind {
  static constexpr bool first = false, both = true, second = false;
};
struct set_difference_kind {
  static constexpr bool first = true, both = false, second = false;
};
struct set_symmetric_difference_kind {
  static constexpr bool first = true, both = false, second = true;
};

template <class I1, class S1, class I2, class S2, class Comp, class Proj1, class Proj2>
consteval bool can_compare_sets() noexcept {
  if constexpr (!can_compare_ranges<I1, S1, I2, S2, Comp, Proj1, Proj2>()) {
    return false;
  } else if constexpr (!can_match<I2, I1, Comp, Proj2, Proj1>()) {
    return false;
  } else {
    return can_compare<I1, Comp, Proj1>() && can_compare<I2, Comp, Proj2>();
  }
}

// The comparisons between elements of two ranges.
template <class Comp, class Proj1, class Proj2>
struct set_order {
  comparison<Comp, Proj1, Proj2> ab;
  comparison<Comp, Proj2, Proj1> ba;
  comparison<Comp, Proj1, Proj1> aa;
  comparison<Comp, Proj2, Proj2> bb;

  set_order(Comp& comp, Proj1& proj1, Proj2& proj2)
      : ab(comp, proj1, proj2), ba(comp, proj2, proj1), aa(comp, proj1, proj1), bb(comp, proj2, proj2) {}

  template <class A, class B, class How>
  std::vector<cut> cuts(const How& how, const A& a, std::size_t n, const B& b, std::size_t m) const {
    return cutter<A, B, comparison<Comp, Proj1, Proj2>, comparison<Comp, Proj2, Proj1>, comparison<Comp, Proj1, Proj1>,
                  comparison<Comp, Proj2, Proj2>>(a, n, b, m, ab, ba, aa, bb)
        .all(how, how.grain());
  }
};

// One pass over a pair of parts. Calls first(i) or second(j) for the elements that the kind of
// operation keeps, in order.
template <class Kind, class How, class A, class B, class Order, class First, class Second>
void combine_sets(const How& how, const A& a, const B& b, cut from, cut to, const Order& order, First&& first,
                  Second&& second) {
  std::size_t i = from.a, j = from.b;
  for (std::ptrdiff_t steps = 1; i != to.a && j != to.b; ++steps) {
    if (steps % elements_between_looks == 0) how.check();
    if (order.ab(*detail::at(a, i), *detail::at(b, j))) {
      if constexpr (Kind::first) first(i);
      ++i;
    } else if (order.ba(*detail::at(b, j), *detail::at(a, i))) {
      if constexpr (Kind::second) second(j);
      ++j;
    } else {
      if constexpr (Kind::both) first(i);
      ++i;
      ++j;
    }
  }
  if constexpr (Kind::first)
    for (; i != to.a; ++i) first(i);
  if constexpr (Kind::second)
    for (; j != to.b; ++j) second(j);
}

// set_difference returns the end of the first range only, as in the standard.
template <class Kind, class R1, class R2, class Out>
auto set_result(R1&& r1, R2&& r2, Out out) {
  using in1 = std::ranges::borrowed_iterator_t<R1>;
  using in2 = std::ranges::borrowed_iterator_t<R2>;
  if constexpr (std::is_same_v<Kind, set_difference_kind>)
    return std::ranges::in_out_result<in1, Out>{detail::end_of(std::forward<R1>(r1)), std::move(out)};
  else
    return std::ranges::in_in_out_result<in1, in2, Out>{detail::end_of(std::forward<R1>(r1)),
                                                        detail::end_of(std::forward<R2>(r2)), std::move(out)};
}

template <class Kind>
struct set_call : combining<set_call<Kind>> {
  template <class I1, class S1, class I2, class S2, class Out, class Comp, class Proj1, class Proj2, class... O>
  static Out run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, const Out& out, Comp& comp,
                 Proj1& proj1, Proj2& proj2, const O&... o) {
    if constexpr (!can_compare_sets<I1, S1, I2, S2, Comp, Proj1, Proj2>()) {
      return out;
    } else if constexpr (is_sequential<Out>) {
      constexpr bool copyable = std::indirectly_copyable<I1, Out> && std::indirectly_copyable<I2, Out>;
      static_assert(copyable, "heist: the elements cannot be copied to the output");
      Out to = out;
      if constexpr (copyable) {
        const options_of options(o...);
        const forking how(options, 2048);
        how.check();
        const set_order<Comp, Proj1, Proj2> order(comp, proj1, proj2);
        combine_sets<Kind>(
            how, first1, first2, cut{0, 0}, cut{detail::length(first1, last1), detail::length(first2, last2)}, order,
            [&](std::size_t i) { *to = *detail::at(first1, i), ++to; },
            [&](std::size_t j) { *to = *detail::at(first2, j), ++to; });
      }
      return to;
    } else if constexpr (!can_copy<I1, S1, Out>() || !can_copy<I2, S2, Out>()) {
      return out;
    } else {
      const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
      const auto a = detail::plain(first1);
      const auto b = detail::plain(first2);
      const auto to = detail::plain(out);
      const options_of options(o...);
      const forking how(options, 2048);
      const set_order<Comp, Proj1, Proj2> order(comp, proj1, proj2);
      auto write = [&](cut from, cut until, std::size_t place) {
        combine_sets<Kind>(
            how, a, b, from, until, order,
            [&](std::size_t i) { detail::assign(*detail::at(to, place), *detail::at(a, i)), ++place; },
            [&](std::size_t j) { detail::assign(*detail::at(to, place), *detail::at(b, j)), ++place; });
        return place;
      };
      if (n + m <= how.grain()) {
        how.check();
        return detail::at(out, write(cut{0, 0}, cut{n, m}, 0));
      }
      return detail::at(out, how.enter(n + m, [&] {
        const std::vector<cut> cuts = order.cuts(how, a, n, b, m);
        auto write_block = [&](std::size_t k, std::size_t place) { return write(cuts[k], cuts[k + 1], place); };
        auto count_block = [&](std::size_t k) {
          std::size_t found = 0;
          auto one = [&](std::size_t) { ++found; };
          combine_sets<Kind>(how, a, b, cuts[k], cuts[k + 1], order, one, one);
          return found;
        };
        return lazy_blocks(how, cuts.size() - 1, write_block, count_block).run();
      }));
    }
  }
  template <class R1, class R2, class Out>
  static auto for_ranges(R1&& r1, R2&& r2, Out out) {
    return detail::set_result<Kind>(std::forward<R1>(r1), std::forward<R2>(r2), std::move(out));
  }
};

struct includes_call : comparing_two<includes_call, std::less<>>, giving_value {
  template <class I1, class S1, class I2, class S2, class Comp, class Proj1, class Proj2, class... O>
  static bool run(const I1& first1, const S1& last1, const I2& first2, const S2& last2, Comp& comp, Proj1& proj1,
                  Proj2& proj2, const O&... o) {
    if constexpr (can_compare_sets<I1, S1, I2, S2, Comp, Proj1, Proj2>()) {
      const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
      if (m > n) return false;
      const auto a = detail::plain(first1);
      const auto b = detail::plain(first2);
      const options_of options(o...);
      const forking how(options, 2048);
      const set_order<Comp, Proj1, Proj2> order(comp, proj1, proj2);
      // Whether an element of the second range is missing in the first.
      auto lacks = [&](cut from, cut to) {
        std::size_t i = from.a, j = from.b;
        for (std::ptrdiff_t steps = 1; j != to.b; ++i, ++steps) {
          if (steps % elements_between_looks == 0) how.check();
          if (i == to.a || order.ba(*detail::at(b, j), *detail::at(a, i))) return true;
          if (!order.ab(*detail::at(a, i), *detail::at(b, j))) ++j;
        }
        return false;
      };
      if (n + m <= how.grain()) {
        how.check();
        return !lacks(cut{0, 0}, cut{n, m});
      }
      return how.enter(n + m, [&] {
        const std::vector<cut> cuts = order.cuts(how, a, n, b, m);
        const std::size_t blocks = cuts.size() - 1;
        auto block_lacks = [&](std::size_t k) {
          how.check();
          return lacks(cuts[k], cuts[k + 1]);
        };
        return detail::first_place(blocks, block_lacks, options_of<>()) == blocks;
      });
    } else {
      return false;
    }
  }
};

}  // namespace detail

// set_union, set_intersection, set_difference, set_symmetric_difference(r1, r2, out, comp, proj1,
// proj2) write the sorted result to `out`, which must not overlap the ranges. Return the end of what
// was written; the range forms also return the ends of the ranges, as std::ranges does. If a
// comparison or a copy throws, or the call is cancelled, any of the elements at `out` may have been
// assigned to. Work n + m, and twice that for what was stolen; two words for every 2,048 elements.
inline constexpr detail::set_call<detail::set_union_kind> set_union{};
inline constexpr detail::set_call<detail::set_intersection_kind> set_intersection{};
inline constexpr detail::set_call<detail::set_difference_kind> set_difference{};
inline constexpr detail::set_call<detail::set_symmetric_difference_kind> set_symmetric_difference{};

// includes(r1, r2, comp, proj1, proj2): whether r1 has every element of r2, as often as r2 has it.
inline constexpr detail::includes_call includes{};

}  // namespace heist

HEIST_END
