/* One heavy fence over two victims: a thief announces itself to both, reads both tops, fences once, and then tries the
   one and the other. A second thief robs either in the ordinary way. Stands for a use of thief_end in
   heist/deque/deque.hpp that README.md there permits and search.cpp does not make yet: rob() takes one victim at a time.

   Bounds: the first victim has one item, the second two, pushed and then taken back; one thief over both, once; one
   ordinary thief of the second, once. */

#define DEQUES 2
#define ITEMS 3
#define PLACES 2
#define ROOM 8
#include "deque_ops.pml"

inline back(d, x) {
  take_back(d, 0, ours);
  d_step {
    if
    :: ours -> take(x)
    :: else -> assert(taken[x] == 1)
    fi;
    ours = 0; b = 0
  }
}

proctype first_owner() {
  byte b, t, r, n;
  bit ours;
  push(0, 1);
  back(0, 1)
}

proctype second_owner() {
  byte b, t, r, n;
  bit ours;
  push(1, 2);
  push(1, 3);
  back(1, 3);
  back(1, 2)
}

proctype thief_of_both() {
  byte t, b, s, x;
  bit heavy, go;
  byte first, second;
  announce(0);
  announce(1);
  first = mem[TOP(0)];
#ifndef MUTANT_SECOND_TOP_LATE
  second = mem[TOP(1)];
#endif
  heavy = 1;
  heavy_fence();
#ifdef MUTANT_SECOND_TOP_LATE
  second = mem[TOP(1)];
#endif
  t = first;
  claim(0);
  x = 0;
  t = second;
  claim(1);
  d_step { x = 0; first = 0; second = 0 };
  d_step { mem[THIEVES(0)] = mem[THIEVES(0)] - 1 };
  leave(1)
}

proctype thief() {
  byte t, b, s, x;
  bit heavy, go;
  steal(1)
}

init {
  atomic {
    begin_deque(0);
    begin_deque(1);
    run hardware(0);
    run hardware(1);
    run first_owner();
    run second_owner();
    run thief_of_both();
    run thief()
  }
}
