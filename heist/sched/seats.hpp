#pragma once
// A pool's seats and threads: who sits where, who is roused. See README.md, "Seats", and sleep/README.md.

#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/roster.hpp>
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

// A job for one of a pool's workers.
struct letter {
  const pool_thread* to;
  job* what;
  fp_mode mode;
  void (*unread)(job&) noexcept;  // instead, if the thread cannot be started
};

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

  // Any thread. From now on so many workers are wanted. Idle threads that are too many leave at once, busy ones as soon as
  // they can. Throws std::bad_alloc if there is no memory for more.
  void resize(unsigned workers);
  unsigned workers() const noexcept { return roster_.workers(); }
  // On how many processors its threads may run: the most that one of them may.
  unsigned most_processors() noexcept;
  // A thread of the pool: threads that start later may run where it may.
  void start_like_me() noexcept;

  // Any thread: the threads in service.
  std::vector<pool_thread*> in_service();
  // Any thread that is not in the pool. The thread takes the job at its next search, before anything else; if it sleeps, it
  // is roused. False if it is no longer in service. If its thread cannot be started, unread(j) is called instead, under the
  // lock of the seats. See README.md, "Mail".
  bool send(pool_thread& t, job& j, fp_mode mode, void (*unread)(job&) noexcept) noexcept;
  // Sitter only: the next job sent to it; null if there is none.
  job* take_mail(pool_thread& t) noexcept;

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

  // Ends all threads, at the end of the pool. stopping() is true from then on.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }

  // Any thread; hints. Whether the pool has threads; whether none can be started.
  bool any_thread() const noexcept { return threads_.load(std::memory_order_relaxed) > 0; }
  bool no_thread_can_start() const noexcept { return failures_.load(std::memory_order_relaxed) >= roster_.serving(); }

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

 private:
  pool_thread& add(role as);
  seat& make_seat(pool_thread& sitter);
  seat& spare_seat();
  void recruit();
  bool leaves(pool_thread& t) noexcept;
  void dismiss(pool_thread& t) noexcept;
  void dismiss_idle() noexcept;
  // Threads have been listed as asleep: is there work for one?
  bool rouse_if_needed(spot where) noexcept;
  void wait_in_reserve(pool_thread& t) noexcept;
  bool wake(pool_thread& t, spot where) noexcept;
  bool call_thread(pool_thread& t, spot where) noexcept;
  void start_thread(pool_thread& t);
  void thread_main(pool_thread& t) noexcept;
  void rouse_for_mail(pool_thread& t) noexcept;
  void return_mail(pool_thread& t) noexcept;
  void ask_to_leave() noexcept;

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
  roster roster_;
  std::deque<pool_thread> all_threads_;   // in the order in which they were made; grows, never shrinks
  std::deque<seat> seats_;                // likewise; at least as many
  std::vector<seat*> spare_;              // seats at which nobody sits, and which nobody has left
  std::vector<pool_thread*> vacant_;      // temporary places that are free
  std::vector<pool_thread*> threadless_;  // threads that could not be started
  std::deque<letter> mail_;               // for workers; under lock_
  unsigned made_ = 0;                     // threads of its own; under lock_
  bool said_ = false;                     // that threads cannot be started; under lock_
  std::atomic<unsigned> threads_{0};
  std::atomic<unsigned> guests_{0};    // callers on temporary seats
  std::atomic<unsigned> failures_{0};  // threads that could not be started
};

}  // namespace heist::detail

HEIST_END
