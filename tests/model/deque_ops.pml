/* heist/deque/deque.hpp, operation by operation, over memory.pml. One step here is one access there; the names are its.

   The includer defines DEQUES, ITEMS (items are 1 … ITEMS) and PLACES (slots of a ring; RINGS of them, each twice the one
   before). Indices begin at 1, so that an owner who pops an empty deque stays above zero. An item in a slot is 2·item,
   plus 1 if its owner pops it behind a full fence. CONTENT(x) stands for what item x points to: written before the push,
   checked by whoever steals it.

   Processor d is the owner of deque d and has a buffer. Thieves only ever load and run read-modify-writes.

   thief_end::steal() first looks with plain loads and gives up if the deque seems empty: left out, since a thief that
   does not look behaves in every way that one that looks does. */

#ifndef RINGS
#define RINGS 1
#endif
#if RINGS == 1
#define STRIDE (4 + PLACES)
#else
#define STRIDE (4 + 3 * PLACES)
#endif
#define TOP(d) ((d) * STRIDE)
#define BOTTOM(d) ((d) * STRIDE + 1)
#define THIEVES(d) ((d) * STRIDE + 2)
#define RING(d) ((d) * STRIDE + 3)
#define SLOT(d, r, i) ((d) * STRIDE + 4 + (r) * PLACES + (i) % (((r) + 1) * PLACES))
#define CONTENT(x) (DEQUES * STRIDE + (x))
#define MODE (DEQUES * STRIDE)   /* strand::root_mode of the owner of deque 0; CONTENT(0) */
#define CELLS (DEQUES * STRIDE + ITEMS + 1)
#ifndef BUFFERED
#define BUFFERED DEQUES
#endif

#include "memory.pml"

byte taken[ITEMS + 1];   /* how often; a ghost */
#ifdef MODES
byte mode_of[ITEMS + 1]; /* in which it was pushed; a ghost */
#endif

inline begin_deque(d) { mem[TOP(d)] = 1; mem[BOTTOM(d)] = 1 }

/* For use inside a step: somebody has x now. */
inline take(x) { taken[x]++; assert(taken[x] == 1) }

/* The owner's end. The includer's process declares: byte b, t, r, n; (r: the ring the owner writes to) ------------- */

/* owner_end::push(), without the comparison with the limit: see deque_limit.pml */
inline push(d, x) {
  store_relaxed(d, CONTENT(x), 1);
  load(d, BOTTOM(d), b);
#ifdef MUTANT_RELAXED_PUBLISH
  store_relaxed(d, SLOT(d, r, b), 2 * (x));
  store_relaxed(d, BOTTOM(d), b + 1)
#else
  store_relaxed(d, SLOT(d, r, b), 2 * (x));
  store_release(d, BOTTOM(d), b + 1)
#endif
}

/* owner_end::mark_fenced() */
inline mark_fenced(d) {
  load(d, BOTTOM(d), b);
  load(d, SLOT(d, r, b - 1), n);
#ifdef MUTANT_RELAXED_MARK
  store_relaxed(d, SLOT(d, r, b - 1), n | 1)
#else
  store_release(d, SLOT(d, r, b - 1), n | 1)
#endif
}

/* owner_end::lower(), take_back() and take_back_fenced() with nobody_wants(), settle(). ours: the item is the owner's.
   b is the item's index afterwards. */
inline take_back(d, fenced, ours) {
  ours = 0;
#ifdef MUTANT_THIEVES_EARLY
  load(d, THIEVES(d), n);
#endif
  d_step { see(d, BOTTOM(d), b); b-- };
  store_relaxed(d, BOTTOM(d), b);
  if :: fenced -> full_fence(d) :: else fi;
  load(d, TOP(d), t);
  if
  :: t < b -> ours = 1
  :: else ->
#ifndef MUTANT_THIEVES_EARLY
     load(d, THIEVES(d), n);
#endif
     if
     :: n == 0 ->
#ifndef MUTANT_TOP_NOT_REREAD
        load(d, TOP(d), t);
#endif
        if :: t == b -> ours = 1 :: else fi
     :: else
     fi
  fi;
  t = 0; n = 0;
  if :: ours -> skip :: else -> settle(d, ours) fi
}

inline settle(d, ours) {
  load(d, TOP(d), t);
  if
  :: t == b -> d_step { settle_stores(d); if :: mem[TOP(d)] == b -> mem[TOP(d)] = b + 1; ours = 1 :: else fi }
  :: else
  fi;
  t = 0;
  store_relaxed(d, BOTTOM(d), b + 1)
}

