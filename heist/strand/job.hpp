#pragma once
// What lies in a deque: a branch or a continuation left for thieves. See sched/README.md, "The life of a stolen branch".

#include <heist/base/export.hpp>
#include <heist/strand/strand.hpp>

#include <atomic>
#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class stack;
struct waiter;

// One word says what a job is and, once it is stolen, how far it has come:
//   pending   the address of its kind, as it was pushed
//   parked    its joiner waits for it: the address of a waiter, plus 1
//   done or failed, with what the branch's strand had in the other bits
// Only stealing changes it: a fork that nobody steals writes it once.
struct job {
  struct kind {
    stack* (*run)(job&) noexcept;  // on the thief's stack; returns a stack to go on with, or null
    beginning as = beginning::branch;  // what its thief begins
  };

  enum : std::uintptr_t { parked_tag = 1, done = 2, failed = 4 };

  explicit job(const kind& k) noexcept : word(reinterpret_cast<std::uintptr_t>(&k)) {}

  static bool ended(std::uintptr_t w) noexcept { return (w & (done | failed)) != 0; }
  static bool parked(std::uintptr_t w) noexcept { return (w & parked_tag) != 0; }

  std::atomic<std::uintptr_t> word;
};

}  // namespace heist::detail

HEIST_END
