/* The log with a lying player, and with journals that lose their ends.
 *
 * HONEST players (numbers 0 to HONEST - 1) and one liar (number LIAR) write PLACES entries. The liar
 * may at any time show anything that it can sign to anybody: entries for places where it has the
 * floor, receipts for any entry, with or without a claim that takes the floor. It may say nothing at
 * all, and it holds everything that an honest player ever signed. An honest player may stop at any
 * time and start again, LOSSES times without the last record of its journal. What an honest player
 * has signed may be heard late or by nobody but the liar.
 *
 * An entry is 0 or 1 by the player whose turn it is, 2 or 3 by the liar after its claim.
 *
 * Checked: honest players never settle different entries for a place (agreement); an honest player
 * signs a second entry or receipt for a place only where, when it had heard everybody after its
 * start, no honest player held the first (what remains, SPEC.md, "Coming back"); and if at any moment
 * the liar falls silent and everything that the honest have said reaches all of them once, two who
 * hold different entries for a place have convicted the liar (forks are found in one exchange).
 * Nobody honest is convicted otherwise: there is no step that convicts an honest player who has
 * signed one thing for every place.
 *
 * -DMUTANT_EAGER signs at once after a start, -DMUTANT_EARLY does not learn what others keep of its
 * own for a place that they have not come to, -DMUTANT_QUIET shows no entry when a receipt is for
 * another one, -DMUTANT_HIDE does not pass receipts on, -DMUTANT_RUSH settles without the receipt of
 * another honest player: each must be found.
 */
#ifndef HONEST
#define HONEST 2
#endif
#ifndef PLACES
#define PLACES 2
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#define LIAR HONEST
#define SEATS (HONEST + 1)
#define ALL ((1 << SEATS) - 1)
#define AT(p, s) ((p) * PLACES + (s))
#define NONE 15
#define BIT(n) (1 << (n))
#define HEAD(r) ((r) & 3)              /* a receipt of the liar: head, and 4 for a claim */
#define CLAIM(r) (((r) >> 2) & 1)

/* On disk */
byte size[HONEST];                     /* places written down */
byte val[HONEST * PLACES];             /* the entry at each */
bit  given[HONEST * PLACES];           /* the own receipt is there */
/* In memory */
byte got[HONEST];                      /* whose receipts for the last place are here */
byte liars[HONEST * PLACES];           /* what the liar's receipt for a place says, or NONE */
byte kept[HONEST * HONEST];            /* entry kept of a player for the next place: 0, or 1 + value */
bit  up[HONEST];
bit  fresh[HONEST];                    /* started, and not everybody has been heard */
bit  free[HONEST];                     /* only the liar holds what this player has signed */
/* Said by honest players, bits by value */
byte entries[HONEST * PLACES];
byte receipts[HONEST * PLACES];
byte shown[PLACES];                    /* entries shown to all because of a contradiction */
int  passed[PLACES];                   /* the liar's receipts passed on to all */
bit  convicted[HONEST];
byte losses = LOSSES;
bit  silent;                           /* the liar says nothing any more */
bit  over;                             /* an honest player has signed twice, as it may */

#define LAST(p) (size[p] - 1)
#define LVAL(p) val[AT(p, LAST(p))]
#define TURN(s) ((s) % SEATS)
#define AUTHOR(s, v) ((v) >= 2 -> LIAR : TURN(s))
#define WROTE(p) (AUTHOR(LAST(p), LVAL(p)) == p)
#define SETTLED(p) (size[p] == 0 || got[p] == ALL)
#define CLAIMED(p) (size[p] > 0 && AUTHOR(LAST(p), LVAL(p)) != LIAR && liars[AT(p, LAST(p))] != NONE && \
  CLAIM(liars[AT(p, LAST(p))]))
#define FLOOR(p) (CLAIMED(p) -> LIAR : TURN(size[p]))
#define RUNS(p) (up[p] && !convicted[p] && !over)
#define SPEAKS(p) (RUNS(p) && !fresh[p])

inline sign_entry(p, s, v) {
  if
  :: entries[AT(p, s)] & ~BIT(v) -> assert(free[p]); over = 1
  :: else
  fi;
  entries[AT(p, s)] = entries[AT(p, s)] | BIT(v)
}

