// Functions of the C library that give their results through pointers: numbers in text, times, sizes, parts of numbers.

#include <analysis/race/interpose.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

using namespace heist::race;

#define REAL(name) real(kept, #name)

namespace {

std::size_t text_size(const char* s) noexcept {
  std::size_t n = 0;
  while (static_cast<const volatile char*>(s)[n] != 0) ++n;
  return n + 1;
}

template <class T>
void wrote(const T* to, std::uintptr_t code) {
  if (to != nullptr) writes(to, sizeof(T), code);
}
template <class T>
void looked_at(const T* from, std::uintptr_t code) {
  if (from != nullptr) reads(from, sizeof(T), code);
}

// The text of a number, and where it ends.
void number_read(const char* s, char* const* end_to, const char* end, std::uintptr_t code) {
  reads(s, static_cast<std::size_t>(end - s) + 1, code);
  wrote(end_to, code);
}

}  // namespace

// Numbers in text -----------------------------------------------------------------------------------------------------

#define HEIST_RACE_NUMBER(type, name)                                                 \
  HEIST_RACE_BEFORE type name(const char* s, char** to) {                             \
    static decltype(::name)* kept;                                                    \
    char* end = nullptr;                                                              \
    const type value = REAL(name)(s, &end);                                           \
    number_read(s, to, end, HEIST_RACE_HERE);                                         \
    if (to != nullptr) *to = end;                                                     \
    return value;                                                                     \
  }
#define HEIST_RACE_INTEGER(type, name)                                                \
  HEIST_RACE_BEFORE type name(const char* s, char** to, int base) {                   \
    static decltype(::name)* kept;                                                    \
    char* end = nullptr;                                                              \
    const type value = REAL(name)(s, &end, base);                                     \
    number_read(s, to, end == nullptr ? s : end, HEIST_RACE_HERE);                    \
    if (to != nullptr) *to = end;                                                     \
    return value;                                                                     \
  }
HEIST_RACE_NUMBER(float, strtof)
HEIST_RACE_NUMBER(double, strtod)
HEIST_RACE_NUMBER(long double, strtold)
HEIST_RACE_INTEGER(long, strtol)
HEIST_RACE_INTEGER(unsigned long, strtoul)
HEIST_RACE_INTEGER(long long, strtoll)
HEIST_RACE_INTEGER(unsigned long long, strtoull)

// By another name: the headers have inline ones of the same name.
#define HEIST_RACE_FROM_TEXT(type, name)                                                            \
  extern "C" __attribute__((visibility("default"), weak)) type heist_race_##name(const char*) noexcept __asm__(#name); \
  type heist_race_##name(const char* s) noexcept {                                                  \
    static type (*kept)(const char*);                                                               \
    reads(s, text_size(s), HEIST_RACE_HERE);                                                        \
    return REAL(name)(s);                                                                           \
  }
HEIST_RACE_FROM_TEXT(int, atoi)
HEIST_RACE_FROM_TEXT(long, atol)
HEIST_RACE_FROM_TEXT(long long, atoll)
HEIST_RACE_FROM_TEXT(double, atof)

// Parts of numbers ----------------------------------------------------------------------------------------------------

#define HEIST_RACE_PARTS(name, type, part)                                            \
  HEIST_RACE_BEFORE type name(type x, part* to) noexcept {                            \
    static type (*kept)(type, part*);                                                 \
    const type value = REAL(name)(x, to);                                             \
    wrote(to, HEIST_RACE_HERE);                                                       \
    return value;                                                                     \
  }
