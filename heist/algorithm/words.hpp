#pragma once
// Ranges of plain numbers, sorted by their digits: compiled in the library, once for each size.

#include <heist/algorithm/digit_key.hpp>
#include <heist/algorithm/ties.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

// Numbers that lie in memory as words of 1, 2, 4 or 8 bytes.
template <class K>
inline constexpr bool is_word = (std::is_integral_v<K> && sizeof(K) <= 8) || is_floating<K>;

struct number_kind {
  std::size_t bytes;
  bool floating;
  // What turns a number into the word whose unsigned order is the wanted one, if it is not floating:
  // exclusive or with this. If it is, the digits are those of digits_of(), with this.
  std::uint64_t turned;

  template <class Comp, class K>
  static constexpr number_kind of() noexcept {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    constexpr bool has_sign = std::is_signed_v<K> && !is_floating<K>;
    constexpr std::uint64_t sign = has_sign ? std::uint64_t{1} << (8 * sizeof(K) - 1) : 0;
    return {sizeof(K), is_floating<K>, falls<Comp, K> ? sign ^ all : sign};
  }
};

// Sorts n numbers at `first`. False if comparing is to be preferred, or if there is no memory: then
// nothing has changed. Equal numbers of one type are the same, but for zeros, so ties are kept only
// where the caller says so.
HEIST_API bool sort_words(void* first, std::size_t n, const number_kind& kind, const any_forking& how, ties equal);

}  // namespace heist::detail

HEIST_END
