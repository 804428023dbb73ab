#include <analysis/race/judge.hpp>
#include <analysis/race/shadow.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace heist::race {

bool map_shadow() noexcept {
  void* const there = reinterpret_cast<void*>(shadow_base);
  void* const p = ::mmap(there, shadow_size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) return false;
  ::madvise(p, shadow_size, MADV_DONTDUMP);
  return p == there;
}

bool which_pages(const cell* first, std::size_t pages, unsigned char* there) noexcept {
  return ::mincore(const_cast<cell*>(first), pages * shadow_page, there) == 0;
}

void clear_shadow(std::uintptr_t from, std::size_t size) noexcept {
  if (size == 0) return;
  cell* first = shadow_of(from);
  cell* const last = shadow_of(from + size - 1) + 1;
  // Long ranges go back to the kernel, which gives them as zeros again. Their lists are lost: that is rare.
  constexpr std::size_t page = 4096, many = 64 * page;
  const auto begin = reinterpret_cast<std::uintptr_t>(first), end = reinterpret_cast<std::uintptr_t>(last);
  if (end - begin >= many) {
    const std::uintptr_t a = (begin + page - 1) & ~(page - 1), b = end & ~(page - 1);
    ::madvise(reinterpret_cast<void*>(a), b - a, MADV_DONTNEED);
    for (cell* c = first; c < reinterpret_cast<cell*>(a); ++c) *c = cell{0, 0};
    for (cell* c = reinterpret_cast<cell*>(b); c < last; ++c) *c = cell{0, 0};
    return;
  }
  for (; first < last; ++first) {
    if (first->writer == cell::listed) [[unlikely]] judge::drop_list(*first);
    *first = cell{0, 0};
  }
}

}  // namespace heist::race