inline sign_receipt(p, s, v) {
  if
  :: receipts[AT(p, s)] & ~BIT(v) -> assert(free[p]); over = 1
  :: else
  fi;
  receipts[AT(p, s)] = receipts[AT(p, s)] | BIT(v)
}

inline take(p, v) {
  val[AT(p, size[p])] = v;
  given[AT(p, size[p])] = 0;
  liars[AT(p, size[p])] = NONE;
  size[p] = size[p] + 1;
  got[p] = BIT(AUTHOR(LAST(p), v));
  for (i : 0 .. HONEST - 1) { kept[p * HONEST + i] = 0 }
  i = 0
}

/* The liar's receipt r for place s comes to p, which holds an entry there. */
inline hear(p, s, r) {
  if
  :: AUTHOR(s, val[AT(p, s)]) == LIAR && HEAD(r) == val[AT(p, s)] -> skip   /* for its own entry */
  :: else ->
     if
     :: liars[AT(p, s)] != NONE && liars[AT(p, s)] != (r) -> convicted[p] = 1
     :: liars[AT(p, s)] == NONE ->
        liars[AT(p, s)] = r;
#ifndef MUTANT_HIDE
        if :: CLAIM(r) || HEAD(r) != val[AT(p, s)] -> passed[s] = passed[s] | BIT(r) :: else fi;
#endif
        if
        :: HEAD(r) != val[AT(p, s)] ->
#ifndef MUTANT_QUIET
           shown[s] = shown[s] | BIT(val[AT(p, s)])
#else
           skip
#endif
        :: else -> if :: s == LAST(p) -> got[p] = got[p] | BIT(LIAR) :: else fi
        fi
     :: else
     fi
  fi
}

/* No honest player has settled another entry for the last place of p, which p has settled. */
inline agree(p) {
  if
  :: got[p] == ALL ->
     for (i : 0 .. HONEST - 1) {
       assert(over || !(size[i] >= size[p] && (size[i] > size[p] || got[i] == ALL)) ||
         val[AT(i, LAST(p))] == LVAL(p))
     }
     i = 0
  :: else
  fi
}

/* Another entry for place s is seen. */
inline compare(p, s, v) {
  if
  :: v != val[AT(p, s)] && AUTHOR(s, v) == LIAR && AUTHOR(s, val[AT(p, s)]) == LIAR -> convicted[p] = 1
  :: else
  fi
}

#define HOLDS(q, s) (size[q] > (s))

