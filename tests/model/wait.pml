/* A wait for an event. Stands for heist/sched/wait.cpp: wait::park(), leave(), come_to_rest(), resume(), take_up() and
   give_up(); for heist/sched/seats.cpp: seats::leave(), sit() and retire(); and for heist/sched/waits.cpp:
   await_resuming().

   One strand, which worker 0 runs at first:

       push 1 · wait 1 · pop 1 · push 2 · wait 2 · pop 2 · the end

   It leaves its worker at each wait, with its seat if there is something in the deque. Both workers search for strands
   that can go on and for jobs. A third process, a thread from outside the pool, resumes each wait at some time after it
   was published. When the strand has ended, its caller destroys the pool.

   Bounds: one strand, two waits, two jobs, two workers, four seats.

   Checked: each wait is resumed once, and the strand is never continued while somebody runs it; the strand finds its
   things, at the seat that it left or in the wait, and a deque that ends with its own job or is empty; nobody sits at a
   seat that another has; nobody touches a wait whose frame is gone; no seat stays left with an empty deque; the strand
   ends; the resumer does not touch the pool when it is gone. */

#define WORKERS 4                /* deques: of seats, here */
#define JOBS 2
#define STRANDS 1
#include "strands.pml"

#define THREADS 2
#define STRAND 1
#define NO_SEAT 9

/* wait::stage */
#define COMING 0
#define RESTING 1
#define OVER 2
byte stage[3];                   /* of waits 1 and 2 */
byte seat_of[3] = NO_SEAT;       /* wait::seat_ */
bit mine[3];                     /* wait::mine_ has the strand's things */
bit published[3];
bit alive[3];                    /* its frame */
bit ready[3];                    /* in the pool's queue */
byte resumed_times[3];

/* Seats */
byte left_by[WORKERS];
bit occupied[WORKERS];
bit spare[WORKERS];
bit things[WORKERS];             /* seat::now is the strand's */

byte at[THREADS];                /* pool_thread::at */

byte step;                       /* where the strand stands */
#define END 6
bit ran[JOBS + 1], done[JOBS + 1];
byte resuming;                   /* waits::resuming_ */
bit pool_gone;
byte giving;                     /* threads that are about to give a seat up, or to leave one: a ghost */
#define wait_at(i) (i == 1 -> 1 : 2)

/* For use inside a step. */
inline sit_down(w, s) {
  assert(!occupied[s] && !spare[s]);
  occupied[s] = 1;
  at[w] = s
}
inline retire(s) {
  assert(!occupied[s] && !spare[s] && deque[s].n == 0 && left_by[s] == 0);
  spare[s] = 1
}

/* The strand goes on, at the seat of worker w: the end of park() */
inline continue_strand(w, x) {
  d_step {
    assert(complete[STRAND] && alive[x]);
    complete[STRAND] = 0;
    running[w] = STRAND;
    resumed_times[x]++;
    assert(resumed_times[x] == 1);
    if
    :: seat_of[x] == NO_SEAT -> assert(mine[x] && deque[at[w]].n == 0 && !things[at[w]]); things[at[w]] = 1; mine[x] = 0
    :: else -> assert(seat_of[x] == at[w] && things[at[w]])
    fi;
    alive[x] = 0;
    step++
  }
}

/* take_up(): s and got are the worker's */
inline take_up(w, x) {
  do
  :: seat_of[x] == NO_SEAT -> break
  :: seat_of[x] != NO_SEAT ->
#ifdef MUTANT_TAKEN_WITHOUT_KEY
     d_step { s = seat_of[x]; got = (s != NO_SEAT) };
#else
     d_step {
       s = seat_of[x];
       got = 0;
       if
       :: s != NO_SEAT && left_by[s] == x -> left_by[s] = 0; got = 1
       :: else
       fi
     };
#endif
     if
     :: got -> d_step { v = at[w]; occupied[v] = 0; sit_down(w, s); retire(v); v = 0 }; break
     :: else
     fi
  od;
  s = 0; got = 0;
  continue_strand(w, x)
}

/* give_up(): y is the worker's */
inline give_up(s) {
  do
  :: left_by[s] != 0 && deque[s].n == 0 ->
#ifdef MUTANT_GIVEN_UP_WITHOUT_KEY
     y = left_by[s];
#else
     d_step { y = left_by[s]; left_by[s] = 0 };
#endif
     if
     :: y == 0 -> break
     :: else
     fi;
#ifndef MUTANT_NOT_LOOKED_AGAIN
     if
     :: deque[s].n != 0 -> left_by[s] = y; y = 0
     :: else ->
#endif
#ifdef MUTANT_THINGS_LATE
        d_step { assert(alive[y]); seat_of[y] = NO_SEAT };
        d_step { mine[y] = 1; things[s] = 0 };
#else
        d_step { assert(alive[y] && things[s]); mine[y] = 1; things[s] = 0 };
        d_step { assert(alive[y]); seat_of[y] = NO_SEAT };
#endif
#ifdef MUTANT_GIVEN_UP_WITHOUT_KEY
        left_by[s] = 0;
#endif
        d_step { retire(s) };
        break
#ifndef MUTANT_NOT_LOOKED_AGAIN
     fi
#endif
  :: else -> break
  od;
  y = 0
}

/* come_to_rest(): got says whether it rests */
inline come_to_rest(x) {
#ifdef MUTANT_RESTS_BY_STORE
  d_step { stage[x] = RESTING; got = 1 }
#else
  d_step {
    if
    :: stage[x] == COMING -> stage[x] = RESTING; got = 1
    :: else -> got = 0
    fi
  }
#endif
}

