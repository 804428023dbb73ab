#pragma once
// Judges every access: is there an earlier one of the same byte, parallel to it, and does one of the two write?

#include <analysis/race/codes.hpp>
#include <analysis/race/found.hpp>
#include <analysis/race/locks.hpp>
#include <analysis/race/order.hpp>
#include <analysis/race/shadow.hpp>
#include <analysis/race/sweeps.hpp>
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

  // The usual cases, in a few instructions: the strand has touched the bytes before; all that is known of them comes before
  // the strand, or belongs to a frame that is gone; another strand beside it has read them. True: done. False: access() decides,
  // on any case. Cells that are not alike are no usual case. (What can be asked at once is asked by one branch: branches are
  // most of what this costs.)
  template <std::size_t cells>
  bool has_read(const cell* c) const noexcept {
    const std::uint64_t now = time.all_bytes_now();
    std::uint64_t differs = c[0].reader ^ now;
    for (std::size_t i = 1; i < cells; ++i) differs |= c[i].reader ^ now;
    return differs <= mark::code_bits;
  }
  template <std::size_t cells>
  bool has_written(const cell* c) const noexcept {
    const std::uint64_t now = time.all_bytes_now();
    std::uint64_t differs = c[0].writer ^ now;
    for (std::size_t i = 1; i < cells; ++i) differs |= c[i].writer ^ now;
    return differs <= mark::code_bits;
  }
  template <std::size_t cells>
  bool read_quickly(cell* c, std::uintptr_t address, std::uintptr_t code) noexcept {
    const std::uint64_t r = c[0].reader, w = c[0].writer;
    std::uint32_t n;
    if (!alike<cells>(c)) return false;
    if (is_all_new(address)) {
      if (w == cell::listed || !code_numbers.known(code, n)) return false;
    } else {
      if (!time.surely_before(w)) return false;
      if (time.stands_for(r)) return (static_cast<unsigned>(mark::bytes(r) != 15) | static_cast<unsigned>(is_used_again(address))) == 0;
      if (!time.surely_before(r) || !code_numbers.known(code, n)) return false;
    }
    for (std::size_t i = 0; i < cells; ++i) c[i].reader = time.all_bytes_now() | n;
    return true;
  }
  // A reader that comes before a new writer of its bytes need not be known any more: whoever is parallel to it is parallel to
  // the writer, too, and that is a race.
  template <std::size_t cells>
  bool write_quickly(cell* c, std::uintptr_t address, std::uintptr_t code) noexcept {
    const std::uint64_t r = c[0].reader, w = c[0].writer;
    if (!alike<cells>(c)) return false;
    if (is_all_new(address)) {
      if (w == cell::listed) return false;
    } else if (!time.surely_before(w) || !time.surely_before(r)) {
      return false;
    }
    std::uint32_t n;
    if (!code_numbers.known(code, n)) return false;
    for (std::size_t i = 0; i < cells; ++i) c[i] = {time.all_bytes_now() | n, 0};
    return true;
  }
  // Some bytes of one cell, one bit each.
  bool has_read(const cell& c, std::uint64_t bytes) const noexcept { return has_touched(c.reader, bytes); }
  bool has_written(const cell& c, std::uint64_t bytes) const noexcept { return has_touched(c.writer, bytes); }
  bool read_quickly(cell& c, std::uintptr_t address, std::uint64_t bytes, std::uintptr_t code) noexcept {
    const std::uint64_t r = c.reader, w = c.writer;
    if (has_touched(w, bytes)) return true;
    if (!time.surely_before(w)) return false;
    const instant now = time.now();
    if (mark::time(r) == now) {
      c.reader = r | bytes << mark::bytes_at;
      return true;
    }
    if (time.stands_for(r)) return (mark::bytes(r) & bytes) == bytes && !is_used_again(address);
    std::uint32_t n;
    if ((mark::bytes(r) & ~bytes) != 0 || !time.surely_before(r) || !code_numbers.known(code, n)) return false;
    c.reader = mark::make(now, static_cast<unsigned>(bytes), n);
    return true;
  }
  bool write_quickly(cell& c, std::uint64_t bytes, std::uintptr_t code) noexcept {
    const std::uint64_t r = c.reader, w = c.writer;
    const instant now = time.now();
    if (!time.surely_before(w) || !time.surely_before(r)) return false;
    const unsigned before = mark::time(w) == now ? mark::bytes(w) : 0;
    std::uint32_t n;
    if ((mark::bytes(w | r) & ~(bytes | before)) != 0 || !code_numbers.known(code, n)) return false;
    c = {mark::make(now, static_cast<unsigned>(bytes) | before, n), 0};
    return true;
  }
  // Any bytes.
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, held());
  }
  void access_atomic(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
    access(address, size, kind, code, determinacy ? 0 : held_locks.held_and_atomic());
  }
  void access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with);
  // The words of a sweep, at a multiple of four, by a strand that holds no locks.
  void access_words(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code);
  // Memory that is given back: only what was touched counts, so that large blocks that were not used cost nothing.
  void free(std::uintptr_t address, std::size_t size, std::uintptr_t code) {
    sweeps::end_all();
    if (size < large) return access(address, size, access_kind::freed, code);
    free_large(address, size, code);
  }

  static void drop_list(cell& c) noexcept;

  void lock(const void* address, holding how, bool on_stack) {
    sweeps::end_all();
    held_locks.lock(address, how, time.now(), on_stack);
    choose_ways();
  }
  void unlock(const void* address) {
    sweeps::end_all();
    held_locks.unlock(address);
    choose_ways();
  }
  // The quick ways are for accesses without locks, and if nobody watches for the calls of an access.
  void choose_ways() noexcept {
    const bool quickly = held() == 0 && !watch::any && kept_before == 0;
    time.answer_quickly(quickly);
    sweeps::allow(quickly);
  }
  // Accesses before this instant are not replaced: the running strand's do not stand for them (counts.hpp). 0: all may be.
  void keep_before(instant t) noexcept {
    sweeps::end_all();
    kept_before = t;
    choose_ways();
  }

  order time;
  locks held_locks;
  codes code_numbers;
  found races;
  bool determinacy = false;  // locks and atomics do not help
  instant kept_before = 0;

 private:
  bool has_touched(std::uint64_t word, std::uint64_t bytes) const noexcept {
    return ((word ^ time.all_bytes_now()) & (~std::uint64_t{0} << mark::time_at | bytes << mark::bytes_at)) == 0;
  }
  template <std::size_t cells>
  static bool alike(const cell* c) noexcept {
    std::uint64_t differs = 0;
    for (std::size_t i = 1; i < cells; ++i) differs |= (c[i].reader ^ c[0].reader) | (c[i].writer ^ c[0].writer);
    return differs == 0;
  }
  // On the stack, below all forks of parallel strands: what those did here was in frames that are gone.
  bool is_all_new(std::uintptr_t address) const noexcept {
    return (static_cast<unsigned>(address < time.lowest_frame()) & static_cast<unsigned>(address >= stack_low_)) != 0;
  }
  bool is_used_again(std::uintptr_t address) const noexcept { return address - stack_low_ < time.last_frame() - stack_low_; }
  lock_set held() const noexcept { return determinacy ? 0 : held_locks.held(); }
  // The interval of an earlier access that is parallel to the running strand and of the same memory. The stack below a fork
  // was used again since by others.
  const interval* conflicting(instant t, std::uintptr_t address) const noexcept {
    const interval* const i = time.parallel(t);
    if (i == nullptr || (address >= stack_low_ && address < i->frame)) return nullptr;
    return i;
  }
  bool alike_quickly(cell& like, std::uintptr_t address, access_kind kind, std::uintptr_t code) noexcept;
  void access_in_block(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with);
  void access_cells(cell* c, std::size_t cells, std::uintptr_t address, access_kind kind, std::uintptr_t code);
  static constexpr std::size_t large = std::size_t{1} << 16;
  void free_large(std::uintptr_t address, std::size_t size, std::uintptr_t code);
  void touch(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with);
  void touch_listed(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with);
  // The access is remembered: in a guided run with its calls.
  void note(std::uintptr_t address, std::uintptr_t code) const {
    if (watch::any) [[unlikely]] watch::note(address, code, time.now());
  }
  static void make_list(cell& c);
  static void add(cell& c, const listed_access& a);
  void found_race(std::uintptr_t address, unsigned bytes, std::uint64_t before, access_kind kind_before, lock_set locks_before,
                  access_kind kind, std::uintptr_t code, lock_set with, const interval& parted);

  std::uintptr_t stack_low_ = ~std::uintptr_t{0}, stack_high_ = 0;
};

extern late<judge> late_judge;
inline judge& the = late_judge.value;

}  // namespace heist::race
