/* The order of events at a table: entries, receipts, claims, stop and restart.
 *
 * SEATS players write PLACES entries. What a player writes at a place is free (0 or 1); whose place
 * it is follows from the place and from the claims on the receipts before it (SPEC.md, "The log").
 * A player may stop between any two steps and start again with what was on disk, STOPS times in all.
 * Messages are never unsaid: once sent they may arrive at any time, late, twice, or not at all.
 *
 * Checked: agreement (no two logs differ at a place, neither in what stands there nor in whose it
 * is), no double signing (one value ever sent by a player for a place), and with -DPROGRESS that
 * everybody's log is finished and receipted in the end, if everybody who can act does so again and
 * again (weak fairness).
 * -DMUTANT_SEND sends before it writes, -DMUTANT_RUSH writes without everybody's receipts,
 * -DMUTANT_CLAIM decides a claim again after a restart, -DMUTANT_FLOOR gives the floor to the claim
 * that is heard first: each must be found.
 */
#ifndef SEATS
#define SEATS 3
#endif
#ifndef PLACES
#define PLACES 3
#endif
#ifndef STOPS
#define STOPS 2
#endif
#ifndef CLAIMANTS
#define CLAIMANTS (3 << (SEATS - 2))  /* players who may claim, at any place, as bits: the last two */
#endif
#define MAY_CLAIM(p) ((CLAIMANTS >> (p)) & 1)
#define AT(p, s) ((p) * PLACES + (s))
#define EVERYBODY ((1 << SEATS) - 1)

/* On disk */
byte size[SEATS];                      /* places written down */
byte val[SEATS * PLACES];             /* the entry at each place, 0 or 1 */
bit  claim[SEATS * PLACES];           /* whether the own receipt carries a claim */
/* In memory */
byte got[SEATS];                      /* whose receipts for the last place are here, as bits */
byte claimed[SEATS];                  /* whose of them carry a claim, as bits */
bit  up[SEATS];
/* Said: bit v for value v; for receipts bit 2 v + claim */
byte entries[PLACES];
byte receipts[SEATS * PLACES];
byte stops = STOPS;

/* Who wrote the entry at a place, known to all who have accepted it */
byte author[SEATS * PLACES];

/* The first claimant from the author's right takes the floor, else the next place is the next
 * player's. */
#define LAST(p) (size[p] - 1)
#define RIGHT(p, k) ((author[AT(p, LAST(p))] + k) % SEATS)
#define CLAIMS(p, q) ((claimed[p] >> (q)) & 1)
#define FIRST(p) (CLAIMS(p, RIGHT(p, 1)) -> RIGHT(p, 1) : \
  (CLAIMS(p, RIGHT(p, 2)) -> RIGHT(p, 2) : RIGHT(p, 3)))
#define FLOOR(p) (size[p] == 0 -> 0 : (claimed[p] -> FIRST(p) : RIGHT(p, 1)))
#define WROTE(p) (size[p] > 0 && author[AT(p, LAST(p))] == p)
#ifdef MUTANT_RUSH
#define SETTLED(p) (size[p] == 0 || got[p] != 0)
#else
#define SETTLED(p) (size[p] == 0 || got[p] == EVERYBODY)
#endif

inline append(me, what, by) {
  author[AT(me, size[me])] = by;
  val[AT(me, size[me])] = what;
  size[me] = size[me] + 1;
  got[me] = (1 << author[AT(me, LAST(me))]);   /* the author's entry is its receipt */
  claimed[me] = 0
}

#define SAME(p, q) (size[q] < size[p] || (val[AT(q, LAST(p))] == val[AT(p, LAST(p))] && \
  author[AT(q, LAST(p))] == author[AT(p, LAST(p))]))
#if SEATS == 4
#define AGREED(p) (SAME(p, 0) && SAME(p, 1) && SAME(p, 2) && SAME(p, 3))
#else
#define AGREED(p) (SAME(p, 0) && SAME(p, 1) && SAME(p, 2))
#endif

