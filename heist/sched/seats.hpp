#pragma once
// A pool's seats and threads: who sits where, who is roused. How many threads there are is the business of `service`.
// See protocols/callers.md, "Seats", and sleep/README.md.

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/mail.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sleep/inheritance.hpp>
#include <heist/sleep/placement.hpp>
#include <heist/strand/seat.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

HEIST_BEGIN

namespace heist::detail {

class program_trace;
class scheduler;
struct pool_trace;

class seats {
 public:
  seats(scheduler& of, const options& wanted, unsigned workers);  // all asleep; a thread is started when its seat is first roused
  ~seats();
  seats(const seats&) = delete;
  seats& operator=(const seats&) = delete;

  // For a caller from outside: the place of a thread of the pool that sleeps, or could not be
  // started, with its seat; null if there is none.
  pool_thread* take_free() noexcept;
  // The same, or a temporary place.
  pool_thread& take();
  // True if there was work, and a thread has been roused for it.
  bool give_back(pool_thread& t, spot where) noexcept;

  // Sitter only. Leaves its seat as it is, listed among the victims, and sits down at another one.
  void leave(pool_thread& t) noexcept;
  // Sitter only, with an empty deque. Sits down at `s`, which is listed and nobody's; its own seat becomes spare.
  void sit(pool_thread& t, seat& s) noexcept;
  // The seat is nobody's, and its deque is empty: it becomes spare.
  void retire(seat& s) noexcept;
  // Pool thread, with nothing in its deque: sits down at another seat.
  void change(pool_thread& t) noexcept;

  // Any thread that has made work. Rouses a thread if one sleeps and none searches; true if it did.
  bool rouse_one(spot where = spot::beside) noexcept;

  // On how many processors its threads may run: the most that one of them may.
  unsigned most_processors() noexcept;
  // A thread of the pool: threads that start later may run where it may.
  void start_like_me() noexcept;

  // Any thread: the threads in service.
  std::vector<pool_thread*> in_service();
  // Any thread that is not in the pool. The thread takes the job at its next search, before anything else; if it sleeps, it
  // is roused. False if it is no longer in service. If its thread cannot be started, unread(j) is called instead, under the
  // lock of the seats. See protocols/mail.md.
  bool send(pool_thread& t, job& j, fp_mode mode, void (*unread)(job&) noexcept) noexcept;
  // Sitter only: the next job sent to it; null if there is none.
  job* take_mail(pool_thread& t) noexcept;

  // Ends all threads, at the end of the pool. stopping() is true from then on.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  // Any thread; hints. Whether the pool has threads; whether none can be started.
  bool any_thread() const noexcept { return threads_.load(std::memory_order_relaxed) > 0; }
  bool no_thread_can_start() const noexcept;

  // Any thread; a hint unless the caller's own seat is listed. Whether all threads in service sleep, no caller is here and
  // nothing is queued.
  bool all_rest() const noexcept;

  // Any thread. Whether the calling thread is one of the pool's.
  bool has_this_thread() noexcept;
  // Every thread, and every temporary place.
  template <class F>
  void for_each(F&& f) {
    const std::lock_guard hold(lock_);
    for (const pool_thread& t : all_threads_) f(t);
  }
  const inheritance& inherited() const noexcept { return inherited_; }
  // The only seat of a pool that nothing else uses.
  seat& only() noexcept { return seats_.front(); }

  // For `service`: threads have been listed as asleep: is there work for one?
  bool rouse_if_needed(spot where) noexcept;
  // The same, under this lock.
  std::mutex& lock() noexcept { return lock_; }
  pool_thread& add(role as);
  // A thread that could not be started, which is then listed nowhere; null if there is none.
  pool_thread* take_threadless() noexcept;
  // One that was just taken off the list of sleepers is to run as soon as its bed is posted. False if it cannot be started.
  bool call_thread(pool_thread& t, spot where) noexcept;
  // A thread that sleeps, or could not be started, goes into reserve.
  void stand_down(pool_thread& t) noexcept;
  // How many threads in service have lent their places to callers.
  unsigned lent() const noexcept;

 private:
  seat& make_seat(pool_thread& sitter);
  seat& spare_seat();
  bool wake(pool_thread& t, spot where) noexcept;
  void start_thread(pool_thread& t);
  void thread_main(pool_thread& t) noexcept;
  void touch_first(seat& s) noexcept;
  void rouse_for_mail(pool_thread& t) noexcept;

  scheduler& pool_;
  const heist::placement placed_;
  const std::string name_;
  const thread_handler on_start_, on_stop_;
  const std::vector<int> bound_to_;      // workers 0, 1, … in turn; empty: they are not
  const inheritance inherited_;          // what the pool's threads get, whichever thread starts them
  const std::uint64_t seed_;  // of the threads' dice
  program_trace* const program_trace_;  // null: the program is not traced
  pool_trace* const trace_;
  std::optional<cpu_set_t> processors_;  // of new threads, if that has changed; under lock_
  std::atomic<bool> stopping_{false};

  std::mutex lock_;
  std::deque<pool_thread> all_threads_;   // in the order in which they were made; grows, never shrinks
  std::deque<seat> seats_;                // likewise; at least as many
  std::vector<seat*> spare_;              // seats at which nobody sits, and which nobody has left
  std::vector<pool_thread*> vacant_;      // temporary places that are free
  std::vector<pool_thread*> threadless_;  // threads that could not be started
  mail mail_;                             // for workers; under lock_
  unsigned made_ = 0;                     // threads of its own; under lock_
  bool said_ = false;                     // that threads cannot be started; under lock_
  std::atomic<unsigned> threads_{0};
  std::atomic<unsigned> guests_{0};    // callers on temporary seats
  std::atomic<unsigned> failures_{0};  // threads that could not be started
};

}  // namespace heist::detail

HEIST_END
