#pragma once
// How many of a pool's threads serve: they are recruited, dismissed, replaced, and wait in reserve. See protocols/workers.md.

#include <heist/base/export.hpp>
#include <heist/sched/roster.hpp>

#include <cstddef>

HEIST_BEGIN

namespace heist::detail {

class pool_thread;
class scheduler;

class service {
 public:
  service(scheduler& of, unsigned workers, unsigned most_blocked) noexcept : pool_(of), roster_(workers, most_blocked) {}

  // Any thread. From now on so many workers are wanted. Idle threads that are too many leave at once, busy ones as soon as
  // they can. Throws std::bad_alloc if there is no memory for more.
  void resize(unsigned workers);
  unsigned workers() const noexcept { return roster_.workers(); }
  // A hint.
  unsigned serving() const noexcept { return roster_.serving(); }

  // Any thread, for a thread of the pool that is blocked: another one takes its place. False if there are too many already,
  // or there is no memory. And when the blocked one works again: a thread is too many.
  bool replace() noexcept;
  void end_replacement() noexcept;
  // The timers' thread, when there is work that no caller does. If callers have the places of threads, and nobody else is
  // free, one more thread serves until such a place comes back.
  void relieve() noexcept;

  // Any thread; a hint. Whether there is a thread too many.
  bool too_many() const noexcept { return roster_.too_many(); }
  // A thread without a strand: true if it is one too many. Then it goes home, to wait in reserve.
  bool retires(pool_thread& t) noexcept;
  // At home.
  void wait_in_reserve(pool_thread& t) noexcept;

  // For `seats`, under its lock. Room for so many threads in reserve. Throws std::bad_alloc.
  void expect(std::size_t threads) { roster_.expect(threads); }
  // The thread serves. It sleeps, so the caller must ask and look. Throws std::bad_alloc.
  void enter(pool_thread& t);
  // A caller has given back the place of a thread.
  void end_relief() noexcept { roster_.end_relief(); }
  // Whether the thread is one too many, and goes. It stays for its mail.
  bool leaves(pool_thread& t) noexcept;
  // One that sleeps, or has no thread, goes into reserve. It is not listed as asleep.
  void dismiss(pool_thread& t) noexcept;

 private:
  void recruit();
  void dismiss_idle() noexcept;
  void ask_to_leave() noexcept;

  scheduler& pool_;
  roster roster_;  // under the lock of the seats
};

}  // namespace heist::detail

HEIST_END
