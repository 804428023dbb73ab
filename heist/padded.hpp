#pragma once
// padded: a value with a cache line to itself.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

// Neighbours in an array of padded<T> share no cache line, so threads that write them do not slow each other down (false
// sharing). 128 bytes, because processors fetch lines of 64 bytes in pairs.
template <class T>
struct HEIST_TYPE padded {
  alignas(detail::cache_line) alignas(T) T value{};

  HEIST_OWN_VALUE(padded);
  template <class... Arguments>
    requires(std::is_constructible_v<T, Arguments...> && sizeof...(Arguments) > 0 &&
             !(std::is_same_v<std::remove_cvref_t<Arguments>, padded> || ...))
  HEIST_OWN constexpr explicit(!(sizeof...(Arguments) == 1 && (std::is_convertible_v<Arguments, T> && ...)))
      padded(Arguments&&... arguments)
      : value(std::forward<Arguments>(arguments)...) {}
  // Elements in braces, for containers.
  template <class U>
    requires(std::is_constructible_v<T, std::initializer_list<U>&> && !std::is_convertible_v<U, T>)
  HEIST_OWN constexpr padded(std::initializer_list<U> elements) : value(elements) {}

  HEIST_OWN constexpr T& operator*() & noexcept { return value; }
  HEIST_OWN constexpr const T& operator*() const& noexcept { return value; }
  HEIST_OWN constexpr T&& operator*() && noexcept { return std::move(value); }
  HEIST_OWN constexpr T* operator->() noexcept { return &value; }
  HEIST_OWN constexpr const T* operator->() const noexcept { return &value; }
};

template <class T>
padded(T) -> padded<T>;

}  // namespace heist

HEIST_END
