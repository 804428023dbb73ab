#pragma once
// A worker: a seat in a pool, and what the thread on it needs besides the deque.

#include <heist/base/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>
#include <heist/sched/fp_mode.hpp>
#include <heist/sched/worker.hpp>
#include <heist/sleep/idle.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/stack/supply.hpp>
#include <heist/stats.hpp>
#include <heist/trace/lane.hpp>

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>

HEIST_BEGIN

namespace heist::detail {

struct root;

// What others may ask of a worker. It answers at its next fork: asking lowers its deque's limit.
enum class request : unsigned {
  sign = 1,    // somebody sleeps: wake one
  fences = 2,  // pop behind a full fence, until further notice
  meter = 4,   // fork the cold way, where the meter's hooks are, likewise
  look = 8,    // fork the cold way once, and look whether the strand is wanted
};

// The thread that sits on a seat: the pool's own, or a caller from outside that borrows it.
struct sitter {
  context* home = nullptr;                  // its native stack, while it runs another
  exception_globals* exceptions = nullptr;  // its exception state
  root* own_root = nullptr;                 // a caller works on this and nothing else; null: a pool thread
};

class seat : public worker, public sleeper {
 public:
  seat(scheduler& of, const std::atomic<int>& of_pool, stack_supply& supply, unsigned number, trace_lane* traced)
      : worker(of, of_pool), index(number), lane(traced), stacks(supply), dice(number) {}

  // Whoever gives the seat away and takes it back. Returns the former sitter.
  sitter sit(const sitter& who) noexcept {
    return {home.replace(who.home), exceptions.replace(who.exceptions), own_root.replace(who.own_root)};
  }
  bool lent() const noexcept { return own_root.get() != nullptr; }

  // Sitter only: where the calling strand is.
  context& here() const noexcept {
    stack* const s = running.get();
    return s != nullptr ? static_cast<context&>(*s) : *home.get();
  }

  // Sitter only: an exception is on its way through the calling strand.
  bool unwinding() const noexcept { return in_flight(*exceptions.get()); }

  // Any thread.
  // model: deque_limit.pml, ask()
  void ask(request r) noexcept {
    // order[deque.trip]: the request first, then the limit: who raises the limit reads the requests afterwards
    requests.fetch_or(static_cast<unsigned>(r), std::memory_order_seq_cst);
    chaos::step(chaos::at::asked);
    jobs.trip();
  }
  void withdraw(request r) noexcept { requests.fetch_and(~static_cast<unsigned>(r), std::memory_order_seq_cst); }

  counters count() const noexcept;
  // Sitter only.
  void note(trace_event::kind what) noexcept {
    if (lane != nullptr) [[unlikely]]
      lane->note(what);
  }

  const unsigned index;
  trace_lane* const lane;  // null: the program is not traced
  std::atomic<unsigned> requests{0};

  cell<stack*> running;  // null: the sitter's native stack
  cell<context*> home;
  cell<exception_globals*> exceptions;
  cell<root*> own_root;
  stack_cache stacks;
  cell<fp_mode> mode;  // of the root that is worked on
  // Jobs from this index on belong to a measured strand, and so does the strand that runs here if the index is not `never`.
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  cell<std::int64_t> measured_from{never};

  cell<unsigned> loops_to_spare;  // the next loops, which will be as short as the last

  tally strands, busy_ticks;  // measured ones
  tally steal_attempts, steals, lost, suspends, resumes, sleeps, wakes, stackless;

  // The search; pool threads only.
  random dice;
  cell<bool> searching;          // counted by `idle`
  cell<nanoseconds> busy_since;  // when the last catch was made
  cell<nanoseconds> paid;        // what it cost
  cell<unsigned> vain;           // searches in a row that found nothing
  cell<unsigned> tiny;           // catches in a row that brought next to nothing

  std::thread thread;  // under the scheduler's lock
  placement processor;  // where the thread begins when it is roused
  bool threadless = false;  // it could not be started; likewise
};

inline seat* this_seat() noexcept { return static_cast<seat*>(this_worker()); }

}  // namespace heist::detail

HEIST_END
