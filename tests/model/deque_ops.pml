/* heist/deque/deque.hpp, operation by operation, over memory.pml. One step here is one access there, but for raise_guard(), which is
   a loop around one; the names are its.

   The includer defines DEQUES, ITEMS (items are 1 … ITEMS) and PLACES (slots of a ring; RINGS of them, each twice the one
   before). Indices begin at 1, so that an owner who pops an empty deque stays above zero. CONTENT(x) stands for what item
   x points to: written before the push, checked by whoever steals it.

   TOP and SPLIT are one word in the code: they are read in one step, and changed in one step. -DWHOLE: an owner that
   shares shares everything it has, not the older half, as where there is no heavy fence. -DMIXED: it shares everything and
   then goes over to halves.

   -DSEVERAL: a thief takes all that is shared, by one claim. The word has one more bit then, MARK: it says that the split
   was raised again after it had been lowered, with the same top, so that only the oldest item is sure to be the one that a
   thief has read. Without SEVERAL nobody reads the bit, and the model leaves it out.

   Processor d is the owner of deque d and has a buffer. Thieves only ever load and run read-modify-writes. An owner's
   read-modify-write empties its buffer only if it succeeds and releases: on ARM others need not. */

#ifndef RINGS
#define RINGS 1
#endif
#if RINGS == 1
#define STRIDE (5 + PLACES)
#else
#define STRIDE (5 + 3 * PLACES)
#endif
#define TOP(d) ((d) * STRIDE)
#define SPLIT(d) ((d) * STRIDE + 1)
#define BOTTOM(d) ((d) * STRIDE + 2)
#define GUARD(d) ((d) * STRIDE + 3)
#define RING(d) ((d) * STRIDE + 4)
#define SLOT(d, r, i) ((d) * STRIDE + 5 + (r) * PLACES + (i) % (((r) + 1) * PLACES))
#define CONTENT(x) (DEQUES * STRIDE + (x))
#define MODE (DEQUES * STRIDE)   /* strand::root_mode of the owner of deque 0; CONTENT(0) */
#define CELLS (DEQUES * STRIDE + ITEMS + 1)
#ifndef BUFFERED
#define BUFFERED DEQUES
#endif

#include "memory.pml"

byte taken[ITEMS + 1];   /* how often; a ghost */
#ifdef SEVERAL
bit mark[DEQUES];        /* a part of the word {top, split} */
byte lowered[DEQUES];    /* deque::lowered_at_, the owner's: the top at which it last lowered the split */
#define SAME_MARK(d) (mark[d] == m)
#else
#define SAME_MARK(d) true
#endif
#ifdef MODES
byte mode_of[ITEMS + 1]; /* in which it was pushed; a ghost */
#endif

inline begin_deque(d) { mem[TOP(d)] = 1; mem[SPLIT(d)] = 1; mem[BOTTOM(d)] = 1; mem[GUARD(d)] = 1 }

/* For use inside a step: somebody has x now. */
inline take(x) { taken[x]++; assert(taken[x] == 1) }

/* The older half of n items, rounded up: what is shared, and what stays so. */
#define HALF_OF(n) (((n) + 1) / 2)
#if defined(WHOLE) || defined(MIXED)
#define SHARE_OF(n) (n)
#else
#define SHARE_OF(n) HALF_OF(n)
#endif
#ifdef WHOLE
#define STAYS_OF(n) (n)
#else
#define STAYS_OF(n) HALF_OF(n)
#endif

/* The owner's end. The includer's process declares: byte b, t, s, g, r, n; bit went; (r: the ring the owner writes to); and
   with -DSEVERAL bit m; ------------------------------------------------------------------------------------------------- */

/* owner_end::push(), without the comparison with the limit: see deque_limit.pml */
inline push(d, x) {
  store_relaxed(d, CONTENT(x), 1);
  load(d, BOTTOM(d), b);
  store_relaxed(d, SLOT(d, r, b), x);
#ifdef MUTANT_RELAXED_PUBLISH
  store_relaxed(d, BOTTOM(d), b + 1)
#else
  store_release(d, BOTTOM(d), b + 1)
#endif
}

/* For use inside a step: the owner reads the word. */
inline see_word(d) {
  t = mem[TOP(d)];
#ifdef SEVERAL
  m = mark[d];
#endif
  s = mem[SPLIT(d)]
}

