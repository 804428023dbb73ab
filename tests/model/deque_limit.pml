/* The limit and the requests: how a worker that lies down is woken by another worker's next push. Stands for
   owner_end::push() and make_room(), deque::trip() (heist/deque/deque.hpp), seat::ask() and withdraw()
   (heist/strand/seat.hpp), tripped() (heist/sched/fork.cpp), search::ask_and_look() (heist/sched/search.cpp),
   robbery::ask_to_share() (heist/sched/robbery.cpp).

   The owner pushes and pops ROUNDS times and then leaves one more item. Two workers lie down: each is listed, asks for a
   wake-up, fences, and looks. A thief asks the owner to share. The ring is never full; the first limit is or is not passed by
   the first push, as if it were.
   -DNO_MEMBARRIER: there is no heavy fence. Owners are asked to share all from the start and for good, so that every push
   trips, and who lies down runs an ordinary fence.

   Checked: at the end each of the two has seen the item or was woken after it was listed. Who is then woken is the
   matter of idle.pml. And a request that was not answered has the limit down, so that the next push answers it. */

#define BOTTOM 0
#define LIMIT 1
#define REQUESTS 2
#define CELLS 3
#define BUFFERED 1
#define ROOM 8
#ifndef ROUNDS
#define ROUNDS 2
#endif
#include "memory.pml"

#define FAR 20       /* a limit out of reach */
#define wake 1       /* request::wake */
#define share 2      /* request::share */
#define share_all 4  /* request::share_all */

byte listed, ready, told, seen;   /* sets of askers: 1 and 2; ghosts */
bit left_item, thief_asked;

/* tripped() */
inline tripped() {
#if defined(NO_MEMBARRIER) && !defined(MUTANT_PUSHER_WITHOUT_FENCE)
  full_fence(0);
#endif
  load(0, REQUESTS, asked);
  if
  :: asked & share -> d_step { settle_stores(0); mem[REQUESTS] = mem[REQUESTS] & ~share }
  :: else
  fi;
  if
  :: asked == share_all -> skip     /* and there is room: back to work, the limit stays down */
  :: else ->
     if
     :: asked & wake ->
#ifdef MUTANT_WITHDRAWN_LATE
        told = told | listed;
        d_step { settle_stores(0); mem[REQUESTS] = mem[REQUESTS] & ~wake }
#else
        d_step { settle_stores(0); mem[REQUESTS] = mem[REQUESTS] & ~wake };
        told = told | listed    /* rouse_one() */
#endif
     :: else
     fi;
     d_step { settle_stores(0); mem[LIMIT] = FAR };   /* make_room() */
#ifndef MUTANT_REQUESTS_NOT_REREAD
     load(0, REQUESTS, asked);
     if
     :: asked != 0 -> d_step { settle_stores(0); mem[LIMIT] = 0 }
     :: else
     fi
#endif
  fi;
  asked = 0
}

inline push() {
  load(0, BOTTOM, b);
#ifdef MUTANT_LIMIT_BEFORE_BOTTOM
  load(0, LIMIT, limit);
  store_release(0, BOTTOM, b + 1);
#else
  store_release(0, BOTTOM, b + 1);
  load(0, LIMIT, limit);
#endif
  if
  :: b + 1 > limit -> limit = 0; b = 0; tripped()
  :: else -> limit = 0; b = 0
  fi
}

proctype owner() {
  byte b, limit, asked, rounds;
  do
  :: rounds < ROUNDS ->
     rounds++;
     push();
     load(0, BOTTOM, b);
     store_relaxed(0, BOTTOM, b - 1);
     b = 0
  :: break
  od;
  push();
  left_item = 1
}

/* seat::ask() */
inline ask(what) {
#ifdef MUTANT_LIMIT_BEFORE_REQUEST
  mem[LIMIT] = 0;
  mem[REQUESTS] = mem[REQUESTS] | what
#else
  mem[REQUESTS] = mem[REQUESTS] | what;
  mem[LIMIT] = 0
#endif
}

/* search::sleep() and ask_and_look(), for one victim */
proctype asker(byte me) {
  listed = listed | me;
  ask(wake);
#if !defined(NO_MEMBARRIER) && !defined(MUTANT_ASKER_WITHOUT_FENCE)
  heavy_fence();
#endif
  if
  :: mem[BOTTOM] > 1 -> seen = seen | me
  :: else
  fi;
  ready = ready | me
}

/* robbery::ask_to_share() */
proctype thief() {
  ask(share);
  thief_asked = 1
}

init {
  atomic {
    mem[BOTTOM] = 1;
#ifdef NO_MEMBARRIER
    mem[REQUESTS] = share_all;
    mem[LIMIT] = 0;
#else
    if
    :: mem[LIMIT] = FAR
    :: mem[LIMIT] = 1
    fi;
#endif
    run thief();
    run hardware(0);
    run owner();
    run asker(1);
    run asker(2)
  }
  left_item && thief_asked && ready == 3 && buf[0].n == 0;
  assert((seen | told) == 3);
  assert(mem[REQUESTS] == 0 || mem[LIMIT] == 0)
}
