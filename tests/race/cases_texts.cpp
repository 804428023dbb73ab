// More of the C library: searches in text, wide characters, semaphores, memory that is mapped elsewhere.

#include "cases.hpp"

#include <semaphore.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <cwchar>

namespace cases_of_texts {

char text[64] = "one two three", other[64] = "one two";
char* allocated;
wchar_t wide[64] = L"one two three";
long result;

// Beside the call, somebody writes one byte of what it reads.
#define READS(name, call, byte) \
  CASE("texts: " name, race) { heist::join([] { result = (long)(call); }, [] { (byte) = 'x'; }); }

READS("strstr", std::strstr(text, "three"), text[3])
READS("strcasestr", ::strcasestr(text, "THREE"), text[3])
READS("strpbrk", std::strpbrk(text, "xyz"), text[3])
READS("strspn", std::strspn(text, "abcdefghijklmnopqrstuvwxyz "), text[3])
READS("strcspn", std::strcspn(text, "xyz"), text[3])
READS("strcasecmp", ::strcasecmp(text, other), text[3])
READS("strncasecmp", ::strncasecmp(text, "ONE TWO", 7), text[3])
READS("strcoll", std::strcoll(text, other), text[3])
READS("memrchr", ::memrchr(text, 'o', 12), text[11])
READS("memmem", ::memmem(text, 13, "three", 5), text[3])
READS("wcslen", std::wcslen(wide), wide[3])
READS("wmemcmp", std::wmemcmp(wide, L"one two", 7), wide[3])
READS("strndup", ::strndup(text, 5), text[3])

CASE("texts: strncasecmp, behind its end", clean) {
  heist::join([] { result = ::strncasecmp(text, "ONE", 3); }, [] { text[3] = 'x'; });
}
CASE("texts: strtok_r writes where a part ends", race) {
  char* rest = nullptr;
  heist::join([&] { result = strtok_r(text, " ", &rest) != nullptr; }, [] { other[0] = text[3]; });
}
CASE("texts: strtok_r, behind its part", clean) {
  char* rest = nullptr;
  heist::join([&] { result = strtok_r(text, " ", &rest) != nullptr; }, [] { text[5] = 'x'; });
}
CASE("texts: mempcpy", race) { heist::join([] { result = (long)::mempcpy(other, text, 8); }, [] { other[7] = 'x'; }); }
CASE("texts: wmemcpy", race) { heist::join([] { std::wmemcpy(wide + 20, wide, 4); }, [] { wide[23] = 1; }); }
CASE("texts: wmemset", race) { heist::join([] { std::wmemset(wide, 1, 4); }, [] { wide[3] = 1; }); }
CASE("texts: wmemset, behind its end", clean) { heist::join([] { std::wmemset(wide, 1, 4); }, [] { wide[4] = 1; }); }
CASE("texts: wcscpy", race) { heist::join([] { std::wcscpy(wide + 20, wide); }, [] { wide[33] = 1; }); }
CASE("texts: qsort_r", race) {
  auto less = [](const void* a, const void* b, void*) { return *(const char*)a - *(const char*)b; };
  heist::join([=] { ::qsort_r(text, 8, 1, less, nullptr); }, [] { text[7] = 'x'; });
}
CASE("texts: sendto and recvfrom", race) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) std::abort();
  heist::join([=] { result = ::sendto(ends[0], text, 4, 0, nullptr, 0) + ::recvfrom(ends[1], other, 4, 0, nullptr, nullptr); },
              [] { other[3] = 'x'; });
  ::close(ends[0]);
  ::close(ends[1]);
}
CASE("texts: unmapped while it is used, by mremap", race) {
  auto* const p = static_cast<char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  heist::join([=] { p[0] = 1; }, [=] { result = (long)::mremap(p, 4096, 1 << 20, MREMAP_MAYMOVE); });
}
READS("printf", std::printf("%d %*s\n", 1, 20, text), text[3])
READS("printf, of its format", std::printf(text), text[3])
READS("fprintf, after numbers of all kinds", std::fprintf(stdout, "%ld %.1f %Lf %c %zu %p %s", 1L, 2.0, 3.0L, 'c', sizeof 1, nullptr, text), text[3])
READS("vfprintf", ([](const char* f, ...) { std::va_list l; va_start(l, f); const int n = std::vfprintf(stdout, f, l); va_end(l); return n; })("%s", text), text[3])
READS("snprintf, an argument", std::snprintf(other, sizeof other, "%s", text), text[3])
READS("asprintf", ::asprintf(&allocated, "%s", text), text[3])
READS("puts", std::puts(text), text[3])
READS("fputs", std::fputs(text, stdout), text[3])
READS("wcscmp", std::wcscmp(wide, L"one thing"), wide[3])
READS("a wide text", std::printf("%ls", wide), wide[3])
READS("strtok writes where a part ends", std::strtok(other, " ") - other, other[3])
CASE("texts: printf, behind the precision", clean) {
  heist::join([] { std::printf("%.3s%.*s", text, 2, text); }, [] { text[3] = 'x'; });
}
CASE("texts: printf writes by %n", race) {
  static int n;
  heist::join([] { std::printf("abc%n", &n); }, [] { n = 1; });
}
CASE("texts: strtok has one place for all", race) {
  static char one[] = "a b", two[] = "c d";
  heist::join([] { result = std::strtok(one, " ") != nullptr; }, [] { result = std::strtok(two, " ") != nullptr; });
}
CASE("texts: a POSIX semaphore gives order", clean) {
  static sem_t full;
  ::sem_init(&full, 0, 0);
  heist::join([] { result = 1; ::sem_post(&full); }, [] { ::sem_wait(&full); result = 2; });
}

}  // namespace cases_of_texts
