#pragma once
// How many threads of a pool are in service, and which are in reserve. See protocols/workers.md.

#include <heist/base/export.hpp>

#include <atomic>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class pool_thread;

// A thread in service sleeps, searches, works, is blocked, or has lent its place to a caller. The others are in reserve.
// Everything is under the lock of the seats, unless it says otherwise.
class roster {
 public:
  roster(unsigned workers, unsigned most_blocked) noexcept : workers_(workers), most_blocked_(most_blocked) {}

  // Any thread; hints. How many workers are wanted; how many threads are in service; whether that is too many.
  unsigned workers() const noexcept { return workers_.load(std::memory_order_relaxed); }
  unsigned serving() const noexcept { return serving_.load(std::memory_order_relaxed); }
  bool too_many() const noexcept { return surplus_.load(std::memory_order_relaxed) > 0; }

  void want(unsigned workers) noexcept;
  // There is no memory for more: those in service are enough.
  void want_no_more() noexcept { want(serving() > extra() ? serving() - extra() : 1); }
  // A thread in service is blocked, so another one is wanted in its place; and when it works again. False if too many are
  // blocked already.
  bool begin_block() noexcept;
  void end_block() noexcept;
  // Callers have the places of so many threads, and there is work that no caller does: one more thread is wanted. False if
  // that many have been replaced already. And when a place comes back.
  bool begin_relief(unsigned lent) noexcept;
  void end_relief() noexcept;

  bool too_few() const noexcept { return serving() < workers() + extra(); }
  // One more thread serves. Then it must do so.
  void enter() noexcept;
  // One that serves is to go: true if it must. Then it stops at once, and is added to the reserve as soon as it has.
  bool leave() noexcept;

  // Room for the return of all threads, of which there are so many. Throws std::bad_alloc.
  void expect(std::size_t threads) { reserve_.reserve(threads); }
  void add(pool_thread& to_reserve) noexcept { reserve_.push_back(&to_reserve); }
  // Null if there is none.
  pool_thread* recall() noexcept;

 private:
  unsigned extra() const noexcept { return blocked_ + relieved_; }
  void reckon() noexcept;

  std::atomic<unsigned> workers_;
  const unsigned most_blocked_;
  unsigned blocked_ = 0;   // … whose places others have taken
  unsigned relieved_ = 0;  // the same for those that have lent their places to callers
  std::atomic<unsigned> serving_{0};
  std::atomic<unsigned> surplus_{0};
  std::vector<pool_thread*> reserve_;
};

}  // namespace heist::detail

HEIST_END
