#pragma once
// Strings in their usual order, sorted by seven bytes at a time. The sort is compiled in the library, once: it orders the
// numbers of the strings, and does not move them. See README.md, "Sorting strings".

#include <heist/algorithm/digit_key.hpp>
#include <heist/algorithm/forking.hpp>
#include <heist/algorithm/permute.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

HEIST_BEGIN

namespace heist::detail {

template <class K>
inline constexpr bool is_text = std::same_as<K, std::string_view>;
template <class Allocator>
inline constexpr bool is_text<std::basic_string<char, std::char_traits<char>, Allocator>> = true;

// Elements in memory that can be moved without an exception, with such keys. A key is looked at while it is in its element:
// it is a reference, or a view.
template <class I, class Comp, class Proj>
consteval bool has_text() noexcept {
  using value = std::iter_value_t<I>;
  using key = key_of<I, Proj>;
  if constexpr (!std::contiguous_iterator<I> || std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<I>>> ||
                !std::is_nothrow_move_constructible_v<value> || !std::is_nothrow_move_assignable_v<value> || !is_text<key>)
    return false;
  else if constexpr (!std::is_nothrow_invocable_v<const Proj&, std::iter_reference_t<I>>)
    return false;
  else
    return (ascends<Comp, key> || falls<Comp, key>) &&
           (std::same_as<key, std::string_view> ||
            std::is_lvalue_reference_v<std::invoke_result_t<const Proj&, std::iter_reference_t<I>>>);
}

// The strings of a range, by their numbers.
struct texts {
  std::string_view (*at)(const void* range, std::size_t i) noexcept;
  const void* range;
  bool falling;  // the greatest first

  std::string_view operator[](std::size_t i) const noexcept { return at(range, i); }
};

// A string on its way to its place.
struct text_place {
  std::uint64_t word;  // seven of its bytes, and how many those are; turned over, if the greatest is first
  std::size_t from;
};

// The order of n strings, those that are equal as they were. Null if there is no memory.
HEIST_API sole<text_place[]> order_of_texts(const texts& all, std::size_t n, const any_forking& how);

// Sorts n elements at `first`, stable. False if there is no memory: then nothing has changed.
template <class Comp, class T, class Proj, class How>
bool text_sort(T* first, std::size_t n, const Proj& proj, const How& how) {
  struct range {
    T* first;
    const Proj& proj;
    static std::string_view at(const void* self, std::size_t i) noexcept {
      const auto& r = *static_cast<const range*>(self);
      return std::invoke(r.proj, r.first[i]);
    }
  } const r{first, proj};
  using key = std::remove_cvref_t<std::invoke_result_t<const Proj&, T&>>;
  const auto order = detail::order_of_texts({&range::at, &r, falls<Comp, key>}, n, how.any());
  if (!order) return false;
  try {
    detail::permute(how, first, n, [&order](std::size_t k) { return order[k].from; });
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

}  // namespace heist::detail

HEIST_END
