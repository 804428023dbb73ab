#pragma once
// A child of a scope: one that is being spawned, or one that waits.

#include <heist/base/export.hpp>
#include <heist/stack/context.hpp>
#include <heist/sched/fork.hpp>

#include <cstdint>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// A spawn in progress, in the parent's frame. To thieves it is the parent's continuation.
struct spawned : job {
  spawned(scope_books& of, void* closure) noexcept : job(continuation), function(closure), owner(&of) {}

  void* const function;
  scope_books* const owner;
  std::int64_t number;  // see scope_books
  stack* parent;

 private:
  static stack* steal(job& self) noexcept;
  HEIST_API static const kind continuation;
};

// What to do with a child that waited.
enum class turn_of_child : unsigned char { run, skip };

// A child that waits in a deque or, if spawned from outside, in the pool's queue. Allocated on the
// heap; it deletes itself after it has run.
struct queued_child : job {
  using runner = void (*)(queued_child&, turn_of_child) noexcept;
  HEIST_API queued_child(scope_books& of, runner run_body) noexcept;

  const runner body;  // runs or skips the function, reports a failure to its owner, deletes itself
  scope_books* const owner;
  std::int64_t number;

  // run_here(): the strand that made the scope has taken the child back. steal(): a thief runs it.
  void run_here() noexcept;

 private:
  void take_turn() noexcept;
  static stack* steal(job& self) noexcept;
  static constexpr kind child{&queued_child::steal};
};

}  // namespace heist::detail

HEIST_END
