/* The scope's counters. Stands for heist/sched/scope_books.cpp: scope_books::start(), wait(); for parked() and
   blocked() in heist/sched/scope_wait.cpp; for end_robbed() in heist/sched/this_child.cpp; for arrive() and expect_last() in heist/sched/arrivals.cpp; for spawned::steal() in
   heist/sched/spawned.cpp; for leave_parent() and end_child() in heist/sched/this_child.hpp and the child's side of
   spawn_from() in heist/scope.hpp; with -DLATER queue(), run_queued() and queued_child::steal().

   Strand 1 makes a scope, spawns children 1 and 2, syncs, spawns child 3, syncs, and the scope is gone. Each child is a
   strand of its own (2, 3, 4). Spawning switches to the child, which leaves its parent's continuation to thieves; a
   thief goes on with the parent. With -DLATER children 1 and 2 are queued instead (child 2 by way of the reckoning in
   queue(), as if one were the most that may wait), and child 3 is spawned while what is left of them is still queued.
   With -DNESTED the scope's strand spawns child 1 only and syncs; child 1 spawns child 2 into the same scope, and child 2
   spawns child 3: counted children, scope_books::start_counted() and end_counted().
   Where no stack is to be had (any time) the parent waits on its thread's bed.

   Bounds: three children, three workers (two with -DWORKERS=2), one scope.

   Checked: each child runs once and before the sync that waits for it returns; nobody goes on with a stack that is in
   use; nobody but the strand touches the books once the strand may go on, which is shown by the scope's end: whoever
   touches them later finds them gone; nobody waits for ever. */

#ifndef WORKERS
#define WORKERS 3
#endif
#define JOBS 4
#define STRANDS 4
#include "strands.pml"

#define PARENT 1
#define child_strand(c) ((c) + 1)
#define rest_of(strand) (JOBS + (strand) - PARENT)  /* its continuation, as it lies in a deque */
#ifdef MUTANT_UNBIASED
#define AWAKE 0
#else
#define AWAKE 20
#endif

/* scope_books */
bit books = 1;               /* they exist */
byte stolen, queued;
short balance = AWAKE;
byte parked_, has_bed, bed;
bit has_counted;             /* counted_ is not 0 */
#define touch_books() assert(books)

bit record[4];               /* spawned: the record of child c, in its parent's frame */
byte runs[4];
byte at;                     /* where the parent stands: an index into its program */
bit waiting;                 /* it is inside wait() */
bit finished;

#ifdef NESTED
bit spawned_on[4];           /* child c has spawned child c + 1 */
#define is_queue(i) (0)
#define is_spawn(i) (i == 0)
#define is_sync(i) (i == 1)
#define child_of(i) (1)
#define END 2
#define must_have_run(i) (runs[1] == 1 && runs[2] == 1 && runs[3] == 1)
#else
#ifdef LATER
#define is_queue(i) (i == 0 || i == 1)
#define is_spawn(i) (i == 2)
#define is_sync(i) (i == 3)
#define child_of(i) (i + 1)
#define END 4
#define must_have_run(i) (runs[1] == 1 && runs[2] == 1 && runs[3] == 1)
#else
#define is_queue(i) (0)
#define is_spawn(i) (i == 0 || i == 1 || i == 3)
#define is_sync(i) (i == 2 || i == 4)
#define child_of(i) (i == 3 -> 3 : i + 1)
#define END 5
#define must_have_run(i) (runs[1] == 1 && runs[2] == 1 && (i < 4 || runs[3] == 1))
#endif
#endif

inline run_child(c) { d_step { runs[c]++; assert(runs[c] == 1) } }

/* arrivals::arrive(), on worker w */
inline arrive(w) {
  d_step { touch_books(); last = (balance == -1); balance++ };
  if
  :: last ->
     d_step { touch_books(); last = has_bed };
     if
     :: last -> bed = 1
     :: else -> d_step { touch_books(); go_on(w, parked_) }
     fi
  :: else
  fi;
  last = 0
}

