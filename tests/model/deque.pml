/* One owner against two thieves: push, share, take_back, settle, steal, steal_kept; the last item; growth. Stands for
   heist/deque/deque.hpp: owner_end and thief_end, and for who calls them in pairs: join_pair() and join_tripped() in
   heist/join.hpp and heist/join.cpp, and tripped() in heist/sched/fork.cpp, which shares.

   Bounds: ITEMS pushes, at most NEST of them in the deque at a time, in every order of pushes and pops; after any push the
   owner may share; two thieves, or -DONE_THIEF, with TRIES attempts each. -DWHOLE: who shares shares all. -DNO_MEMBARRIER:
   there is no heavy fence, so that every push is shared whole. -DGROW: a ring of two places that grows to four.
   -DSEVERAL: a thief takes all that is shared by one claim.
   -DMODES: an owner whose deque is empty may change strand::root_mode, once, as it does when another root comes to its seat.

   Checked: nobody takes an item twice; what an owner is told was stolen was; a thief that has an item sees what it
   points to, and has noted the mode in which it was pushed; all end. */

#define DEQUES 1
#ifdef NO_MEMBARRIER
#define WHOLE
#endif
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
  byte b, t, s, g, r, n;
  byte made, depth;
  byte mine[NEST];
  bit ours, went;
#ifdef SEVERAL
  bit m;
#endif
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
     b = 0;
     mine[depth] = made;
#ifdef GROW
     /* tripped() by way of has_room(): there is always a slot for one more push */
     d_step { see(0, BOTTOM(0), b); n = b - mem[TOP(0)]; b = 0 };
     if
     :: r == 0 && n >= PLACES -> n = 0; if :: share(0) :: skip fi; grow(0); b = 0
     :: else -> n = 0
     fi;
#endif
     if
     :: share(0); b = 0
#ifndef NO_MEMBARRIER
     :: skip
#endif
     fi;
     depth++
  :: depth > 0 ->
     depth--;
     take_back(0, ours);
     d_step {
       if
       :: ours -> take(mine[depth])
       :: else -> assert(taken[mine[depth]] == 1)
       fi;
       mine[depth] = 0; ours = 0; b = 0
     }
  :: made == ITEMS && depth == 0 -> break
  od
}

proctype thief() {
  byte t, s, b, i, x, tries;
  bit go;
#ifdef SEVERAL
  byte y, z;
  bit m;
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
