#pragma once
// A pool's thread: the part of a worker that does not belong to its seat. A seat may have no
// thread, and a thread may change seats.

#include <heist/base/cell.hpp>
#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sched/stock.hpp>
#include <heist/sched/waits.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/stack/supply.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

HEIST_BEGIN

namespace heist::detail {

// The OS thread that does the work: the pool's own, or a caller from outside in its place.
struct sitter {
  context* home = nullptr;                  // its native stack, while it runs another
  exception_globals* exceptions = nullptr;  // its exception state
  const void* own_root = nullptr;           // a caller works on this and nothing else; null: a pool thread
  worker* outer = nullptr;                  // where a caller sits in another pool meanwhile; null: in none
};

// What a place among a pool's threads is for.
enum class role : unsigned char {
  worker,
  caller,  // temporary: it has no OS thread of its own, a caller brings one
};

class pool_thread : public sleeper, public thread_record {
 public:
  pool_thread(stack_supply& supply, unsigned number, role purpose, trace_lane* traced,
              std::uint64_t seed)
      : thread_record(number, traced), as(purpose), stacks(supply), dice(seed) {}

  // Called to give the place away and to take it back. Returns the former sitter.
  sitter sit(const sitter& who) noexcept {
    tsan_release(this);  // its exception state, in its thread-local memory: see thread_at()
    return {home.replace(who.home), exceptions.replace(who.exceptions), own_root.replace(who.own_root),
            outer.replace(who.outer)};
  }
  bool lent() const noexcept { return own_root.get() != nullptr; }
  // Sitter only. Whether the calling strand is unwinding.
  bool unwinding() const noexcept { return in_flight(*exceptions.get()); }

  const role as;
  cell<seat*> at;  // where it sits

  cell<context*> home;
  cell<exception_globals*> exceptions;
  cell<const void*> own_root;
  cell<worker*> outer;
  stack_cache stacks;

  // The search; pool threads only.
  random dice;
  cell<bool> searching;          // counted by `idle`
  cell<nanoseconds> busy_since;  // when it last began to work
  cell<nanoseconds> paid;        // the cost of its last steal
  cell<nanoseconds> working_since;  // if feedback is on; 0: it does not work
  cell<nanoseconds> worked;         // before that
  cell<unsigned> fruitless;      // searches in a row that found nothing
  cell<unsigned> turn;           // that in which its strand went on
  cell<unsigned> in_a_row;       // strands that went on here since the last injected job
  cell<unsigned> tiny;           // steals in a row that brought almost no work
  class stock stock;             // what it has stolen along
  waits::sight in_sight;

  std::thread system;       // under the lock of the seats
  placement processor;      // where the thread runs when it is woken
  cell<int> seen_on{-1};    // the processor on which it began its last search, or its caller this root; -1: unknown
  bool threadless = false;  // it could not be started; likewise
  cell<bool> retired;       // it is one too many: it goes home, to wait in reserve
  unsigned rank = 0;        // among the pool's own threads
  bool serving = false;     // in service, not in reserve; likewise
  std::atomic<int> mail{0};  // how many letters there are for it: seats::send()
};

// The thread that sits at a seat.
inline pool_thread& thread_at(const seat& s) noexcept {
  auto& t = static_cast<pool_thread&>(*s.by.get());
  tsan_acquire(&t);  // every stack that runs in its place comes after its making, seats::add(), and after its thread's
  return t;
}

}  // namespace heist::detail

HEIST_END
