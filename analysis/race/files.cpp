// Input and output of the C library: what it reads and writes of the program's memory. Its own buffers are its own business.

#include <analysis/race/interpose.hpp>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

using namespace heist::race;

#define REAL(name) real(kept, #name)

HEIST_RACE_BEFORE ssize_t read(int fd, void* to, std::size_t n) {
  static decltype(::read)* kept;
  const ssize_t got = REAL(read)(fd, to, n);
  if (got > 0) writes(to, static_cast<std::size_t>(got), HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE ssize_t pread(int fd, void* to, std::size_t n, off_t at) {
  static decltype(::pread)* kept;
  const ssize_t got = REAL(pread)(fd, to, n, at);
  if (got > 0) writes(to, static_cast<std::size_t>(got), HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE ssize_t write(int fd, const void* from, std::size_t n) {
  static decltype(::write)* kept;
  reads(from, n, HEIST_RACE_HERE);
  return REAL(write)(fd, from, n);
}
HEIST_RACE_BEFORE ssize_t pwrite(int fd, const void* from, std::size_t n, off_t at) {
  static decltype(::pwrite)* kept;
  reads(from, n, HEIST_RACE_HERE);
  return REAL(pwrite)(fd, from, n, at);
}
HEIST_RACE_BEFORE std::size_t fread(void* to, std::size_t size, std::size_t n, std::FILE* f) {
  static decltype(::fread)* kept;
  const std::size_t got = REAL(fread)(to, size, n, f);
  writes(to, size * got, HEIST_RACE_HERE);
  return got;
}
HEIST_RACE_BEFORE std::size_t fwrite(const void* from, std::size_t size, std::size_t n, std::FILE* f) {
  static decltype(::fwrite)* kept;
  reads(from, size * n, HEIST_RACE_HERE);
  return REAL(fwrite)(from, size, n, f);
}
HEIST_RACE_BEFORE char* fgets(char* to, int n, std::FILE* f) {
  static decltype(::fgets)* kept;
  char* const got = REAL(fgets)(to, n, f);
  if (got != nullptr) {
    std::size_t length = 0;
    while (static_cast<const volatile char*>(got)[length] != 0) ++length;
    writes(to, length + 1, HEIST_RACE_HERE);
  }
  return got;
}
HEIST_RACE_BEFORE void qsort(void* from, std::size_t n, std::size_t size, int (*less)(const void*, const void*)) {
  static decltype(::qsort)* kept;
  writes(from, n * size, HEIST_RACE_HERE);
  REAL(qsort)(from, n, size, less);
}

// Memory from the kernel is new.
HEIST_RACE_BEFORE void* mmap(void* at, std::size_t n, int protection, int flags, int fd, off_t from) {
  static decltype(::mmap)* kept;
  void* const p = REAL(mmap)(at, n, protection, flags, fd, from);
  if (p != MAP_FAILED && judged != 0) clear_shadow(reinterpret_cast<std::uintptr_t>(p), n);
  return p;
}
HEIST_RACE_BEFORE void* mmap64(void* at, std::size_t n, int protection, int flags, int fd, off_t from) {
  return mmap(at, n, protection, flags, fd, from);
}
HEIST_RACE_BEFORE int munmap(void* p, std::size_t n) {
  static decltype(::munmap)* kept;
  if (judged > 0 && n > 0) the.free(reinterpret_cast<std::uintptr_t>(p), n, HEIST_RACE_HERE);
  return REAL(munmap)(p, n);
}
