#pragma once
// A child of a scope, and the books that scope keeps. Protocol: README.md, "The scope's counters".

#include <heist/base/chaos.hpp>
#include <heist/base/export.hpp>
#include <heist/base/sanitizer.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/measured.hpp>
#include <heist/sched/unwanted.hpp>
#include <heist/sleep/parking.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class scope_books;
class seat;

// A spawn in flight, in its parent's frame: to thieves the parent's continuation.
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

// How a continuation was left in the deque, and so how its child ends.
enum class forked : unsigned char { lightly, fenced, counted };

// What became of a spawn.
enum class spawning : unsigned char {
  started,
  here,       // there is no stack for the child: call it directly
  elsewhere,  // the calling thread is not in the scope's pool: queue the child
  skipped,    // nobody wants it any more
};

// What to do with a child that waited.
enum class turn_of_child : unsigned char { run, skip };

// A child that waits in a deque or, from outside, in the pool's queue. On the heap; it deletes itself when it has run.
struct queued_child : job {
  using runner = void (*)(queued_child&, turn_of_child) noexcept;
  HEIST_API queued_child(scope_books& of, runner run_body) noexcept;

  const runner body;  // runs the function, or does not, hands a failure to its owner, deletes itself
  scope_books* const owner;
  std::int64_t number;

  // The strand that made the scope takes it back, or a thief runs it.
  void run_here() noexcept;

 private:
  void take_turn() noexcept;
  static stack* steal(job& self) noexcept;
  static constexpr kind child{&queued_child::steal};
};

// Who must arrive before a scope ends, and what they brought. The strand that made the scope counts what was stolen, in
// a plain variable; robbed children count themselves, in an atomic one. Children that nobody robs touch neither. Children
// that other strands spawn are counted in the atomic one from their spawn to their end.
//
// A child has a number, and one that is counted a flag with it. Those of the scope's own strand are numbered in spawn order;
// those of other strands come after them.
class scope_books {
 public:
  HEIST_API scope_books();  // throws what default_pool() throws
  HEIST_API explicit scope_books(std::stop_token token);
  HEIST_API ~scope_books();
  scope_books(const scope_books&) = delete;

  static constexpr std::int64_t of_others = std::int64_t{1} << 48;
  static constexpr std::int64_t counted_flag = std::int64_t{1} << 62;
  static constexpr bool is_counted(std::int64_t number) noexcept { return (number & counted_flag) != 0; }
  static constexpr std::int64_t order(std::int64_t number) noexcept { return number & ~counted_flag; }

  bool outside() const noexcept { return thread_ != nullptr; }

  // Any strand that the scope encloses. `body(&child)` runs on the child's stack: it takes the function over, calls
  // leave_parent(), runs the function, and returns what end_child() returns.
  [[nodiscard]] HEIST_API spawning start(spawned& child, on_arrival body) noexcept;
  // Any strand that the scope encloses, or a thread: leaves the child to thieves or to the pool, or runs it at once.
  HEIST_API void queue(queued_child& child) noexcept;
  // The scope's strand: all children have ended on return, perhaps on another thread.
  HEIST_API void wait() noexcept;

  // Any child, in a catch (...). Of exceptions the one with the least number is kept, and a heist::cancelled only if there is
  // no other.
  HEIST_API HEIST_COLD void fail(std::int64_t number) noexcept;
  HEIST_API std::exception_ptr take_failure() noexcept;

  // Any thread: the child with this number is not wanted any more.
  bool stops(std::int64_t number) const noexcept {
    return order(number) > first_failed_.load(std::memory_order_relaxed) || stopped_.load(std::memory_order_relaxed);
  }
  // What the strand that made the scope is a part of.
  part made_by() const noexcept { return made_by_; }