HEIST_RACE_PARTS(frexp, double, int)
HEIST_RACE_PARTS(frexpf, float, int)
HEIST_RACE_PARTS(frexpl, long double, int)
HEIST_RACE_PARTS(modf, double, double)
HEIST_RACE_PARTS(modff, float, float)
HEIST_RACE_PARTS(modfl, long double, long double)
HEIST_RACE_PARTS(lgamma_r, double, int)
HEIST_RACE_BEFORE void sincos(double x, double* s, double* c) noexcept {
  static decltype(::sincos)* kept;
  REAL(sincos)(x, s, c);
  wrote(s, HEIST_RACE_HERE);
  wrote(c, HEIST_RACE_HERE);
}
HEIST_RACE_BEFORE double remquo(double x, double y, int* to) noexcept {
  static double (*kept)(double, double, int*);
  const double value = REAL(remquo)(x, y, to);
  wrote(to, HEIST_RACE_HERE);
  return value;
}
HEIST_RACE_BEFORE int rand_r(unsigned* seed) noexcept {
  static decltype(::rand_r)* kept;
  wrote(seed, HEIST_RACE_HERE);
  return REAL(rand_r)(seed);
}

// Time ----------------------------------------------------------------------------------------------------------------

HEIST_RACE_BEFORE int clock_gettime(clockid_t c, timespec* to) noexcept {
  static decltype(::clock_gettime)* kept;
  wrote(to, HEIST_RACE_HERE);
  return REAL(clock_gettime)(c, to);
}
HEIST_RACE_BEFORE int gettimeofday(timeval* to, void* zone) noexcept {
  static int (*kept)(timeval*, void*);
  wrote(to, HEIST_RACE_HERE);
  return REAL(gettimeofday)(to, zone);
}
HEIST_RACE_BEFORE std::time_t time(std::time_t* to) noexcept {
  static std::time_t (*kept)(std::time_t*);
  wrote(to, HEIST_RACE_HERE);
  return REAL(time)(to);
}
#define HEIST_RACE_CALENDAR(name)                                                     \
  HEIST_RACE_BEFORE std::tm* name(const std::time_t* t, std::tm* to) noexcept {       \
    static decltype(::name)* kept;                                                    \
    looked_at(t, HEIST_RACE_HERE);                                                    \
    wrote(to, HEIST_RACE_HERE);                                                       \
    return REAL(name)(t, to);                                                         \
  }
HEIST_RACE_CALENDAR(localtime_r)
HEIST_RACE_CALENDAR(gmtime_r)
HEIST_RACE_BEFORE std::time_t mktime(std::tm* t) noexcept {
  static decltype(::mktime)* kept;
  wrote(t, HEIST_RACE_HERE);  // it puts them into their ranges
  return REAL(mktime)(t);
}
HEIST_RACE_BEFORE std::size_t strftime(char* to, std::size_t room, const char* form, const std::tm* t) noexcept {
  static decltype(::strftime)* kept;
  looked_at(t, HEIST_RACE_HERE);
  const std::size_t n = REAL(strftime)(to, room, form, t);
  if (n > 0) writes(to, n + 1, HEIST_RACE_HERE);
  return n;
}
HEIST_RACE_BEFORE char* ctime_r(const std::time_t* t, char* to) noexcept {
  static decltype(::ctime_r)* kept;
  looked_at(t, HEIST_RACE_HERE);
  writes(to, 26, HEIST_RACE_HERE);
  return REAL(ctime_r)(t, to);
}
HEIST_RACE_BEFORE char* asctime_r(const std::tm* t, char* to) noexcept {
  static decltype(::asctime_r)* kept;
  looked_at(t, HEIST_RACE_HERE);
  writes(to, 26, HEIST_RACE_HERE);
  return REAL(asctime_r)(t, to);
}

// Files ---------------------------------------------------------------------------------------------------------------

namespace {

ssize_t line_read(ssize_t n, char* const* line, const std::size_t* room, std::uintptr_t code) {
  wrote(line, code);
  wrote(room, code);
  if (n >= 0) writes(*line, static_cast<std::size_t>(n) + 1, code);
  return n;
}

}  // namespace

// The header's getline() calls __getdelim().
#define HEIST_RACE_DELIMITED(name)                                                                                        \
  extern "C" __attribute__((visibility("default"), weak)) ssize_t heist_race_##name(char**, std::size_t*, int, std::FILE*) \
      __asm__(#name);                                                                                                     \
  ssize_t heist_race_##name(char** line, std::size_t* room, int end, std::FILE* f) {                                      \
    static ssize_t (*kept)(char**, std::size_t*, int, std::FILE*);                                                        \
    return line_read(REAL(name)(line, room, end, f), line, room, HEIST_RACE_HERE);                                        \
  }
