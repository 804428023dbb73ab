#include <analysis/race/judge.hpp>
#include <analysis/race/shadow.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace heist::race {

namespace {

bool map(std::uintptr_t start, std::size_t size) noexcept {
  void* const there = reinterpret_cast<void*>(start);
  void* const p = ::mmap(there, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                         -1, 0);
  if (p == MAP_FAILED) return false;
  ::madvise(p, size, MADV_DONTDUMP);
  return p == there;
}

}  // namespace

bool map_shadow() noexcept { return map(shadow_base, shadow_size) && map(blocks_base, blocks_size); }

bool which_pages(const cell* first, std::size_t pages, unsigned char* there) noexcept {
  return ::mincore(const_cast<cell*>(first), pages * shadow_page, there) == 0;
}

namespace {

constexpr std::size_t page = 4096;

// (Not by memset: that would be judged.)
void zero(std::uintptr_t begin, std::uintptr_t end) noexcept {
  for (auto* c = reinterpret_cast<cell*>(begin); c < reinterpret_cast<cell*>(end); ++c) *c = cell{0, 0};
}

// Gives the pages between back to the kernel, which gives them as zeros again; returns the first and the last address.
std::pair<std::uintptr_t, std::uintptr_t> drop_pages(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::uintptr_t a = (begin + page - 1) & ~(page - 1), b = end & ~(page - 1);
  ::madvise(reinterpret_cast<void*>(a), b - a, MADV_DONTNEED);
  return {a, b};
}

// Of a block that is forgotten in part the rest is still known.
void forget_blocks(std::uintptr_t from, std::uintptr_t to) noexcept {
  const std::uintptr_t inner = (from + block_size - 1) & ~(block_size - 1), inner_end = to & ~(block_size - 1);
  for (const std::uintptr_t at : {from, to - 1}) {
    const block_of_cells block(at);
    if ((at < inner || at >= inner_end) && block.whole()) block.open();
  }
  if (inner >= inner_end) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(shadow_of_block(inner));
  const std::uintptr_t end = begin + (inner_end - inner) / block_size * sizeof(cell);
  std::pair<std::uintptr_t, std::uintptr_t> dropped{end, end};
  if (end - begin >= 4 * page) dropped = drop_pages(begin, end);
  zero(begin, dropped.first);
  zero(dropped.second, end);
}

}  // namespace

void clear_shadow(std::uintptr_t from, std::size_t size) noexcept {
  if (size == 0) return;
  sweeps::end_all();
  forget_blocks(from, from + size);
  cell* first = shadow_of(from);
  cell* const last = shadow_of(from + size - 1) + 1;
  // Long ranges go back to the kernel, which gives them as zeros again. Their lists are lost: that is rare.
  const auto begin = reinterpret_cast<std::uintptr_t>(first), end = reinterpret_cast<std::uintptr_t>(last);
  if (end - begin >= 64 * page) {
    const auto [a, b] = drop_pages(begin, end);
    zero(begin, a);
    zero(b, end);
    return;
  }
  for (; first < last; ++first) {
    if (first->writer == cell::listed) [[unlikely]] judge::drop_list(*first);
    *first = cell{0, 0};
  }
}

}  // namespace heist::race
