/* Drivers of one durable job, one after the other or two at once. Stands for heist/cluster: how a driver takes its epoch, who
   follows it, who may return the root's value, and when notes are deleted.

   Any driver but the last may be killed, or cut off for a while: then another one is started while the first goes on, and
   comes back at any time. The entry `driver` of the bucket has a revision, an epoch and an instance; it changes by
   compare-and-set only, which is one step at the server. An entry of epoch 0 is a mark: the value of that instance was returned,
   and the next driver begins a new job. A helper follows the highest epoch of an instance, and the newest instance. Each driver
   lends it a task under the same number, as a program that is started again does; the helper's result says for which driver it
   was computed. The helper keeps its best value once in a job, and then a note that rests on it.

   Checked: an instance returns at most one value; a driver fills its frame with what was computed for it; a driver that was
   refused or overtaken returns nothing; a note is never there without the best value under it; if the last driver has not
   returned, another one took the job over; whoever has set a mark has returned a value. */

#define DRIVERS 3
#define INSTANCES 4

/* The bucket */
bit there;                                    /* the entry */
byte revision, epoch, instance, by;           /* epoch 0: a mark; who has written it */
bit note[INSTANCES], best[INSTANCES];

byte instances;                               /* begun so far */
byte values[INSTANCES];                       /* returned */

/* The helper: what it follows, whose task it has. */
byte follows, follows_instance, task_of, task_epoch;
bit best_kept;
chan to_helper = [3] of { byte, byte, byte };       /* an epoch, an instance: the term; the driver */
chan to_driver = [3] of { byte, byte };

bit started[DRIVERS], away[DRIVERS], killed[DRIVERS], refused[DRIVERS], returned[DRIVERS], done[DRIVERS];

inline purge(ended) { note[ended] = 0; best[ended] = 0 }

proctype driver(byte me) {
  byte seen, mine, my_instance, before;
#ifdef MUTANT_OLD_RESULT_TAKEN
  byte result_of;
#endif
  bit was_there;
  if
  :: me == 0
  :: me > 0 && (away[me - 1] || returned[me - 1])          /* somebody starts another */
  :: me > 0 && done[me - 1] && !away[me - 1] && !returned[me - 1] -> goto over
  fi;
  started[me] = 1;
  /* Durable 1. */
  atomic {
    was_there = there; seen = revision; before = 0;
    if
#ifdef MUTANT_MARK_IGNORED
    :: was_there -> mine = epoch + 1; my_instance = instance
#else
    :: was_there && epoch > 0 -> mine = epoch + 1; my_instance = instance
    :: was_there && epoch == 0 -> mine = 1; my_instance = 0; before = instance
#endif
    :: !was_there -> mine = 1; my_instance = 0
    fi
  };
  atomic {
    if
#ifdef MUTANT_EPOCH_BY_STORE
    :: 1 ->
#else
    :: there == was_there && revision == seen ->
#endif
       if
       :: my_instance == 0 -> instances++; my_instance = instances
       :: else
       fi;
       there = 1; revision++; seen = revision; epoch = mine; instance = my_instance; by = me
    :: else -> refused[me] = 1; goto over     /* another was faster */
    fi
  };
  if
  :: me < DRIVERS - 1 -> away[me] = 1         /* cut off, before anybody has heard of it */
  :: 1
  fi;
  /* A driver that begins a job deletes what the one before it has left. */
  if
  :: before > 0 ->
#ifdef MUTANT_ALL_PURGED
     note[1] = 0; note[2] = 0; note[3] = 0; best[1] = 0; best[2] = 0; best[3] = 0
#else
     purge(before)
#endif
  :: else
  fi;
  assert(!note[my_instance] || best[my_instance]);
  to_helper!mine(my_instance, me);            /* it announces itself, and lends */
  do
  :: atomic { me < DRIVERS - 1 && !away[me] -> away[me] = 1 }
  :: atomic { me < DRIVERS - 1 && away[me] && !killed[me] -> killed[me] = 1 }; goto over
#ifdef MUTANT_OLD_RESULT_TAKEN
  :: to_driver?_, result_of -> assert(result_of == me); break
#else
  :: to_driver??eval(mine), eval(me) -> break
#endif
  :: break                                    /* home: it computes that itself */
  od;
  /* Durable 4: the last compare-and-set, before the value is returned. The server's answer may be lost: then the entry is read
     again. */
  do
  :: atomic { !returned[me] ->
       if
#ifdef MUTANT_NO_LAST_LOOK
       :: 1
#else
       :: there && revision == seen
#endif
          -> revision++; by = me;
#ifndef MUTANT_NO_MARK
          epoch = 0;
#endif
          if
          :: break
#ifndef MUTANT_NO_MARK
          :: 1                                  /* the answer is lost */
#endif
          fi
       :: else
       fi }
#ifdef MUTANT_ERROR_BELIEVED
     refused[me] = 1; goto over;
#endif
     atomic {
       if
#ifdef MUTANT_ANY_MARK_TAKEN
       :: there && epoch == 0 && instance == my_instance -> break
#else
       :: there && epoch == 0 && instance == my_instance && by == me -> break
#endif
       :: there && revision == seen && by == me && epoch > 0        /* it was not done: again */
       :: else -> refused[me] = 1; goto over
       fi }
  od;
  atomic { returned[me] = 1; values[my_instance]++; assert(values[my_instance] <= 1) };
  /* Durable 5: notes die with the job. It may be killed before that. */
  if
#ifdef MUTANT_BUCKET_DELETED
  :: atomic { there = 0; revision = 0; epoch = 0 }           /* a new bucket's revisions begin anew */
#else
  :: purge(my_instance)
#endif
  :: me < DRIVERS - 1
  fi;
over:
  done[me] = 1
}

proctype helper() {
  byte e, i, d;
end_helper:
  do
  :: atomic { to_helper?e(i, d) ->
       if
#ifdef MUTANT_LAST_FOLLOWED
       :: 1 ->
          assert(i != follows_instance || e >= follows);
#else
       :: i > follows_instance || (i == follows_instance && e >= follows) ->
#endif
          best_kept = best_kept && i == follows_instance;
          follows = e; follows_instance = i; task_of = d; task_epoch = e
       :: else                                /* of an older epoch: refused */
       fi; e = 0; i = 0; d = 0 }
  :: atomic { task_epoch > 0 && !best_kept -> best[follows_instance] = 1; best_kept = 1 }
  :: atomic { task_epoch > 0 && best_kept && len(to_driver) < 3 ->
       if
       :: instance == follows_instance && epoch > 0 -> note[follows_instance] = 1; assert(best[follows_instance])
       :: else                                /* of a job that has ended: nobody reads it */
       fi;
       to_driver!task_epoch(task_of); task_epoch = 0 }
  od
}

init {
  atomic { run driver(0); run driver(1); run driver(2); run helper() };
  done[0] && done[1] && done[2];
  assert(!started[2] || returned[2] || refused[2]);
  assert(!there || epoch > 0 || returned[by])
}
