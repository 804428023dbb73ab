/* Who sleeps, who searches, who is woken. Stands for heist/sleep/idle.{hpp,cpp}; search::find(), begin_work(),
   sleep(), ask_and_look(), work_in_sight() in heist/sched/search.cpp; seats::take(), give_back(), rouse_one() and
   thread_main() in heist/sched/seats.cpp; robbery::run() in heist/sched/robbery.cpp; scheduler::inject() in heist/sched/scheduler.cpp; heist/sched/injector.hpp.

   A deque is two counters: bottom, which its owner raises by a store (buffered), and top, which thieves raise in one
   step: deque.pml has what that is made of. CONTENT counts the jobs written, each before its push. wake_asked(v) is the request together with the limit it lowers: deque_limit.pml has
   those. A search may overlook work (victims are drawn by lot) and give up at any time; that it looks again when it has
   lain down is the point. Any catch and any search may not have been worth it (judge_catch(), patience()): then the thread sleeps
   for a while without asking or looking, and nobody rouses it, until that time is over. A caller never pops what it pushed, but waits until it was stolen, as if its own branch took for
   ever: so work that nobody comes for is a deadlock, which spin reports. Pool threads may rest in their beds at the end,
   nobody else.

   Scenarios, by -DSCENARIO=
     1  two seats. A caller pushes a job; its thief pushes another, and waits until that was stolen: by the thread whose
        seat the caller gives back.
     2  three seats. A caller pushes two jobs; each runs until both have started.
     3  two seats. Two jobs are injected from two threads; each runs until both have started.
     4  one seat. One caller has it; another, on a temporary seat, pushes a job: for the thread, when the first gives the
        seat back.
     5  three seats. A caller, who has sat down already, pushes a job, waits until it was stolen, pushes another. A second
        caller takes a seat, whosever it is, and keeps it until both were.
     6  one seat. A caller has it for a while, in which a job is injected: for the thread, when the seat comes back.
     7  three seats. A caller pushes two jobs, which a thief may take together (heist::steal::half): it keeps one in its stock,
        and runs the other until both have started. stocks in heist/sched/stock.cpp.
   -DNO_MEMBARRIER: there is no heavy fence; every push runs a full fence before it asks for wake-ups, and so does who lies
   down before it looks.

   Checked: no deadlock with work in sight (a thread that naps looks when the time is over); nobody is woken who is not asleep, nobody twice, and nobody while one that was
   woken still searches; no seat has two sitters; a thief sees what the job points to. With -DSURE (a search overlooks nothing) also that there is no cycle without
   progress: every job is taken in the end. */

#ifndef SCENARIO
#define SCENARIO 1
#endif
#if SCENARIO == 1
#define SEATS 2
#define CALLERS 1
#define THREADS_PUSH
#elif SCENARIO == 2
#define SEATS 3
#define CALLERS 1
#elif SCENARIO == 3
#define SEATS 2
#define CALLERS 0
#elif SCENARIO == 4
#define SEATS 1
#define CALLERS 2
#elif SCENARIO == 5
#define SEATS 3
#define CALLERS 2
#elif SCENARIO == 6
#define SEATS 1
#define CALLERS 1
#elif SCENARIO == 7
#define SEATS 3
#define CALLERS 1
#endif
#define WANTED 2              /* jobs in all */
#define ALL_SEATS (SEATS + 1) /* the last one is temporary */

/* Processors: callers first; threads after them, where they push. Those who never push need no buffer. */
#ifdef THREADS_PUSH
#define BUFFERED (CALLERS + SEATS)
#elif CALLERS == 2
#define BUFFERED 2
#else
#define BUFFERED 1
#endif
#define BOTTOM(s) (2 * (s))
#define CONTENT(s) (2 * (s) + 1)
#define CELLS (2 * ALL_SEATS)
#define ROOM 4
#include "memory.pml"