/* For use inside a step: compare-and-swap of the word {top, split} from {t, s}. */
inline swap_shared(d, to_top, to_split) {
  went = (mem[TOP(d)] == t && mem[SPLIT(d)] == s && SAME_MARK(d));
  if
  :: went ->
     settle_stores(d);
#ifdef SEVERAL
     if
     :: to_top != t -> mark[d] = 0
#ifndef MUTANT_RAISED_UNMARKED
     :: to_top == t && to_split > s && lowered[d] == t -> mark[d] = 1
#endif
     :: else
     fi;
     if :: to_top == t && to_split < s -> lowered[d] = t :: else fi;
#endif
     mem[TOP(d)] = to_top; mem[SPLIT(d)] = to_split
  :: else
  fi;
  i_ = 0
}

/* deque::raise_guard(): the owner, to i */
inline raise_guard(d, i) {
  d_step { if :: mem[GUARD(d)] < i -> mem[GUARD(d)] = i :: else fi }
}

/* owner_end::share() */
inline share(d) {
  do
  :: skip; d_step { see(d, BOTTOM(d), b); see_word(d); n = (b > t -> t + SHARE_OF(b - t) : t); went = 0 };
     if
     :: n <= s -> break
     :: else ->
#ifdef MUTANT_SHARE_GUARDED_BY_STORE
        store_relaxed(d, GUARD(d), n);
#elif !defined(MUTANT_SHARED_UNGUARDED)
        raise_guard(d, n);
#endif
#ifdef MUTANT_RELAXED_SHARE
        d_step { went = (mem[TOP(d)] == t && mem[SPLIT(d)] == s); if :: went -> mem[SPLIT(d)] = n :: else fi };
#else
        d_step { swap_shared(d, t, n) };
#endif
        if :: went -> break :: else fi
     fi
  od;
#ifdef SEVERAL
  m = 0;
#endif
  t = 0;
  d_step { s = 0; n = 0; went = 0 }
}

/* owner_end::take_back(), and settle() if that says no. ours: the item is the owner's. b is the item's index
   afterwards. */
inline take_back(d, ours) {
  ours = 0;
#ifdef MUTANT_GUARD_EARLY
  load(d, GUARD(d), g);
#endif
  d_step { see(d, BOTTOM(d), b); b-- };
  store_relaxed(d, BOTTOM(d), b);
#ifndef MUTANT_GUARD_EARLY
  load(d, GUARD(d), g);
#endif
  if
  :: g <= b -> ours = 1; g = 0
  :: else -> settle(d, ours)
  fi
}

/* owner_end::settle(): three cases. Stolen; the last item, whose index is used up; shared and not the last: the boundary
   comes down. g is the guard as seen before the word. */
inline settle(d, ours) {
#ifndef MUTANT_GUARD_AFTER_TOP
  load(d, GUARD(d), g);
#endif
  do
  :: skip; d_step { see_word(d) };
#ifdef MUTANT_GUARD_AFTER_TOP
     load(d, GUARD(d), g);
#endif
     if
#ifdef MUTANT_NO_THIRD_CASE
     :: t != b -> break
#else
     :: t > b -> break
#endif
     :: t == b -> d_step { swap_shared(d, b + 1, b + 1); ours = went }; if :: went -> break :: else fi
#ifndef MUTANT_NO_THIRD_CASE
     :: t < b ->
        n = t + STAYS_OF(b - t);
#ifdef MUTANT_GUARD_LATE
        went = 1;
#elif defined(MUTANT_GUARD_BY_STORE)
        store_relaxed(d, GUARD(d), n);
        went = 1;
#else
        d_step {
          went = (mem[GUARD(d)] == g);
          if :: went -> mem[GUARD(d)] = n; g = n :: else -> g = mem[GUARD(d)] fi
        };
#endif
        if
        :: went ->
#ifdef MUTANT_LOWERED_BY_STORE
           d_step { settle_stores(d); mem[SPLIT(d)] = n; ours = 1 };
#else
           d_step { swap_shared(d, t, n); ours = went };
#endif
#ifdef MUTANT_GUARD_LATE
           if :: ours -> d_step { settle_stores(d); mem[GUARD(d)] = n } :: else fi;
#endif
           if :: ours -> break :: else fi
        :: else
        fi
#endif
     fi
  od;
  if
  :: t >= b ->
     store_relaxed(d, BOTTOM(d), b + 1);
#ifndef MUTANT_NOT_RAISED_AGAIN
     raise_guard(d, b + 1)
#endif
  :: else
  fi;
#ifdef SEVERAL
  m = 0;
#endif
  d_step { t = 0; s = 0; n = 0; g = 0; went = 0 }
}

