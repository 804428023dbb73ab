// More functions of the C library that read and write the program's memory: searches in text, wide characters, and others that
// programs use less.

#include <analysis/race/interpose.hpp>

#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <cwchar>

using namespace heist::race;

#define REAL(name) real(kept, #name)

namespace {

// Not those of the C library, which would be judged here.
template <class C>
std::size_t characters(const C* s, std::size_t most = ~std::size_t{0}) noexcept {
  std::size_t n = 0;
  while (n < most && static_cast<const volatile C*>(s)[n] != 0) ++n;
  return n;
}
template <class C>
void reads_text(const C* s, std::uintptr_t code) {
  if (judged > 0) reads(s, (characters(s) + 1) * sizeof(C), code);
}

}  // namespace

// Both texts are read. (As far as the function looks at them: a text that is searched counts as read up to its end.)
#define HEIST_RACE_TWO_TEXTS(type, name)                      \
  HEIST_RACE_AS(type, name, const char* a, const char* b) {   \
    static type (*kept)(const char*, const char*);            \
    reads_text(a, HEIST_RACE_HERE);                           \
    reads_text(b, HEIST_RACE_HERE);                           \
    return REAL(name)(a, b);                                  \
  }
HEIST_RACE_TWO_TEXTS(char*, strstr)
HEIST_RACE_TWO_TEXTS(char*, strcasestr)
HEIST_RACE_TWO_TEXTS(char*, strpbrk)
HEIST_RACE_TWO_TEXTS(std::size_t, strspn)
HEIST_RACE_TWO_TEXTS(std::size_t, strcspn)
HEIST_RACE_TWO_TEXTS(int, strcasecmp)
HEIST_RACE_TWO_TEXTS(int, strcoll)

HEIST_RACE_AS(int, strncasecmp, const char* a, const char* b, std::size_t most) {
  static int (*kept)(const char*, const char*, std::size_t);
  if (judged > 0) {
    reads(a, std::min(most, characters(a, most) + 1), HEIST_RACE_HERE);
    reads(b, std::min(most, characters(b, most) + 1), HEIST_RACE_HERE);
  }
  return REAL(strncasecmp)(a, b, most);
}
// It ends each part by a byte of the text.
HEIST_RACE_AS(char*, strtok_r, char* s, const char* ends, char** rest) {
  static char* (*kept)(char*, const char*, char**);
  reads_text(ends, HEIST_RACE_HERE);
  if (s == nullptr) reads(rest, sizeof *rest, HEIST_RACE_HERE);
  char* const text = s != nullptr ? s : *rest;
  const std::size_t n = judged > 0 && text != nullptr ? characters(text) + 1 : 0;
  char* const part = REAL(strtok_r)(s, ends, rest);
  if (n > 0) reads(text, part == nullptr ? n : static_cast<std::size_t>(*rest - text), HEIST_RACE_HERE);
  if (part != nullptr && *rest > text && (*rest)[-1] == 0) writes(*rest - 1, 1, HEIST_RACE_HERE);
  writes(rest, sizeof *rest, HEIST_RACE_HERE);
  return part;
}
// Where it goes on is a variable of its own, which all strands share.
HEIST_RACE_AS(char*, strtok, char* s, const char* ends) {
  static char* rest;
  static char* (*kept)(char*, const char*, char**);
  reads_text(ends, HEIST_RACE_HERE);
  if (s == nullptr) reads(&rest, sizeof rest, HEIST_RACE_HERE);
  char* const text = s != nullptr ? s : rest;
  const std::size_t n = judged > 0 && text != nullptr ? characters(text) + 1 : 0;
  char* const part = real(kept, "strtok_r")(s, ends, &rest);
  if (n > 0) reads(text, part == nullptr ? n : static_cast<std::size_t>(rest - text), HEIST_RACE_HERE);
  if (part != nullptr && rest > text && rest[-1] == 0) writes(rest - 1, 1, HEIST_RACE_HERE);
  writes(&rest, sizeof rest, HEIST_RACE_HERE);
  return part;
}
HEIST_RACE_AS(char*, strndup, const char* s, std::size_t most) {
  const std::size_t n = characters(s, most);
  reads(s, std::min(most, n + 1), HEIST_RACE_HERE);
  auto* const fresh = static_cast<char*>(std::malloc(n + 1));
  if (fresh == nullptr) return nullptr;
  std::memcpy(fresh, s, n);
  fresh[n] = 0;
  return fresh;
}
HEIST_RACE_AS(void*, mempcpy, void* to, const void* from, std::size_t n) {
  return static_cast<char*>(std::memcpy(to, from, n)) + n;
}
HEIST_RACE_AS(void*, memrchr, const void* a, int c, std::size_t n) {
  auto* const x = static_cast<const unsigned char*>(a);
  std::size_t i = n;
  while (i > 0 && x[i - 1] != static_cast<unsigned char>(c)) --i;
  const std::size_t first = i > 0 ? i - 1 : 0;
  reads(x + first, n - first, HEIST_RACE_HERE);
  return i > 0 ? const_cast<unsigned char*>(x + first) : nullptr;
}
HEIST_RACE_AS(void*, memmem, const void* a, std::size_t n, const void* b, std::size_t m) {
  static void* (*kept)(const void*, std::size_t, const void*, std::size_t);
  reads(a, n, HEIST_RACE_HERE);
  reads(b, m, HEIST_RACE_HERE);
  return REAL(memmem)(a, n, b, m);
}