byte top[ALL_SEATS];
bit wake_asked[ALL_SEATS];          /* seat::requests & request::wake, and the limit lowered */
bit victim[ALL_SEATS];        /* victim_list */
byte injected;                /* injector::size_ */
bit stocked[SEATS];           /* a job in the stock of that seat's thread */
#define ANY_STOCKED (stocked[0] || stocked[1] || stocked[2])   /* stocks::filled_ */
byte guests;                  /* seats::guests_ */

/* idle */
byte searching, sleeping;
bit lock;
byte list[SEATS];             /* asleep_: a stack of seats, `sleeping` of them but for a moment under the lock */
byte listed;

bit napping[SEATS];           /* sleeper::napping */

bit bed[SEATS];               /* parking: posted */
bit resting[SEATS];           /* the thread waits, or is about to; a ghost */
byte sitter[ALL_SEATS];       /* 0 nobody, 1 the pool's thread, 2 a caller; a ghost */
bit woken[SEATS];             /* roused, and still in the search it was roused for; a ghost */
byte awake;                   /* how many of those; a ghost */
byte started;                 /* jobs */

/* For use inside a step: the search a thread was roused for is over. */
inline no_longer_woken(s) { awake = awake - woken[s]; woken[s] = 0 }

/* Every read-modify-write and every lock empties its processor's buffer. For use inside a step. */
inline drain(p) { if :: p < BUFFERED -> settle_stores(p) :: else fi; i_ = 0 }

/* idle ------------------------------------------------------------------------------------------------------------- */

/* idle::add_asleep() */
inline add_asleep(p, s) {
  d_step { !lock -> drain(p); napping[s] = 0; list[listed] = s; listed++; sleeping++ }
}

/* idle::lie_down() */
inline lie_down(p, s, nap) {
#ifdef MUTANT_UNCOUNTED_BEFORE_LISTED
  d_step { sitter[s] = 0; resting[s] = 1; drain(p); searching--; no_longer_woken(s) };
  d_step { !lock -> napping[s] = nap; list[listed] = s; listed++; sleeping++ }
#else
  d_step { !lock -> sitter[s] = 0; resting[s] = 1; drain(p); napping[s] = nap; list[listed] = s; listed++; sleeping++ };
  d_step { drain(p); searching--; no_longer_woken(s) }
#endif
}

/* For use inside a step: takes list[k] out. */
inline unlist(k) {
  j_ = k;
  do
  :: j_ + 1 < listed -> list[j_] = list[j_ + 1]; j_++
  :: else -> break
  od;
  listed--; list[listed] = 0; j_ = 0
}

/* idle::get_up(): up */
inline get_up(p, s, up) {
  d_step {
    !lock ->
    lock = 1;
    drain(p);
    i_ = 0;
    do
    :: i_ < listed && list[i_] != s -> i_++
    :: else -> break
    od;
    if
    :: i_ < listed -> unlist(i_); sleeping--; up = 1
    :: else -> up = 0; lock = 0
    fi;
    i_ = 0
  };
  if
  :: up -> d_step { searching++; lock = 0; assert(sitter[s] == 0); sitter[s] = 1; resting[s] = 0 }
  :: else
  fi
}

/* idle::rouse() and seats::rouse_one(). Declared by the process: byte z; bit go; */
inline rouse_one(p) {
  go = (sleeping > 0);
  if :: go -> go = (searching == 0) :: else fi;
  if
  :: go ->
     d_step {
       !lock ->
       drain(p);
       if
#ifndef MUTANT_NOT_ASKED_AGAIN
       :: searching > 0 -> go = 0
#endif
       :: else -> lock = 1
       fi
     };
     if
     :: go ->
        d_step {
          /* take_out(): the topmost that does not nap */
          i_ = listed;
          do
          :: i_ > 0 && napping[list[i_ - 1]] -> i_--
          :: else -> break
          od;
          if
          :: i_ > 0 -> z = list[i_ - 1]; unlist(i_ - 1); sleeping--
          :: else -> go = 0; lock = 0
          fi;
          i_ = 0
        };
        if
        :: go ->
           d_step { searching++; lock = 0; woken[z] = 1; awake++; assert(awake == 1) };
           /* call_thread(), bed.post() */
           d_step { assert(!bed[z] && resting[z] && sitter[z] == 0); bed[z] = 1; z = 0 }
        :: else
        fi
     :: else
     fi
  :: else
  fi;
  go = 0
}

