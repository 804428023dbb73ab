// The printf family and its like: the texts that they read are among their arguments, and "%n" writes.

#include <analysis/race/interpose.hpp>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cwchar>

using namespace heist::race;

#define REAL(name) real(kept, #name)

namespace {

// Not those of the C library, which would be judged.
template <class C>
std::size_t text_length(const C* s, std::size_t most) noexcept {
  std::size_t n = 0;
  while (n < most && static_cast<const volatile C*>(s)[n] != 0) ++n;
  return n;
}
constexpr std::size_t without_end = ~std::size_t{0};

template <class C>
void text_read(const C* s, std::uintptr_t code, std::size_t most = without_end) {
  if (judged <= 0 || s == nullptr) return;
  const std::size_t n = text_length(s, most);
  reads(s, (n < most ? n + 1 : n) * sizeof(C), code);
}

enum class modifier : unsigned char { half_half, half, usual, is_long, is_long_long, j, z, t, is_long_double };

modifier next_modifier(const char*& f) noexcept {
  const char c = *f;
  switch (c) {
    case 'h': return *++f == 'h' ? (++f, modifier::half_half) : modifier::half;
    case 'l': return *++f == 'l' ? (++f, modifier::is_long_long) : modifier::is_long;
    case 'q': return ++f, modifier::is_long_long;
    case 'j': return ++f, modifier::j;
    case 'z': return ++f, modifier::z;
    case 't': return ++f, modifier::t;
    case 'L': return ++f, modifier::is_long_double;
    default: return modifier::usual;
  }
}
std::size_t size_of_integer(modifier l) noexcept {
  switch (l) {
    case modifier::half_half: return sizeof(char);
    case modifier::half: return sizeof(short);
    case modifier::usual: return sizeof(int);
    case modifier::is_long: return sizeof(long);
    case modifier::j: return sizeof(std::intmax_t);
    case modifier::z: return sizeof(std::size_t);
    case modifier::t: return sizeof(std::ptrdiff_t);
    case modifier::is_long_long:
    case modifier::is_long_double: break;
  }
  return sizeof(long long);
}

// What the arguments point to. Arguments by number ("%1$s") are not looked at.
void printed(const char* f, std::va_list arguments, std::uintptr_t code) {
  if (judged <= 0) return;
  text_read(f, code);
  for (; *f != 0; ++f) {
    if (*f != '%') continue;
    ++f;
    for (;; ++f) {
      const char c = *f;
      if (c != '-' && c != '+' && c != ' ' && c != '#' && c != '0' && c != '\'' && c != 'I') break;
    }
    const auto number = [&]() -> std::size_t {
      if (*f == '*') {
        ++f;
        const int n = va_arg(arguments, int);
        return n < 0 ? without_end : static_cast<std::size_t>(n);
      }
      std::size_t n = 0;
      for (; *f >= '0' && *f <= '9'; ++f) n = 10 * n + static_cast<std::size_t>(*f - '0');
      return n;
    };
    static_cast<void>(number());
    if (*f == '$') return;
    std::size_t most = without_end;
    if (*f == '.') ++f, most = number();
    const modifier l = next_modifier(f);
    switch (*f) {
      case 0: return;
      case '%':
      case 'm': break;
      case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        if (l == modifier::is_long_double)
          static_cast<void>(va_arg(arguments, long double));
        else
          static_cast<void>(va_arg(arguments, double));
        break;
      case 'S':
      case 's':
        if (*f == 'S' || l == modifier::is_long)
          text_read(va_arg(arguments, const wchar_t*), code, most);
        else
          text_read(va_arg(arguments, const char*), code, most);
        break;
      case 'n': writes(va_arg(arguments, void*), size_of_integer(l), code); break;
      case 'p': static_cast<void>(va_arg(arguments, void*)); break;
      default:  // integers and characters
        if (size_of_integer(l) > sizeof(int))
          static_cast<void>(va_arg(arguments, long long));
        else
          static_cast<void>(va_arg(arguments, int));
    }
  }
}

// Of a function's own arguments, after `format`.
#define HEIST_RACE_PRINT(result, ...)                     \
  std::va_list given, seen;                               \
  va_start(given, format);                                \
  va_copy(seen, given);                                   \
  printed(format, seen, HEIST_RACE_HERE);                 \
  va_end(seen);                                           \
  const result n = __VA_ARGS__;                           \
  va_end(given);                                          \
  return n

int into(char* to, std::size_t room, int n, std::uintptr_t code) {
  if (n >= 0 && room > 0) {
    const std::size_t all = static_cast<std::size_t>(n) + 1;
    writes(to, all < room ? all : room, code);
  }
  return n;
}
int made(char** to, int n, std::uintptr_t code) {
  if (n >= 0) {
    writes(to, sizeof *to, code);
    writes(*to, static_cast<std::size_t>(n) + 1, code);
  }
  return n;
}
using print_to_file = int (*)(std::FILE*, const char*, std::va_list);
using print_to_room = int (*)(char*, const char*, std::va_list);
using print_to_text = int (*)(char*, std::size_t, const char*, std::va_list);
using print_to_new = int (*)(char**, const char*, std::va_list);
template <class F>
F real_of(F& kept, const char* name) {
  if (kept == nullptr) kept = reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
  return kept;
}
print_to_file real_vfprintf() {
  static print_to_file kept;
  return real_of(kept, "vfprintf");
}
print_to_text real_vsnprintf() {
  static print_to_text kept;
  return real_of(kept, "vsnprintf");
}
print_to_room real_vsprintf() {
  static print_to_room kept;
  return real_of(kept, "vsprintf");
}
print_to_new real_vasprintf() {
  static print_to_new kept;
  return real_of(kept, "vasprintf");
}
void arguments_read(const char* format, std::va_list given, std::uintptr_t code) {
  std::va_list seen;
  va_copy(seen, given);
  printed(format, seen, code);
  va_end(seen);
}

}  // namespace

