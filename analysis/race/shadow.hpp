#pragma once
// What is known of every four bytes of memory: who wrote them last, and who reads them.

#include <analysis/race/order.hpp>

#include <cstdint>

namespace heist::race {

// An access in a word: its instant, which of the four bytes it touched, and a number for the code that made it.
struct mark {
  static constexpr int time_at = instant_at, bytes_at = instant_at - 4;
  static constexpr std::uint64_t code_bits = (std::uint64_t{1} << bytes_at) - 1;

  static std::uint64_t make(instant t, unsigned bytes, std::uint32_t code) noexcept {
    return t << time_at | std::uint64_t{bytes} << bytes_at | code;
  }
  static instant time(std::uint64_t m) noexcept { return m >> time_at; }
  static unsigned bytes(std::uint64_t m) noexcept { return static_cast<unsigned>(m >> bytes_at) & 15; }
  static std::uint32_t code(std::uint64_t m) noexcept { return static_cast<std::uint32_t>(m & code_bits); }
};

struct access_list;

// Sixteen bytes for four. Without locks and with all bytes alike there is one writer and one reader, none of which
// holds a lock; if that is not enough, the reader's word is the address of a list. Its upper bits are set, so that it looks
// like a reader at an instant that no program reaches.
struct cell {
  static constexpr std::uint64_t listed = ~std::uint64_t{0};  // no writer is as late as that
  static constexpr std::uint64_t above_addresses = std::uint64_t{0xffff} << 48;
  static_assert(above_addresses >> mark::time_at > last_instant);

  access_list* list() const noexcept { return reinterpret_cast<access_list*>(reader & ~above_addresses); }
  void set_list(access_list* l) noexcept {
    writer = listed;
    reader = reinterpret_cast<std::uint64_t>(l) | above_addresses;
  }

  friend bool operator==(const cell&, const cell&) = default;

  std::uint64_t writer, reader;
};

// The shadow of an address. The addresses that programs use differ in their lower 44 bits: 0x55…, 0x56… for the program and
// its heap, 0x7e…, 0x7f… for libraries, mappings and the stack, 0 for programs that are not position-independent.
inline constexpr std::uintptr_t shadow_base = std::uintptr_t{1} << 44;
inline constexpr std::uintptr_t address_bits = (std::uintptr_t{1} << 44) - 1;
inline constexpr std::size_t shadow_size = std::size_t{1} << 46;

inline cell* shadow_of(std::uintptr_t address) noexcept {
  return reinterpret_cast<cell*>(shadow_base + ((address & address_bits & ~std::uintptr_t{3}) << 2));
}

// Of memory that a strand touches word after word, all cells of a block are often alike. One cell stands for them then: what
// they have themselves is not true any more. A writer's word of zero says that the block is not whole.
inline constexpr std::size_t block_size = 256, cells_of_block = block_size / 4;
inline constexpr std::uintptr_t blocks_base = shadow_base + shadow_size;
inline constexpr std::size_t blocks_size = shadow_size / cells_of_block;

inline cell* shadow_of_block(std::uintptr_t address) noexcept {
  return reinterpret_cast<cell*>(blocks_base + ((address & address_bits & ~(block_size - 1)) >> 4));
}
inline bool in_whole_block(std::uintptr_t address) noexcept { return shadow_of_block(address)->writer != 0; }

class block_of_cells {
 public:
  explicit block_of_cells(std::uintptr_t address) noexcept
      : start_(address & ~(block_size - 1)), all_(shadow_of_block(address)) {}

  std::uintptr_t end() const noexcept { return start_ + block_size; }
  bool whole() const noexcept { return all_->writer != 0; }
  cell all() const noexcept { return {all_->writer == nobody ? 0 : all_->writer, all_->reader}; }
  void set(const cell& c) const noexcept { *all_ = {c.writer == 0 ? nobody : c.writer, c.reader}; }
  // From here on each cell has its own.
  void open() const noexcept {
    const cell c = all();
    *all_ = {0, 0};
    cell* const first = shadow_of(start_);
    for (std::size_t i = 0; i < cells_of_block; ++i) first[i] = c;
  }
  void forget() const noexcept { *all_ = {0, 0}; }

 private:
  static constexpr std::uint64_t nobody = 1;  // a writer of no bytes

  std::uintptr_t start_;
  cell* all_;
};

// Reserves it. False: the kernel refuses, or the program lies where the shadow must.
bool map_shadow() noexcept;
// Which of the next pages of the shadow exist, one byte each, from this address on; false: not known.
inline constexpr std::size_t shadow_page = 4096, pages_at_once = std::size_t{1} << 16;
bool which_pages(const cell* first, std::size_t pages, unsigned char* there) noexcept;

// Calls f(first, size) for the parts of [from, from + size) of which anything may be known.
template <class F>
void for_known(std::uintptr_t from, std::size_t size, const F& f) {
  constexpr std::size_t page = shadow_page / sizeof(cell) * 4;              // of the program's memory
  constexpr std::size_t page_of_blocks = shadow_page / sizeof(cell) * block_size;
  static unsigned char there[pages_at_once], blocks_there[pages_at_once];
  const std::uintptr_t end = from + size;
  for (std::uintptr_t at = from & ~(page_of_blocks - 1); at < end;) {
    std::size_t n = (end - at + page - 1) / page;
    if (n > pages_at_once) n = pages_at_once;
    const bool known = which_pages(shadow_of(at), n, there) &&
                       which_pages(shadow_of_block(at), (n * page + page_of_blocks - 1) / page_of_blocks, blocks_there);
    for (std::size_t i = 0; i < n; ++i, at += page) {
      if (at + page <= from) continue;
      bool any = !known || (there[i] & 1) != 0;
      if (!any && (blocks_there[i * page / page_of_blocks] & 1) != 0)
        for (std::uintptr_t b = at; b < at + page; b += block_size) any = any || in_whole_block(b);
      if (!any) continue;
      const std::uintptr_t first = at < from ? from : at, last = at + page < end ? at + page : end;
      f(first, last - first);
    }
  }
}
// Forgets what is known of [from, from + size). A word of four bytes at an end is forgotten whole.
void clear_shadow(std::uintptr_t from, std::size_t size) noexcept;

}  // namespace heist::race