/* owner_end::grow() with adopt(): from ring 0 to ring 1 */
inline grow(d) {
  load(d, BOTTOM(d), b);
  t = mem[TOP(d)];
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

/* The thieves' end. The includer's process declares: byte t, s, b, i, x; bit go; with -DMODES byte mode; and with -DSEVERAL
   byte y, z; bit m; ---------------------------------------------------------------------------------------------------- */

/* For use inside a step: one thief moves the word from {t, s} past t. */
inline move_top(d) {
#ifdef MUTANT_CLAIM_BY_TOP
  go = (mem[TOP(d)] == t);
#else
  go = (mem[TOP(d)] == t && mem[SPLIT(d)] == s && SAME_MARK(d));
#endif
  if
  :: go ->
     mem[TOP(d)] = t + 1;
#ifdef SEVERAL
     mark[d] = 0;
#endif
     if :: mem[SPLIT(d)] < t + 1 -> mem[SPLIT(d)] = t + 1 :: else fi
  :: else
  fi
}

/* thief_end::claim(): the item at t, if the word is still {t, s}. */
inline claim(d) {
  i = mem[RING(d)];
  x = mem[SLOT(d, i, t)];
#if defined(MODES) && !defined(MUTANT_NOTE_EARLY)
  mode = mem[MODE];   /* note() */
#endif
#ifdef MUTANT_TWO_BY_TOP
  /* as many as were shared, by one claim on the top alone */
  byte y;
  if :: s > t + 1 -> y = mem[SLOT(d, i, t + 1)] :: else -> y = 0 fi;
  d_step {
    go = (mem[TOP(d)] == t && (y != 0 || mem[SPLIT(d)] == s));
    if
    :: go && y != 0 -> mem[TOP(d)] = t + 2; take(x); take(y); if :: mem[SPLIT(d)] < t + 2 -> mem[SPLIT(d)] = t + 2 :: else fi
    :: go && y == 0 -> move_top(d); take(x)
    :: else
    fi;
    y = 0
  };
#else
  d_step { move_top(d); if :: go -> take(x) :: else fi };
#endif
  if :: go -> assert(mem[CONTENT(x)] == 1) :: else fi;
#ifdef MODES
  if :: go -> assert(mode == mode_of[x]) :: else fi;
  mode = 0;
#endif
  d_step { i = 0; x = 0 }
}

#ifdef SEVERAL
/* thief_end::claim_all(): the items from t up to s, at most three, if the word is still {t, s}; one if it is marked. */
inline claim_all(d) {
  i = mem[RING(d)];
  x = mem[SLOT(d, i, t)];
#ifdef MUTANT_SEVERAL_THOUGH_MARKED
#define ALL_OF_THEM true
#else
#define ALL_OF_THEM (!m)
#endif
  if :: ALL_OF_THEM && s > t + 1 -> y = mem[SLOT(d, i, t + 1)] :: else fi;
  if :: ALL_OF_THEM && s > t + 2 -> z = mem[SLOT(d, i, t + 2)] :: else fi;
#ifdef MODES
  mode = mem[MODE];
#endif
  d_step {
#ifdef MUTANT_SEVERAL_BY_TOP
    go = (mem[TOP(d)] == t && SAME_MARK(d));
#else
    go = (mem[TOP(d)] == t && mem[SPLIT(d)] == s && SAME_MARK(d));
#endif
    if
    :: go ->
       t = t + 1 + (y != 0) + (z != 0);
       mem[TOP(d)] = t;
       mark[d] = 0;
       if :: mem[SPLIT(d)] < t -> mem[SPLIT(d)] = t :: else fi;
       take(x);
       if :: y != 0 -> take(y) :: else fi;
       if :: z != 0 -> take(z) :: else fi
    :: else
    fi
  };
  if
  :: go ->
     assert(mem[CONTENT(x)] == 1 && (y == 0 || mem[CONTENT(y)] == 1) && (z == 0 || mem[CONTENT(z)] == 1));
#ifdef MODES
     assert(mode == mode_of[x] && (y == 0 || mode == mode_of[y]) && (z == 0 || mode == mode_of[z]));
#endif
  :: else
  fi;
#ifdef MODES
  mode = 0;
#endif
  d_step { i = 0; x = 0; y = 0; z = 0 }
}
#endif

#ifdef SEVERAL
/* thief_end::steal_several_kept(): nothing is shared, t == s. Up to two items under one guard and one fence. */
inline steal_several_kept(d) {
  b = mem[BOTTOM(d)];
  if
  :: t < b ->
     s = (b > t + 2 -> t + 2 : t + 1);   /* half, rounded up */
#ifdef MUTANT_SEVERAL_UNDER_ONE_GUARD
     d_step { if :: mem[GUARD(d)] < t + 1 -> mem[GUARD(d)] = t + 1 :: else fi };
#else
     d_step { if :: mem[GUARD(d)] < s -> mem[GUARD(d)] = s :: else fi };
#endif
     heavy_fence();
#ifndef MUTANT_SEVERAL_UNSEEN
     b = mem[BOTTOM(d)];
     if :: s > b -> s = b :: else fi;
#endif
     if
     :: t < s ->
        i = mem[RING(d)];
        x = mem[SLOT(d, i, t)];
        if :: s > t + 1 -> y = mem[SLOT(d, i, t + 1)] :: else fi;
#ifdef MODES
        mode = mem[MODE];
#endif
        d_step {
          go = (mem[TOP(d)] == t && mem[SPLIT(d)] == t && SAME_MARK(d));
          if
          :: go ->
             mem[TOP(d)] = s; mem[SPLIT(d)] = s; mark[d] = 0;
             take(x);
             if :: y != 0 -> take(y) :: else fi
          :: else
          fi
        };
        if :: go -> assert(mem[CONTENT(x)] == 1 && (y == 0 || mem[CONTENT(y)] == 1)) :: else fi;
#ifdef MODES
        if :: go -> assert(mode == mode_of[x] && (y == 0 || mode == mode_of[y])) :: else fi;
        mode = 0;
#endif
        d_step { i = 0; x = 0; y = 0 }
     :: else
     fi
  :: else
  fi
}
#endif

/* thief_end::steal_kept(): nothing is shared, t == s. */
inline steal_kept(d) {
  b = mem[BOTTOM(d)];
  if
  :: t < b ->
#if !defined(MUTANT_NO_RAISE) && !defined(MUTANT_RAISE_LATE)
     d_step { if :: mem[GUARD(d)] < t + 1 -> mem[GUARD(d)] = t + 1 :: else fi };
#endif
#ifndef MUTANT_NO_FENCE
     heavy_fence();
#endif
#ifdef MUTANT_RAISE_LATE
     d_step { if :: mem[GUARD(d)] < t + 1 -> mem[GUARD(d)] = t + 1 :: else fi };
#endif
#ifdef MUTANT_TOP_REREAD
     d_step { t = mem[TOP(d)]; s = mem[SPLIT(d)] };
#endif
#if defined(MODES) && defined(MUTANT_NOTE_EARLY)
     mode = mem[MODE];
#endif
#ifndef MUTANT_BOTTOM_EARLY
     b = mem[BOTTOM(d)];
#endif
     if :: t < b -> claim(d) :: else fi;
#ifdef MUTANT_SECOND_ITEM
     if :: go -> t++; s = t; b = mem[BOTTOM(d)]; if :: t < b -> claim(d) :: else fi :: else fi;
#endif
  :: else
  fi
}

/* robbery::rob_deque(): what is shared, or, if the owner does not answer, what it keeps. That it does not answer in time may
   happen at any time: here it is a matter of chance. */
inline steal(d) {
  d_step { see_word(d) };
  if
#ifdef SEVERAL
  :: t < s -> claim_all(d)
#else
  :: t < s -> claim(d)
#endif
#if defined(SEVERAL) && !defined(NO_MEMBARRIER)
  :: t == s -> steal_several_kept(d)
#elif !defined(NO_MEMBARRIER)
  :: t == s -> steal_kept(d)
#endif
  :: t == s -> skip
  fi;
#ifdef SEVERAL
  m = 0;
#endif
  d_step { t = 0; s = 0; b = 0; go = 0 }
}
