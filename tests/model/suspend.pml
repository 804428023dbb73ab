/* Suspend and resume of stolen branches. Stands for heist/sched/fork.cpp: reclaim(), park_in(), run_stolen(),
   finish(); for suspend() in heist/sched/suspend.cpp; and for the caller and its root in heist/sched/callers.cpp:
   callers::run(), under_way::begin_wait() and under_way::run().

   One strand, which a caller from outside (worker 0) brings: join(f, g1) whose f is join(·, g2) and then join(·, g3):

       push 1 · push 2 · reclaim 2 · push 3 · reclaim 3 · reclaim 1 · the root ends

   The caller works on nothing else; the other workers steal, run branches, and go on with the strand when they end the
   last branch it waits for. Where no stack is to be had (any time) the strand waits on its thread's bed.

   Bounds: three branches, one caller, two thieves (one with -DWORKERS=2).

   Checked: a branch runs once, and its thief finds its kind; nobody goes on with a stack that is in use; nobody touches a
   branch or a waiter whose frame is gone; the root ends once; nobody waits for ever. */

#ifndef WORKERS
#define WORKERS 3
#endif
#define JOBS 3
#define STRANDS 1
#include "strands.pml"

#define STRAND 1
#define CALLER 0

/* job::word */
#define PENDING 1
#define PARKED 2
#define DONE 4
byte word[JOBS + 1];
byte runs[JOBS + 1];
bit alive[JOBS + 1];        /* the branch's frame */

/* waiter: one at a time, as there is one strand */
bit waiter_alive;
byte displaced;
bit has_bed, bed;

byte at;                    /* where the strand stands: an index into its program below */
byte ended;                 /* how often the root has; a ghost */
byte now;                   /* under_way::now */
#define RUNNING 0
#define BLOCKED 1
#define ENDED 2
bit root_done;              /* under_way::done */
bit root_alive = 1;         /* the caller's frame */

/* The strand's program: what it does at `at`, to which branch. */
#define is_push(i) (i == 0 || i == 1 || i == 3)
#define branch_of(i) (i == 0 || i == 5 -> 1 : (i == 1 || i == 2 -> 2 : 3))
#define END 6

/* leave_value(), by the forker or the thief */
inline run_branch(j) { d_step { assert(alive[j]); runs[j]++; assert(runs[j] == 1) } }

/* park_in() */
inline park_in(j, parked) {
#ifdef MUTANT_PARK_BY_STORE
  d_step { word[j] = PARKED; parked = 1 }
#else
  d_step {
    assert(alive[j] && waiter_alive);
    if
    :: word[j] == PENDING -> word[j] = PARKED; parked = 1
    :: else -> parked = 0
    fi
  }
#endif
}

/* reclaim(), after settle() said no. The strand runs on worker w when it begins, and on whichever goes on with it when
   it ends: the worker's process leaves in the middle if it parks the strand. */
inline reclaim(w, j) {
  if
  :: word[j] == DONE -> at++
  :: word[j] != DONE ->
     /* the waiter, in the strand's frame */
     d_step { displaced = PENDING; waiter_alive = 1; has_bed = 0 };
     if
     :: true ->
        /* suspend(): switch, then publish, on the other stack */
#ifdef MUTANT_PUBLISH_BEFORE_SWITCH
        park_in(j, parked);
#endif
        d_step { assert(deque[w].n == 0); leave_stack(w, STRAND) };
#ifndef MUTANT_PUBLISH_BEFORE_SWITCH
        park_in(j, parked);
#endif
        if
        :: parked -> skip                                    /* nothing of the waiter is touched from here on */
        :: else -> d_step { go_on(w, STRAND); at++; waiter_alive = 0 }   /* resumed(mine) */
        fi
     :: true ->
        /* no stack: scope_wait::blocked() */
        has_bed = 1;
        park_in(j, parked);
        if
        :: parked -> bed == 1; bed = 0
        :: else
        fi;
        d_step { at++; waiter_alive = 0 }
     fi;
     parked = 0
  fi
}

