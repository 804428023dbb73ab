#pragma once
// Sweeps: what one place in the code touches word after word, as a loop over an array does. It is judged when the sweep
// ends: a strand's own accesses may be judged in any order.

#include <analysis/race/calls.hpp>
#include <analysis/race/found.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

// For each place in the code, by the lower bits of its address (two that share them and whose words happen to follow
// one another in one strand are told as one: then a report may name the wrong one of the two), the word after the one
// that it has touched last. If no sweep of the place is open, the upper bit is set, and the next ones count the words
// that did not come after one another. When there have been many, it will not be tried again.
struct sweep_table {
  static constexpr std::size_t places = std::size_t{1} << 16;
  static constexpr std::uintptr_t not_open = std::uintptr_t{1} << 63, one_miss = std::uintptr_t{1} << 57,
                                  address_bits = (std::uintptr_t{1} << 48) - 1, never = ~std::uintptr_t{0};

  std::uintptr_t next[places];
};
// A place in the code touches words of one size, and only reads or only writes them.
template <std::size_t size, access_kind kind>
inline constinit sweep_table table_of{};

class sweeps {
 public:
  // The usual case: the next word of an open sweep.
  template <std::size_t size, access_kind kind>
  static bool goes_on(std::uintptr_t address, std::uintptr_t code) noexcept {
    std::uintptr_t& next = table_of<size, kind>.next[code % sweep_table::places];
    if (next != address) return false;
    next = address + size;
    return true;
  }
  // Any other access of a judged strand. True: it comes after the place's last one, or the place has an open sweep, so
  // that touched() has to be told.
  template <std::size_t size, access_kind kind>
  static bool matters(std::uintptr_t address, std::uintptr_t code) noexcept {
    std::uintptr_t& next = table_of<size, kind>.next[code % sweep_table::places];
    const std::uintptr_t n = next;
    if (n == sweep_table::never) [[likely]]
      return false;
    if (static_cast<std::intptr_t>(n) > 0 || ((n ^ address) & sweep_table::address_bits) == 0) return true;
    const std::uintptr_t misses = (n | sweep_table::not_open) + sweep_table::one_miss;
    next = misses < n ? sweep_table::never : (misses & ~sweep_table::address_bits) | (address + size);
    return false;
  }
  // True: it will be judged with others.
  static bool touched(sweep_table& t, std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code);

  // Whether accesses may be judged later than they are made: not if locks are held, or somebody watches for the calls
  // of an access.
  static void allow(bool yes) noexcept { allowed_ = yes; }
  static void forbid() noexcept {
    end_all();
    never_ = true;
  }
  // Before anything changes that the verdict on an access depends on: the order, the locks, the shadow.
  static void end_all() noexcept {
    if (open_ != 0) [[unlikely]]
      end_from(0);
  }
  // A report has the calls that an access is in, so a sweep ends before the function does.
  static void end_above(std::size_t depth) noexcept;

 private:
  struct one {
    sweep_table* table;
    std::uintptr_t at, first, code;
    std::uintptr_t judged_first, judged_end;  // of it and this strand, lately
    std::size_t size, depth;
    access_kind kind;
  };
  static constexpr std::size_t most = 32;

  static void judge_words(one& s, std::uintptr_t end);
  static one close(std::size_t i) noexcept;
  static void end_from(std::size_t i) noexcept;

  static inline bool allowed_ = false, never_ = false;
  static inline std::size_t open_ = 0;
  static inline one all_[most];  // those of inner calls last
};

}  // namespace heist::race