// Wide characters -------------------------------------------------------------------------------------------------------

HEIST_RACE_AS(wchar_t*, wmemcpy, wchar_t* to, const wchar_t* from, std::size_t n) {
  return static_cast<wchar_t*>(std::memcpy(to, from, n * sizeof *to));
}
HEIST_RACE_AS(wchar_t*, wmemmove, wchar_t* to, const wchar_t* from, std::size_t n) {
  return static_cast<wchar_t*>(std::memmove(to, from, n * sizeof *to));
}
HEIST_RACE_AS(wchar_t*, wmemset, wchar_t* to, wchar_t value, std::size_t n) {
  static wchar_t* (*kept)(wchar_t*, wchar_t, std::size_t);
  writes(to, n * sizeof *to, HEIST_RACE_HERE);
  return REAL(wmemset)(to, value, n);
}
HEIST_RACE_AS(int, wmemcmp, const wchar_t* a, const wchar_t* b, std::size_t n) {
  static int (*kept)(const wchar_t*, const wchar_t*, std::size_t);
  std::size_t same = 0;
  while (same < n && a[same] == b[same]) ++same;
  reads(a, std::min(n, same + 1) * sizeof *a, HEIST_RACE_HERE);
  reads(b, std::min(n, same + 1) * sizeof *b, HEIST_RACE_HERE);
  return REAL(wmemcmp)(a, b, n);
}
HEIST_RACE_AS(std::size_t, wcslen, const wchar_t* s) {
  const std::size_t n = characters(s);
  reads(s, (n + 1) * sizeof *s, HEIST_RACE_HERE);
  return n;
}
HEIST_RACE_AS(wchar_t*, wcscpy, wchar_t* to, const wchar_t* from) {
  return static_cast<wchar_t*>(std::memcpy(to, from, (characters(from) + 1) * sizeof *to));
}

HEIST_RACE_AS(int, wcscmp, const wchar_t* a, const wchar_t* b) {
  std::size_t same = 0;
  while (a[same] == b[same] && a[same] != 0) ++same;
  reads(a, (same + 1) * sizeof *a, HEIST_RACE_HERE);
  reads(b, (same + 1) * sizeof *b, HEIST_RACE_HERE);
  return a[same] < b[same] ? -1 : a[same] > b[same] ? 1 : 0;
}
HEIST_RACE_AS(wchar_t*, wcscat, wchar_t* to, const wchar_t* from) {
  const std::size_t before = characters(to), n = characters(from) + 1;
  reads(to, (before + 1) * sizeof *to, HEIST_RACE_HERE);
  std::memcpy(to + before, from, n * sizeof *to);
  return to;
}

// Others ----------------------------------------------------------------------------------------------------------------

HEIST_RACE_AS(void, qsort_r, void* from, std::size_t n, std::size_t size, int (*less)(const void*, const void*, void*), void* with) {
  static void (*kept)(void*, std::size_t, std::size_t, int (*)(const void*, const void*, void*), void*);
  writes(from, n * size, HEIST_RACE_HERE);
  REAL(qsort_r)(from, n, size, less, with);
}
HEIST_RACE_AS(ssize_t, recvfrom, int s, void* to, std::size_t n, int flags, sockaddr* whose, socklen_t* size) {
  static ssize_t (*kept)(int, void*, std::size_t, int, sockaddr*, socklen_t*);
  const ssize_t got = REAL(recvfrom)(s, to, n, flags, whose, size);
  if (got > 0) writes(to, std::min(n, static_cast<std::size_t>(got)), HEIST_RACE_HERE);
  if (got >= 0 && whose != nullptr && size != nullptr) {
    writes(size, sizeof *size, HEIST_RACE_HERE);
    writes(whose, *size, HEIST_RACE_HERE);
  }
  return got;
}
HEIST_RACE_AS(ssize_t, sendto, int s, const void* from, std::size_t n, int flags, const sockaddr* to, socklen_t size) {
  static ssize_t (*kept)(int, const void*, std::size_t, int, const sockaddr*, socklen_t);
  reads(from, n, HEIST_RACE_HERE);
  if (to != nullptr) reads(to, size, HEIST_RACE_HERE);
  return REAL(sendto)(s, from, n, flags, to, size);
}
// The old addresses are given back, and the new ones are new.
HEIST_RACE_AS(void*, mremap, void* old, std::size_t size, std::size_t room, int flags, ...) {
  static void* (*kept)(void*, std::size_t, std::size_t, int, ...);
  void* to = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    std::va_list given;
    va_start(given, flags);
    to = va_arg(given, void*);
    va_end(given);
  }
  if (judged > 0 && size > 0) the.free(reinterpret_cast<std::uintptr_t>(old), size, HEIST_RACE_HERE);
  void* const p = REAL(mremap)(old, size, room, flags, to);
  if (p != MAP_FAILED && judged != 0) clear_shadow(reinterpret_cast<std::uintptr_t>(p), room);
  return p;
}