/* arrivals::expect_last(): last: all are here already */
inline expect_last() {
#ifdef MUTANT_STOLEN_READ_AFTER
  /* return balance_.fetch_sub(stolen_ + awake) == stolen_ + awake: the right side may be read last */
  d_step { touch_books(); before = balance; balance = balance - stolen - AWAKE };
  d_step { touch_books(); last = (before == stolen + AWAKE); before = 0 }
#else
  d_step { touch_books(); before = stolen + AWAKE };
  d_step { touch_books(); last = (balance == before); balance = balance - before; before = 0 }
#endif
}

/* scope_books::run_queued(): takes back what is left, child 2 first */
inline run_queued(w) {
  do
  :: queued > 0 ->
     d_step {
       if
       :: deque[w].n > 0 -> deque[w].n--; j = deque[w].at[deque[w].n]; deque[w].at[deque[w].n] = 0;
          assert(j < JOBS)
       :: else -> stolen = stolen + queued; queued = 0
       fi
     };
     if
     :: j != 0 -> run_child(j); d_step { j = 0; queued-- }
     :: else
     fi
  :: else -> break
  od
}

/* scope_books::wait() */
inline sync(w) {
  run_queued(w);
  if
  :: stolen == 0 && !has_counted -> d_step { assert(must_have_run(at)); waiting = 0; at++ }
  :: else ->
#ifdef MUTANT_BALANCE_RESET_EARLY
     balance = AWAKE;
#endif
     if
     :: balance == stolen + AWAKE -> skip
     :: balance != stolen + AWAKE ->
        if
        :: true ->
           /* scope_wait::parked(): switch, then reckon, off the parked stack */
#ifdef MUTANT_RECKONED_BEFORE_SWITCH
           parked_ = PARENT;
           expect_last();
           d_step { assert(deque[w].n == 0); leave_stack(w, PARENT) };
#else
#ifdef MUTANT_PARKED_WRITTEN_LATE
           d_step { assert(deque[w].n == 0); leave_stack(w, PARENT) };
           expect_last();
           d_step { touch_books(); parked_ = PARENT };
#else
           parked_ = PARENT;
           d_step { assert(deque[w].n == 0); leave_stack(w, PARENT) };
           expect_last();
#endif
#endif
           if
           :: last -> d_step { go_on(w, PARENT); last = 0 }
           :: else
           fi
        :: true ->
           /* scope_wait::blocked() */
           has_bed = 1;
           expect_last();
           if
           :: last -> last = 0
           :: else -> bed == 1; bed = 0
           fi;
           has_bed = 0
        fi
     fi
  fi
}

/* After the wait, by whoever runs the strand then. */
inline after_sync() {
  d_step {
    touch_books();
    assert(must_have_run(at));
    stolen = 0;
    has_counted = 0;
    balance = AWAKE;
    at++
  }
}

/* The parent's next step, on worker w. */
inline run_parent(w) {
  if
  :: is_queue(at) ->
     /* scope_books::queue(), with most_queued == 1 */
     if
     :: queued >= 1 && deque[w].n >= 1 -> run_child(child_of(at)); at++
     :: else ->
        d_step {
          if :: queued >= 1 -> stolen = stolen + queued - deque[w].n; queued = deque[w].n :: else fi;
          queued++;
          push_bottom(w, child_of(at));
          at++
        }
     fi
  :: is_spawn(at) ->
     /* scope_books::start(): the child's stack, then the switch */
     d_step { c = child_of(at); record[c] = 1; at++ };
#ifdef MUTANT_PUSHED_BEFORE_SWITCH
     d_step { push_bottom(w, rest_of(PARENT)) };
#endif
     d_step { leave_stack(w, PARENT); running[w] = child_strand(c); c = 0 }
  :: is_sync(at) && !waiting -> waiting = 1; sync(w)
  :: is_sync(at) && waiting -> waiting = 0; after_sync()
  :: at == END -> d_step { books = 0; finished = 1; running[w] = NOBODY }
  fi
}

#ifdef NESTED
#define is_counted(c) (c > 1)
#define parent_of(c) (c == 1 -> PARENT : child_strand(c - 1))
#else
#define is_counted(c) (0)
#define parent_of(c) (PARENT)
#endif

