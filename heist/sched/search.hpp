#pragma once
// What a worker does when it has nothing to do: search, back off, sleep. The protocol is in sleep/README.md.

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/options.hpp>
#include <heist/sched/pool_thread.hpp>
#include <heist/sched/victims.hpp>
#include <heist/strand/seat.hpp>
#include <heist/topology/shape.hpp>

HEIST_BEGIN

namespace heist::detail {

class scheduler;

class search {
 public:
  search(scheduler& of, const options& wanted)
      : pool_(of),
        time_(wanted.search_time.count()),
        most_backoff_(wanted.most_backoff),
        how_(wanted.steal),
        pool_feedback_(wanted.share == heist::share::feedback),
        shape_(wanted.victims == heist::victims::near ? &machine_shape::get() : machine_shape::of_several_nodes()),
        near_(wanted.victims == heist::victims::near && !shape_->flat()) {}

  // What a worker has found: a job to run, or a strand that can go on; or neither.
  struct catch_of {
    job* what = nullptr;
    wait* ready = nullptr;
    explicit operator bool() const noexcept { return what != nullptr || ready != nullptr; }
  };

  // Sitter only: one look at everything that there may be.
  catch_of look_around(pool_thread& t) noexcept;

  // So many strands go on in a row before an injected job comes first.
  static constexpr unsigned most_in_a_row = 8;

  // A thread from outside at a seat of its own: takes the oldest branch that can travel, of some seat. What lies above it goes
  // to the pool's queue. Null if there is none.
  job* rob_traveller(pool_thread& thief) noexcept;

  // At a seat without work: runs what is found, until that yields a stack to continue on. Null if
  // there is nothing to do: then go home.
  static stack* work() noexcept;
  // Pool thread, at home. Returns when the thread searches again.
  void sleep(pool_thread& t) noexcept;
  // The thread was roused, and is already counted as a searcher.
  static void get_up(pool_thread& t) noexcept;

  // If feedback is on: the thread begins to work, and has stopped.
  void clock_in(pool_thread& t) noexcept {
    if (pool_feedback_) start_clock(t);
  }
  void clock_out(pool_thread& t) noexcept {
    if (pool_feedback_) stop_clock(t);
  }

  // The thread is about to work on what it has stolen or brought.
  void begin_work(pool_thread& t) noexcept;
  // Its first fork tells those that sleep, and is shared with those that search.
  void invite(pool_thread& t) noexcept;

  // After a worker has been listed as asleep: asks every worker to wake a sleeper at its next fork.
  // True if there may be work that was pushed before.
  bool ask_and_look() noexcept;
  // A guess: whether there is something to steal, or something is queued.
  bool work_in_sight() noexcept;

  // The thread itself, when it begins to search, or a caller that takes its place: for thieves that look at distances.
  void note_processor(pool_thread& t) const noexcept {
    if (shape_ != nullptr) t.seen_on.set(::sched_getcpu());
  }

  bool on_several_nodes() const noexcept { return shape_ != nullptr && shape_->several_nodes(); }
  nanoseconds time() const noexcept { return time_; }  // how long a worker searches before it sleeps

 private:
  catch_of find(pool_thread& t) noexcept;
  void end_search() noexcept;
  // One that the thread has stolen along with another; null: none.
  job* take_from_stock(pool_thread& t) noexcept;
  // Null: none. The second only when enough strands have gone on in a row.
  job* take_injected(pool_thread& t) noexcept;
  job* take_injected_in_turn(pool_thread& t) noexcept;
  // The job begins at the thread's seat, on its own terms.
  job* accept(pool_thread& t, const stolen_job& j) noexcept;
  // Another seat than the thief's own, of two or more.
  seat& choose(pool_thread& thief, const victim_list::view& among) const noexcept;
  void start_clock(pool_thread& t) noexcept;
  void stop_clock(pool_thread& t) noexcept;
  static void judge_catch(pool_thread& t) noexcept;
  nanoseconds patience(const pool_thread& t) const noexcept;
  void rest(pool_thread& t) noexcept;

  static constexpr unsigned most_fruitless = 16;
  static constexpr int most_moved = 8;  // jobs of one seat that make way for one that can travel

  scheduler& pool_;
  const nanoseconds time_;
  const unsigned most_backoff_;
  const heist::steal how_;
  const bool pool_feedback_;
  const machine_shape* const shape_;  // null: all victims are on one node, and none is preferred
  const bool near_;                   // some are
};

}  // namespace heist::detail

HEIST_END
