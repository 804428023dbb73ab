/* A changing number of workers. Stands for heist/sched/service.cpp: service::resize(), recruit(), dismiss_idle(), retires()
   and wait_in_reserve(); for heist/sched/roster.cpp; and for heist/sched/wait.cpp: wait::leave_thread(). What idle.pml shows of
   sleepers and searchers in full is here in single steps.

   Strands are injected. Each forks once, and there its thread may be one too many. Then it goes on until all of them have
   begun: with a worker for each they end, and not otherwise. Meanwhile the pool is resized, at last to as many workers.

   Bounds: two strands, four threads, sizes 2 · 1 · 2, or with LONG 2 · 1 · 3 · 2.

   Checked: every strand begins once and ends; a thread in reserve does nothing and is listed nowhere else; a thread comes
   out of reserve only from home; never fewer than one thread is in service. */

#define STRANDS 2
#define THREADS 4

byte wanted = 2, serving;
bit asleep[THREADS], in_reserve[THREADS], posted[THREADS], at_home[THREADS];
byte sleeping, searching;
byte ready;                      /* strands in the pool's queue: new ones, and those whose threads have left */
byte fresh;                      /* … of which so many have not begun */
byte begun, ended;
#define too_many (serving > wanted)

/* model: one step under the lock of the sleepers */
inline rouse_one() {
  atomic {
    if
    :: sleeping > 0 && searching == 0 ->
       if
       :: asleep[0] -> z = 0
       :: asleep[1] -> z = 1
       :: asleep[2] -> z = 2
       :: asleep[3] -> z = 3
       fi;
       asleep[z] = 0; sleeping--; searching++;
       assert(!posted[z] && !in_reserve[z]);
       posted[z] = 1;
       z = 0
    :: else
    fi
  }
}

inline end_search() {
  atomic { searching--; last = (searching == 0) };
  if
  :: last -> rouse_one()
  :: else
  fi
}

/* roster::leave(), under the lock of the seats. `goes` is the thread's. */
inline retires() {
#ifdef MUTANT_LEFT_BY_A_HINT
  goes = too_many;
  atomic {
    if
    :: goes -> serving--; assert(serving >= 1)
    :: else
    fi
  }
#else
  atomic {
    goes = too_many;
    if
    :: goes -> serving--; assert(serving >= 1)
    :: else
    fi
  }
#endif
}

/* Under the lock of the seats. */
inline recruit() {
  if
  :: in_reserve[0] -> z = 0
  :: in_reserve[1] -> z = 1
  :: in_reserve[2] -> z = 2
  :: in_reserve[3] -> z = 3
  fi;
  in_reserve[z] = 0;
  assert(at_home[z] && !asleep[z]);
  serving++;
  asleep[z] = 1; sleeping++;
  z = 0
}

inline dismiss_idle() {
  do
  :: too_many && sleeping > 0 ->
     if
     :: asleep[0] -> z = 0
     :: asleep[1] -> z = 1
     :: asleep[2] -> z = 2
     :: asleep[3] -> z = 3
     fi;
     asleep[z] = 0; sleeping--; serving--;
     in_reserve[z] = 1;
     z = 0
#ifdef MUTANT_DISMISSED_THOUGH_ROUSED
  :: too_many && posted[0] && !in_reserve[0] -> serving--; in_reserve[0] = 1
#endif
  :: else -> break
  od
}

/* wait::leave_thread(), after retires() */
inline leave_thread() {
  ready++;
#ifndef MUTANT_LEFT_SILENTLY
  rouse_one()
#endif
}

inline wait_in_reserve(t) {
#ifdef MUTANT_RESERVE_BEFORE_HOME
  in_reserve[t] = 1;
  at_home[t] = 1
#else
  at_home[t] = 1;
  in_reserve[t] = 1
#endif
}

proctype thread(byte t) {
  byte z;
  bit last, goes, mine, new;
  at_home[t] = 1;
end_bed:
  atomic { posted[t] -> posted[t] = 0; at_home[t] = 0 };
  /* search::get_up(): it counts as searching */
search:
  assert(!in_reserve[t] && !asleep[t]);
  retires();
  if
  :: goes ->
     goes = 0;
#ifdef MUTANT_RETIRED_SILENTLY
     searching--;
#else
     end_search();
#endif
     goto retire
  :: else
  fi;
  atomic {
    mine = (ready > 0);
    if
    :: mine ->
       ready--;
       if
       :: fresh > 0 -> fresh--; new = 1
       :: ready >= fresh -> new = 0
       fi
    :: else
    fi
  };
  if
  :: mine -> end_search(); goto work
  :: else
  fi;
  /* search::sleep() */
  at_home[t] = 1;
  atomic { asleep[t] = 1; sleeping++ };
  searching--;
  if
  :: ready > 0 ->
     atomic {
#ifdef MUTANT_UP_WITHOUT_LIST
       mine = 1;
       if
       :: asleep[t] -> asleep[t] = 0; sleeping--
       :: else
       fi;
       searching++
#else
       mine = asleep[t];
       if
       :: mine -> asleep[t] = 0; sleeping--; searching++
       :: else
       fi
#endif
     };
     if
     :: mine -> mine = 0; at_home[t] = 0; goto search
     :: else -> rouse_one()
     fi
  :: else
  fi;
  goto end_bed;

work:
  mine = 0;
  if
  :: new ->
     new = 0;
     begun++;
     assert(begun <= STRANDS);
     /* its fork: wait::give_way() */
     retires();
     if
     :: goes -> goes = 0; leave_thread(); goto retire
     :: else
     fi
  :: else
  fi;
  begun == STRANDS;              /* it runs on, and forks no more */
  ended++;
  searching++;
  goto search;

retire:
  wait_in_reserve(t);
  goto end_bed
}

inline resize(n) {
  atomic {
    wanted = n;
    dismiss_idle();
    do
    :: serving < wanted -> recruit()
    :: else -> break
    od
  };
#ifndef MUTANT_RECRUITED_BLINDLY
  if
  :: searching == 0 && ready > 0 -> rouse_one()
  :: else
  fi
#endif
}

proctype resizer() {
  byte z;
  resize(1);
#ifdef LONG
  resize(3);
#endif
  resize(2)
}

proctype injecting() {
  byte z;
  atomic { ready++; fresh++ };
  rouse_one();
  atomic { ready++; fresh++ };
  rouse_one()
}

init {
  atomic {
    asleep[0] = 1; asleep[1] = 1; sleeping = 2; serving = 2;
    in_reserve[2] = 1; in_reserve[3] = 1;
    at_home[0] = 1; at_home[1] = 1; at_home[2] = 1; at_home[3] = 1;
    run thread(0); run thread(1); run thread(2); run thread(3);
    run resizer(); run injecting()
  };
  ended == STRANDS
}
