#pragma once
// The books that a scope keeps of its children. Protocol: protocols/scopes.md.

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>
#include <heist/sched/arrivals.hpp>
#include <heist/sched/failures.hpp>
#include <heist/sched/fork.hpp>
#include <heist/sched/leavings.hpp>
#include <heist/sched/place.hpp>
#include <heist/sched/scope_limit.hpp>
#include <heist/sched/spawned.hpp>
#include <heist/sched/travel.hpp>
#include <heist/stack/stack.hpp>

#include <atomic>
#include <cstdint>
#include <cstddef>
#include <exception>
#include <memory>
#include <stop_token>

HEIST_BEGIN

namespace heist::detail {

class seat;

// What became of a spawn.
enum class spawning : unsigned char {
  started,
  here,       // there is no stack for the child: call it directly
  elsewhere,  // the calling thread is not in the scope's pool: queue the child
  limited,    // the scope has a limit: the child needs a lane
  skipped,    // nobody wants it any more
};

// Each child has a number; a counted child's has a flag, too. Children of the scope's own strand
// are numbered in spawn order; those of other strands come after them.
class scope_books {
 public:
  HEIST_API scope_books();  // throws what default_pool() throws
  HEIST_API explicit scope_books(std::stop_token token);
  HEIST_API ~scope_books();
  scope_books(const scope_books&) = delete;
  scope_books& operator=(const scope_books&) = delete;

  static constexpr std::int64_t of_others = std::int64_t{1} << 48;
  static constexpr std::int64_t counted_flag = std::int64_t{1} << 62;
  static constexpr bool is_counted(std::int64_t number) noexcept { return (number & counted_flag) != 0; }
  static constexpr std::int64_t order(std::int64_t number) noexcept { return number & ~counted_flag; }

  bool outside() const noexcept { return place_.outside(); }

  // Any strand that the scope encloses. `body(&child)` runs on the child's stack: run_spawned().
  [[nodiscard]] HEIST_API spawning start(spawned& child, on_arrival body) noexcept;
  // The same for a lane of a scope with a limit.
  [[nodiscard]] HEIST_API spawning start_lane(spawned& child, on_arrival body) noexcept;
  // Any strand that the scope encloses, or any thread: leaves the child to thieves or to the pool,
  // or runs it at once.
  HEIST_API void queue(queued_child& child, journeys travels = journeys::none) noexcept;
  // The scope's strand: all children have ended on return, perhaps on another thread.
  HEIST_API void wait() noexcept;

  // Any child, in a catch (...). Keeps the exception of the child with the lowest number, and a
  // heist::cancelled only if there is no other.
  HEIST_API HEIST_COLD void fail(std::int64_t number) noexcept;
  HEIST_API std::exception_ptr take_failure() noexcept;

  // The scope's strand, before the first spawn: at most so many children run at once.
  HEIST_API void limit_to(std::size_t most);
  scope_limit* limited() const noexcept { return limit_.get(); }

  // Any thread. Whether the child with this number is no longer wanted.
  bool stops(std::int64_t number) const noexcept { return failures_.stops(order(number)); }
  // What the strand that made the scope is a part of.
  part made_by() const noexcept { return made_by_; }
#if defined(HEIST_CHECKED)
  // The mark of the strand that waits in wait(); null: none does.
  const void* synced_by() const noexcept { return synced_by_.load(); }
#endif

 private:
  friend struct spawned;
  friend struct queued_child;
  friend class this_child;
  class watch;

  // Children that run at once.
  stack* end_counted(std::int64_t number) noexcept;
  HEIST_COLD spawning start_slowly(spawned& child, on_arrival body) noexcept;
  spawning start_in_pool(spawned& child, on_arrival body) noexcept;
  spawning start_counted(spawned& child, on_arrival body) noexcept;
  // Children that wait.
  HEIST_COLD void queue_counted(queued_child& child) noexcept;
  void run_queued() noexcept;
  // Whether they are wanted.
  bool skip(std::int64_t number) noexcept;
  void close_gate() noexcept;
  void reopen() noexcept;
  // What they leave, when all have arrived.
  void collect();

  static constexpr std::int64_t most_queued = 1024;

  // What a spawn compares its stack with: the stack of the scope's strand. It is the scope's own
  // address if a spawn must take the slow path: on a native stack, after a failure or a stop, and
  // after the scope's end.
  std::atomic<const void*> gate_;
  place_of_scope place_;
  part made_by_;

  std::int64_t spawned_ = 0;     // by the scope's strand
  std::int64_t waited_for_ = 0;  // spawned_ at the last wait()
  std::int64_t queued_ = 0;      // children in the deque, unless stolen
  std::atomic<std::int64_t> counted_{0};  // spawned by other strands since the last wait()

  arrivals arrivals_;
  failures failures_;
  leavings leavings_;

  std::atomic<bool> alarmed_{false};  // the pool has been told of a failure or a stop
  watch* watch_ = nullptr;            // of the token; null: there is none
  sole<scope_limit> limit_;  // null: there is none
#if defined(HEIST_CHECKED)
  friend class open_scopes;
  scope_books* outer_ = nullptr;  // the scope that its strand has made before it, if that is still there
  std::atomic<const void*> synced_by_{nullptr};
#endif
};

// A child that has no stack of its own.
struct child_apart {
  scope_books& owner;
  std::int64_t number;

  void fail() const noexcept { owner.fail(number); }
  const scope_books* scope() const noexcept { return &owner; }
};

}  // namespace heist::detail

HEIST_END