/* The search ------------------------------------------------------------------------------------------------------- */

/* seat::ask(request::wake) */
inline ask(p, s) { d_step { drain(p); wake_asked[s] = 1 } }

/* search::begin_work() */
inline begin_work(p, s) {
#ifndef MUTANT_NOBODY_ASKED_TO_SIGN
  go = (sleeping > 0);
  if :: go -> ask(p, s) :: else fi;
  go = 0
#else
  skip
#endif
}

/* search::ask_and_look() and work_in_sight(): go */
inline ask_and_look(p) {
  z = 0;
  do
  :: z < ALL_SEATS -> if :: d_step { victim[z] -> drain(p); wake_asked[z] = 1 } :: else fi; z++
  :: else -> break
  od;
  z = 0;
#if !defined(MUTANT_NO_FENCE) && !defined(NO_MEMBARRIER)
  do
  :: d_step { z < BUFFERED -> settle_stores(z); z++ }
  :: z == BUFFERED -> break
  od;
  z = 0;
#endif
#ifdef MUTANT_NO_SECOND_LOOK
  go = 0
#else
  go = (injected > 0);
#if SCENARIO == 7 && !defined(MUTANT_STOCK_UNSEEN)
  if :: !go -> go = ANY_STOCKED :: else fi;
#endif
  do
  :: !go && z < ALL_SEATS -> d_step { go = (victim[z] && top[z] < mem[BOTTOM(z)]); z++ }
  :: else -> break
  od;
  z = 0
#endif
}

/* For use inside a step: look_around() finds something here and has it. No fence: the hardware may do at any time what
   one would, and the item may be a fenced one, for which there is none that concerns its owner. */
inline rob(v) { assert(mem[CONTENT(v)] >= top[v]); top[v]++; got = 1 }

/* For use inside a step: steal_several() takes all that is there by one claim. */
inline rob_several(v) { rob(v); if :: top[v] < mem[BOTTOM(v)] -> top[v]++; along = 1 :: else fi }

/* stocks::put(): what came along goes into the stock */
inline stock_up(p, s) { if :: along -> d_step { drain(p); stocked[s] = 1; along = 0 } :: else fi }

/* owner_end::push() and tripped() */
inline push(p, s) {
#ifdef MUTANT_HINT_BEFORE_PUSH
  go = wake_asked[s];
#endif
  d_step { see(p, BOTTOM(s), z) };
  store_relaxed(p, CONTENT(s), z);
#ifdef MUTANT_RELAXED_PUBLISH
  store_relaxed(p, BOTTOM(s), z + 1);
#else
  store_release(p, BOTTOM(s), z + 1);
#endif
  z = 0;
#ifdef NO_MEMBARRIER
  full_fence(p);
#endif
#ifndef MUTANT_HINT_BEFORE_PUSH
  go = wake_asked[s];
#endif
  if
  :: go -> d_step { drain(p); wake_asked[s] = 0 }; rouse_one(p)
  :: else
  fi;
  go = 0
}

/* Pool threads ------------------------------------------------------------------------------------------------------ */

#define work_at(v) (victim[v] && top[v] < mem[BOTTOM(v)])
#ifdef SURE
#if SEATS == 1
#define nothing_seen (injected == 0 && !work_at(1))
#elif SCENARIO == 7
#define nothing_seen (!ANY_STOCKED && !work_at(0) && !work_at(1) && !work_at(2) && !work_at(3))
#elif SEATS == 2
#define nothing_seen (injected == 0 && !work_at(0) && !work_at(1) && !work_at(2))
#else
#define nothing_seen (injected == 0 && !work_at(0) && !work_at(1) && !work_at(2) && !work_at(3))
#endif
#else
#define nothing_seen true
#endif

