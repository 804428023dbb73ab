// The scanf family: what it writes is in its format.

#include <analysis/race/interpose.hpp>

#include <cctype>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

using namespace heist::race;

// In the standard's dialect of C++ the names in <cstdio> stand for these.
extern "C" {
int __isoc99_vscanf(const char*, std::va_list);
int __isoc99_vsscanf(const char*, const char*, std::va_list);
int __isoc99_vfscanf(std::FILE*, const char*, std::va_list);
}

namespace {

struct directive {
  bool stored = false;        // it has an argument
  bool text = false;          // of unknown length
  std::size_t size = 0;       // of what it stores; text: of a character
  std::size_t characters = 1;  // %c
};

// Not those of the C library, which would be judged.
template <class C>
std::size_t count(const volatile C* s) noexcept {
  std::size_t n = 1;
  while (*s++ != 0) ++n;
  return n;
}
const char* next_percent(const char* f) noexcept {
  while (*f != 0 && *f != '%') ++f;
  return *f == 0 ? nullptr : f;
}

std::size_t integer_size(const char*& f) {
  switch (*f) {
    case 'h': return *++f == 'h' ? (++f, sizeof(char)) : sizeof(short);
    case 'l': return *++f == 'l' ? (++f, sizeof(long long)) : sizeof(long);
    case 'j': return ++f, sizeof(std::intmax_t);
    case 'z': return ++f, sizeof(std::size_t);
    case 't': return ++f, sizeof(std::ptrdiff_t);
    case 'L':
    case 'q': return ++f, sizeof(long long);
    default: return sizeof(int);
  }
}

// What follows a '%', up to the end of the directive.
directive next(const char*& f) {
  directive d;
  d.stored = true;
  if (*f == '*') d.stored = false, ++f;
  std::size_t width = 0;
  for (; std::isdigit(static_cast<unsigned char>(*f)) != 0; ++f) width = 10 * width + static_cast<std::size_t>(*f - '0');
  const bool allocates = *f == 'm';
  if (allocates) ++f;
  const bool is_long_double = *f == 'L';
  d.size = integer_size(f);
  const bool wide = d.size == sizeof(long) && f[-1] == 'l';
  const char kind = *f;
  if (kind != 0) ++f;
  switch (kind) {
    case 'f': case 'e': case 'g': case 'a': case 'F': case 'E': case 'G': case 'A':
      d.size = is_long_double ? sizeof(long double) : wide ? sizeof(double) : sizeof(float);
      break;
    case 'p': d.size = sizeof(void*); break;
    case 'c':
      d.size = wide ? sizeof(wchar_t) : 1;
      d.characters = width > 0 ? width : 1;
      break;
    case '[':
      if (*f == '^') ++f;
      if (*f == ']') ++f;
      while (*f != 0 && *f != ']') ++f;
      if (*f == ']') ++f;
      [[fallthrough]];
    case 's':
      d.text = true;
      d.size = wide ? sizeof(wchar_t) : 1;
      break;
    case '%': d.stored = false; break;
    default: break;
  }
  if (allocates) d.text = false, d.size = sizeof(void*);
  return d;
}

void stored(const char* f, std::va_list arguments, int conversions, std::uintptr_t code) {
  while (conversions > 0 && (f = next_percent(f)) != nullptr) {
    ++f;
    const char* const start = f;
    const directive d = next(f);
    if (!d.stored || f == start) continue;
    void* const to = va_arg(arguments, void*);
    std::size_t n = d.size * d.characters;
    if (d.text) n = d.size == 1 ? count(static_cast<const volatile char*>(to)) : count(static_cast<const volatile wchar_t*>(to)) * d.size;
    writes(to, n, code);
    if (f[-1] != 'n') --conversions;
  }
}

int scanned(int result, const char* format, std::va_list arguments, std::uintptr_t code) {
  if (result > 0 && judged > 0) stored(format, arguments, result, code);
  return result;
}

}  // namespace

#define HEIST_RACE_SCAN(symbol, given, ...)                                                       \
  extern "C" __attribute__((visibility("default"), weak, noinline)) int heist_race_##symbol(given, const char* format, ...) \
      __asm__(#symbol);                                                                           \
  int heist_race_##symbol(given, const char* format, ...) {                                       \
    std::va_list arguments, again;                                                                \
    va_start(arguments, format);                                                                  \
    va_copy(again, arguments);                                                                    \
    const int n = scanned(__VA_ARGS__, format, again, HEIST_RACE_HERE);                           \
    va_end(again);                                                                                \
    va_end(arguments);                                                                            \
    return n;                                                                                     \
  }
HEIST_RACE_SCAN(__isoc99_sscanf, const char* from, __isoc99_vsscanf(from, format, arguments))
HEIST_RACE_SCAN(__isoc23_sscanf, const char* from, __isoc99_vsscanf(from, format, arguments))
HEIST_RACE_SCAN(sscanf, const char* from, __isoc99_vsscanf(from, format, arguments))
HEIST_RACE_SCAN(__isoc99_fscanf, std::FILE* from, __isoc99_vfscanf(from, format, arguments))
HEIST_RACE_SCAN(fscanf, std::FILE* from, __isoc99_vfscanf(from, format, arguments))

extern "C" __attribute__((visibility("default"), weak, noinline)) int heist_race_scanf(const char* format, ...) __asm__("__isoc99_scanf");
int heist_race_scanf(const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int n = scanned(__isoc99_vscanf(format, arguments), format, again, HEIST_RACE_HERE);
  va_end(again);
  va_end(arguments);
  return n;
}
