#pragma once
// One mapped stack: lazily committed, guarded, and able to hand its memory back. See README.md.

#include <heist/base/cell.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/stack/context.hpp>

#include <cstddef>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class slab;

// What a strand is a part of; sched/unwanted has the types.
struct part {
  static constexpr std::int64_t stolen_branch = -1;
  const void* of = nullptr;  // null: a root, or nothing that anybody could stop
  std::int64_t number = 0;   // stolen_branch: `of` is its job; else it is the books of a scope, and this the child's number
};

// One in the hands of a worker's strands, one after the other.
class part_cell {
 public:
  part get() const noexcept { return {of_.get(), number_.get()}; }
  void set(part p) noexcept {
    of_.set(p.of);
    number_.set(p.number);
  }

 private:
  cell<const void*> of_;
  cell<std::int64_t> number_;
};

// A stack's control block. It lies at the stack's own top, in the page that is touched anyway.
class stack : public context {
 public:
  // Frames larger than a page jump a small guard.
  static constexpr std::size_t guard_size = 64 * 1024;
  // What a parked or cached stack may keep of the memory below its stack pointer.
  static constexpr std::size_t keep_size = 16 * 1024;
  static constexpr std::size_t min_size = 32 * 1024;
  static constexpr std::size_t max_size = std::size_t{1} << 36;

  // Its slab: a stack in fresh memory that begins with a guard, above which there are `size` bytes in whole pages. Touches
  // the uppermost page and no other.
  static stack* begin(slab& home, char* lowest, std::size_t size) noexcept;
  static void end(stack* s) noexcept;
  // Where the control block of such a stack is.
  static stack* in(char* lowest, std::size_t size) noexcept {
    return reinterpret_cast<stack*>(lowest + guard_size + size - block_size());
  }
  // Bytes resident when it begins: a page.
  static std::size_t fresh_resident() noexcept;

  // Any thread. Bytes resident now.
  std::size_t resident() const noexcept;

  // Any thread. The same of what lies above the mark: all there is, if that is untouched.
  std::size_t resident_above_mark() const noexcept;

  struct residency {
    std::size_t before;
    std::size_t after;
  };
  // While the stack is parked or cached: hands back what lies below its stack pointer past `keep` bytes.
  residency trim(std::size_t keep = keep_size) noexcept;

  // While nobody is deep on it: was somebody, so that trim() might hand something back? A word at the lowest address that
  // has been used and may be kept tells, unless a frame stepped over it.
  bool was_deep() const noexcept { return overwritten(mark_); }
  // While it is parked: does its strand stand where the mark tells?
  HEIST_NO_TSAN bool stands_above_mark() const noexcept { return pointer > mark_; }

  // When the stack is left for good: nothing on it is wanted any more.
  HEIST_NO_TSAN void vacate() noexcept { pointer = this; }
  // For trim() from the stack itself, whose frame begins at `frame`; what it keeps is more than trim() needs to run.
  HEIST_NO_TSAN void stand_at(void* frame) noexcept { pointer = frame; }

  // To ThreadSanitizer: whoever has the stack comes after its maker. At a place of its own: strands are ordered by the
  // address of the stack, and what the last one was told is none of the next one's business.
  void tsan_release_made() noexcept { tsan_release(&mark_); }
  void tsan_acquire_made() noexcept { tsan_acquire(&mark_); }

  std::size_t size() const noexcept { return size_; }
  bool holds(const void* place) const noexcept {
    return place >= mapping_ + guard_size && place < mapping_ + guard_size + size_;
  }
  bool guards(const void* place) const noexcept {
    return place >= mapping_ && place < mapping_ + guard_size;
  }

  cell<stack*> next;       // in a cache
  slab& home;
  std::size_t last_resident = 0;  // at the last sample, under the supply's lock
  part_cell part_of;              // set by whoever starts a strand on it

 private:
  stack(slab& of, char* lowest, std::size_t size) noexcept;
  static constexpr std::size_t block_size() noexcept { return (sizeof(stack) + 63) / 64 * 64; }
  char* top() const noexcept { return mapping_ + guard_size + size_; }
  // The two places of the mark: the lowest word of the control block's page, and of what a free stack may keep.
  std::uint64_t* high_mark() const noexcept;
  std::uint64_t* low_mark() const noexcept;
  static constexpr std::uint64_t untouched = 0x68656973742d2d2dull;  // "heist---"
  // Volatile: it lies among frames of others, and the compiler shall not move the look at it to an instrumented caller.
  HEIST_NO_TSAN static bool overwritten(const volatile std::uint64_t* mark) noexcept { return *mark != untouched; }

  char* const mapping_;
  const std::size_t size_;  // usable bytes, above the guard
  std::uint64_t* mark_;
};

}  // namespace heist::detail

HEIST_END
