/* Loans between two machines. Stands for heist/cluster: the lender's table and steps (loans, lender), the borrower's
   (debts, borrower), and a drain. The folder's README numbers the steps.

   The lender has two branches. Each is lent or run at home. One thread of the lender gets the messages, another one pings and
   suspects, and a third may find a branch unwanted. The borrower may crash, and may leave by a drain, at any time.

   Messages keep their order from one machine to the other. One may get lost, as when a connection breaks, and the lender may
   be wrong in one suspicion; a death it notices some time. Whether these faults happen at all is decided at the beginning, so
   that nobody can wait for one. Pings and probes that would change nothing are left out, but for one: so there are no cycles,
   and whoever waits for ever shows as an invalid end state.

   Bounds: two branches; with SOLO one. With LOSSLESS no message gets lost. With UNWANTED branch 0 may become unwanted.

   Checked: each branch's frame is filled exactly once, by its own value or because nobody wants it; a strand is resumed once,
   and only when it rests; every strand ends; a borrower that drains leaves, though its lender goes on. */

#define BRANCHES 2

mtype = { task, cancel, ping, probe, result, decline, pong, bye };
mtype = { none, running, kept, forgotten };

chan down = [3] of { mtype, byte, byte };   /* a number, or a set of them; the branch that it is, or has the value, of */
chan up = [3] of { mtype, byte, byte };
#define in(set, n) (((set) >> (n)) & 1)

/* Faults that may still happen. */
bit may_lose, may_suspect, may_crash, may_drain, may_ping = 1;

/* The lender */
bit out[BRANCHES];                    /* the loan's entry in the table, by its number */
byte branch_of[BRANCHES];             /* in the entry */
bit rests[BRANCHES], resumed[BRANCHES];   /* by branch */
byte filled[BRANCHES];
byte numbers;                         /* given so far */
byte ended;                           /* strands */
bit owes_ping;                        /* a loan there has closed since the last one, or the borrower has asked for one */
bit known_gone;
#define listed (out[0] | (out[1] << 1))

/* The borrower */
mtype has[BRANCHES] = none;           /* by number */
byte has_branch[BRANCHES];
bit crashed, left, draining;
#define gone (crashed || left)

#ifdef MUTANT_CLOSED_WITHOUT_LOCK
#define AND_THEN };
#define ONE_STEP
#else
#define AND_THEN ;
#define ONE_STEP }
#endif

inline say(where, what, number, whose) {
  if
  :: where!what(number, whose)
  :: may_lose -> may_lose = 0
  fi
}

/* Under the table's lock. */
inline resume_strand(b) {
  assert(rests[b]);
  assert(!resumed[b]);
  resumed[b] = 1
}

/* The entry goes, and its strand is resumed: step 6. */
inline close(n) {
#ifdef MUTANT_CLOSED_WITHOUT_LOCK
  mine = out[n];
  if
  :: mine -> out[n] = 0; owes_ping = 1; resume_strand(branch_of[n])
  :: else
  fi
#else
  atomic {
    mine = out[n];
    if
#ifdef MUTANT_LATE_RESULT_TAKEN
    :: 1 ->
#else
    :: mine ->
#endif
       out[n] = 0; owes_ping = 1; resume_strand(branch_of[n])
    :: else
    fi
  }
#endif
}

/* Steps 2 and 3: the strand rests; then, under the lock of the pings, the loan is out and the task is sent. */
inline depart(b) {
#ifndef MUTANT_OUT_BEFORE_IT_RESTS
  rests[b] = 1;
#endif
  atomic {
#ifdef MUTANT_NUMBER_USED_AGAIN
    if
    :: numbers == 1 && !out[0] -> n = 0
    :: else -> n = numbers; numbers++
    fi;
#else
    n = numbers; numbers++;
#endif
    branch_of[n] = b; out[n] = 1
#ifdef MUTANT_OUT_BEFORE_IT_IS_SENT
  };
  atomic {
#else
    ;
#endif
    if
    :: !gone -> say(down, task, n, b)
    :: gone                           /* the server says that nobody listens: a tick closes it */
    fi
  };
#ifdef MUTANT_OUT_BEFORE_IT_RESTS
  rests[b] = 1;
#endif
  skip
}

proctype strand(byte b) {
  byte n;
  if
  :: 1                                /* nobody asks */
  :: !known_gone -> depart(b); resumed[b]; rests[b] = 0
  fi;
  atomic { filled[b]++; assert(filled[b] == 1); ended++ }
}

inline bring_home(set) {
  if
  :: in(set, 0) -> close(0)
  :: else
  fi;
  if
  :: in(set, 1) -> close(1)
  :: else
  fi
}