/* The strand's next step, on worker w. A branch's frame is gone when it has been reclaimed. */
inline run_strand(w) {
  if
  :: is_push(at) ->
     d_step { j = branch_of(at); word[j] = PENDING; alive[j] = 1; push_bottom(w, j); at++; j = 0 }
  :: at == END ->
     /* under_way::run(), its end */
     d_step { ended++; assert(ended == 1 && root_alive); j = now; now = ENDED };
     if
     :: j == BLOCKED -> d_step { assert(root_alive); root_done = 1 }
     :: else
#ifdef MUTANT_ROOT_POSTED_ANYWAY
        -> d_step { assert(root_alive); root_done = 1 }
#endif
     fi;
     d_step { leave_stack(w, STRAND); j = 0 }
  :: else ->
     j = branch_of(at);
     d_step { pop_bottom(w, j, ours) };
     if
     :: ours -> run_branch(j); at++
     :: else -> reclaim(w, j)
     fi;
     ours = 0; j = 0
  fi
}

/* The strand looks at what the branch left and its frame ends: part of its next step, done by whoever runs it. */
inline after_reclaim() {
  d_step {
    if
    :: at == 3 -> alive[2] = 0
    :: at == 5 -> alive[3] = 0
    :: at == 6 -> alive[1] = 0
    :: else
    fi
  }
}

/* run_stolen() */
inline run_stolen(j) {
  kind = word[j];
#ifndef MUTANT_NOT_DISPLACED
  if
  :: kind == PARKED -> d_step { assert(waiter_alive); kind = displaced }
  :: else
  fi;
#endif
  assert(kind == PENDING);
  kind = 0;
  run_branch(j)
}

/* finish(). was: what the word was. */
inline finish(w, j) {
#ifdef MUTANT_PARKED_READ_BEFORE_EXCHANGE
  kind = word[j];
  d_step { assert(alive[j]); word[j] = DONE };
#else
  d_step { assert(alive[j]); kind = word[j]; word[j] = DONE };
#endif
#ifdef MUTANT_TOUCHED_AFTER_EXCHANGE
  assert(alive[j]);
#endif
  if
  :: kind == PARKED ->
     assert(waiter_alive);
     if
     :: has_bed -> bed = 1
     :: else -> d_step { go_on(w, STRAND); at++; waiter_alive = 0 }
     fi
  :: else
  fi;
  kind = 0
}

/* callers::run() */
proctype caller() {
  byte j;
  bit ours, parked;
  d_step { complete[STRAND] = 1; go_on(CALLER, STRAND) };
  do
  :: running[CALLER] == STRAND -> after_reclaim(); run_strand(CALLER)
  :: running[CALLER] == NOBODY -> break
  od;
  if
  :: now == ENDED -> skip
  :: now != ENDED ->
#ifdef MUTANT_ROOT_BLOCKED_BY_STORE
     now = BLOCKED; j = 1;
#else
     d_step { if :: now == RUNNING -> now = BLOCKED; j = 1 :: else fi };   /* begin_wait() */
#endif
     if :: j == 1 -> root_done == 1 :: else fi
  fi;
  root_alive = 0;
  assert(ended == 1 && runs[1] == 1 && runs[2] == 1 && runs[3] == 1)
}

proctype thief(byte w) {
  byte j, kind, v;
  bit ours, parked;
end:
  do
  :: running[w] == STRAND -> after_reclaim(); run_strand(w)
  :: atomic { running[w] == NOBODY && deque[0].n > 0 -> d_step { steal_top(0, j) } } -> run_stolen(j); finish(w, j); j = 0
  :: atomic { running[w] == NOBODY && w != 1 && deque[1].n > 0 -> d_step { steal_top(1, j) } } ->
     run_stolen(j); finish(w, j); j = 0
#if WORKERS > 2
  :: atomic { running[w] == NOBODY && w != 2 && deque[2].n > 0 -> d_step { steal_top(2, j) } } ->
     run_stolen(j); finish(w, j); j = 0
#endif
  od
}

init {
  atomic {
    run caller();
    run thief(1);
#if WORKERS > 2
    run thief(2)
#endif
  }
}