/* wait::leave(), off the strand's stack */
inline leave(w) {
  x = wait_at(step);
  d_step { seat_of[x] = at[w]; published[x] = 1 };
  if
  :: stage[x] == OVER -> continue_strand(w, x)
  :: else ->
     d_step { s2 = at[w]; giving++ };
     if
#ifdef MUTANT_ALWAYS_BARE
     :: true ->
#else
     :: deque[s2].n == 0 ->
#endif
        d_step { seat_of[x] = NO_SEAT; mine[x] = 1; things[s2] = 0 };
        bare = 1
#ifndef MUTANT_ALWAYS_BARE
     :: else ->
        /* seats::leave() */
        d_step {
          v = 0;
          do
          :: !spare[v] -> v++
          :: else -> break
          od;
          spare[v] = 0;
          occupied[s2] = 0;
          sit_down(w, v);
          v = 0
        };
#ifdef MUTANT_SEAT_LATE
        seat_of[x] = NO_SEAT;
#endif
        left_by[s2] = x;
        bare = 0
#endif
     fi;
     come_to_rest(x);
     if
     :: !got -> got = 0; take_up(w, x)
     :: else ->
        got = 0;
#ifdef MUTANT_SEAT_LATE
        if :: !bare -> seat_of[x] = s2 :: else fi;
#endif
#ifndef MUTANT_NOT_LOOKED_AFTER_LEAVING
        if
        :: !bare -> give_up(s2)
        :: else
        fi
#endif
     fi;
     d_step { s2 = 0; giving--; bare = 0 }
  fi;
  x = 0
}

/* wait::resume() */
inline resume(x) {
#ifdef MUTANT_RESUMED_BY_STORE
  before = stage[x];
  stage[x] = OVER;
#else
  d_step { assert(alive[x]); before = stage[x]; stage[x] = OVER };
#endif
  if
  :: before == RESTING ->
#if !defined(MUTANT_RESUMER_NOT_COUNTED) && !defined(MUTANT_RESUMER_COUNTED_LATE)
     d_step { assert(!pool_gone); resuming++ };
#endif
     d_step { assert(alive[x] && !pool_gone); ready[x] = 1 };
#ifdef MUTANT_RESUMER_COUNTED_LATE
     d_step { assert(!pool_gone); resuming++ };
#endif
     assert(!pool_gone);                     /* urge() */
#ifndef MUTANT_RESUMER_NOT_COUNTED
     d_step { assert(!pool_gone); resuming-- }
#endif
#ifdef MUTANT_READY_WHILE_COMING
  :: before == COMING -> ready[x] = 1
#endif
  :: else
  fi
}

/* The strand's next step, on worker w */
inline strand(w) {
  if
  :: step == 0 || step == 3 -> d_step { push_bottom(at[w], (step == 0 -> 1 : 2)); step++ }
  :: step == 1 || step == 4 ->
     d_step { alive[wait_at(step)] = 1; complete[STRAND] = 1; running[w] = NOBODY };
     leave(w)
  :: step == 2 || step == 5 ->
     j = (step == 2 -> 1 : 2);
     d_step { pop_bottom(at[w], j, got) };
     if
     :: got -> d_step { assert(!ran[j]); ran[j] = 1 }
     :: else -> done[j] == 1                 /* reclaim() */
     fi;
     d_step { step++; got = 0; j = 0 }
  :: step == END -> d_step { running[w] = NOBODY; things[at[w]] = 0; step++ }
  fi
}

#define can_steal(v) (v != at[w] && deque[v].n > 0)
#define robs(v) \
  :: atomic { running[w] == NOBODY && can_steal(v) -> d_step { steal_top(v, j); s2 = v; giving++ } } -> \
     give_up(s2); \
     d_step { giving--; s2 = 0; assert(!ran[j]); ran[j] = 1 }; \
     d_step { done[j] = 1; j = 0 }
#define continues(r) \
  :: atomic { running[w] == NOBODY && ready[r] -> ready[r] = 0 } -> take_up(w, r)

proctype worker(byte w) {
  byte j, x, y, s, s2, v;
  bit got, bare;
end:
  do
  :: running[w] == STRAND -> strand(w)
  continues(1)
  continues(2)
  robs(0)
  robs(1)
  robs(2)
  robs(3)
  od
}

proctype resumer() {
  byte before;
  published[1];
  resume(1);
  published[2];
  resume(2);
  step == END + 1
}

/* The pool's end. (It also joins the pool's threads, so what they touch is there.) */
proctype destructor() {
  step == END + 1;
#ifndef MUTANT_ENDS_AT_ONCE
  resuming == 0;                             /* await_resuming() */
#endif
  pool_gone = 1
}

/* No seat is left for good with an empty deque. */
proctype watch() {
end:
  do
  :: atomic {
       giving == 0 && ((left_by[0] && !deque[0].n) || (left_by[1] && !deque[1].n) || (left_by[2] && !deque[2].n) ||
                       (left_by[3] && !deque[3].n)) -> assert(0)
     }
  od
}

init {
  atomic {
    at[0] = 0; occupied[0] = 1; things[0] = 1; running[0] = STRAND;
    at[1] = 1; occupied[1] = 1;
    spare[2] = 1; spare[3] = 1;
    run worker(0);
    run worker(1);
    run resumer();
    run destructor();
    run watch()
  }
}
