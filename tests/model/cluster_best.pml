/* Best values and the terms of roots. Stands for heist/cluster: a driver runs one root after the other, and resets the best value
   in between; a helper follows (agent::follow(), agent::clean_up()), and its borrowed tasks offer and read the value of its
   process; both tell each other what they know (gossip).

   A value is the number of the root in which it was found; 0 is the initial one. A borrowed task does not stop at once: it may
   offer values of its root when the next one has begun. The driver may return while it runs. The handler of messages, the tasks
   and the agent's thread are processes; what one does under gossip's lock is one step.

   Bounds: two roots, one helper that borrows one task at a time, two messages under way in each direction.

   Checked: a task that can still count reads no value of another root, nor does the driver; and at the end, when nothing is
   under way, the helper is not left without borrowing. */

#define ROOTS 2
mtype = { hello, task, best };

chan to_helper = [3] of { mtype, byte, byte };       /* the term, and a value */
chan to_driver = [2] of { mtype, byte, byte };

#ifdef MUTANT_ONE_TERM
#define term_of(root) 1
#else
#define term_of(root) (root)
#endif

/* The driver. Its root, its term, its value. */
byte root, term, value;
bit over;

/* The helper. Its term, its value; whether it tells and hears; whether it borrows; the root of its task. */
byte follows, known, running;
bit rests, cleaning;

#define good(v, of) ((v) == 0 || (v) == (of))

proctype driver() {
  byte t, v;
  do
  :: root < ROOTS ->
     value = 0;                                /* reset; a task that it has borrowed itself has ended */
     do                                        /* no root runs: nothing is heard */
     :: atomic { to_driver?best(t, v) ->
#ifdef MUTANT_HEARD_WITHOUT_ROOT
          value = v;
#endif
          t = 0; v = 0 }
     :: break
     od;
     atomic { root++; term = term_of(root); to_helper!hello(term, 0) };
     do
     :: atomic { len(to_helper) < 2 -> to_helper!task(term, root) }
     :: value = root                                               /* it offers a value itself */
     :: atomic { value > 0 && len(to_helper) < 2 -> to_helper!best(term, value) }
     :: atomic { to_driver?best(t, v) ->
          if
#ifndef MUTANT_OLD_TERM_HEARD
          :: t != term
#endif
          :: else -> value = v
          fi; t = 0; v = 0 }
     :: assert(good(value, root)); break
     od
  :: root == ROOTS -> break
  od;
  over = 1;
end_driver:
  do
  :: to_driver?best(_, _)
  od
}

/* agent::message_came(): one thread. */
proctype handler() {
  byte t, v;
  bit busy;
end_handler:
  do
  :: atomic { to_helper?hello(t, _) -> skip };
     if
     :: t != follows ->
#if !defined(MUTANT_TERM_FIRST) && !defined(MUTANT_NO_REST)
        rests = 1;
#endif
        follows = t;
#ifndef MUTANT_LOOKED_AFTERWARDS
        busy = running > 0;
#endif
#ifndef MUTANT_NOT_FORGOTTEN
        known = 0;
#endif
#ifdef MUTANT_LOOKED_AFTERWARDS
        busy = running > 0;
#endif
        if
        :: !busy -> rests = 0
        :: busy ->
#ifdef MUTANT_TERM_FIRST
           rests = 1;
#endif
           cleaning = 1
        fi
     :: else
     fi;
     atomic { t = 0; busy = 0 }
  :: atomic { to_helper?task(t, v) ->
       if
#ifdef MUTANT_BORROWS_WHILE_CLEANING
       :: t == follows && running == 0 -> running = v
#else
       :: t == follows && running == 0 && !cleaning -> running = v
#endif
       :: else
       fi; t = 0; v = 0 }
  :: atomic { to_helper?best(t, v) ->
       if
       :: t == follows && !rests -> known = v
       :: else
       fi; t = 0; v = 0 }
  od
}

/* A borrowed task. It tells its lender what is known here, and ends. */
proctype worker() {
end_worker:
  do
  :: running > 0 -> known = running
  :: atomic { running > 0 -> assert(running != root || good(known, running)) }
  :: atomic { running > 0 ->
       if
       :: !rests && known > 0 && len(to_driver) < 2 -> to_driver!best(follows, known)
       :: else
       fi };
     running = 0
  od
}

/* The agent's thread: tells all, and cleans up. */
proctype agent() {
end_agent:
  do
  :: atomic { !rests && known > 0 && len(to_driver) < 2 -> to_driver!best(follows, known) }
#ifdef MUTANT_NOT_AWAITED
  :: cleaning ->
#else
  :: cleaning && running == 0 ->
#endif
#ifndef MUTANT_FORGOTTEN_ONCE
     known = 0;
#endif
     rests = 0;
     cleaning = 0
  :: atomic { timeout && over -> assert(!cleaning && !rests) } ; break
  od
}

init {
  atomic { run driver(); run handler(); run worker(); run agent() }
}
