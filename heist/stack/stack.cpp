#include <heist/base/sanitizer.hpp>
#include <heist/stack/stack.hpp>
#include <heist/stack/valgrind.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace heist::detail {

namespace {

// A function, because static objects of the program may use heist before those of this file are
// initialised.
std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

char* page_down(const void* p) noexcept {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(p) & ~(std::uintptr_t{page_size()} - 1));
}

// Resident bytes in [low, high), in whole pages.
std::size_t resident_in(char* low, char* high) noexcept {
  const std::size_t page = page_size();
  unsigned char in_core[64];
  std::size_t pages = 0;
  while (low < high) {
    const std::size_t n = std::min<std::size_t>(static_cast<std::size_t>(high - low) / page, sizeof in_core);
    if (n == 0 || ::mincore(low, n * page, in_core) != 0) break;
    pages += static_cast<std::size_t>(std::count_if(in_core, in_core + n, [](unsigned char c) { return (c & 1) != 0; }));
    low += n * page;
  }
  return pages * page;
}

// Resident bytes below `high`, down to the first gap of 64 pages: mincore is slow for pages that
// are not resident.
std::size_t resident_below(char* low, char* high) noexcept {
  const std::size_t chunk = 64 * page_size();
  std::size_t sum = 0;
  while (high > low) {
    char* const start = std::max(low, high - chunk);
    const std::size_t here = resident_in(start, high);
    if (here == 0) break;
    sum += here;
    high = start;
  }
  return sum;
}

}  // namespace

stack::stack(slab& of, char* lowest, std::size_t size) noexcept : home(of), mapping_(lowest), size_(size), mark_(high_mark()) {
  pointer = this;
}

stack* stack::begin(slab& of, char* lowest, std::size_t size) noexcept {
  stack* const s = new (in(lowest, size)) stack(of, lowest, size);
  *s->mark_ = untouched;
  for (const std::uint64_t* mark : {s->high_mark(), s->low_mark()}) valgrind_allows(mark, sizeof *mark);
  introduce(*s, s, size - block_size());
  return s;
}

void stack::end(stack* s) noexcept {
  forget(*s);
  for (const std::uint64_t* mark : {s->high_mark(), s->low_mark()}) valgrind_forbids(mark, sizeof *mark);
  s->~stack();
}

std::size_t stack::fresh_resident() noexcept { return page_size(); }

std::uint64_t* stack::high_mark() const noexcept {
  return std::max(reinterpret_cast<std::uint64_t*>(page_down(this)), low_mark());
}

std::uint64_t* stack::low_mark() const noexcept { return reinterpret_cast<std::uint64_t*>(top() - keep_size); }

std::size_t stack::resident() const noexcept { return resident_below(mapping_ + guard_size, top()); }

std::size_t stack::resident_above_mark() const noexcept {
  return resident_in(page_down(mark_), top());
}

// Not instrumented: the mark is among frames that belonged to another stack's strand.
HEIST_NO_TSAN stack::residency stack::trim(std::size_t keep) noexcept {
  char* const low = mapping_ + guard_size;
  char* const bottom = page_down(pointer);
  const std::size_t used = resident_in(bottom, top());
  const std::size_t before = used + resident_below(low, bottom);
  char* const keep_from = std::max(low, bottom - keep);
  ::madvise(low, static_cast<std::size_t>(keep_from - low), MADV_DONTNEED);
  // A stack that has never needed a second page has its mark in the first one; the mark itself must
  // not need a second.
  const bool was_low = mark_ == low_mark();
  const bool roomy = keep > 0 && before > page_size();
  mark_ = roomy ? low_mark() : high_mark();
  if (static_cast<void*>(mark_) < pointer) *mark_ = untouched;
  const std::size_t after = roomy && !was_low ? used + resident_in(keep_from, bottom) : std::min(before, used + keep);
  return {before, after};
}

}  // namespace heist::detail
