// Included before all else in a build for races (-include), also in files of C and of older C++, and includes nothing. What the
// compiler would otherwise put in place of a call is called, so that the detector sees it: g++ copies, fills and compares a few
// bytes in line where it is told to by the builtins' names, as the standard library's headers do; -fno-builtin is only for calls
// by the usual names. And what _FORTIFY_SOURCE makes of calls goes past the detector.
#ifndef HEIST_RACE_BUILTINS_H
#define HEIST_RACE_BUILTINS_H

#undef _FORTIFY_SOURCE

#if defined(__cplusplus) && __cplusplus >= 201103L && !defined(__clang__)

extern "C" {
void* memcpy(void*, const void*, __SIZE_TYPE__) noexcept;
void* memmove(void*, const void*, __SIZE_TYPE__) noexcept;
void* memset(void*, int, __SIZE_TYPE__) noexcept;
int memcmp(const void*, const void*, __SIZE_TYPE__) noexcept;
}

#define HEIST_RACE_IN_LINE __attribute__((always_inline, visibility("hidden"))) inline constexpr

namespace heist_race_builtins {

HEIST_RACE_IN_LINE void* copy(void* to, const void* from, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memcpy(to, from, n) : ::memcpy(to, from, n);
}
HEIST_RACE_IN_LINE void* move(void* to, const void* from, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memmove(to, from, n) : ::memmove(to, from, n);
}
HEIST_RACE_IN_LINE void* fill(void* to, int value, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memset(to, value, n) : ::memset(to, value, n);
}
HEIST_RACE_IN_LINE int compare(const void* a, const void* b, __SIZE_TYPE__ n) noexcept {
  return __builtin_is_constant_evaluated() ? __builtin_memcmp(a, b, n) : ::memcmp(a, b, n);
}

}  // namespace heist_race_builtins

#undef HEIST_RACE_IN_LINE

#define __builtin_memcpy(...) ::heist_race_builtins::copy(__VA_ARGS__)
#define __builtin_memmove(...) ::heist_race_builtins::move(__VA_ARGS__)
#define __builtin_memset(...) ::heist_race_builtins::fill(__VA_ARGS__)
#define __builtin_memcmp(...) ::heist_race_builtins::compare(__VA_ARGS__)

#endif
#endif