proctype Honest(byte p) {
  byte i, q, s, v, r;
end:
  do
  :: atomic { SPEAKS(p) && size[p] < PLACES && SETTLED(p) && FLOOR(p) == p && kept[p * HONEST + p] == 0 ->
       if :: v = 0 :: v = 1 fi;                                       /* write */
       sign_entry(p, size[p], v); take(p, v); v = 0 }
  :: atomic { RUNS(p) && size[p] < PLACES && SETTLED(p) && FLOOR(p) == p && kept[p * HONEST + p] != 0 ->
       v = kept[p * HONEST + p] - 1; take(p, v); v = 0 }              /* its own, learnt */
  :: atomic { RUNS(p) && size[p] < PLACES && SETTLED(p) ->            /* accept from an honest one */
       if :: q = 0 :: q = 1
#if HONEST == 3
          :: q = 2
#endif
       fi;
       if :: v = 0 :: v = 1 fi;
       if
       :: FLOOR(p) == q && (entries[AT(q, size[p])] & BIT(v)) && (q != p || fresh[p]) -> take(p, v)
       :: FLOOR(p) == LIAR && HOLDS(q, size[p]) && val[AT(q, size[p])] == v + 2 * CLAIMED(p) ->
          v = v + 2 * CLAIMED(p); take(p, v)
       :: else
       fi;
       q = 0; v = 0 }
  :: atomic { RUNS(p) && !silent && size[p] < PLACES && SETTLED(p) && FLOOR(p) == LIAR ->
       if :: v = 0 :: v = 1 fi;                                       /* accept from the liar */
       v = v + 2 * CLAIMED(p); take(p, v); v = 0 }
  :: atomic { SPEAKS(p) && size[p] > 0 && !WROTE(p) && !given[AT(p, LAST(p))] ->
       given[AT(p, LAST(p))] = 1;                                     /* give a receipt */
       sign_receipt(p, LAST(p), LVAL(p));
       got[p] = got[p] | BIT(p); agree(p) }
  :: atomic { RUNS(p) && size[p] > 0 ->                               /* hear an honest receipt */
       if :: q = 0 :: q = 1
#if HONEST == 3
          :: q = 2
#endif
       fi;
       if
       :: q != p && (receipts[AT(q, LAST(p))] & BIT(LVAL(p))) -> got[p] = got[p] | BIT(q); agree(p)
       :: else
       fi;
#ifndef MUTANT_QUIET
       if
       :: q != p && (receipts[AT(q, LAST(p))] & ~BIT(LVAL(p))) ->
          shown[LAST(p)] = shown[LAST(p)] | BIT(LVAL(p))              /* L08: show the own entry */
       :: else
       fi;
#endif
       q = 0 }
#ifdef MUTANT_RUSH
  :: atomic { RUNS(p) && size[p] > 0 && (got[p] & BIT(LIAR)) -> got[p] = ALL; agree(p) }
#endif
  :: atomic { RUNS(p) && !silent && size[p] > 0 ->                    /* the liar's receipt, any place */
       if :: s = 0 :: size[p] > 1 -> s = 1 :: size[p] > 2 -> s = 2 fi;
       if :: r = 0 :: r = 1 :: r = 2 :: r = 4 :: r = 5 fi;
       hear(p, s, r); s = 0; r = 0; if :: size[p] > 0 -> agree(p) :: else fi }
  :: atomic { RUNS(p) && size[p] > 0 ->                               /* one that was passed on, or by SYNC */
       if :: s = 0 :: size[p] > 1 -> s = 1 :: size[p] > 2 -> s = 2 fi;
       if :: r = 0 :: r = 1 :: r = 2 :: r = 4 :: r = 5 fi;
       if :: q = 0 :: q = 1
#if HONEST == 3
          :: q = 2
#endif
       fi;
       if
       :: (passed[s] & BIT(r)) -> hear(p, s, r)
       :: s == LAST(p) && HOLDS(q, s) && liars[AT(q, s)] == r && HEAD(r) == LVAL(p) -> hear(p, s, r)
       :: else
       fi;
       s = 0; r = 0; q = 0; agree(p) }
  :: atomic { RUNS(p) && size[p] > 0 ->                               /* an entry that was shown */
       if :: s = 0 :: size[p] > 1 -> s = 1 :: size[p] > 2 -> s = 2 fi;
       if :: v = 0 :: v = 1 :: v = 2 :: v = 3 fi;
       if
       :: shown[s] & BIT(v) -> compare(p, s, v)
       :: else
       fi;
       s = 0; v = 0 }
  :: atomic { RUNS(p) && size[p] < PLACES ->                          /* keep an entry that is early */
       if :: q = 0 :: q = 1
#if HONEST == 3
          :: q = 2
#endif
       fi;
       if :: v = 0 :: v = 1 fi;
       if
       :: q != p && !SETTLED(p) && (entries[AT(q, size[p])] & BIT(v)) && kept[p * HONEST + q] == 0 ->
          kept[p * HONEST + q] = v + 1
       :: else
       fi;
       q = 0; v = 0 }
  :: atomic { RUNS(p) && losses > 0 ->                                /* stop, and start again */
       if
       :: size[p] > 0 -> losses--; size[p] = size[p] - 1;
          val[AT(p, size[p])] = 0; given[AT(p, size[p])] = 0; liars[AT(p, size[p])] = NONE
       :: losses--
       fi;
       for (i : 0 .. HONEST - 1) { kept[p * HONEST + i] = 0 }
       i = 0;
       if
       :: size[p] > 0 ->
          liars[AT(p, LAST(p))] = NONE;
          got[p] = BIT(AUTHOR(LAST(p), LVAL(p))) | (given[AT(p, LAST(p))] << p)
       :: else -> got[p] = 0
       fi;
#ifndef MUTANT_EAGER
       fresh[p] = 1
#endif
     }
  :: atomic { RUNS(p) && fresh[p] ->                                  /* own words come back */
       if :: q = 0 :: q = 1
#if HONEST == 3
          :: q = 2
#endif
       fi;
       if
       :: q != p && size[p] > 0 && size[q] == size[p] && (got[q] & BIT(p)) && LVAL(q) == LVAL(p) ->
          given[AT(p, LAST(p))] = 1; got[p] = got[p] | BIT(p)
       :: q != p && size[p] > 0 && size[q] > size[p] && val[AT(q, LAST(p))] == LVAL(p) ->
          given[AT(p, LAST(p))] = 1; got[p] = got[p] | BIT(p)
#ifndef MUTANT_EARLY
       :: q != p && size[q] == size[p] && kept[q * HONEST + p] != 0 ->
          kept[p * HONEST + p] = kept[q * HONEST + p]
#endif
       :: else
       fi;
       q = 0 }
  :: atomic { RUNS(p) && fresh[p] ->                                  /* everybody has no more */
       v = 1;
       for (i : 0 .. HONEST - 1) {
         if
         :: i != p && (size[i] != size[p] || (size[p] > 0 && !WROTE(p) && !given[AT(p, LAST(p))] && (got[i] & BIT(p)))) -> v = 0
#ifndef MUTANT_EARLY
         :: i != p && kept[i * HONEST + p] != 0 && kept[p * HONEST + p] == 0 -> v = 0
#endif
         :: else
         fi
       }
       i = 0;
       if
       :: v ->
          fresh[p] = 0;
          free[p] = 1;
          for (i : 0 .. HONEST - 1) {
            if :: i != p && (kept[i * HONEST + p] != 0) -> free[p] = 0 :: else fi
          }
          i = 0
       :: else
       fi;
       v = 0 }
  :: convicted[p] || over -> break
  od
}

