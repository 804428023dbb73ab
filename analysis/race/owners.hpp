#pragma once
// Whose memory it is: blocks of the heap, with where they were allocated; the stack; variables of a thread.

#include <analysis/race/found.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

// The blocks of the heap that are in use.
class heap_blocks {
 public:
  struct block {
    std::uintptr_t start = 0;  // 0: none; 1: was one
    std::size_t size = 0;
    std::uint64_t made = 0;       // the instant
    std::uint32_t where[4] = {};  // code numbers
    bool exempt = false;          // heist's own, or the thread's
    bool shared = false;          // looked at: it is not the thread's
  };

  void add(std::uintptr_t start, std::size_t size, const void* code);
  // 0 if it is none.
  std::size_t size_of(std::uintptr_t start) const noexcept;
  // Null if none begins there. It is there until the next add().
  block* find(std::uintptr_t start) const noexcept;
  void remove(block& b) noexcept {
    if (b.size > small) large_->erase(b.start);
    b.start = 1;
  }
  void exempt(std::uintptr_t start) noexcept;
  void judge(std::uintptr_t start, bool is_private) noexcept;
  // The block with the address in it.
  const block* around(std::uintptr_t address) const noexcept;
  const block* starting_at(std::uintptr_t address) const noexcept { return (address & 15) == 0 ? find(address) : nullptr; }
  template <class F>
  void for_all(const F& f) const {
    for (std::size_t i = 0; i < room_; ++i)
      if (table_[i].start > 1) f(table_[i]);
  }

 private:
  // Blocks begin at multiples of 16. A small one is found by looking at every place where it may begin.
  static constexpr std::size_t small = 1024;

  std::size_t place(std::uintptr_t start) const noexcept {
    return (start >> 4) * 0x9e3779b97f4a7c15u >> shift_;
  }
  void grow();

  block* table_ = nullptr;
  std::size_t room_ = 0, used_ = 0;
  int shift_ = 64;
  own_tree<std::uintptr_t, std::size_t>* large_ = nullptr;  // the sizes of the others; made with the first of them
};

extern heap_blocks the_heap;

owner_of_bytes owner_at(std::uintptr_t address);

// Variables of the thread, and what they own: on several workers every strand's thread has its own. The fork's frame says
// which part of the stack is older than the fork.
bool is_private(std::uintptr_t address, std::uintptr_t frame);
// After a library was loaded: its variables of the thread are found again.
void find_private();

// Where the stack may be; and where its first frame is.
extern std::uintptr_t stack_low, stack_high, stack_top;
inline bool is_on_stack(const void* p) noexcept {
  const auto a = reinterpret_cast<std::uintptr_t>(p);
  return a >= stack_low && a < stack_high;
}

}  // namespace heist::race
