#pragma once
// The two runs of `heist race --stacks`. The second one, which is guided, knows from the first which accesses will be the first
// of a race, and keeps the calls that lead to them. It knows them by their addresses. So both runs have the same variables of the
// environment, and the detector does the same in both: what it allocates lies among what the program does.

#include <analysis/race/order.hpp>

#include <cstddef>
#include <cstdint>

namespace heist::race {

struct watch {
  // A line for each: the address, and the code that touches it. An empty file: this is the first run.
  static void read(const char* path);
  // The access, at this instant, is remembered.
  static void note(std::uintptr_t word, std::uintptr_t code, instant at);
  // The calls of the access that was remembered at this instant; returns how many. None, if others of the same code came since.
  static std::size_t calls_of(std::uintptr_t address, const void* code, instant at, const void** to, std::size_t room);

  static inline bool any = false;     // this is one of two such runs
  static inline bool guided = false;  // the second
};

}  // namespace heist::race