/* Everything that the honest have said reaches all of them, once; the liar says nothing. */
inline exchange() {
  for (p : 0 .. HONEST - 1) {
    if
    :: size[p] > 0 && !WROTE(p) && !given[AT(p, LAST(p))] ->
       given[AT(p, LAST(p))] = 1; sign_receipt(p, LAST(p), LVAL(p)); got[p] = got[p] | BIT(p)
    :: else
    fi
  }
  for (p : 0 .. HONEST - 1) {
    for (q : 0 .. HONEST - 1) {
      if
      :: q != p && size[p] > 0 && (receipts[AT(q, LAST(p))] & ~BIT(LVAL(p))) ->
#ifndef MUTANT_QUIET
         shown[LAST(p)] = shown[LAST(p)] | BIT(LVAL(p))
#else
         skip
#endif
      :: else
      fi
    }
  }
  for (p : 0 .. HONEST - 1) {
    for (s : 0 .. PLACES - 1) {
      for (r : 0 .. 6) {
        if :: s < size[p] && (passed[s] & BIT(r)) -> hear(p, s, r) :: else fi
      }
      for (v : 0 .. 3) {
        if :: s < size[p] && (shown[s] & BIT(v)) -> compare(p, s, v) :: else fi
      }
    }
  }
}

proctype Exchange() {
  byte p, q, s, r, v, i;
end:
  atomic {
    !over && !fresh[0] && !fresh[1] && !fresh[HONEST - 1] && !convicted[0] && !convicted[1] && !convicted[HONEST - 1] ->
    silent = 1;
    exchange();
    for (p : 0 .. HONEST - 2) {
      for (q : p + 1 .. HONEST - 1) {
        for (s : 0 .. PLACES - 1) {
          assert(over || convicted[0] || convicted[1] || convicted[HONEST - 1] ||
            !(HOLDS(p, s) && HOLDS(q, s) && val[AT(p, s)] != val[AT(q, s)]))
        }
      }
    }
    over = 1
  }
}

init {
  atomic { byte n; for (n : 0 .. HONEST - 1) { up[n] = 1; run Honest(n) }; n = 0; run Exchange() }
}
