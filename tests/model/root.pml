/* A strand of one pool that runs a root in another, and the end of its pool. Stands for scheduler::run(),
   wait_as_strand(), begin_wait(), inject() and ~scheduler() in heist/sched/scheduler.cpp, root::end() there, and by way of
   inject() for mutex::unlock_slowly() in heist/mutex.cpp, which hands a strand to its pool in the same way.

   Strand 1 of the outer pool (two workers; it is on the first) has called run() of an inner pool and come home while the root goes on
   there; a worker of the inner pool ends the root. When the strand has gone on and ended, the outer pool's user, who sees
   its run() return, destroys that pool: its workers are joined, the inner pool's is not.

   Bounds: one strand, one root.

   Checked: the strand goes on once, and not before its stack is complete; nobody touches the root after its caller may
   be gone, nor the outer pool after it was destroyed; nobody waits for ever. */

#define WORKERS 2
#define JOBS 1
#define STRANDS 1
#include "strands.pml"

#define STRAND 1
byte now;                    /* root::now */
#define RUNNING 0
#define BLOCKED 1
#define PARKED 2
#define ENDED 3
bit done;                    /* root::done */
bit root_alive = 1;
bit pool_alive = 1;
byte injected;               /* the outer pool's queue */
byte injecting;              /* threads inside its inject() */
bit over;                    /* the strand has ended: the outer pool's run() returns */
byte joined;

/* The strand's last step, on whatever worker it goes on. */
inline end_strand() { root_alive = 0; over = 1 }

/* A worker of the outer pool with nothing to do: the queue is all there is. */
inline search(w) {
  if
  :: d_step { injected > 0 -> injected--; go_on(w, STRAND) }; end_strand()
  :: over -> skip
  fi
}

/* The worker the strand was on, and the strand while it is there. */
proctype first_worker() {
  bit parked;
  if
  :: now == ENDED -> end_strand()
  :: now != ENDED ->
     if
     :: true ->
        /* wait_as_strand() */
#ifdef MUTANT_PUBLISH_BEFORE_SWITCH
        d_step { if :: now == RUNNING -> now = PARKED; parked = 1 :: else fi };
        d_step { leave_stack(0, STRAND) };
#else
        d_step { leave_stack(0, STRAND) };
        d_step { if :: now == RUNNING -> now = PARKED; parked = 1 :: else fi };
#endif
        if
        :: parked -> search(0)
        :: else -> d_step { go_on(0, STRAND) }; end_strand()
        fi
     :: true ->
        /* it cannot leave its stack */
        d_step { if :: now == RUNNING -> now = BLOCKED; parked = 1 :: else fi };
        if :: parked -> done == 1 :: else fi;
        end_strand()
     fi
  fi;
  joined++
}

proctype second_worker() { search(1); joined++ }

/* scheduler::inject(), of the outer pool */
inline inject() {
  assert(pool_alive);
#ifndef MUTANT_POOL_NOT_HELD
  injecting++;
#endif
  d_step { assert(pool_alive); injected++ };   /* injector::put() */
  assert(pool_alive);                          /* rouse_one() */
#ifndef MUTANT_POOL_NOT_HELD
  d_step { assert(pool_alive); injecting-- }
#endif
}

/* root::end(), on a worker of the inner pool */
proctype inner_worker() {
  byte was;
  d_step { assert(root_alive); was = now; now = ENDED };
  if
  :: was == BLOCKED -> d_step { assert(root_alive); done = 1 }
  :: was == PARKED -> assert(root_alive); inject()
  :: else
  fi
}

/* The outer pool's user: ~scheduler() */
proctype user() {
  over;
  joined == 2;
#ifndef MUTANT_POOL_NOT_HELD
  injecting == 0;
#endif
  pool_alive = 0
}

init {
  atomic {
    running[0] = STRAND;
    run first_worker();
    run second_worker();
    run inner_worker();
    run user()
  }
}