HEIST_RACE_AS(int, printf, const char* format, ...) { HEIST_RACE_PRINT(int, real_vfprintf()(stdout, format, given)); }
HEIST_RACE_AS(int, fprintf, std::FILE* to, const char* format, ...) { HEIST_RACE_PRINT(int, real_vfprintf()(to, format, given)); }
HEIST_RACE_AS(int, sprintf, char* to, const char* format, ...) {
  HEIST_RACE_PRINT(int, into(to, without_end, real_vsprintf()(to, format, given), HEIST_RACE_HERE));
}
HEIST_RACE_AS(int, snprintf, char* to, std::size_t room, const char* format, ...) {
  HEIST_RACE_PRINT(int, into(to, room, real_vsnprintf()(to, room, format, given), HEIST_RACE_HERE));
}
HEIST_RACE_AS(int, asprintf, char** to, const char* format, ...) {
  HEIST_RACE_PRINT(int, made(to, real_vasprintf()(to, format, given), HEIST_RACE_HERE));
}
HEIST_RACE_AS(int, vprintf, const char* format, std::va_list given) {
  arguments_read(format, given, HEIST_RACE_HERE);
  return real_vfprintf()(stdout, format, given);
}
HEIST_RACE_AS(int, vfprintf, std::FILE* to, const char* format, std::va_list given) {
  arguments_read(format, given, HEIST_RACE_HERE);
  return real_vfprintf()(to, format, given);
}
HEIST_RACE_AS(int, vsprintf, char* to, const char* format, std::va_list given) {
  arguments_read(format, given, HEIST_RACE_HERE);
  return into(to, without_end, real_vsprintf()(to, format, given), HEIST_RACE_HERE);
}
HEIST_RACE_AS(int, vsnprintf, char* to, std::size_t room, const char* format, std::va_list given) {
  arguments_read(format, given, HEIST_RACE_HERE);
  return into(to, room, real_vsnprintf()(to, room, format, given), HEIST_RACE_HERE);
}
HEIST_RACE_AS(int, vasprintf, char** to, const char* format, std::va_list given) {
  arguments_read(format, given, HEIST_RACE_HERE);
  return made(to, real_vasprintf()(to, format, given), HEIST_RACE_HERE);
}
HEIST_RACE_AS(int, puts, const char* s) {
  static int (*kept)(const char*);
  text_read(s, HEIST_RACE_HERE);
  return REAL(puts)(s);
}
HEIST_RACE_AS(int, fputs, const char* s, std::FILE* to) {
  static int (*kept)(const char*, std::FILE*);
  text_read(s, HEIST_RACE_HERE);
  return REAL(fputs)(s, to);
}
