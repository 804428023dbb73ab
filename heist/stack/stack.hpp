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

// What a strand is a part of. The types are in sched/unwanted.
struct part {
  static constexpr std::int64_t stolen_branch = -1;
  const void* of = nullptr;  // null: a root, or something that cannot be stopped
  std::int64_t number = 0;   // the child's number, if `of` is the books of a scope; for a stolen_branch `of` is its job
};

// A part that a worker's strands use one after the other.
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

// A stack's control block. It is at the top of the stack itself, in the page that is touched
// anyway.
class stack : public context {
 public:
  // A frame larger than a page could jump over a small guard.
  static constexpr std::size_t guard_size = 64 * 1024;
  // How much memory below its stack pointer a parked or cached stack may keep.
  static constexpr std::size_t keep_size = 16 * 1024;
  static constexpr std::size_t min_size = 32 * 1024;
  static constexpr std::size_t max_size = std::size_t{1} << 36;

  // Slab only. Makes a stack in fresh memory that begins with a guard, with `size` bytes in whole
  // pages above it. Touches only the topmost page.
  static stack* begin(slab& home, char* lowest, std::size_t size) noexcept;
  static void end(stack* s) noexcept;
  // The control block of such a stack.
  static stack* in(char* lowest, std::size_t size) noexcept {
    return reinterpret_cast<stack*>(lowest + guard_size + size - block_size());
  }
  // Resident bytes at the beginning: a page.
  static std::size_t fresh_resident() noexcept;

  // Any thread. Resident bytes now, down to the first gap of 64 pages.
  std::size_t resident() const noexcept;

  // Any thread. The same above the mark: that is everything, if the mark is untouched.
  std::size_t resident_above_mark() const noexcept;

  struct residency {
    std::size_t before;
    std::size_t after;
  };
  // While the stack is parked or cached: hands back the memory below its stack pointer, except for
  // `keep` bytes.
  residency trim(std::size_t keep = keep_size) noexcept;

  // While the stack is shallow: whether it was deep, so that trim() might hand something back. A
  // mark at the lowest address that may be kept tells, unless a frame stepped over it.
  bool was_deep() const noexcept { return overwritten(mark_); }
  const void* mark() const noexcept { return mark_; }
  // While it is parked: whether its strand is above the mark, so that the mark can tell.
  HEIST_NO_TSAN bool stands_above_mark() const noexcept { return pointer > mark_; }

  // When the stack is left for good: nothing on it is needed any more.
  HEIST_NO_TSAN void vacate() noexcept { pointer = this; }
  // For trim() called on the stack itself, in a frame that begins at `frame`. What it keeps is more
  // than trim() needs.
  HEIST_NO_TSAN void stand_at(void* frame) noexcept { pointer = frame; }

  // Tells ThreadSanitizer that every user of the stack comes after its maker. At an address of its
  // own: strands are ordered by the address of the stack, which must not order two users of the
  // stack.
  void tsan_release_made() noexcept { tsan_release(&mark_); }
  void tsan_acquire_made() noexcept { tsan_acquire(&mark_); }

  std::size_t size() const noexcept { return size_; }
  bool holds(const void* place) const noexcept {
    return place >= mapping_ + guard_size && place < mapping_ + guard_size + size_;
  }
  bool guards(const void* place) const noexcept {
    return place >= mapping_ && place < mapping_ + guard_size;
  }

  cell<stack*> next;       // in a list of spare ones
  slab& home;
  std::size_t last_resident = 0;  // at the last sample, under the supply's lock
  part_cell part_of;              // set when a strand starts on it
  cell<std::uint32_t> moves;      // how often its strand was parked and resumed, or its continuation stolen

 private:
  stack(slab& of, char* lowest, std::size_t size) noexcept;
  static constexpr std::size_t block_size() noexcept { return (sizeof(stack) + 63) / 64 * 64; }
  char* top() const noexcept { return mapping_ + guard_size + size_; }
  // The two places for the mark: the lowest word of the control block's page, and that of the
  // memory a free stack may keep.
  std::uint64_t* high_mark() const noexcept;
  std::uint64_t* low_mark() const noexcept;
  static constexpr std::uint64_t untouched = 0x68656973742d2d2dull;  // "heist---"
  // Volatile: it is among other strands' frames, and the compiler must not move the read into an
  // instrumented caller.
  HEIST_NO_TSAN static bool overwritten(const volatile std::uint64_t* mark) noexcept { return *mark != untouched; }

  char* const mapping_;
  const std::size_t size_;  // usable bytes, above the guard
  std::uint64_t* mark_;
};

}  // namespace heist::detail

HEIST_END
