/* The mutex. Stands for heist/mutex.cpp: contend(), take_soon(), take_or_queue_up() and unlock_slowly().

   Three processes lock and unlock it, twice each. One of them may leave the queue by itself at any time, as at a deadline.
   The millisecond after which a waiter is handed the mutex is over whenever it likes.

   The word is four bits, changed by compare-and-swap: a step that reads and writes it is one atomic step. The queue's lock
   is modelled, as unlock_slowly() looks at the word before it takes it.

   Checked: one at a time has the mutex; nobody waits for ever (invalid end states); at the end the mutex is free, and
   nobody counts as awake; nobody else changes the word while the mutex is handed over. */

#define CONTENDERS 3
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define NOBODY CONTENDERS

/* mutex::state_ */
bit held, queued, awake, starving;

/* mutex::queue_, and its lock */
bit locked;
byte queue[CONTENDERS];
byte waiters;
bit waits[CONTENDERS];           /* is in the queue */

/* In a waiter's frame */
bit resumed[CONTENDERS], handed[CONTENDERS];

byte inside;                     /* how many have the mutex: a ghost */

inline take_lock() { atomic { !locked -> locked = 1 } }
inline release_lock() { locked = 0 }

/* For use inside a step. */
inline push(me) {
  queue[waiters] = me;
  waiters++;
  waits[me] = 1
}
inline push_front(me) {
  i = waiters;
  do
  :: i > 0 -> queue[i] = queue[i - 1]; i--
  :: else -> break
  od;
  queue[0] = me;
  waiters++;
  waits[me] = 1
}
inline remove(me) {
  i = 0;
  do
  :: queue[i] != me -> i++
  :: else -> break
  od;
  do
  :: i + 1 < waiters -> queue[i] = queue[i + 1]; i++
  :: else -> break
  od;
  waiters--;
  waits[me] = 0
}
inline sleep_over() {            /* it has the mutex, or is about to sleep */
  if
  :: is_awake -> awake = 0
  :: else
  fi
}

/* Looks as often as it likes. */
inline take_soon() {
  do
  :: atomic { !held ->
       held = 1;
       got = 1;
#ifndef MUTANT_AWAKE_KEPT_BY_HOLDER
       sleep_over()
#endif
     }; break
#ifdef MUTANT_AWAKE_WHILE_STARVING
  :: atomic { held && !is_awake && queued && !awake -> awake = 1; is_awake = 1 }
#else
  :: atomic { held && !starving && !is_awake && queued && !awake -> awake = 1; is_awake = 1 }
#endif
  :: break
  od
}

/* Under the lock. */
inline take_or_queue_up(me) {
  atomic {
    if
#ifndef MUTANT_QUEUED_BLINDLY
    :: !held -> held = 1; got = 1; sleep_over()
#endif
    :: else ->
       queued = 1;
#ifndef MUTANT_AWAKE_KEPT_IN_QUEUE
       sleep_over();
#endif
       if
       :: has_waited -> starving = 1
       :: 1
       fi;
       is_awake = 0;
       resumed[me] = 0;
       handed[me] = 0;
       if
       :: has_waited -> push_front(me)
       :: else -> push(me)
       fi;
       has_waited = 1
    fi
  }
}

/* Steps a, b and c. */
inline unlock_slowly() {
  do
#ifdef MUTANT_FREED_BLINDLY
  :: atomic { !starving -> held = 0; goto unlocked }
#else
  :: atomic { !starving && (!queued || awake) -> held = 0; goto unlocked }
#endif
  :: atomic { starving || (queued && !awake) -> break }
  od;
  take_lock();
  next = NOBODY;
  atomic {
    if
    :: !starving && awake
    :: else ->
       if
       :: waiters > 0 -> next = queue[0]; remove(next)
       :: else
       fi
    fi
  };
  atomic {
    if
    :: next != NOBODY && starving ->
       assert(!awake);           /* a plain store */
#ifndef MUTANT_HANDED_UNTOLD
       handed[next] = 1;
#endif
       starving = 0;
       queued = (waiters > 0)
    :: else ->
       starving = 0;
       queued = (waiters > 0);
       held = 0;
#ifndef MUTANT_WOKEN_NOT_AWAKE
       if
       :: next != NOBODY -> awake = 1
       :: else
       fi
#endif
    fi
  };
  release_lock();
  if
  :: next != NOBODY -> resumed[next] = 1
  :: else
  fi
}

proctype contender(byte me; bit may_leave) {
  byte round, i, next;
  bit is_awake, has_waited, got;
  do
  :: round == ROUNDS -> break
  :: else ->
     is_awake = 0;
     has_waited = 0;
     got = 0;
     do
     :: take_soon();
        if
        :: got -> break
        :: else
        fi;
        take_lock();
        take_or_queue_up(me);
        release_lock();
        if
        :: got -> break
        :: else
        fi;
        if
        :: resumed[me]
        :: may_leave ->
           take_lock();
           if
           :: atomic { waits[me] -> remove(me) }; release_lock(); goto unlocked
           :: else -> release_lock(); resumed[me]
           fi
        fi;
        if
        :: handed[me] -> break
        :: else -> is_awake = 1
        fi
     od;
     inside++;
     assert(inside == 1);
     inside--;
     if
     :: atomic { !queued && !awake && !starving -> held = 0 }
     :: else -> unlock_slowly()
     fi;
unlocked:
     round++
  od
}

init {
  atomic {
    run contender(0, 0);
    run contender(1, 1);
    run contender(2, 0)
  };
  _nr_pr == 1;
  assert(!held && !awake && waiters == 0)
}