HEIST_RACE_DELIMITED(getdelim)
HEIST_RACE_DELIMITED(__getdelim)
extern "C" __attribute__((visibility("default"), weak)) ssize_t heist_race_getline(char**, std::size_t*, std::FILE*)
    __asm__("getline");
ssize_t heist_race_getline(char** line, std::size_t* room, std::FILE* f) {
  static ssize_t (*kept)(char**, std::size_t*, std::FILE*);
  return line_read(REAL(getline)(line, room, f), line, room, HEIST_RACE_HERE);
}
HEIST_RACE_BEFORE int pipe(int* to) noexcept {
  static decltype(::pipe)* kept;
  writes(to, 2 * sizeof(int), HEIST_RACE_HERE);
  return REAL(pipe)(to);
}
HEIST_RACE_BEFORE char* getcwd(char* to, std::size_t room) noexcept {
  static decltype(::getcwd)* kept;
  char* const got = REAL(getcwd)(to, room);
  if (got != nullptr) writes(got, text_size(got), HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE char* realpath(const char* path, char* to) noexcept {
  static decltype(::realpath)* kept;
  reads(path, text_size(path), HEIST_RACE_HERE);
  char* const got = REAL(realpath)(path, to);
  if (got != nullptr) writes(got, text_size(got), HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE ssize_t readlink(const char* path, char* to, std::size_t room) noexcept {
  static decltype(::readlink)* kept;
  const ssize_t n = REAL(readlink)(path, to, room);
  if (n > 0) writes(to, static_cast<std::size_t>(n), HEIST_RACE_HERE);
  return n;
}
HEIST_RACE_BEFORE int stat(const char* path, struct stat* to) noexcept {
  static int (*kept)(const char*, struct stat*);
  wrote(to, HEIST_RACE_HERE);
  return REAL(stat)(path, to);
}
HEIST_RACE_BEFORE int lstat(const char* path, struct stat* to) noexcept {
  static int (*kept)(const char*, struct stat*);
  wrote(to, HEIST_RACE_HERE);
  return REAL(lstat)(path, to);
}
HEIST_RACE_BEFORE int fstat(int fd, struct stat* to) noexcept {
  static int (*kept)(int, struct stat*);
  wrote(to, HEIST_RACE_HERE);
  return REAL(fstat)(fd, to);
}

HEIST_RACE_BEFORE ssize_t recv(int s, void* to, std::size_t n, int flags) {
  static decltype(::recv)* kept;
  const ssize_t got = REAL(recv)(s, to, n, flags);
  if (got > 0) writes(to, std::min(n, static_cast<std::size_t>(got)), HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE ssize_t send(int s, const void* from, std::size_t n, int flags) {
  static decltype(::send)* kept;
  reads(from, n, HEIST_RACE_HERE);
  return REAL(send)(s, from, n, flags);
}
HEIST_RACE_BEFORE ssize_t readv(int fd, const iovec* parts, int n) {
  static decltype(::readv)* kept;
  const ssize_t got = REAL(readv)(fd, parts, n);
  std::size_t left = got > 0 ? static_cast<std::size_t>(got) : 0;
  for (int i = 0; i < n && left > 0; ++i) {
    const std::size_t here = std::min(left, parts[i].iov_len);
    writes(parts[i].iov_base, here, HEIST_RACE_HERE);
    left -= here;
  }
  return got;
}
HEIST_RACE_BEFORE ssize_t writev(int fd, const iovec* parts, int n) {
  static decltype(::writev)* kept;
  for (int i = 0; i < n; ++i) reads(parts[i].iov_base, parts[i].iov_len, HEIST_RACE_HERE);
  return REAL(writev)(fd, parts, n);
}
