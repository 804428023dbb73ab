#pragma once
// Keys that can be sorted by their digits: numbers in their usual order, or the reverse.

#include <heist/base/export.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

template <std::size_t bytes>
using unsigned_of = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t,
                       std::conditional_t<bytes == 4, std::uint32_t, std::conditional_t<bytes == 8, std::uint64_t, uint128>>>>;

template <class K>
inline constexpr bool is_whole = std::is_integral_v<K> || std::same_as<K, int128> || std::same_as<K, uint128>;
template <class K>
inline constexpr bool is_floating = (std::same_as<K, float> || std::same_as<K, double>) && std::numeric_limits<K>::is_iec559;

// An order of numbers that their digits know.
template <class Comp, class K>
inline constexpr bool ascends = std::same_as<Comp, std::less<>> || std::same_as<Comp, std::less<K>> ||
                                std::same_as<Comp, std::ranges::less>;
template <class Comp, class K>
inline constexpr bool falls = std::same_as<Comp, std::greater<>> || std::same_as<Comp, std::greater<K>> ||
                              std::same_as<Comp, std::ranges::greater>;

// The digits of a floating-point number, from its bits: of a negative one all are turned over, of
// others the sign. 0.0 and -0.0 have the same, as they are equal to <.
template <class Word>
constexpr Word floating_digits(Word bits) noexcept {
  constexpr int last = static_cast<int>(8 * sizeof(Word)) - 1;
  constexpr auto sign = static_cast<Word>(Word{1} << last);
  if (bits == sign) bits = 0;
  return static_cast<Word>(bits ^ ((Word{0} - (bits >> last)) | sign));
}

// A number as a word whose unsigned order is the number's.
template <class K>
constexpr auto digits_of(K k) noexcept {
  using word = unsigned_of<sizeof(K)>;
  constexpr auto sign = static_cast<word>(word{1} << (8 * sizeof(K) - 1));
  if constexpr (is_floating<K>) {
    return floating_digits(std::bit_cast<word>(k));
  } else if constexpr (static_cast<K>(-1) < static_cast<K>(0)) {
    return static_cast<word>(static_cast<word>(k) ^ sign);
  } else {
    return static_cast<word>(k);
  }
}

template <class I, class Proj>
using key_of = std::remove_cvref_t<std::invoke_result_t<Proj&, std::iter_reference_t<I>>>;

// Elements in memory that are cheap to move, with such keys. The projection is called often and
// while elements are on their way, so it must not throw.
template <class I, class Comp, class Proj>
consteval bool has_digits() noexcept {
  using value = std::iter_value_t<I>;
  using key = key_of<I, Proj>;
  if constexpr (!std::contiguous_iterator<I> || std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<I>>> ||
                !std::is_trivially_copyable_v<value> || !std::is_copy_constructible_v<value> ||
                !std::is_copy_assignable_v<value> || sizeof(value) > 32 || !(is_whole<key> || is_floating<key>))
    return false;
  else
    return (ascends<Comp, key> || falls<Comp, key>) && std::is_nothrow_invocable_v<Proj&, std::iter_reference_t<I>>;
}

// What the digits of an element are.
template <class Comp, class Proj, class Number>
class digit_key {
 public:
  explicit digit_key(const Proj& proj) noexcept : proj_(proj) {}

  static constexpr bool floating = is_floating<Number>;
  template <class T>
  bool is_number(const T& element) const noexcept {
    const auto number = std::invoke(proj_, element);
    return number == number;
  }

  template <class T>
  auto operator()(const T& element) const noexcept {
    const auto number = std::invoke(proj_, element);
    const auto word = detail::digits_of(number);
    if constexpr (falls<Comp, std::remove_cv_t<decltype(number)>>)
      return static_cast<std::remove_cv_t<decltype(word)>>(~word);
    else
      return word;
  }

 private:
  [[no_unique_address]] Proj proj_;
};

}  // namespace heist::detail

HEIST_END
