#pragma once
// Judges every access: is there an earlier one of the same byte, parallel to it, and does one of the two write?

#include <analysis/race/codes.hpp>
#include <analysis/race/found.hpp>
#include <analysis/race/locks.hpp>
#include <analysis/race/order.hpp>
#include <analysis/race/shadow.hpp>
#include <analysis/race/watch.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

// One of several accesses that are remembered of four bytes.
struct listed_access {
  std::uint64_t what;  // a mark
  lock_set locks;
  access_kind kind;
};

struct access_list {
  std::uint32_t size, room;
  listed_access* all() noexcept { return reinterpret_cast<listed_access*>(this + 1); }
};

class judge {
 public:
  void start(std::uintptr_t stack_low, std::uintptr_t stack_high) noexcept {
    stack_low_ = stack_low;
    stack_high_ = stack_high;
  }

  // Some bytes of one cell. The usual cases in a few instructions: the strand has touched them before; all that is known of
  // the cell comes before the strand; another strand beside it has read them. touch() does the same, and all others.
  void read_cell(cell& c, std::uintptr_t address, unsigned bytes, std::uintptr_t code) {
    const instant now = time.now();
    const std::uint64_t r = c.reader, w = c.writer;
    if (mark::time(r) == now && (mark::bytes(r) & bytes) == bytes) return;
    if (mark::time(w) == now && (mark::bytes(w) & bytes) == bytes) return;
    if (w != cell::listed && time.surely_before(mark::time(w)) && is_plain()) {
      if (mark::time(r) == now) {
        c.reader = r | std::uint64_t{bytes} << mark::bytes_at;
        return;
      }
      if ((mark::bytes(r) & ~bytes) == 0 && time.surely_before(mark::time(r))) {
        c.reader = mark::make(now, bytes, code_numbers.number(code));
        return;
      }
      if ((mark::bytes(r) & bytes) == bytes && time.in_last(mark::time(r)) && address < stack_low_ && !time.irregular()) return;
    }
    touch(c, address, bytes, access_kind::read, code, held());
  }
  void write_cell(cell& c, std::uintptr_t address, unsigned bytes, std::uintptr_t code) {
    const instant now = time.now();
    const std::uint64_t r = c.reader, w = c.writer;
    if (mark::time(w) == now && (mark::bytes(w) & bytes) == bytes) return;
    if (w != cell::listed && time.surely_before(mark::time(w)) && time.surely_before(mark::time(r)) && is_plain()) {
      if (mark::time(w) == now) {
        c.writer = w | std::uint64_t{bytes} << mark::bytes_at;
        return;
      }
      if ((mark::bytes(w) & ~bytes) == 0) {
        c.writer = mark::make(now, bytes, code_numbers.number(code));
        return;
      }
    }
    touch(c, address, bytes, access_kind::write, code, held());
  }
  // Any bytes.
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, held());
  }
  void access_atomic(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, determinacy ? 0 : held_locks.held_and_atomic());
  }
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with);
  // Memory that is given back: only what was touched counts, so that large blocks that were not used cost nothing.
  void free(std::uintptr_t address, std::size_t size, std::uintptr_t code) {
    if (size < large) return access(address, size, access_kind::freed, code);
    free_large(address, size, code);
  }

  static void drop_list(cell& c) noexcept;

  order time;
  locks held_locks;
  codes code_numbers;
  found races;
  bool determinacy = false;  // locks and atomics do not help

 private:
  // Without locks, and nobody watches for the calls of an access.
  bool is_plain() const noexcept { return held() == 0 && !watch::any; }
  lock_set held() const noexcept { return determinacy ? 0 : held_locks.held(); }
  // The interval of an earlier access that is parallel to the running strand and of the same memory. The stack below a fork
  // was used again since by others.
  const interval* conflicting(instant t, std::uintptr_t address) const noexcept {
    const interval* const i = time.parallel(t);
    if (i == nullptr || (address >= stack_low_ && address < i->frame)) return nullptr;
    return i;
  }
  static constexpr std::size_t large = std::size_t{1} << 16;
  void free_large(std::uintptr_t address, std::size_t size, std::uintptr_t code);
  void touch(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with);
  void touch_listed(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with);
  static void make_list(cell& c);
  static void add(cell& c, const listed_access& a);
  void found_race(std::uintptr_t address, unsigned bytes, std::uint64_t before, access_kind kind_before, lock_set locks_before,
                  access_kind kind, std::uintptr_t code, lock_set with, const interval& parted);

  std::uintptr_t stack_low_ = ~std::uintptr_t{0}, stack_high_ = 0;
};

extern late<judge> late_judge;
inline judge& the = late_judge.value;

}  // namespace heist::race