 private:
  friend struct spawned;
  friend struct queued_child;
  friend stack* end_child(scope_books&, std::int64_t, stack&, forked) noexcept;
  HEIST_API HEIST_COLD stack* end_robbed(std::int64_t number, stack& parent) noexcept;
  HEIST_API HEIST_COLD stack* end_counted(std::int64_t number, stack& parent) noexcept;
  HEIST_COLD spawning start_slowly(spawned& child, on_arrival body) noexcept;
  spawning start_counted(spawned& child, on_arrival body) noexcept;
  spawning enter_child(seat& s, stack& mine, spawned& child, on_arrival body) noexcept;
  HEIST_COLD void queue_counted(queued_child& child) noexcept;
  void run_in_pool(queued_child& child) noexcept;
  bool skip(std::int64_t number) noexcept;
  std::int64_t next_counted() noexcept;
  bool on_strand() const noexcept;
  bool at_base() const noexcept;
  void note_base() noexcept;
  bool inside_fork() const noexcept;
  void must_be_on_strand() const noexcept;
  void keep_failure(std::int64_t number, std::exception_ptr e, bool was_cancelled) noexcept;
  void close_gate() noexcept;
  void reopen() noexcept;
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
  void wait_and_run_queued(parking& bed) noexcept;

  static constexpr std::int64_t most_queued = 1024;
  static constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t awake = std::int64_t{1} << 48;
  class watch;

  // What a spawn compares its stack with: that of the scope's strand. The scope's own address where a spawn must look more
  // closely: on a native stack, after a failure or a stop, and after its end.
  std::atomic<const void*> gate_;
  scheduler* pool_;               // where children run
  const stack* home_ = nullptr;   // of the strand that made the scope; null: a native one
  const void* thread_ = nullptr;  // outside any pool: who made the scope
  const void* strand_ = nullptr;  // checked builds: the mark of the strand that made it
  // Where the strand stands when no join is open that it has begun since it made the scope: at which worker, and the next index
  // in the deque. A join that is open has pushed an item there, and be it stolen, the index is another.
  const worker* base_on_ = nullptr;  // null: not known any more
  std::int64_t base_ = 0;
  part made_by_;

  std::int64_t spawned_ = 0;     // by the scope's strand
  std::int64_t waited_for_ = 0;  // spawned_ at the last wait()
  std::int64_t stolen_ = 0;      // continuations and queued children that thieves took, as far as we know
  std::int64_t queued_ = 0;      // children in the deque, unless stolen
  std::atomic<std::int64_t> counted_{0};  // spawned by other strands since the last wait()
  // `awake`, plus arrivals of stolen children, less counted children that have not ended. After the strand has parked, less
  // stolen_ and `awake`: who brings it to 0 resumes the strand.
  std::atomic<std::int64_t> balance_{awake};
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

  std::atomic<std::int64_t> first_failed_{nobody};  // the least number of a child that has failed
  std::atomic<bool> stopped_{false};                // by the stop token
  std::atomic<bool> alarmed_{false};                // of either the pool has been told
  watch* watch_ = nullptr;                          // of the token; null: there is none

  std::mutex lock_;  // for what follows, until all have arrived
  std::int64_t failed_number_ = 0;
  bool failed_by_stop_ = false;  // it is a heist::cancelled
  std::exception_ptr failure_;
  belongings* robbed_left_ = nullptr;  // by children whose parents were stolen
  belongings* queued_left_ = nullptr;  // by children of spawn_later
};

// On the child's stack: the parent's continuation is left to thieves. The record is not the child's any more.
// model: scope.pml, run_spawned()
inline forked leave_parent(spawned& child, stack& parent, std::int64_t number) noexcept {
  tsan_release(&parent);  // up to here the child comes before the rest of its parent
  chaos::step(chaos::at::left_parent);
  worker& w = *this_worker();
  if (w.jobs.owner().push(&child)) [[likely]] return forked::lightly;
  w.tripped();
  look_at_next_fork(w);
  if (scope_books::is_counted(number)) {  // always here: start_counted() has seen to it
    begin_measured_strand();
    return forked::counted;
  }
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
  if (how != forked::lightly) [[unlikely]] {
    if (how == forked::counted) return owner.end_counted(number, parent);
    end_measured_child(owner);
  }
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
