#include <analysis/race/calls.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/reach.hpp>
#include <analysis/race/runtime.hpp>

#include <link.h>
#include <unwind.h>

#include <cstdlib>
#include <locale>

namespace heist::race {

constinit heap_blocks the_heap;
std::uintptr_t stack_low = ~std::uintptr_t{0}, stack_high = 0, stack_top = 0;

void heap_blocks::grow() {
  const std::size_t old_room = room_;
  block* const old = table_;
  room_ = old_room == 0 ? std::size_t{1} << 12 : used_ * 4 > old_room ? old_room * 2 : old_room;
  shift_ = 64 - __builtin_ctzll(room_);
  table_ = static_cast<block*>(__libc_calloc(room_, sizeof(block)));
  if (table_ == nullptr) std::abort();
  used_ = 0;
  for (std::size_t i = 0; i < old_room; ++i) {
    if (old[i].start <= 1) continue;
    std::size_t at = place(old[i].start);
    while (table_[at].start != 0) at = (at + 1) & (room_ - 1);
    table_[at] = old[i];
    ++used_;
  }
  __libc_free(old);
}

void heap_blocks::add(std::uintptr_t start, std::size_t size, const void* code) {
  if (used_ * 2 >= room_) grow();
  std::size_t at = place(start);
  while (table_[at].start > 1 && table_[at].start != start) at = (at + 1) & (room_ - 1);
  block& b = table_[at];
  if (b.start == start && b.size > small) large_->erase(start);
  if (b.start == 0) ++used_;
  b.start = start;
  b.size = size;
  if (size > small) {
    if (large_ == nullptr) large_ = race::make<own_tree<std::uintptr_t, std::size_t>>();
    large_->emplace(start, size);
  }
  b.made = the.time.now();
  b.exempt = b.shared = false;
  const void* callers[3] = {};
  call_stack.copy(callers, 3);
  b.where[0] = the.code_numbers.number(reinterpret_cast<std::uintptr_t>(code));
  for (int i = 0; i < 3; ++i)
    b.where[i + 1] = callers[i] == nullptr ? 0 : the.code_numbers.number(reinterpret_cast<std::uintptr_t>(callers[i]));
}

heap_blocks::block* heap_blocks::find(std::uintptr_t start) const noexcept {
  if (room_ == 0) return nullptr;
  for (std::size_t at = place(start); table_[at].start != 0; at = (at + 1) & (room_ - 1))
    if (table_[at].start == start) return &table_[at];
  return nullptr;
}

std::size_t heap_blocks::size_of(std::uintptr_t start) const noexcept {
  const block* const b = find(start);
  return b == nullptr ? 0 : b->size;
}

void heap_blocks::exempt(std::uintptr_t start) noexcept {
  if (block* const b = find(start)) b->exempt = true;
}
void heap_blocks::judge(std::uintptr_t start, bool is_private) noexcept {
  if (block* const b = find(start)) (is_private ? b->exempt : b->shared) = true;
}

const heap_blocks::block* heap_blocks::around(std::uintptr_t address) const noexcept {
  const std::uintptr_t last = address & ~std::uintptr_t{15};
  for (std::size_t back = 0; back < small; back += 16)
    if (const block* const b = find(last - back)) {
      if (address - b->start < b->size) return b;
      break;  // blocks do not overlap
    }
  if (large_ == nullptr) return nullptr;
  const auto after = large_->upper_bound(address);
  if (after == large_->begin()) return nullptr;
  const auto& [start, size] = *std::prev(after);
  return address - start < size ? find(start) : nullptr;
}

namespace {

// A frame reaches from where it has called the next one to where its caller has called it.
struct frame_search {
  std::uintptr_t address;
  std::uintptr_t code = 0;
  bool found = false;
};

_Unwind_Reason_Code look_at(_Unwind_Context* c, void* to) {
  auto& s = *static_cast<frame_search*>(to);
  if (_Unwind_GetCFA(c) > s.address) {
    s.found = s.code != 0;
    return _URC_END_OF_STACK;
  }
  s.code = _Unwind_GetIP(c);
  return _URC_NO_REASON;
}

const void* function_around(std::uintptr_t address) {
  frame_search s{address};
  _Unwind_Backtrace(&look_at, &s);
  return s.code == 0 ? nullptr : reinterpret_cast<const void*>(s.code);
}

}  // namespace

owner_of_bytes owner_at(std::uintptr_t address) {
  const unjudged own;
  owner_of_bytes o;
  if (address >= stack_low && address < stack_high) {
    o.kind = owner_of_bytes::what::stack;
    o.where[0] = function_around(address);
  } else if (const heap_blocks::block* const b = the_heap.around(address)) {
    o.kind = owner_of_bytes::what::heap;
    o.start = b->start;
    o.size = b->size;
    for (int i = 0; i < 4; ++i) o.where[i] = b->where[i] == 0 ? nullptr : the.code_numbers.address(b->where[i]);
  } else {
    o.kind = owner_of_bytes::what::global;  // if a symbol says so: report.cpp
  }
  return o;
}

namespace {

struct range {
  std::uintptr_t start = 0;
  std::size_t size = 0;
};
constexpr std::size_t most_ranges = 64;
range ranges[most_ranges];
std::size_t n_ranges = 0;

int add_module(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_tls_data == nullptr || n_ranges == most_ranges) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      ranges[n_ranges++] = {reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data), info->dlpi_phdr[i].p_memsz};
  return 0;
}

}  // namespace

void find_private() {
  n_ranges = 0;
  // What std::ctype<char> remembers of each character is written by whoever asks first: always the same.
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
  ranges[n_ranges++] = {reinterpret_cast<std::uintptr_t>(&facet), sizeof facet};
  ::dl_iterate_phdr(&add_module, nullptr);
}

bool is_private(std::uintptr_t address, std::uintptr_t frame) {
  for (std::size_t i = 0; i < n_ranges; ++i)
    if (address - ranges[i].start < ranges[i].size) return true;
  if (is_on_stack(reinterpret_cast<const void*>(address))) return false;
  const heap_blocks::block* const b = the_heap.around(address);
  if (b == nullptr) return false;
  if (!b->exempt && !b->shared) the_heap.judge(b->start, belongs_to_thread(b->start, frame));
  return b->exempt;
}

}  // namespace heist::race
