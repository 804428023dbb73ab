/* The message `lost`. Stands for heist/cluster: a node to which the server says that nobody listens at a peer, and what the
   others make of it ("Members", step 4).

   The peer B has borrowed k from A, and has lent k' and k'', which are called inside of it, to C and D. B may die. Or the
   server's word about B is wrong once, to one node, while B's connection comes back. A node that gets this word tells all
   others by `lost`, unless it has heard that; announces what it has borrowed from B; and takes B out when the others have had
   the time to do the same. Then A runs k again and calls k' and k''. A node that has heard `lost` asks B by a probe: only the
   server's word to itself counts. Whatever it hears of B, an answer or what B has said before it died, ends its doubt. Once B is
   taken out, what others say of B is not looked at, and what the server says is no news.

   Time: the wait before B is taken out is longer than a message and what it leads to. So it ends when all is quiet.

   Bounds: one fault. If the server is wrong about B and B dies a moment later, those that still doubt B say nothing, and the
   others hear of it by B's silence: later than A, which may then do again what they have.

   Checked: if B has died, A finds both announced before it runs k again; if B lives and C was told nothing by the server, C
   keeps k' for B, and so does D; each node says `lost` at most once, and only if it does not doubt B. */

#define A 0
#define C 1
#define D 2
mtype = { lost, orphan };

chan to[3] = [6] of { mtype, byte };
bit b_alive = 1, may_die, may_be_wrong;
bit told[3];                 /* the server has said that nobody listens at B */
bit wrongly[3];              /* … though B lives */
bit doubts[3];               /* has heard `lost`, and nothing of B since */
bit late[3] = 1;             /* something that B has said is under way */
bit probes[3];               /* a probe is under way */
bit buried[3];
bit more[3] = 1;             /* something else was sent to B before it was taken out, and will not be answered by B */
byte said;                   /* `lost` */
byte found;                  /* nodes that knew it from nobody else */
bit known[3];                /* to A: what that one has is announced */
bit kept[3] = 1;             /* for B */

#define quiet (len(to[A]) + len(to[C]) + len(to[D]) + probes[A] + probes[C] + probes[D] == 0)

#if defined(MUTANT_SAID_AGAIN)
#define is_news(me) (!buried[me])
#elif defined(MUTANT_SAID_OF_THE_BURIED)
#define is_news(me) (!doubts[me])
#else
#define is_news(me) (!doubts[me] && !buried[me])
#endif

/* The server says so to `me`: in answer to a ping, a probe or whatever else. */
inline nobody_at(me) {
  told[me] = 1;
  if
  :: b_alive -> wrongly[me] = 1; may_be_wrong = 0
  :: else
  fi;
  if
  :: is_news(me) ->
     if
     :: !doubts[me] && !buried[me] -> found++
     :: else
     fi;
#ifndef MUTANT_NOT_SAID
     said++; to[(me + 1) % 3]!lost(me); to[(me + 2) % 3]!lost(me)
#else
     skip
#endif
  :: else
  fi;
#ifndef MUTANT_ANNOUNCED_AT_BURIAL
  announce(me)
#endif
}

/* Orphans, step 1. */
inline announce(me) {
  if
  :: me != A && kept[me] -> kept[me] = 0; to[A]!orphan(me)
  :: else
  fi
}

inline doubt(me) {
  if
  :: buried[me]
  :: else ->
     doubts[me] = 1;
#ifdef MUTANT_DOUBT_BELIEVED
     told[me] = 1; announce(me)
#else
     probes[me] = !told[me]
#endif
  fi
}

proctype node(byte me) {
  byte who;
end_node:
  do
  :: atomic { to[me]?lost(_) -> doubt(me) }
  :: atomic { to[me]?orphan(who) -> known[who] = 1; who = 0 }
  /* A ping or a probe comes back, or does not. */
  :: atomic { (!b_alive || may_be_wrong) && !told[me] && (me == A || probes[me]) -> probes[me] = 0; nobody_at(me) }
  :: atomic { probes[me] && b_alive -> probes[me] = 0; doubts[me] = 0 }
  :: atomic { late[me] -> late[me] = 0; doubts[me] = 0 }
  /* The answer to something else that it had sent before B was taken out. */
  :: atomic { buried[me] && !b_alive && more[me] -> more[me] = 0; nobody_at(me) }
  /* After the wait. */
#ifdef MUTANT_BURIED_AT_ONCE
  :: atomic { told[me] && !buried[me] ->
#else
  :: atomic { told[me] && !buried[me] && quiet ->
#endif
       buried[me] = 1; doubts[me] = 0;
#ifdef MUTANT_ANNOUNCED_AT_BURIAL
       announce(me);
#endif
       if
       :: me == A && !b_alive && !wrongly[A] -> assert(known[C] && known[D])      /* it runs k again */
       :: else
       fi
     }
  od
}

proctype watch() {
end_watch:
  do
  :: atomic { may_die -> may_die = 0; b_alive = 0 }
  :: atomic { b_alive && (!kept[C] && !wrongly[C] || !kept[D] && !wrongly[D]) -> assert(false) }
  :: atomic { said > found -> assert(false) }
  od
}

init {
  atomic {
    if
    :: may_die = 1
    :: may_be_wrong = 1
    fi;
    run node(A); run node(C); run node(D); run watch()
  }
}
