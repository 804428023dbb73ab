/* Orphans. Stands for heist/cluster: borrowed tasks whose lender is thought dead, and who adopts them.

   The driver A has lent k to B, which calls k' inside of it and lends that to C. A task that was borrowed is queued, begins,
   and ends. B may crash; A and C may be wrong about that, once each: then A runs k again and calls k', and C announces k' to
   all. B, if it lives, may think C dead and lend k' anew, to D. Whoever has k' and hears no more of its lender announces it.

   Messages are single steps: what is known, and to whom. A call that finds k' announced adopts it from its holder. Several
   lenders may have one task. Values are right or not. B's call of k' may become unwanted: then it cancels.

   Checked: k' comes back to A's and to B's call once each, with its value; nobody waits for ever; a call does not adopt again
   and again. */

#define A 0
#define B 1
#define C 2
#define D 3
#define NOBODY 4
mtype = { absent, queued, begun, ended };

bit alive[4] = 1;
bit may_crash_b, may_crash_c, wrong_a, wrong_c, wrong_b, may_cancel;

/* Who has k', and for whom: a set of callers that wait for it there. */
mtype task[4] = absent;
byte waiting_for[4];
bit stopped[4];                       /* asked to stop: what it throws is no value */
bit announced[4];                     /* as everybody's table of orphans has it */
#define wants(caller) (1 << (caller))

/* Callers of k': A's call when it runs k again, B's in the first run. */
byte lent_to[4] = NOBODY;             /* the holder at which a caller's loan is out */
byte came_back[4];
byte adoptions[4];
bit b_is_dead_to_a, b_is_dead_to_c;

/* A ping that the holder does not answer, or answers with "missing", brings the loan home. */
#define lost_at(h) (!alive[h] || task[h] == absent || stopped[h])

/* The loan closes with the value. */
inline give_back(caller) {
  assert(!stopped[me]);               /* what a stopped task throws is not its value */
  if
  :: lent_to[caller] == me -> lent_to[caller] = NOBODY; came_back[caller]++
  :: else                             /* no such loan any more */
  fi
}

/* Steps 2 and 3 of a borrower, and orphans' step 1; `me` is C or D. */
proctype holder(byte me; byte other) {
end_absent:
  (task[me] == queued);
  /* It begins. */
#ifdef MUTANT_BORROWED_ADOPTS
  atomic {
    if
    :: announced[other] && task[other] != absent && alive[other] ->
       lent_to[me] = other;
       waiting_for[other] = waiting_for[other] | wants(me)
    :: else
    fi
  };
  (lent_to[me] == NOBODY || !alive[me] || lost_at(lent_to[me]));
#endif
  atomic {
    if
    :: task[me] == queued -> task[me] = begun
    :: else
    fi
  };
  atomic {
    if
    :: task[me] == begun ->
       task[me] = ended;
#ifdef MUTANT_CANCEL_STOPS_ADOPTED
       if
       :: waiting_for[me] & wants(A) -> give_back(A)
       :: else
       fi;
#else
       if
       :: !stopped[me] && (waiting_for[me] & wants(A)) -> give_back(A)
       :: else
       fi;
#endif
       if
       :: !stopped[me] && (waiting_for[me] & wants(B)) -> give_back(B)
       :: else
       fi;
       if
       :: !stopped[me] && (waiting_for[me] & wants(other)) -> give_back(other)
       :: else
       fi
    :: else                           /* it crashed */
    fi
  }
}

/* Its lender is dead, or silent: it tells everybody what it has. */
proctype announcer(byte me) {
end_no_reason:
  atomic { alive[me] && task[me] != absent && (!alive[B] || (me == C && wrong_c)) ->
    announced[me] = 1
  }
}

