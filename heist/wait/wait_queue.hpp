#pragma once
// Those that wait for one thing, first come, first served: the queue in mutexes, semaphores, channels and futures. See README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/sched/wait.hpp>
#include <heist/sleep/short_lock.hpp>
#include <heist/wait/deadline.hpp>

#include <mutex>
#include <stop_token>

HEIST_BEGIN

namespace heist::detail {

// What has ended a wait.
enum class waking : unsigned char {
  event,     // what was waited for
  deadline,  // it came too late
  stop,      // a stop was requested before it came
};

// Whether it was the event, and not the deadline. Throws heist::cancelled if it was a stop.
HEIST_API bool has_come(waking how);

// What a wait does if its strand is unwanted, because something before it has failed, or a scope around it was stopped.
enum class if_unwanted : unsigned char {
  throws,  // heist::cancelled
  tells,   // returns waking::stop
  stays,   // in calls that must not throw
};

// The lock of the queues of the object at this address. It is not a part of the object: the one that ends the last wait may
// find the object destroyed when it releases the lock.
HEIST_API short_lock& queue_lock(const void* object) noexcept;

class wait_queue;

// One that waits; lives in its frame.
struct waiting {
  explicit waiting(const char* what, void* with = nullptr) noexcept : item(with), rest(what) {}

  // After take(), and after the lock was released: the wait is over. Touches nothing of *this afterwards.
  void resume() noexcept { rest.resume(); }

  void* item;  // what the one that waits brings, or wants filled
  wait rest;
  waking how = waking::event;
  wait_queue* in = nullptr;  // null: in none
  waiting *before = nullptr, *after = nullptr;
};

// All but await() and rest() under the queue_lock() of the object that it is in.
class wait_queue {
 public:
  bool empty() const noexcept { return first_ == nullptr; }
  waiting* first() const noexcept { return first_; }
  void push(waiting& w) noexcept;
  void push_front(waiting& w) noexcept;
  void remove(waiting& w) noexcept;
  // The first, removed; null if there is none. When the lock is released, call its resume().
  HEIST_API waiting* take() noexcept;

  // Holding the lock: `w` queues up, and the lock is released. Returns when somebody has taken `w` and resumed it, or,
  // at the deadline or a stop, when it has left the queue by itself. The lock is not held then. A strand may return on
  // another thread. Throws heist::cancelled if the strand is unwanted.
  HEIST_API waking await(waiting& w, std::unique_lock<short_lock>& hold, nanoseconds deadline = never,
                         const std::stop_token& token = {}, if_unwanted then = if_unwanted::throws);
  // The rest of await(): `w` was pushed under the lock, which is not held any more.
  HEIST_API static waking rest(waiting& w, short_lock& lock, nanoseconds deadline = never,
                               const std::stop_token& token = {}, if_unwanted then = if_unwanted::throws);

 private:
  waiting *first_ = nullptr, *last_ = nullptr;
};

// Several that were taken together, to be resumed in that order when the lock is released.
class woken_list {
 public:
  void add(waiting& w) noexcept {
    w.after = nullptr;
    (first_ == nullptr ? first_ : last_->after) = &w;
    last_ = &w;
  }
  // Under the lock: all that are in the queue, which is empty then.
  void add_all(wait_queue& q) noexcept {
    while (waiting* const w = q.take()) add(*w);
  }
  void resume_all() noexcept {
    while (first_ != nullptr) {
      waiting& w = *first_;
      first_ = w.after;  // before it may be gone
      w.resume();
    }
  }

 private:
  waiting *first_ = nullptr, *last_ = nullptr;
};

}  // namespace heist::detail

HEIST_END
