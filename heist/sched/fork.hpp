#pragma once
// A fork: the job that it leaves in the deque, a branch or a continuation, and what its templates
// call if the job is stolen. See protocols/stolen_branch.md.

#include <heist/base/export.hpp>
#include <heist/strand/worker.hpp>

#include <atomic>
#include <cstdint>
#include <exception>

HEIST_BEGIN

namespace heist::detail {

class stack;

// One word says what a job is and, once it is stolen, how far it has come:
//   pending   the address of its kind, as it was pushed
//   parked    its joiner waits for it: the address of a waiter, plus 1
//   done or failed, with what the branch's strand had in the other bits
// Only stealing changes it: a fork that nobody steals writes it once.
struct job {
  struct kind {
    stack* (*run)(job&) noexcept;  // on the thief's stack; returns a stack to continue on, or null
    beginning as = beginning::branch;  // what its thief begins
  };

  enum : std::uintptr_t { parked_tag = 1, done = 2, failed = 4 };

  explicit job(const kind& k) noexcept : word(reinterpret_cast<std::uintptr_t>(&k)) {}

  static bool ended(std::uintptr_t w) noexcept { return (w & (done | failed)) != 0; }
  static bool parked(std::uintptr_t w) noexcept { return (w & parked_tag) != 0; }

  std::atomic<std::uintptr_t> word;
};

// Owner only: the last push went past the deque's limit, because the deque is full or somebody asks
// something of the worker. Shares what the deque holds with thieves.
HEIST_API HEIST_COLD void tripped(worker& w) noexcept;

// How a branch that was left to thieves came back.
enum class ending : unsigned char { ours, done, failed };

// The forker, after take_back() has failed. Returns when the branch is ours after all, or was
// stolen and has ended; until then the strand is parked. May return on another thread.
HEIST_API HEIST_COLD ending reclaim(job& branch) noexcept;
// The same after the first branch threw: what the second added to reducers is dropped.
HEIST_API HEIST_COLD ending renounce(job& branch) noexcept;

// The thief; `outcome` is job::done or job::failed. Returns the forker's stack, to be resumed, if
// the forker waits; else null. Touch nothing of the branch afterwards.
HEIST_API HEIST_COLD stack* finish(job& branch, std::uintptr_t outcome) noexcept;

// At a seat: runs the job that it has just stolen. Returns a stack to continue on, or null.
stack* run_stolen(job& j) noexcept;

// A thread outside every pool: runs body(argument) in the default pool, and throws what that throws.
HEIST_API HEIST_COLD void run_outside(void (*body)(void*), void* argument);

// In a catch (...): the exception, to be carried to another stack. One that cannot be carried
// (foreign, or a thread's cancellation) ends the program with a message.
HEIST_API HEIST_COLD std::exception_ptr carry_exception() noexcept;
// In a catch (...): whether the exception is a heist::cancelled.
HEIST_API bool handles_cancelled() noexcept;

}  // namespace heist::detail

HEIST_END