/* A call of k' by `caller` runs until it has the value. */
inline call(caller) {
  do
  :: came_back[caller] > 0 -> break
  :: came_back[caller] == 0 && lent_to[caller] == NOBODY ->
     atomic {
       if
       :: announced[C] -> h = C
       :: announced[D] && !announced[C] -> h = D
       :: else -> h = NOBODY
       fi;
       if
       :: h == NOBODY -> came_back[caller]++           /* it runs k' itself */
       :: else ->
          adoptions[caller]++;
          assert(adoptions[caller] <= 2);
          if
          :: alive[h] && task[h] == ended && !stopped[h] -> came_back[caller]++
          :: alive[h] && (task[h] == queued || task[h] == begun) && !stopped[h] ->
             lent_to[caller] = h;
             waiting_for[h] = waiting_for[h] | wants(caller)
          :: else                     /* it declines, or nobody listens: the entry goes */
#ifndef MUTANT_ENTRY_OUTLIVES_DECLINE
             -> announced[h] = 0
#endif
          fi
       fi
     }
#ifndef MUTANT_ADOPTION_UNWATCHED
  :: atomic { lent_to[caller] != NOBODY && lost_at(lent_to[caller]) ->
       announced[lent_to[caller]] = 0;
       lent_to[caller] = NOBODY
     }
#endif
  od
}

/* A runs k again when it thinks B dead. */
proctype driver() {
  byte h;
end_b_answers:
  atomic { !alive[B] || wrong_a -> b_is_dead_to_a = 1 };
  call(A);
  assert(came_back[A] == 1)
}

/* Borrower's step 7: it takes this lender off; only a task that nobody waits for is stopped. */
inline cancel() {
  waiting_for[C] = waiting_for[C] & ~wants(B);
#ifdef MUTANT_CANCEL_STOPS_ADOPTED
  if
  :: task[C] != ended -> stopped[C] = 1
  :: else
  fi
#else
  if
  :: waiting_for[C] == 0 && task[C] != ended && !announced[C] -> stopped[C] = 1
  :: else
  fi
#endif
}

/* B's first run of k. */
proctype first_run() {
  byte h;
  atomic { task[C] = queued; waiting_for[C] = wants(B); lent_to[B] = C };
  if
  :: atomic { wrong_b && lent_to[B] == C -> lent_to[B] = NOBODY };
     /* It lends k' anew. */
     if
     :: atomic { alive[B] && task[D] == absent && came_back[B] == 0 -> task[D] = queued; waiting_for[D] = wants(B); lent_to[B] = D }
     :: !alive[B] || came_back[B] > 0
     fi
  :: 1
  fi;
  if
  :: atomic { may_cancel && alive[B] && lent_to[B] == C -> lent_to[B] = NOBODY; came_back[B] = 1; cancel() }
  :: 1
  fi;
  do
  :: !alive[B] -> break
  :: came_back[B] > 0 -> assert(came_back[B] == 1); break
  :: atomic { alive[B] && came_back[B] == 0 && lent_to[B] == NOBODY -> came_back[B]++ }
  :: atomic { alive[B] && lent_to[B] != NOBODY && lost_at(lent_to[B]) -> lent_to[B] = NOBODY }
  od
}

proctype crashes() {
end_crashes:
  do
  :: atomic { may_crash_b -> may_crash_b = 0; alive[B] = 0; lent_to[B] = NOBODY }
  :: atomic { may_crash_c && task[C] != absent -> may_crash_c = 0; alive[C] = 0; task[C] = absent }
  od
}

init {
  atomic {
    if
    :: may_crash_b = 1
    :: 1
    fi;
    if
    :: may_crash_c = 1
    :: 1
    fi;
    if
    :: wrong_a = 1
    :: 1
    fi;
    if
    :: wrong_b = 1
    :: 1
    fi;
    if
    :: wrong_c = 1
    :: 1
    fi;
    if
    :: may_cancel = 1
    :: 1
    fi;
    run holder(C, D); run holder(D, C); run announcer(C); run announcer(D);
    run driver(); run first_run(); run crashes()
  }
}
