#pragma once
// Judges every access: is there an earlier one of the same byte, parallel to it, and does one of the two write?

#include <analysis/race/codes.hpp>
#include <analysis/race/found.hpp>
#include <analysis/race/locks.hpp>
#include <analysis/race/order.hpp>
#include <analysis/race/shadow.hpp>

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

  // The four bytes of one cell, all of them, by a strand without locks: the usual case in a few instructions.
  void read_word(cell& c, std::uintptr_t address, std::uintptr_t code) {
    const std::uint64_t mine = time.now() << 4 | 15;
    if (c.reader >> mark::bytes_at == mine || c.writer >> mark::bytes_at == mine) return;
    touch(c, address, 15, access_kind::read, code, held());
  }
  void write_word(cell& c, std::uintptr_t address, std::uintptr_t code) {
    if (c.writer >> mark::bytes_at == (time.now() << 4 | 15)) return;
    touch(c, address, 15, access_kind::write, code, held());
  }
  // Any bytes.
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, held());
  }
  void access_atomic(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, determinacy ? 0 : held_locks.held_and_atomic());
  }
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with);

  static void drop_list(cell& c) noexcept;

  order time;
  locks held_locks;
  codes code_numbers;
  found races;
  bool determinacy = false;  // locks and atomics do not help

 private:
  lock_set held() const noexcept { return determinacy ? 0 : held_locks.held(); }
  // The interval of an earlier access that is parallel to the running strand and of the same memory. The stack below a fork
  // was used again since by others.
  const interval* conflicting(instant t, std::uintptr_t address) const noexcept {
    const interval* const i = time.parallel(t);
    if (i == nullptr || (address >= stack_low_ && address < i->frame)) return nullptr;
    return i;
  }
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
