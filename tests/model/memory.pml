/* Memory in two versions, for the models that include this file.

   x86   one FIFO store buffer for each processor (x86-TSO)
   weak  (-DWEAK) one FIFO for each location of each processor: stores to different locations become visible in any
         order, but a release store only after everything its processor stored before it

   Loads are never late or early: a processor reads its own newest buffered store, or memory. What that leaves out is
   said in README.md. A read-modify-write or a full fence empties the buffer of the processor that runs it, the heavy
   fence (heavy_fence() in heist/fence/fence.hpp, membarrier) those of all processors, one after the other.

   The includer defines CELLS (locations), BUFFERED (processors 0 … BUFFERED-1 have a buffer; those who only ever run
   read-modify-writes need none) and ROOM (entries of a buffer: an assertion fails if it is ever too small, so that a
   bound on the buffer hides nothing). */

typedef buffer {
  byte n;
  byte at[ROOM];
  byte val[ROOM];
  bit release[ROOM]
}
buffer buf[BUFFERED];
byte mem[CELLS];

hidden byte i_, j_;   /* scratch inside one step */

/* Processor p stores v to a. */
inline store(p, a, v, is_release) {
  d_step {
    assert(buf[p].n < ROOM);
    buf[p].at[buf[p].n] = a; buf[p].val[buf[p].n] = v; buf[p].release[buf[p].n] = is_release;
    buf[p].n++
  }
}
#define store_relaxed(p, a, v) store(p, a, v, 0)
#define store_release(p, a, v) store(p, a, v, 1)

/* What processor p, which has a buffer, sees at a: its own newest store, or memory. For use inside a step. */
inline see(p, a, v) {
  v = mem[a];
  i_ = 0;
  do
  :: i_ < buf[p].n ->
     if :: buf[p].at[i_] == a -> v = buf[p].val[i_] :: else fi;
     i_++
  :: else -> break
  od;
  i_ = 0
}
inline load(p, a, v) { d_step { see(p, a, v) } }

/* For use inside a step: the k-th entry becomes visible. */
inline retire(p, k) {
  mem[buf[p].at[k]] = buf[p].val[k];
  j_ = k;
  do
  :: j_ + 1 < buf[p].n ->
     buf[p].at[j_] = buf[p].at[j_ + 1]; buf[p].val[j_] = buf[p].val[j_ + 1]; buf[p].release[j_] = buf[p].release[j_ + 1];
     j_++
  :: else -> break
  od;
  buf[p].n--;
  buf[p].at[j_] = 0; buf[p].val[j_] = 0; buf[p].release[j_] = 0;
  j_ = 0
}

/* For use inside a step: everything becomes visible. */
inline settle_stores(p) {
  do
  :: buf[p].n > 0 -> retire(p, 0)
  :: else -> break
  od;
  i_ = 0
}

inline full_fence(p) { d_step { settle_stores(p) } }

/* Each processor passes a fence at a time of its own between this call's start and its end. */
#if BUFFERED == 1
inline heavy_fence() { full_fence(0) }
#elif BUFFERED == 2
inline heavy_fence() {
  if
  :: full_fence(0); full_fence(1)
  :: full_fence(1); full_fence(0)
  fi
}
#else
inline heavy_fence() {
  byte each_ = 0;
  do
  :: d_step { each_ < BUFFERED -> settle_stores(each_); each_++ }
  :: each_ == BUFFERED -> break
  od;
  each_ = 0
}
#endif

/* The hardware's part: stores become visible sometime. Weak: entry k may overtake those before it if it is no release
   store and none of them is to the same location. */
#define same(p, j, k) (buf[p].at[j] == buf[p].at[k])
#define first1(p, k) (!same(p, 0, k))
#define first2(p, k) (first1(p, k) && !same(p, 1, k))
#define first3(p, k) (first2(p, k) && !same(p, 2, k))
#define first4(p, k) (first3(p, k) && !same(p, 3, k))
#define first5(p, k) (first4(p, k) && !same(p, 4, k))
#define first6(p, k) (first5(p, k) && !same(p, 5, k))
#define first7(p, k) (first6(p, k) && !same(p, 6, k))
#define first8(p, k) (first7(p, k) && !same(p, 7, k))
#define first9(p, k) (first8(p, k) && !same(p, 8, k))
#define first10(p, k) (first9(p, k) && !same(p, 9, k))
#define first11(p, k) (first10(p, k) && !same(p, 10, k))
#define first12(p, k) (first11(p, k) && !same(p, 11, k))
#define first13(p, k) (first12(p, k) && !same(p, 12, k))
#define first14(p, k) (first13(p, k) && !same(p, 13, k))
#define first15(p, k) (first14(p, k) && !same(p, 14, k))
#define overtake(p, k, first) d_step { buf[p].n > k && !buf[p].release[k] && first(p, k) -> retire(p, k) }

proctype hardware(byte p) {
end:
  do
  :: d_step { buf[p].n > 0 -> retire(p, 0) }
#ifdef WEAK
  :: overtake(p, 1, first1)
#if ROOM > 2
  :: overtake(p, 2, first2)
#endif
#if ROOM > 3
  :: overtake(p, 3, first3)
#endif
#if ROOM > 4
  :: overtake(p, 4, first4)
#endif
#if ROOM > 5
  :: overtake(p, 5, first5)
#endif
#if ROOM > 6
  :: overtake(p, 6, first6)
#endif
#if ROOM > 7
  :: overtake(p, 7, first7)
#endif
#if ROOM > 8
  :: overtake(p, 8, first8)
#endif
#if ROOM > 9
  :: overtake(p, 9, first9)
#endif
#if ROOM > 10
  :: overtake(p, 10, first10)
#endif
#if ROOM > 11
  :: overtake(p, 11, first11)
#endif
#if ROOM > 12
  :: overtake(p, 12, first12)
#endif
#if ROOM > 13
  :: overtake(p, 13, first13)
#endif
#if ROOM > 14
  :: overtake(p, 14, first14)
#endif
#if ROOM > 15
  :: overtake(p, 15, first15)
#endif
#if ROOM > 16
#error "memory.pml knows buffers of at most 16 entries"
#endif
#endif
  od
}