/* The thread that gets the messages. */
proctype lender_hears() {
  byte n, b;
  bit mine;
end_hears:
  do
  :: atomic { up?result(n, b) -> assert(!out[n] || branch_of[n] == b) AND_THEN
     close(n); n = 0; b = 0 ONE_STEP
  :: atomic { up?decline(n, _) -> close(n); n = 0 }
  :: atomic { up?pong(n, _) ->        /* what of the ping's numbers is missing there */
#ifndef MUTANT_PONG_IGNORED
     bring_home(n);
#endif
     n = 0 }
  :: atomic { up?probe(_, _) -> owes_ping = 1 }
  :: atomic { up?bye(_, _) -> known_gone = 1; n = listed; bring_home(n); n = 0 }
  od
}

/* Would a ping change anything? */
#define differs(n) (out[n] && has[n] != running || owes_ping && has[n] == kept && !out[n])
#define quiet (len(down) == 0 && len(up) == 0)

/* The thread of pings and time-outs. Steps 5 and 7. */
proctype lender_ticks() {
  byte n;
  bit mine;
end_ticks:
  do
  :: atomic { !gone && quiet && (differs(0) || differs(1)) -> owes_ping = 0; say(down, ping, listed, 0) }
  :: atomic { !gone && may_ping && listed != 0 -> may_ping = 0; owes_ping = 0; say(down, ping, listed, 0) }
  :: atomic { may_suspect && listed != 0 -> may_suspect = 0; n = listed AND_THEN
#ifdef MUTANT_HOME_LEFT_IN_TABLE
     if
     :: in(n, 0) -> resume_strand(branch_of[0])
     :: else -> resume_strand(branch_of[1])
     fi;
#else
     bring_home(n);
#endif
     n = 0 ONE_STEP
#ifndef MUTANT_DEATH_UNNOTICED
  :: atomic { gone && listed != 0 -> known_gone = 1; n = listed; bring_home(n); n = 0 }
#endif
  od
}

/* A failure before it in serial order, or a stop. */
proctype nobody_wants_it() {
  bit mine;
  if
  :: atomic { out[0] ->
       close(0);
       if
       :: mine && !gone -> say(down, cancel, 0, 0)
       :: else
       fi
     }
  :: ended == BRANCHES
  fi
}

/* A ping: send again what is still asked for, forget what is not, say what is missing. Borrower's steps 5 and 6. */
inline compare(set) {
  n = 0; missing = 0;
  do
  :: n < BRANCHES ->
     if
     :: in(set, n) && has[n] == kept ->
#ifndef MUTANT_NOT_SENT_AGAIN
        say(up, result, n, has_branch[n])
#else
        skip
#endif
#ifdef MUTANT_MISSING_NOT_SAID
     :: in(set, n) && (has[n] == none || has[n] == forgotten)
#else
     :: in(set, n) && (has[n] == none || has[n] == forgotten) -> missing = missing | (1 << n)
#endif
#ifndef MUTANT_UNLISTED_RUNS_ON
     :: !in(set, n) && has[n] == running -> has[n] = forgotten      /* asked to stop */
#endif
     :: !in(set, n) && has[n] == kept -> has[n] = forgotten
     :: else
     fi;
     n++
  :: else -> break
  od;
  n = 0;
  say(up, pong, missing, 0);
  missing = 0
}

inline end_task(t) {
#ifdef MUTANT_FORGOTTEN_WHEN_SENT
  has[t] = forgotten;
#else
  has[t] = kept;
#endif
  say(up, result, t, has_branch[t])
}

#define nothing_kept (has[0] != kept && has[1] != kept)
#define nothing_running (has[0] != running && has[1] != running)

proctype borrower() {
  byte n, b, missing;
end_borrower:
  do
  :: atomic { down?task(n, b) ->
       if
       :: (has[n] == none || has[n] == forgotten) && !draining -> has[n] = running; has_branch[n] = b
       :: has[n] == none ->           /* it drains, or came by a lifeline that is not wanted any more */
          say(up, decline, n, 0)
       :: else
       fi;
       n = 0; b = 0 }
  :: atomic { down?cancel(n, _) ->
       if
       :: has[n] != none -> has[n] = forgotten
       :: else
       fi;
       n = 0 }
  :: atomic { down?ping(b, _) -> compare(b); b = 0 }
  :: atomic { has[0] == running -> end_task(0) }
  :: atomic { has[1] == running -> end_task(1) }
  :: atomic { may_drain -> may_drain = 0; draining = 1 }
#ifdef MUTANT_LEFT_UNSEEN
  :: atomic { draining && nothing_running -> left = 1; say(up, bye, 0, 0) }; break
#else
  :: atomic { draining && nothing_running && nothing_kept -> left = 1; say(up, bye, 0, 0) }; break
#endif
#ifndef MUTANT_NO_PROBE
  /* Its lender has been silent. */
  :: atomic { quiet && !owes_ping && (has[0] == kept && !out[0] || has[1] == kept && !out[1]) -> say(up, probe, 0, 0) }
#endif
  :: atomic { may_crash -> may_crash = 0; crashed = 1; has[0] = none; has[1] = none }; break
  od;
end_nobody_listens:
  do
  :: down?task(_, _)
  :: down?cancel(_, _)
  :: down?ping(_, _)
  od
}

proctype drain_ends() {
end_not_begun:
  draining;
  gone
}

init {
  atomic {
#ifndef LOSSLESS
    if
    :: may_lose = 1
    :: 1
    fi;
#endif
    if
    :: may_suspect = 1
    :: 1
    fi;
    if
    :: may_crash = 1
    :: may_drain = 1
    :: 1
    fi;
    run strand(0);
#ifndef SOLO
    run strand(1);
#endif
    run lender_hears(); run lender_ticks();
#ifdef UNWANTED
    run nobody_wants_it();
#endif
    run borrower(); run drain_ends()
  }
}