/* owner_end::grow() with adopt(): from ring 0 to ring 1 */
inline grow(d) {
  load(d, BOTTOM(d), b);
  load(d, TOP(d), t);
  do
  :: t < b ->
     load(d, SLOT(d, r, t), n);
     store_relaxed(d, SLOT(d, r + 1, t), n);
     t++
  :: else -> break
  od;
  r++;
#ifdef MUTANT_RELAXED_GROW
  store_relaxed(d, RING(d), r);
#else
  store_release(d, RING(d), r);
#endif
  t = 0; n = 0
}

/* The thieves' end. The includer's process declares: byte t, b, s, x; bit heavy, go; and
   with -DMODES byte mode; ------------------------------ */

/* thief_end::steal() and attempt(). In an order of their own: the mutants. */
inline announce(d) { d_step { mem[THIEVES(d)] = mem[THIEVES(d)] + 1 } }
inline leave(d) { d_step { mem[THIEVES(d)] = mem[THIEVES(d)] - 1; t = 0; b = 0; s = 0; heavy = 0; go = 0 } }

/* ARM: a load may overtake the store of a read-modify-write before it. The announcement is seen sooner or later, but
   before the fence. */
inline announce_sometime(d) {
#ifdef LATE
  if :: !said -> announce(d); said = 1 :: skip fi
#else
  skip
#endif
}

/* The part before the fence. go: there seems to be something. */
inline look_before(d) {
  t = mem[TOP(d)];
  announce_sometime(d);
  b = mem[BOTTOM(d)];
  go = (t < b);
  b = 0;
  announce_sometime(d);
  if
  :: go ->
     s = mem[RING(d)];
     d_step { s = mem[SLOT(d, s, t)]; heavy = !(s & 1); s = 0 }
  :: else
  fi
}

inline fence() {
#if defined(MUTANT_NO_FENCE) || defined(MUTANT_WEAK_FENCE)
  skip
#else
  /* An ordinary full fence empties the thief's own buffer, and it has none. */
  if :: heavy -> heavy_fence() :: else fi
#endif
}

/* The part after it, at index t. x: the item, or 0. */
inline claim(d) {
#if defined(MODES) && defined(MUTANT_NOTE_EARLY)
  mode = mem[MODE];
#endif
  b = mem[BOTTOM(d)];
  if
  :: t < b ->
#if defined(MODES) && defined(MUTANT_NOTE_BEFORE_ITEM)
     mode = mem[MODE];   /* a relaxed load of the item, which the note overtakes */
#endif
     s = mem[RING(d)];
     s = mem[SLOT(d, s, t)];
#if defined(MODES) && !defined(MUTANT_NOTE_EARLY) && !defined(MUTANT_NOTE_BEFORE_ITEM)
     mode = mem[MODE];   /* note() */
#endif
     if
#if defined(LATE) && !defined(MUTANT_MARK_NOT_REREAD)
     :: !(s & 1) && !heavy -> skip   /* lost */
#elif !defined(MUTANT_MARK_NOT_REREAD)
     :: !(s & 1) && !heavy -> assert(mem[TOP(d)] != t)   /* lost; and it was: README.md, "The mark does not change" */
#endif
     :: else ->
#ifdef MUTANT_LEAVE_EARLY
        d_step { mem[THIEVES(d)] = mem[THIEVES(d)] - 1 };
#endif
        d_step {
          if
          :: mem[TOP(d)] == t -> mem[TOP(d)] = t + 1; x = s / 2; take(x)
          :: else
          fi
        };
        if :: x != 0 -> assert(mem[CONTENT(x)] == 1) :: else fi;
#ifdef MODES
        if :: x != 0 -> assert(mode == mode_of[x]) :: else fi;
#endif
#ifdef MUTANT_LEAVE_EARLY
        d_step { mem[THIEVES(d)] = mem[THIEVES(d)] + 1 };
#endif
     fi
  :: else
  fi;
#ifdef MODES
  mode = 0;
#endif
  b = 0; s = 0
}

inline steal(d) {
#if !defined(MUTANT_ANNOUNCE_LATE) && !defined(LATE)
  announce(d);
#endif
  look_before(d);
#ifdef LATE
  if :: !said -> announce(d) :: else fi;
  said = 0;
#endif
#ifdef NO_MEMBARRIER
  go = go && !heavy;   /* heavy_fence() fails: lost */
#endif
  if
  :: go ->
     fence();
#ifdef MUTANT_ANNOUNCE_LATE
     announce(d);
#endif
#ifdef MUTANT_TOP_REREAD
     t = mem[TOP(d)];
#endif
     claim(d);
#ifdef MUTANT_SECOND_ITEM
     if :: x != 0 -> x = 0; t++; claim(d) :: else fi;
#endif
     x = 0;
     leave(d)
  :: else ->
#ifndef MUTANT_ANNOUNCE_LATE
     leave(d)
#endif
  fi
}
