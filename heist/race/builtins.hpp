#pragma once
// Included before all else in a build for races (-include): what compilers would otherwise put in place of a call is called,
// so that the detector sees it. g++ copies, fills and compares a few bytes in line where it is told to by name, as the standard
// library's headers do: -fno-builtin is only for calls by the usual names. And what _FORTIFY_SOURCE makes of calls goes past the
// detector.

#undef _FORTIFY_SOURCE

#if defined(__cplusplus) && !defined(__clang__)

#include <heist/base/export.hpp>

extern "C" {
void* memcpy(void*, const void*, __SIZE_TYPE__) noexcept;
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept;
void* memset(void*, int, __SIZE_TYPE__) noexcept;
int memcmp(const void*, const void*, __SIZE_TYPE__) noexcept;
}

HEIST_BEGIN

namespace heist::detail::race::builtins {

[[gnu::always_inline]] inline constexpr void* copy(void* to, const void* from, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memcpy(to, from, n) : ::memcpy(to, from, n);
}
[[gnu::always_inline]] inline constexpr void* move(void* to, const void* from, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memmove(to, from, n) : ::memmove(to, from, n);
}
[[gnu::always_inline]] inline constexpr void* fill(void* to, int value, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memset(to, value, n) : ::memset(to, value, n);
}
[[gnu::always_inline]] inline constexpr int compare(const void* a, const void* b, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memcmp(a, b, n) : ::memcmp(a, b, n);
}

}  // namespace heist::detail::race::builtins

HEIST_END

#define __builtin_memcpy(...) ::heist::detail::race::builtins::copy(__VA_ARGS__)
#define __builtin_memmove(...) ::heist::detail::race::builtins::move(__VA_ARGS__)
#define __builtin_memset(...) ::heist::detail::race::builtins::fill(__VA_ARGS__)
#define __builtin_memcmp(...) ::heist::detail::race::builtins::compare(__VA_ARGS__)

#endif
