/* Two drivers of one durable job. Stands for heist/cluster: how a driver takes its epoch, who follows it, and who may return
   the root's value.

   The first driver may be killed, or cut off for a while: then a second one is started while the first goes on. The entry
   `driver` of the bucket has a revision, an epoch and a mark that the value was returned; it changes by compare-and-set only,
   which is one step at the server. A helper follows the highest epoch that it has heard of. Each driver lends it a task
   under the same number, as a program that is started again does; the helper's result says for which driver it was computed.

   Checked: at most one driver returns a value before the job's bucket is gone; a driver fills its frame with what was computed
   for it; a driver that was refused or overtaken says so and returns nothing; some driver returns unless the last was killed. */

#define DRIVERS 2
#define NONE 0

/* The bucket */
bit there;
byte revision, epoch;
bit returned_mark;

/* The helper: which epoch it follows, whose task it has. */
byte follows, task_of, task_epoch;
chan to_helper = [3] of { byte, byte };       /* an epoch, a driver: the term */
chan to_driver = [4] of { byte, byte };       /* the same, of the driver that it was computed for */

bit killed[DRIVERS], refused[DRIVERS], returned[DRIVERS], done[DRIVERS];
byte values;                                  /* returned of this job */
bit first_away;                               /* the first driver is killed, or cut off: somebody starts another */

proctype driver(byte me) {
  byte seen, mine;
#ifdef MUTANT_OLD_RESULT_TAKEN
  byte result_of;
#endif
  bit marked, was_there;
  if
  :: me == 0
  :: me == 1 && first_away
  :: me == 1 && done[0] && !killed[0] -> goto over          /* nobody needs it */
  fi;
  /* Durable 1. */
  atomic { was_there = there; seen = revision; mine = epoch + 1; marked = returned_mark };
  if
#ifndef MUTANT_MARK_IGNORED
  :: was_there && marked -> refused[me] = 1; goto over
#endif
  :: else
  fi;
  atomic {
    if
#ifdef MUTANT_EPOCH_BY_STORE
    :: 1 ->
#else
    :: there == was_there && revision == seen ->
#endif
       there = 1; revision++; seen = revision; epoch = mine
    :: else -> refused[me] = 1; goto over     /* another was faster */
    fi
  };
  if
  :: me == 0 -> first_away = 1                /* cut off, before anybody has heard of it */
  :: 1
  fi;
  to_helper!mine(me);                         /* it announces itself, and lends */
  do
  :: atomic { me == 0 && !first_away -> first_away = 1 }
  :: atomic { me == 0 && first_away && !killed[0] -> killed[0] = 1 }; goto over
#ifdef MUTANT_OLD_RESULT_TAKEN
  :: to_driver?_, result_of -> assert(result_of == me); break
#else
  :: to_driver??eval(mine), eval(me) -> break
#endif
  :: break                                    /* home: it computes that itself */
  od;
  /* Durable 4: the last compare-and-set, before the value is returned. */
  atomic {
    if
#ifdef MUTANT_NO_LAST_LOOK
    :: 1
#else
    :: there && revision == seen
#endif
       -> revision++;
#ifndef MUTANT_NO_MARK
       returned_mark = 1
#else
       skip
#endif
    :: else -> refused[me] = 1; goto over
    fi
  };
  atomic { returned[me] = 1; values++; assert(values <= 1) };
  /* Durable 5: the notes die with the job. */
  atomic { there = 0; revision++; epoch = 0; returned_mark = 0; values = 0 };
over:
  done[me] = 1
}

proctype helper() {
  byte e, d;
end_helper:
  do
  :: atomic { to_helper?e(d) ->
       if
#ifdef MUTANT_LAST_FOLLOWED
       :: 1 ->
#else
       :: e >= follows ->
#endif
          assert(e >= follows);
          follows = e; task_of = d; task_epoch = e
       :: else                                /* of an older epoch: refused */
       fi }
  :: atomic { task_epoch > 0 && len(to_driver) < 4 -> to_driver!task_epoch(task_of); task_epoch = 0 }
  od
}

init {
  atomic { run driver(0); run driver(1); run helper() };
  done[0] && done[1];
  assert(returned[0] || returned[1] || killed[0] && refused[1])
}