/* seats::thread_main() on seat s, processor p */
proctype thread(byte s; byte p) {
  byte z;
  bit go, up, got;
#if SCENARIO == 7
  bit along;
#endif
end_bed:
  bed[s] == 1;
  d_step { bed[s] = 0; resting[s] = 0; assert(sitter[s] == 0); sitter[s] = 1 };
search:
  if
#if SCENARIO == 7
  :: d_step { s != 0 && work_at(0) -> rob_several(0) }
  :: d_step { s != 1 && work_at(1) -> rob_several(1) }
  :: d_step { s != 2 && work_at(2) -> rob_several(2) }
  /* stocks::rob(), or take() of its own */
  :: d_step { stocked[0] -> drain(p); stocked[0] = 0; got = 1 }
  :: d_step { stocked[1] -> drain(p); stocked[1] = 0; got = 1 }
  :: d_step { stocked[2] -> drain(p); stocked[2] = 0; got = 1 }
#else
  :: d_step { injected > 0 -> drain(p); injected--; got = 1 }
  :: d_step { s != 0 && work_at(0) -> rob(0) }
#if SEATS > 1
  :: d_step { s != 1 && work_at(1) -> rob(1) }
#endif
#if SEATS > 2
  :: d_step { s != 2 && work_at(2) -> rob(2) }
#endif
#if SCENARIO == 4
  :: d_step { work_at(SEATS) -> rob(SEATS) }
#endif
#endif
  :: nothing_seen -> skip
  fi;
  if
  :: got ->
progress:
     skip;
#if SCENARIO == 7 && !defined(MUTANT_STOCKED_LATE)
     stock_up(p, s);
#endif
     /* end_search(), begin_work(), the job */
     d_step { got = 0; drain(p); go = (searching == 1); searching--; no_longer_woken(s) };
#ifndef MUTANT_NOBODY_ROUSED_NEXT
     if :: go -> go = (sleeping > 0); if :: go -> rouse_one(p) :: else fi :: else fi;
#endif
     go = 0;
#if SCENARIO == 7 && defined(MUTANT_STOCKED_LATE)
     stock_up(p, s);
#endif
     begin_work(p, s);
     d_step { started++; assert(started <= WANTED); up = (started < WANTED) };
#if SCENARIO == 1
     if :: up -> push(p, s); top[s] == mem[BOTTOM(s)] && buf[p].n == 0 :: else fi;
#elif SCENARIO == 2 || SCENARIO == 3 || SCENARIO == 7
     started == WANTED;
#endif
     up = 0;
     if
     :: d_step { drain(p); searching++ }; goto search   /* begin_search() */
     :: d_step { !lock -> sitter[s] = 0; resting[s] = 1; drain(p); napping[s] = 1; list[listed] = s; listed++; sleeping++ };
        goto nap                                    /* fruitless: add_asleep(), uncounted */
     fi
  :: else -> skip
  fi;
  /* sleep() */
#ifdef MUTANT_LOOKED_BEFORE_LISTED
  ask_and_look(p);
  lie_down(p, s, 0);
  goto looked;
#endif
  if
  :: lie_down(p, s, 1)
  :: lie_down(p, s, 0); goto look
  fi;
nap:
  /* A seat that was borrowed and has come back is no longer marked. */
  if
  :: bed[s] == 1 -> goto end_bed
  :: true -> skip
  fi;
  /* idle::end_nap() */
  d_step { !lock -> drain(p); napping[s] = 0 };
#ifdef MUTANT_NAP_ENDS_UNSEEING
  goto end_bed;
#endif
look:
  ask_and_look(p);
looked:
  if
  :: go ->
     go = 0;
     get_up(p, s, up);
     if
     :: up -> up = 0; goto search
     :: else ->
#ifndef MUTANT_BORROWED_SAYS_NOTHING
        rouse_one(p)
#endif
     fi
  :: else ->
#ifdef MUTANT_ROUSED_FOR_NOTHING
     rouse_one(p)
#endif
  fi;
  goto end_bed
}

/* Callers from outside ---------------------------------------------------------------------------------------------- */