/* The count of a child that another strand than the scope's spawns. */
inline count_child() { d_step { touch_books(); balance--; has_counted = 1 } }

/* spawn_from(): what runs on the child's stack, and end_child() or end_counted() */
inline run_spawned(w) {
  c = running[w] - 1;
#ifdef NESTED
  if
  :: spawned_on[c] -> skip                                /* it goes on after the child that it spawned */
  :: else -> begin_spawned(w)
  fi;
  if
  :: c < 3 && !spawned_on[c] ->
     /* start_counted(): this strand's stack is left for the next child's */
     spawned_on[c] = 1;
#if !defined(MUTANT_COUNTED_LATE) && !defined(MUTANT_COUNTED_BY_THIEF)
     count_child();
#endif
     d_step { leave_stack(w, child_strand(c)); record[c + 1] = 1; running[w] = child_strand(c + 1) }
  :: else -> end_spawned(w)
  fi;
#else
  begin_spawned(w);
  end_spawned(w);
#endif
  ours = 0; c = 0
}

inline begin_spawned(w) {
  assert(record[c]);                                      /* owner, parent, number, function: read before the push */
#ifndef MUTANT_PUSHED_BEFORE_SWITCH
  d_step { push_bottom(w, rest_of(parent_of(c))) };       /* leave_parent(): after the switch */
#endif
#ifdef MUTANT_COUNTED_LATE
  if :: is_counted(c) -> count_child() :: else fi;
#endif
  run_child(c);
#ifdef MUTANT_RECORD_READ_LATE
  assert(record[c]);
#endif
}

inline end_spawned(w) {
  d_step {
    pop_bottom(w, rest_of(parent_of(c)), ours);
    if :: ours -> running[w] = NOBODY; record[c] = 0 :: else fi
  };
  if
  :: ours && is_counted(c) ->
#ifndef MUTANT_COUNTED_BY_THIEF
     d_step { touch_books(); assert(balance != -1); balance++ };
#endif
     d_step { go_on(w, parent_of(c)) }
  :: ours && !is_counted(c) -> d_step { go_on(w, parent_of(c)) }
  :: else ->
#ifdef MUTANT_ROBBED_CHILD_COUNTS
     d_step { touch_books(); stolen++ };
#endif
     d_step { running[w] = NOBODY };
     arrive(w)
  fi
}

/* What a thief does with what it has: a strand's continuation, whose record says which child it left, or a queued child. */
inline run_catch(w) {
  if
#ifdef NESTED
  :: j > JOBS ->
     /* spawned::steal() of a counted child's record */
#ifdef MUTANT_COUNTED_BY_THIEF
     count_child();
#endif
     d_step { go_on(w, j - JOBS + PARENT); record[j - JOBS + 1] = 0 }
#endif
  :: j == JOBS ->
     /* spawned::steal() */
#ifndef MUTANT_ROBBED_CHILD_COUNTS
     d_step { touch_books(); stolen++ };
#endif
     d_step { go_on(w, PARENT); record[1] = 0
#ifndef NESTED
       ; record[2] = 0; record[3] = 0
#endif
     }
  :: else ->
     /* queued_child::steal() */
     run_child(j);
     arrive(w)
  fi;
  j = 0
}

proctype worker(byte w) {
  byte j, c;
  short before;
  bit ours, last;
end:
  do
  :: running[w] == PARENT -> run_parent(w)
  :: running[w] > PARENT -> run_spawned(w)
  :: atomic { running[w] == NOBODY && w != 0 && deque[0].n > 0 -> d_step { steal_top(0, j) } } -> run_catch(w)
  :: atomic { running[w] == NOBODY && w != 1 && deque[1].n > 0 -> d_step { steal_top(1, j) } } -> run_catch(w)
#if WORKERS > 2
  :: atomic { running[w] == NOBODY && w != 2 && deque[2].n > 0 -> d_step { steal_top(2, j) } } -> run_catch(w)
#endif
  od
}

init {
  atomic {
    running[0] = PARENT;
    run worker(0);
    run worker(1);
#if WORKERS > 2
    run worker(2)
#endif
  }
  finished
}