#define SAID(p) (1 << (2 * val[AT(p, LAST(p))] + claim[AT(p, LAST(p))]))
#define SAW(p, q) (receipts[AT(q, LAST(p))] & (3 << (2 * val[AT(p, LAST(p))])))
#define STOP(p) up[p] = 0; got[p] = 0; claimed[p] = 0

#define DONE(p) (size[p] == PLACES && got[p] == EVERYBODY)
#if SEATS == 3
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2))
#else
#define ALL_DONE (DONE(0) && DONE(1) && DONE(2) && DONE(3))
#endif

#ifdef MUTANT_FLOOR
#define HEAR(p, q, c) claimed[p] = (claimed[p] -> claimed[p] : ((c) << (q)))
#else
#define HEAR(p, q, c) claimed[p] = claimed[p] | ((c) << (q))
#endif

#define TAKE(q) \
  :: atomic { up[p] && q < SEATS && q != p && size[p] > 0 && !(got[p] & (1 << q)) && SAW(p, q) -> \
       got[p] = got[p] | (1 << q); \
       HEAR(p, q, (SAW(p, q) & (2 << (2 * val[AT(p, LAST(p))]))) != 0) }

proctype Player(byte p) {
  byte v, who;
  do
  :: atomic { up[p] && size[p] < PLACES && SETTLED(p) && FLOOR(p) == p ->
       if :: v = 0 :: v = 1 fi;                              /* write an entry: to disk first */
#ifdef MUTANT_SEND
       entries[size[p]] = entries[size[p]] | (1 << v);
       assert(entries[size[p]] != 3);
       if :: append(p, v, p); assert(AGREED(p))
          :: stops > 0 -> stops--; STOP(p)
       fi;
#else
       append(p, v, p); assert(AGREED(p));
#endif
       v = 0 }
  :: atomic { up[p] && WROTE(p) && !(entries[LAST(p)] & (1 << val[AT(p, LAST(p))])) ->
       entries[LAST(p)] = entries[LAST(p)] | (1 << val[AT(p, LAST(p))]);
       assert(entries[LAST(p)] != 3) }                       /* no double signing */
  :: atomic { up[p] && size[p] < PLACES && SETTLED(p) && FLOOR(p) != p && entries[size[p]] ->
       who = FLOOR(p);                                       /* accept an entry: to disk first */
       if
       :: entries[size[p]] & 1 -> v = 0
       :: entries[size[p]] & 2 -> v = 1
       fi;
       append(p, v, who);
       who = 0; v = 0;
       if
       :: claim[AT(p, LAST(p))] = 0
       :: MAY_CLAIM(p) -> claim[AT(p, LAST(p))] = 1
       fi;
       assert(AGREED(p)) }
  :: atomic { up[p] && size[p] > 0 && !WROTE(p) && !(got[p] & (1 << p)) ->
#ifdef MUTANT_CLAIM
       if :: claim[AT(p, LAST(p))] = 0 :: MAY_CLAIM(p) -> claim[AT(p, LAST(p))] = 1 fi;
#endif
       receipts[AT(p, LAST(p))] = receipts[AT(p, LAST(p))] | SAID(p);
       assert(receipts[AT(p, LAST(p))] == SAID(p));          /* no double signing */
       got[p] = got[p] | (1 << p);
       HEAR(p, p, claim[AT(p, LAST(p))]) }
  TAKE(0)
  TAKE(1)
  TAKE(2)
#if SEATS == 4
  TAKE(3)
#endif
  :: atomic { up[p] && stops > 0 -> stops--; STOP(p) }
  :: atomic { !up[p] -> up[p] = 1;                           /* back, with what was on disk */
       if :: size[p] > 0 -> got[p] = 1 << author[AT(p, LAST(p))] :: else fi }
  :: ALL_DONE -> break
  od
}

#ifdef PROGRESS
ltl progress { <> ALL_DONE }
#endif

init {
  byte i;
  atomic {
    for (i : 0 .. SEATS - 1) { up[i] = 1; run Player(i) }
    i = 0
  }
}
