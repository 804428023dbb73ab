#pragma once
// A pool's thread: what a worker has that its seat has not. A seat may be without a thread, and a thread change seats.

#include <heist/base/cell.hpp>
#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/stack/supply.hpp>

#include <thread>

HEIST_BEGIN

namespace heist::detail {

class seat;

// The system's thread that does the work: the pool's own, or a caller from outside in its place.
struct sitter {
  context* home = nullptr;                  // its native stack, while it runs another
  exception_globals* exceptions = nullptr;  // its exception state
  const void* own_root = nullptr;           // a caller works on this and nothing else; null: a pool thread
};

// Those of temporary seats never have a system's thread of their own: callers bring theirs.
class pool_thread : public sleeper {
 public:
  pool_thread(stack_supply& supply, unsigned number) : stacks(supply), dice(number) {}

  // Whoever gives the place away and takes it back. Returns the former sitter.
  sitter sit(const sitter& who) noexcept {
    return {home.replace(who.home), exceptions.replace(who.exceptions), own_root.replace(who.own_root)};
  }
  bool lent() const noexcept { return own_root.get() != nullptr; }
  // The sitter only: an exception is on its way through the calling strand.
  bool unwinding() const noexcept { return in_flight(*exceptions.get()); }

  seat* at = nullptr;  // where it sits

  cell<context*> home;
  cell<exception_globals*> exceptions;
  cell<const void*> own_root;
  stack_cache stacks;

  // The search; pool threads only.
  random dice;
  cell<bool> searching;          // counted by `idle`
  cell<nanoseconds> busy_since;  // when the last catch was made
  cell<nanoseconds> paid;        // what it cost
  cell<unsigned> vain;           // searches in a row that found nothing
  cell<unsigned> tiny;           // catches in a row that brought next to nothing

  std::thread system;       // under the lock of the seats
  placement processor;      // where the thread begins when it is roused
  bool threadless = false;  // it could not be started; likewise
};

}  // namespace heist::detail

HEIST_END
