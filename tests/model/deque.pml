/* One owner against two thieves: push, take_back, settle, steal; the last item; the change-over between fence kinds;
   growth. Stands for heist/deque/deque.hpp: owner_end and thief_end, and for who calls them in pairs: join_pair() and
   join_tripped() in heist/join.hpp and heist/join.cpp.

   Bounds: ITEMS pushes, at most NEST of them in the deque at a time, in every order of pushes and pops; two thieves, or
   -DONE_THIEF, with TRIES attempts each. -DMARKS: each item is either light or fenced, as its owner likes. -DNO_MEMBARRIER, with it:
   there is no heavy fence, so that all are fenced. -DGROW: a ring of two places that grows to four.
   -DLATE: a thief's announcement is seen any time before its fence, as on ARM where acquire is ldapr.
   -DMODES: an owner whose deque is empty may change strand::root_mode, once, as it does when another root comes to its seat.

   Checked: nobody takes an item twice; what an owner is told was stolen was; a thief that has an item sees what it
   points to, and has noted the mode in which it was pushed; all end. */

#define DEQUES 1
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef NEST
#define NEST 2
#endif
#ifndef TRIES
#define TRIES 2
#endif
#ifdef GROW
#define RINGS 2
#define PLACES 2
#else
#define PLACES 4
#endif
#ifndef ROOM
#define ROOM 12
#endif

#include "deque_ops.pml"

proctype owner() {
  byte b, t, r, n;
  byte made, depth;
  byte mine[NEST];
  bit fenced[NEST];
  bit ours;
#ifdef MODES
  bit now_mode;
#endif
  do
  :: made < ITEMS && depth < NEST ->
     made++;
#ifdef MODES
     if
     :: depth == 0 && now_mode == 0 -> now_mode = 1; store_relaxed(0, MODE, 1)
     :: skip
     fi;
     mode_of[made] = now_mode;
#endif
     push(0, made);
     mine[depth] = made;
#ifdef MARKS
     if
     :: mark_fenced(0); fenced[depth] = 1
#ifndef NO_MEMBARRIER
     :: skip
#endif
     fi;
#endif
#ifdef GROW
     /* tripped() by way of has_room(): there is always a slot for one more push */
     d_step { see(0, BOTTOM(0), b); see(0, TOP(0), t); n = b - t; b = 0; t = 0 };
     if
     :: r == 0 && n >= PLACES -> mark_fenced(0); fenced[depth] = 1; grow(0)
     :: else -> n = 0
     fi;
#endif
     depth++
  :: depth > 0 ->
     depth--;
     take_back(0, fenced[depth], ours);
     d_step {
       if
       :: ours -> take(mine[depth])
       :: else -> assert(taken[mine[depth]] == 1)
       fi;
       mine[depth] = 0; fenced[depth] = 0; ours = 0; b = 0
     }
  :: made == ITEMS && depth == 0 -> break
  od
}

proctype thief() {
  byte t, b, s, x, tries;
  bit heavy, go;
#ifdef LATE
  bit said;
#endif
#ifdef MODES
  byte mode;
#endif
  do
  :: tries < TRIES -> tries++; steal(0)
  :: break
  od
}

init {
  atomic {
    begin_deque(0);
    run hardware(0);
    run owner();
#ifndef ONE_THIEF
    run thief();
#endif
    run thief()
  }
}
