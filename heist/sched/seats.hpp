#pragma once
// A pool's seats and threads: who sits where, who is roused. See README.md, "Seats", and sleep/README.md.

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sleep/inheritance.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class program_trace;
class scheduler;
struct pool_trace;

class seats {
 public:
  seats(scheduler& of, unsigned workers, heist::placement placed);  // all asleep; a thread is started when its seat is first roused
  ~seats();
  seats(const seats&) = delete;
  seats& operator=(const seats&) = delete;

  // For a caller from outside: a seat of the pool whose thread sleeps, or could not be started;
  // null if there is none.
  seat* take_free() noexcept;
  // The same, or a temporary seat.
  seat& take();
  // True if there was work, and a thread has been roused for it.
  bool give_back(seat& s, spot where) noexcept;

  // Any thread that has made work. Rouses a thread if one sleeps and none searches; true if it did.
  bool rouse_one(spot where = spot::beside) noexcept;

  // Ends all threads, at the end of the pool. stopping() is true from then on.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  // Any thread; hints. Whether the pool has threads; whether none can be started.
  bool any_thread() const noexcept { return threads_.load(std::memory_order_relaxed) > 0; }
  bool no_thread_can_start() const noexcept { return failures_.load(std::memory_order_relaxed) == workers_; }

  // Any thread. Whether the calling thread is one of the pool's.
  bool has_this_thread() noexcept;
  template <class F>
  void for_each(F&& f) {
    const std::lock_guard hold(lock_);
    for (seat& s : seats_) f(s);
  }
  // The only seat of a pool that nothing else uses.
  seat& only() noexcept { return seats_.front(); }

 private:
  seat& add();
  bool is_temporary(const seat& s) const noexcept { return s.index >= workers_; }
  bool call_thread(pool_thread& t, spot where) noexcept;
  void start_thread(pool_thread& t);
  void thread_main(pool_thread& t) noexcept;

  scheduler& pool_;
  const unsigned workers_;
  const heist::placement placed_;
  const inheritance inherited_;          // what the pool's threads get, whichever thread starts them
  program_trace* const program_trace_;  // null: the program is not traced
  pool_trace* const trace_;
  std::atomic<bool> stopping_{false};

  std::mutex lock_;
  std::deque<pool_thread> all_threads_;  // of each seat; grows, never shrinks
  std::deque<seat> seats_;               // the pool's own first; likewise
  std::vector<seat*> vacant_;            // temporary seats that are free
  std::vector<seat*> threadless_;        // whose thread could not be started
  std::atomic<unsigned> threads_{0};
  std::atomic<unsigned> guests_{0};    // callers on temporary seats
  std::atomic<unsigned> failures_{0};  // threads that could not be started
};

}  // namespace heist::detail

HEIST_END
