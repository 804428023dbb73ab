/* Workers, stacks and deques as suspend.pml and scope.pml see them: a deque's operations are single steps (deque.pml has
   what they are made of), a stack is in use or complete (its context is saved and nobody runs it), and a worker runs one
   strand or none. Memory is sequentially consistent: what crosses from strand to strand goes through one word or counter,
   by acquire and release.

   The includer defines WORKERS, JOBS (1 … JOBS), STRANDS (1 … STRANDS, each on a stack of its own). */

#define NOBODY 0

byte running[WORKERS];         /* the strand a worker runs; NOBODY: its own search loop, on a stack nobody else knows */
bit complete[STRANDS + 1];     /* the strand's stack is parked and whole: switch_to() in heist/stack/context.cpp */

typedef jobs { byte n; byte at[JOBS] }
jobs deque[WORKERS];

/* For use inside a step. */
inline push_bottom(w, j) { deque[w].at[deque[w].n] = j; deque[w].n++ }

/* For use inside a step: take_back() and settle(). A strand that finds its deque empty was robbed; if it is not empty,
   the last item is its own: the deque discipline (docs), checked here. */
inline pop_bottom(w, j, ours) {
  if
  :: deque[w].n > 0 ->
     deque[w].n--;
     assert(deque[w].at[deque[w].n] == j);
     deque[w].at[deque[w].n] = 0;
     ours = 1
  :: else -> ours = 0
  fi
}

hidden byte k_;

/* For use inside a step. */
inline steal_top(v, j) {
  j = deque[v].at[0];
  k_ = 0;
  do
  :: k_ + 1 < deque[v].n -> deque[v].at[k_] = deque[v].at[k_ + 1]; k_++
  :: else -> break
  od;
  deque[v].n--;
  deque[v].at[deque[v].n] = 0;
  k_ = 0
}

/* For use inside a step: the strand's stack is complete from here on. Who leaves a worker leaves an empty deque. */
inline leave_stack(w, s) {
  assert(running[w] == s && !complete[s]);
  complete[s] = 1;
  running[w] = NOBODY
}

/* For use inside a step: switch_to() a stack. Going on with one that somebody still runs, or that goes on already, is
   what must not happen. */
inline go_on(w, s) {
  assert(complete[s]);
  complete[s] = 0;
  running[w] = s
}
