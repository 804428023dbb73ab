#pragma once
// The guided run of `heist race --stacks`: it knows from a run before which accesses will be the first of a race, and keeps
// the calls that lead to them.

#include <analysis/race/order.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

struct watch {
  // A line for each: the address, and the code that touches it.
  static void read(const char* path);
  // The access, at this instant, is remembered.
  static void note(std::uintptr_t word, std::uintptr_t code, instant at);
  // The calls of the access that was remembered at this instant; returns how many. None, if others of the same code came since.
  static std::size_t calls_of(std::uintptr_t address, const void* code, instant at, const void** to, std::size_t room);

  static inline bool any = false;
};

}  // namespace heist::race
