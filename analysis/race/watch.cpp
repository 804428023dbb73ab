#include <analysis/race/calls.hpp>
#include <analysis/race/watch.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace heist::race {

namespace {

constexpr std::size_t most_calls = 48;

struct place {
  std::uintptr_t word, code;  // the address, rounded down to four bytes
  instant at;                 // of the last access that was remembered
  std::size_t n;
  const void* calls[most_calls];
};
place* places = nullptr;
std::size_t count = 0;

place* find(std::uintptr_t address, std::uintptr_t code) {
  for (std::size_t i = 0; i < count; ++i)
    if (places[i].word == (address & ~std::uintptr_t{3}) && places[i].code == code) return &places[i];
  return nullptr;
}

template <class T>
T* new_pages(std::size_t n) {
  void* const p = ::mmap(nullptr, n * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<T*>(p);
}

bool next_number(const char*& text, std::uintptr_t& to) {
  while (*text == ' ' || *text == '\n' || *text == 'x') ++text;  // after the 0 of 0x
  std::uintptr_t value = 0;
  const char* const start = text;
  for (;; ++text) {
    const char c = *text;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (c == 'x') value = 0;
    else if (digit < 0) break;
    else value = value * 16 + static_cast<unsigned>(digit);
  }
  to = value;
  return text != start;
}

}  // namespace

// In both runs the program's heap must be the same, so nothing is allocated there.
void watch::read(const char* path) {
  any = true;
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  constexpr std::size_t longest = std::size_t{1} << 28, shortest_line = 4;
  char* const text = new_pages<char>(longest);
  std::size_t size = 0;
  for (ssize_t n = 1; text != nullptr && n > 0 && size + 1 < longest;) {
    n = ::read(file, text + size, longest - 1 - size);
    if (n > 0) size += static_cast<std::size_t>(n);
  }
  ::close(file);
  if (size == 0) return;
  places = new_pages<place>(size / shortest_line + 1);
  if (places == nullptr) return;
  const char* next = text;
  for (place p{}; next_number(next, p.word) && next_number(next, p.code);) {
    p.word &= ~std::uintptr_t{3};
    places[count++] = p;
  }
  guided = count > 0;
}

void watch::note(std::uintptr_t word, std::uintptr_t code, instant at) {
  place* const p = find(word, code);
  if (p == nullptr) return;
  p->at = at;
  p->n = call_stack.copy(p->calls, most_calls);
}

std::size_t watch::calls_of(std::uintptr_t address, const void* code, instant at, const void** to, std::size_t room) {
  const place* const p = any ? find(address, reinterpret_cast<std::uintptr_t>(code)) : nullptr;
  std::size_t n = 0;
  for (; p != nullptr && p->at == at && n < p->n && n < room; ++n) to[n] = p->calls[n];
  return n;
}

}  // namespace heist::race
