// Functions of the C library that read and write the program's memory, and that compilers do not instrument: they are called
// with what they touch told before.

#include <analysis/race/interpose.hpp>

#include <sys/uio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>

using namespace heist::race;

// memcpy and its like are called by the detector's own memory, too: these must not come back here.
namespace {

void copy(void* to, const void* from, std::size_t n) {
#if defined(__x86_64__)
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#else
  for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(to)[i] = static_cast<const volatile char*>(from)[i];
#endif
}

using copier = void*(void*, const void*, std::size_t);
using setter = void*(void*, int, std::size_t);
using comparer = int(const void*, const void*, std::size_t);
using measurer = std::size_t(const char*);

copier *real_memcpy, *real_memmove;
setter* real_memset;
comparer* real_memcmp;
measurer* real_strlen;

// While the loader looks one up it may need them itself.
bool looking = false;
template <class F>
F* found_before(F*& kept, const char* name) {
  if (kept == nullptr && !looking) {
    looking = true;
    kept = reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
    looking = false;
  }
  return kept;
}

std::size_t length(const char* s) {
  if (measurer* const f = found_before(real_strlen, "strlen")) return f(s);
  std::size_t n = 0;
  while (static_cast<const volatile char*>(s)[n] != 0) ++n;
  return n;
}

}  // namespace

