#pragma once
// par: lazy parallel ranges. par(r) is a chain without stages; heist/stage.hpp has the stages and ends. A chain runs when it
// gets its end: in one pass, without arrays in between, and with the same result on every number of workers.

#include <heist/algorithm/index.hpp>
#include <heist/algorithm/range.hpp>
#include <heist/base/export.hpp>
#include <heist/lazy/chain.hpp>
#include <heist/lazy/stages.hpp>
#include <heist/stage.hpp>

#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist {

// The type of heist::par, which is also an execution policy: heist/execution.hpp.
struct HEIST_TYPE parallel_policy {
  // A chain over a range. An lvalue is not copied, unless it is a view, and must outlive the chain. Of a range without random
  // access, one strand notes the iterators first.
  template <class R>
  HEIST_OWN constexpr auto operator()(R&& r) const {
    return detail::chain_from(detail::as_source(std::forward<R>(r)));
  }

  // The same for the values in braces, which the chain keeps.
  template <class T>
  HEIST_OWN constexpr auto operator()(std::initializer_list<T> values) const {
    return (*this)(std::vector<T>(values));
  }

  // The same for two iterators, or for the integers in [first, last).
  template <class I, class L>
  HEIST_OWN constexpr auto operator()(I first, L last) const {
    if constexpr (std::is_integral_v<I> && std::is_integral_v<L>) {
      using index = detail::index_type<I, L>;
      if (!detail::is_before(first, last)) return detail::chain_from(detail::index_range<index>{static_cast<index>(first), 0});
      if (detail::is_before(std::numeric_limits<index>::max(), last)) detail::refuse_index();
      return detail::chain_from(detail::index_range<index>{
          static_cast<index>(first), static_cast<std::size_t>(last) - static_cast<std::size_t>(first)});
    } else {
      constexpr bool range = std::input_or_output_iterator<I> && std::sentinel_for<L, I>;
      static_assert(range, "heist::par takes a range, or a first and a last iterator or integer");
      if constexpr (range)
        return detail::chain_from(detail::kept_range<std::ranges::subrange<I, L>>{{std::move(first), std::move(last)}});
      else
        return detail::chain_from(detail::index_range<int>{0, 0});
    }
  }
};

inline constexpr parallel_policy par{};

}  // namespace heist

HEIST_END
