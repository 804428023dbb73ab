#include <heist/base/sanitizer.hpp>
#include <heist/stack/stack.hpp>
#include <heist/stack/valgrind.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace heist::detail {

namespace {

// Linux 6.13; older C libraries do not name it.
constexpr int guard_install = 102;

// A function: static objects of the program may use heist before this file's are initialised.
std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

char* page_down(const void* p) noexcept {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(p) & ~(std::uintptr_t{page_size()} - 1));
}

// A guard by madvise costs no second mapping; one by mprotect splits the mapping, and a process has 65,530 of those.
bool install_guard(char* lowest) noexcept {
  return ::madvise(lowest, stack::guard_size, guard_install) == 0 ||
         ::mprotect(lowest, stack::guard_size, PROT_NONE) == 0;
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

// Resident bytes under `high`, down to the first hole of 64 pages: mincore takes its time over what is not there.
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

stack* stack::map(std::size_t size) noexcept {
  const std::size_t page = page_size();
  const std::size_t usable = (size + page - 1) / page * page;
  const std::size_t whole = usable + guard_size;
  void* const mapping = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* const lowest = static_cast<char*>(mapping);
  if (!install_guard(lowest)) {
    ::munmap(mapping, whole);
    return nullptr;
  }
  ::madvise(mapping, whole, MADV_NOHUGEPAGE);  // one touched byte would commit two megabytes; refused: no harm

  constexpr std::size_t block = (sizeof(stack) + 63) / 64 * 64;
  char* const top = lowest + whole - block;
  stack* const s = new (top) stack;
  s->mapping_ = lowest;
  s->size_ = usable;
  s->mark_ = reinterpret_cast<std::uint64_t*>(lowest + whole - keep_size);
  *s->mark_ = untouched;
  valgrind_allows(s->mark_, sizeof *s->mark_);
  s->pointer = top;
  introduce(*s, top, usable - block);
  return s;
}

void stack::unmap(stack* s) noexcept {
  char* const mapping = s->mapping_;
  const std::size_t whole = s->size_ + guard_size;
  forget(*s);
  valgrind_forbids(s->mark_, sizeof *s->mark_);
  s->~stack();
  ::munmap(mapping, whole);
}

std::size_t stack::resident() const noexcept {
  return resident_in(mapping_ + guard_size, mapping_ + guard_size + size_);
}

std::size_t stack::resident_above_mark() const noexcept {
  return resident_in(page_down(mark_), mapping_ + guard_size + size_);
}

// Not instrumented: the mark lies among frames that belonged to another stack's strand.
HEIST_NO_TSAN stack::residency stack::trim(std::size_t keep) noexcept {
  char* const low = mapping_ + guard_size;
  char* const high = low + size_;
  char* const bottom = page_down(pointer);
  const std::size_t used = resident_in(bottom, high);
  const std::size_t before = used + resident_below(low, bottom);
  char* const keep_from = std::max(low, bottom - keep);
  ::madvise(low, static_cast<std::size_t>(keep_from - low), MADV_DONTNEED);
  if (static_cast<void*>(mark_) < pointer) *mark_ = untouched;  // its page again, if that went back
  return {before, std::min(before, used + std::max(keep, page_size()))};
}

}  // namespace heist::detail
