/* A strand that leaves its worker and comes back, while other strands used the worker's deque. Stands for
   owner_end::take_back() and settle() in heist/deque/deque.hpp, called by join_pair() in heist/join.hpp through
   this_worker(): bottom is read again after the first branch, not kept from the push.

   The strand pushes item 1; it may leave only when the deque is empty (docs: the deque discipline), so it waits until
   item 1 was stolen. Another strand pushes and takes back item 2 on the same worker. The first strand comes back, finds
   item 1 gone, and pushes and takes back item 3.

   Bounds: three items, one at a time; two thieves with two attempts each, one of which is sure to take item 1. */

#define DEQUES 1
#define ITEMS 3
#define PLACES 4
#define ROOM 12
#include "deque_ops.pml"

inline back(x) {
  take_back(0, ours);
  d_step {
    if
    :: ours -> take(x)
    :: else -> assert(taken[x] == 1)
    fi;
    ours = 0; b = 0
  }
}

proctype owner() {
  byte b, t, s, g, r, n;
  bit ours, went;
#ifdef MUTANT_BOTTOM_FROM_REGISTER
  byte kept;
#endif
  push(0, 1);
#ifndef MUTANT_BOTTOM_FROM_REGISTER
  b = 0;
#endif
#ifdef MUTANT_BOTTOM_FROM_REGISTER
  kept = b;
#endif
  taken[1] == 1;
  /* away: another strand runs here */
  push(0, 2);
  back(2);
  /* back again */
#ifdef MUTANT_BOTTOM_FROM_REGISTER
  store_relaxed(0, BOTTOM(0), kept + 1);
#endif
  back(1);
  push(0, 3);
  back(3)
}

proctype thief(bit sure) {
  byte t, s, b, i, x, tries;
  bit go;
  do
  :: tries < 2 -> tries++; steal(0)
  :: sure && !taken[1] -> steal(0)   /* somebody takes item 1 */
  :: !sure || taken[1] -> break
  od
}

init {
  atomic {
    begin_deque(0);
    run hardware(0);
    run owner();
    run thief(1);
    run thief(0)
  }
}