HEIST_RACE_BEFORE void* memcpy(void* to, const void* from, std::size_t n) {
  reads(from, n, HEIST_RACE_HERE);
  writes(to, n, HEIST_RACE_HERE);
  if (copier* const f = found_before(real_memcpy, "memcpy")) return f(to, from, n);
  copy(to, from, n);
  return to;
}
HEIST_RACE_BEFORE void* memmove(void* to, const void* from, std::size_t n) {
  reads(from, n, HEIST_RACE_HERE);
  writes(to, n, HEIST_RACE_HERE);
  if (copier* const f = found_before(real_memmove, "memmove")) return f(to, from, n);
  if (to <= from) {
    copy(to, from, n);
  } else {
    for (std::size_t i = n; i-- > 0;) static_cast<volatile char*>(to)[i] = static_cast<const volatile char*>(from)[i];
  }
  return to;
}
HEIST_RACE_BEFORE void* memset(void* to, int value, std::size_t n) {
  writes(to, n, HEIST_RACE_HERE);
  if (setter* const f = found_before(real_memset, "memset")) return f(to, value, n);
  for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(to)[i] = static_cast<char>(value);
  return to;
}
HEIST_RACE_BEFORE int memcmp(const void* a, const void* b, std::size_t n) {
  if (judged > 0) {
    // Up to where they differ: nothing else need be there.
    auto *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
    std::size_t same = 0;
    while (same < n && x[same] == y[same]) ++same;
    const std::size_t seen = std::min(n, same + 1);
    reads(a, seen, HEIST_RACE_HERE);
    reads(b, seen, HEIST_RACE_HERE);
    return same == n ? 0 : x[same] < y[same] ? -1 : 1;
  }
  if (comparer* const f = found_before(real_memcmp, "memcmp")) return f(a, b, n);
  for (std::size_t i = 0; i < n; ++i) {
    const int d = static_cast<const volatile unsigned char*>(a)[i] - static_cast<const volatile unsigned char*>(b)[i];
    if (d != 0) return d;
  }
  return 0;
}
// The headers declare these in two forms, which are one function.
extern "C" {
void* heist_race_memchr(const void*, int, std::size_t) asm("memchr");
char* heist_race_strchr(const char*, int) asm("strchr");
char* heist_race_strrchr(const char*, int) asm("strrchr");
}
HEIST_RACE_BEFORE void* heist_race_memchr(const void* a, int c, std::size_t n) {
  auto* const x = static_cast<const unsigned char*>(a);
  std::size_t i = 0;
  while (i < n && x[i] != static_cast<unsigned char>(c)) ++i;
  reads(a, std::min(n, i + 1), HEIST_RACE_HERE);
  return i < n ? const_cast<unsigned char*>(x + i) : nullptr;
}
HEIST_RACE_BEFORE std::size_t strlen(const char* s) {
  const std::size_t n = length(s);
  reads(s, n + 1, HEIST_RACE_HERE);
  return n;
}
HEIST_RACE_BEFORE std::size_t strnlen(const char* s, std::size_t most) {
  std::size_t n = 0;
  while (n < most && static_cast<const volatile char*>(s)[n] != 0) ++n;
  reads(s, std::min(most, n + 1), HEIST_RACE_HERE);
  return n;
}
HEIST_RACE_BEFORE char* strcpy(char* to, const char* from) {
  const std::size_t n = length(from) + 1;
  reads(from, n, HEIST_RACE_HERE);
  writes(to, n, HEIST_RACE_HERE);
  copy(to, from, n);
  return to;
}
HEIST_RACE_BEFORE char* stpcpy(char* to, const char* from) {
  const std::size_t n = length(from) + 1;
  reads(from, n, HEIST_RACE_HERE);
  writes(to, n, HEIST_RACE_HERE);
  copy(to, from, n);
  return to + n - 1;
}
HEIST_RACE_BEFORE char* strncpy(char* to, const char* from, std::size_t n) {
  std::size_t m = 0;
  while (m < n && from[m] != 0) ++m;
  reads(from, std::min(n, m + 1), HEIST_RACE_HERE);
  writes(to, n, HEIST_RACE_HERE);
  copy(to, from, m);
  for (std::size_t i = m; i < n; ++i) static_cast<volatile char*>(to)[i] = 0;
  return to;
}
HEIST_RACE_BEFORE char* strcat(char* to, const char* from) {
  const std::size_t before = length(to), n = length(from) + 1;
  reads(to, before + 1, HEIST_RACE_HERE);
  reads(from, n, HEIST_RACE_HERE);
  writes(to + before, n, HEIST_RACE_HERE);
  copy(to + before, from, n);
  return to;
}
HEIST_RACE_BEFORE char* strncat(char* to, const char* from, std::size_t most) {
  const std::size_t before = length(to);
  std::size_t n = 0;
  while (n < most && from[n] != 0) ++n;
  reads(to, before + 1, HEIST_RACE_HERE);
  reads(from, std::min(most, n + 1), HEIST_RACE_HERE);
  writes(to + before, n + 1, HEIST_RACE_HERE);
  copy(to + before, from, n);
  static_cast<volatile char*>(to)[before + n] = 0;
  return to;
}
HEIST_RACE_BEFORE int strcmp(const char* a, const char* b) {
  std::size_t n = 0;
  while (a[n] != 0 && a[n] == b[n]) ++n;
  reads(a, n + 1, HEIST_RACE_HERE);
  reads(b, n + 1, HEIST_RACE_HERE);
  return static_cast<unsigned char>(a[n]) - static_cast<unsigned char>(b[n]);
}
HEIST_RACE_BEFORE int strncmp(const char* a, const char* b, std::size_t most) {
  std::size_t n = 0;
  while (n < most && a[n] != 0 && a[n] == b[n]) ++n;
  const std::size_t seen = std::min(most, n + 1);
  reads(a, seen, HEIST_RACE_HERE);
  reads(b, seen, HEIST_RACE_HERE);
  return n == most ? 0 : static_cast<unsigned char>(a[n]) - static_cast<unsigned char>(b[n]);
}
HEIST_RACE_BEFORE char* heist_race_strchr(const char* s, int c) {
  std::size_t n = 0;
  while (s[n] != 0 && s[n] != static_cast<char>(c)) ++n;
  reads(s, n + 1, HEIST_RACE_HERE);
  return s[n] == static_cast<char>(c) ? const_cast<char*>(s + n) : nullptr;
}
HEIST_RACE_BEFORE char* heist_race_strrchr(const char* s, int c) {
  const std::size_t n = length(s);
  reads(s, n + 1, HEIST_RACE_HERE);
  for (std::size_t i = n + 1; i-- > 0;)
    if (s[i] == static_cast<char>(c)) return const_cast<char*>(s + i);
  return nullptr;
}
HEIST_RACE_BEFORE char* strdup(const char* s) {
  const std::size_t n = length(s) + 1;
  reads(s, n, HEIST_RACE_HERE);
  char* const fresh = static_cast<char*>(std::malloc(n));
  if (fresh == nullptr) return nullptr;
  writes(fresh, n, HEIST_RACE_HERE);
  copy(fresh, s, n);
  return fresh;
}
HEIST_RACE_BEFORE void bzero(void* to, std::size_t n) {
  writes(to, n, HEIST_RACE_HERE);
  for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(to)[i] = 0;
}
