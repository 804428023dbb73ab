#pragma once
// Counts from one integer to another, of any two types.

#include <heist/algorithm/requirements.hpp>
#include <heist/base/export.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

// The type of an end: L if it is an integer; I if it converts to one implicitly, such as an
// enumerator or a std::atomic.
template <class I, class L>
using end_type = std::conditional_t<std::is_integral_v<L>, L, I>;

// The type that counts from an I to an L: the wider one. From a signed type to an unsigned one that
// is not narrower, it is a signed type wider than both, which holds every value up to the end. For
// 64 bits there is none, and 63 must do.
template <class I, class L>
struct index_between {
  using wider = std::conditional_t<(sizeof(L) > sizeof(I)), L, I>;
  using signed_one = std::conditional_t<(sizeof(L) < sizeof(int)), int, std::int64_t>;
  static constexpr bool to_unsigned = std::is_signed_v<I> && std::is_unsigned_v<L> && sizeof(L) >= sizeof(I);
  using type = std::conditional_t<to_unsigned, signed_one, wider>;
};
template <class I, class L>
using index_type = typename index_between<I, end_type<I, L>>::type;

// a < b, whatever their signs; unlike std::cmp_less, also for characters.
template <class A, class B>
constexpr bool is_before(A a, B b) noexcept {
  if constexpr (std::is_signed_v<A> == std::is_signed_v<B>)
    return a < b;
  else if constexpr (std::is_signed_v<A>)
    return a < 0 || static_cast<std::make_unsigned_t<A>>(a) < b;
  else
    return b >= 0 && a < static_cast<std::make_unsigned_t<B>>(b);
}

[[noreturn]] HEIST_COLD inline void refuse_index() {
  throw std::out_of_range("heist::for_each_index: the end does not fit into the index type; give both ends the same type");
}

template <class I, class L, class F>
consteval bool can_count() noexcept {
  constexpr bool counts =
      std::is_integral_v<I> && (std::is_integral_v<L> || (std::is_convertible_v<L, I> && !std::is_floating_point_v<L>));
  static_assert(counts, "heist::for_each_index: both ends must be integers");
  if constexpr (counts) {
    using index = index_type<I, L>;
    static_assert(callable<F, index>, "heist::for_each_index: the function cannot be called with an index");
    if constexpr (callable<F, index>) return can_share<F, index>();
  }
  return false;
}

}  // namespace heist::detail

HEIST_END