/* idle::borrow() and seats::take(): s */
inline take_seat(p) {
  go = (sleeping > 0);
  if
  :: go ->
     d_step {
       !lock -> drain(p);
       if
       :: listed > 0 -> listed--; s = list[listed]; list[listed] = 0; sleeping--
       :: else -> go = 0
       fi
     }
  :: else
  fi;
  if
  :: go -> skip
  :: else -> d_step { drain(p); s = SEATS; victim[s] = 1 }; d_step { drain(p); guests++ }
  fi;
  d_step { go = 0; assert(sitter[s] == 0); sitter[s] = 2 }
}

/* seats::give_back() */
inline return_seat(p) {
  sitter[s] = 0;
  if
  :: s == SEATS -> d_step { drain(p); victim[s] = 0 }; d_step { drain(p); guests-- }
  :: else ->
#ifdef MUTANT_SEARCHER_SEEN_BEFORE_LISTED
     go = (searching > 0);
     add_asleep(p, s);
#else
     add_asleep(p, s);
     go = (searching > 0);
#endif
#ifndef MUTANT_RETURNED_SILENTLY
     if
     :: go -> goto returned
     :: else
     fi;
     /* all_rest */
     go = (sleeping == SEATS);
#ifndef MUTANT_GUESTS_FORGOTTEN
     if :: go -> go = (guests == 0) :: else fi;
#endif
#ifndef MUTANT_INJECTED_FORGOTTEN
     if :: go -> go = (injected == 0) :: else fi;
#endif
     if
     :: !go -> ask_and_look(p); if :: go -> go = 0; rouse_one(p) :: else fi
     :: else
     fi;
#endif
returned:
     go = 0
  fi;
  s = 0
}

#define stolen(p, s) (buf[p].n == 0 && top[s] == mem[BOTTOM(s)])

bit seated;   /* scenario 4: the first caller has the seat */

#if CALLERS > 0 && SCENARIO != 6
proctype caller(byte p) {
  byte s, z;
  bit go;
#if SCENARIO == 4
  seated;
#endif
#if SCENARIO != 5
  take_seat(p);
#endif
  begin_work(p, s);
  push(p, s);
#if SCENARIO == 2 || SCENARIO == 7
  push(p, s);
#endif
#if SCENARIO == 4
  /* If the first caller has gone again, this one has the only seat: it takes its job back. */
  if
  :: s == SEATS -> stolen(p, s)
  :: else -> d_step { drain(p); top[s] = mem[BOTTOM(s)] }
  fi;
#else
  stolen(p, s);
#endif
#if SCENARIO == 5
  push(p, s);
  stolen(p, s)
#else
  return_seat(p)
#endif
}
#endif

#if CALLERS > 1 || SCENARIO == 6
proctype holder(byte p) {
  byte s, z;
  bit go;
  take_seat(p);
  seated = 1;
  begin_work(p, s);
#if SCENARIO == 5
  started == WANTED
#else
  return_seat(p)
#endif
}
#endif

/* scheduler::inject() */
proctype injecting() {
  byte z;
  bit go;
  injected++;
  rouse_one(BUFFERED);
  started > 0
}

init {
  byte s;
  atomic {
#if SCENARIO == 5
    victim[0] = 1; sitter[0] = 2; resting[0] = 1; s = 1;
#endif
    do
    :: s < SEATS -> list[listed] = s; listed++; sleeping++; victim[s] = 1; resting[s] = 1; s++
    :: else -> break
    od;
    s = 0;
    do
    :: s < ALL_SEATS -> top[s] = 1; mem[BOTTOM(s)] = 1; s++
    :: else -> break
    od;
    s = 0;
    do
    :: s < BUFFERED -> run hardware(s); s++
    :: else -> break
    od;
    s = (SCENARIO == 5 -> 1 : 0);
    do
    :: s < SEATS -> run thread(s, CALLERS + s); s++
    :: else -> break
    od;
    s = 0;
#if SCENARIO == 6
    run holder(0);
    run injecting();
#elif CALLERS > 0
    run caller(0);
#endif
#if CALLERS > 1
    run holder(1);
#endif
#if SCENARIO == 3
    run injecting();
    run injecting()
#endif
  }
}
