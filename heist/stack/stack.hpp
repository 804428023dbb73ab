#pragma once
// One mapped stack: lazily committed, guarded, and able to hand its memory back. See README.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/stack/context.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

// A stack's control block. It lies at the stack's own top, in the page that is touched anyway.
class stack : public context {
 public:
  // Frames larger than a page jump a small guard.
  static constexpr std::size_t guard_size = 64 * 1024;
  // What a parked or cached stack may keep of the memory below its stack pointer.
  static constexpr std::size_t keep_size = 16 * 1024;
  // The two pages a new stack has touched: its control block and the mark that tells whether it was deep.
  static constexpr std::size_t fresh_resident = 2 * 4096;
  static constexpr std::size_t min_size = 32 * 1024;
  static constexpr std::size_t max_size = std::size_t{1} << 36;

  // Any thread. Null: the system gives no memory for another stack.
  static stack* map(std::size_t size) noexcept;
  static void unmap(stack* s) noexcept;

  // Any thread. Bytes resident now.
  std::size_t resident() const noexcept;

  // Any thread. The same of what a free stack keeps: all there is, if the mark is untouched.
  std::size_t resident_above_mark() const noexcept;

  struct residency {
    std::size_t before;
    std::size_t after;
  };
  // While the stack is parked or cached: hands back what lies below its stack pointer past `keep` bytes.
  residency trim(std::size_t keep = keep_size) noexcept;

  // While nobody is deep on it: was somebody, so that trim() would hand something back? A word at the lowest address that
  // a free stack keeps tells, unless a frame stepped over it.
  HEIST_NO_TSAN bool was_deep() const noexcept { return *mark_ != untouched; }
  // While it is parked: does its strand need less than a free stack keeps? Then the mark tells here, too.
  HEIST_NO_TSAN bool stands_above_mark() const noexcept { return pointer > mark_; }

  // When the stack is left for good: nothing on it is wanted any more.
  HEIST_NO_TSAN void vacate() noexcept { pointer = this; }
  // For trim() from the stack itself, whose frame begins at `frame`; what it keeps is more than trim() needs to run.
  HEIST_NO_TSAN void stand_at(void* frame) noexcept { pointer = frame; }

  std::size_t size() const noexcept { return size_; }
  bool guards(const void* place) const noexcept {
    return place >= mapping_ && place < mapping_ + guard_size;
  }

  cell<stack*> next;       // in a cache
  stack* newer = nullptr;  // in the list of all stacks, under its lock
  stack* older = nullptr;
  std::size_t last_resident = 0;  // likewise: at the last sample
  void* robbed = nullptr;         // of the strand's open scopes the one robbed last: sched/child has its type

 private:
  stack() = default;
  static constexpr std::uint64_t untouched = 0x68656973742d2d2dull;  // "heist---"

  char* mapping_ = nullptr;
  std::size_t size_ = 0;  // usable bytes, above the guard
  std::uint64_t* mark_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
