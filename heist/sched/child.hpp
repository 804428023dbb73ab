#pragma once
// A child of a scope, and the books that scope keeps. Protocol: README.md, "The scope's counters".

#include <heist/base/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class scope_books;

// A spawn in flight, in its parent's frame: to thieves the parent's continuation.
struct spawned : job {
  spawned(scope_books& of, void* closure) noexcept;

  void* const function;
  scope_books* const owner;
  const std::int64_t number;  // in spawn order
  stack* parent = nullptr;

 private:
  static stack* steal(job& self) noexcept;
  HEIST_API static const kind continuation;
};

// How a continuation was left in the deque, and so how it must be popped.
enum class forked : unsigned char { lightly, fenced };

// A child that waits in a deque or, from outside, in the pool's queue. On the heap; it deletes itself when it has run.
struct queued_child : job {
  HEIST_API queued_child(scope_books& of, void (*body)(queued_child&) noexcept) noexcept;

  void (*const body)(queued_child&) noexcept;  // runs the function, hands a failure to its owner, deletes itself
  scope_books* const owner;
  const std::int64_t number;

  // The strand that made the scope takes it back, or a thief runs it.
  void run_here() noexcept;

 private:
  static stack* steal(job& self) noexcept;
  static constexpr kind child{&queued_child::steal};
};

// Who must arrive before a scope ends, and what they brought. The strand that made the scope counts what was stolen, in
// a plain variable; robbed children count themselves, in an atomic one. Children that nobody robs touch neither.
class scope_books {
 public:
  HEIST_API scope_books();  // throws what default_pool() throws
  scope_books(const scope_books&) = delete;

  bool outside() const noexcept { return pool_ != nullptr; }

  // The scope's strand. `body(&child)` runs on the child's stack: it takes the function over, calls leave_parent(),
  // runs the function, and returns what end_child() returns. False: there is no stack for the child; call it directly.
  [[nodiscard]] HEIST_API bool start(spawned& child, on_arrival body) noexcept;
  // The scope's strand: leaves the child to thieves, or runs it at once if many wait.
  HEIST_API void queue(queued_child& child) noexcept;
  // The scope's strand: all children have ended on return, perhaps on another thread.
  HEIST_API void wait() noexcept;

  // Any child: its exception. The first in spawn order is kept.
  HEIST_API void fail(std::int64_t number, std::exception_ptr e) noexcept;
  HEIST_API std::exception_ptr take_failure() noexcept;

  std::int64_t next_number() noexcept { return spawned_++; }
  HEIST_API void check_strand() const noexcept;

 private:
  friend struct spawned;
  friend struct queued_child;
  friend stack* end_child(scope_books&, std::int64_t, stack&, forked) noexcept;
  HEIST_API HEIST_COLD stack* end_robbed(std::int64_t number, stack& parent) noexcept;
  void leave(belongings*& list, std::int64_t number) noexcept;
  void note_turn(stack& strand, std::int64_t number) noexcept;
  void end_turns();
  void strike_off() noexcept;
  std::int64_t turn_of(std::int64_t number) const noexcept;
  void collect();
  void note_queued(std::int64_t number) noexcept;
  stack* arrive() noexcept;
  bool expect_last() noexcept;
  void run_queued() noexcept;
  bool arrive_soon() const noexcept;
  bool wait_parked() noexcept;
  void wait_blocked() noexcept;

  static constexpr std::int64_t most_queued = 1024;

  scheduler* pool_ = nullptr;     // outside any pool: where children are sent
  const void* strand_ = nullptr;  // checked builds: who made the scope
  std::int64_t spawned_ = 0;
  std::int64_t waited_for_ = 0;  // spawned_ at the last wait()
  std::int64_t stolen_ = 0;      // continuations and queued children that thieves took, as far as we know
  std::int64_t queued_ = 0;      // children in the deque, unless stolen
  // Arrivals of stolen ones; after the strand has parked, less stolen_: who brings it to 0 resumes the strand.
  std::atomic<std::int64_t> balance_{0};
  stack* parked_ = nullptr;
  parking* bed_ = nullptr;

  // The scopes of one strand that have been robbed take turns (views/README.md).
  struct HEIST_VERSIONED turn {
    std::int64_t from;  // the child whose theft began it
    std::int64_t number;
  };
  stack* robbed_on_ = nullptr;            // on whose list we are; null: not robbed since the last sync
  scope_books* robbed_before_ = nullptr;  // the next in the list
  turn now_{};                            // our last turn
  std::vector<turn> turns_;               // those before it

  std::mutex lock_;  // for what follows, until all have arrived
  std::int64_t failed_number_ = 0;
  std::exception_ptr failure_;
  belongings* robbed_left_ = nullptr;  // by children whose parents were stolen
  belongings* queued_left_ = nullptr;  // by children of spawn_later
};

inline spawned::spawned(scope_books& of, void* closure) noexcept
    : job(continuation), function(closure), owner(&of), number(of.next_number()) {}

// On the child's stack: the parent's continuation is left to thieves. The record is not the child's any more.
// model: scope.pml, run_spawned()
inline forked leave_parent(spawned& child, stack& parent) noexcept {
  tsan_release(&parent);  // up to here the child comes before the rest of its parent
  chaos::step(chaos::at::left_parent);
  worker& w = *this_worker();
  if (w.jobs.owner().push(&child)) [[likely]] return forked::lightly;
  w.tripped();
  begin_measured_child(depth_of(parent, &child));
  return forked::fenced;
}

inline void tsan_release_belongings() noexcept {
#if defined(HEIST_TSAN)
  if (belongings* const own = this_worker()->own.get()) tsan_release(own);
#endif
}

// On the child's stack, last: the parent's stack if nobody robbed the child; else the parent's if the child is the last
// that its scope waits for; else null.
// model: scope.pml, run_spawned()
inline stack* end_child(scope_books& owner, std::int64_t number, stack& parent, forked how) noexcept {
  if (how == forked::fenced) end_measured_child(owner);
  // To ThreadSanitizer the child comes before the sync, not before the parent's next line: that they happen to run one
  // after the other on one worker proves nothing.
  tsan_release(&owner);
  tsan_release_belongings();  // with which the parent may go on
  auto jobs = this_worker()->jobs.owner();
  if (how == forked::lightly ? jobs.take_back() : jobs.take_back_fenced()) [[likely]] return &parent;
  return owner.end_robbed(number, parent);
}

}  // namespace heist::detail

HEIST_END
