/* Parting: all but one agree to do without that one after a place of the log, or nobody does.
 *
 * SEATS players, the last of whom has been gone and may be back at any moment, take ENTRIES entries;
 * who writes each is free. At any place between them a player who is present may be ready to part
 * there (SPEC.md, "Leaving for good"). Whose ready and part was heard when is free too: what was
 * said may be heard at any time. A receipt may be held back. A player may stop between any two
 * steps and start again with what was on disk, STOPS times in all.
 *
 * Checked: nobody's part contradicts another's; no entry is settled for anybody, the absent one too,
 * at a place that all others have parted before, or after; and where nothing more can happen, all
 * have parted or nobody is bound.
 * -DMUTANT_LATE takes and receipts entries although bound, -DMUTANT_HELD is ready at a place whose last entry is
 * not written down, -DMUTANT_FREE is not drawn into a part that it was ready for, -DMUTANT_STALE
 * parts for a wish that play has gone past: each must be found.
 */
#ifndef SEATS
#define SEATS 3
#endif
#ifndef ENTRIES
#define ENTRIES 2
#endif
#ifndef STOPS
#define STOPS 2
#endif
#define ABSENT (SEATS - 1)
#define NONE 7
#define BIT(n) (1 << (n))
#define OTHERS(p) (BIT(SEATS) - 1 - BIT(p))
#define ALL_PRESENT (BIT(ABSENT) - 1)

byte author[ENTRIES];

/* On disk: entries written down; places promised, as bits; the place of the own part */
byte kept[SEATS];
byte promised[SEATS];
byte part[SEATS];
/* In memory: entries taken, entries known to be settled, the place of a wish that stands */
byte taken[SEATS];
byte settled[SEATS];
byte wish[SEATS];
bit  parted[SEATS];
bit  up[SEATS];
/* Said: entries as bits; by entry whose receipts, by place whose ready and whose part, as bits */
byte entries;
byte receipts[ENTRIES];
byte ready[ENTRIES + 1];
byte parts[ENTRIES + 1];
byte stops = STOPS;

#define BOUND(p) (part[p] != NONE)
#define AGREED(k) (parts[k] == ALL_PRESENT)
#define CERTIFIED (AGREED(0) || AGREED(1) || (ENTRIES == 2 && AGREED(ENTRIES)))
#define PLACE (AGREED(0) -> 0 : (AGREED(1) -> 1 : ENTRIES))
#define FREE(p) (up[p] && !parted[p] && !BOUND(p))
/* Who has heard of everybody's part takes what leads to its place, and nothing beyond. */
#define BEHIND(p) (up[p] && !parted[p] && CERTIFIED && taken[p] < PLACE)
#ifdef MUTANT_LATE
#define HEARS(p) (up[p] && !parted[p])
#else
#define HEARS(p) (FREE(p) || BEHIND(p))
#endif
#define TAKES(p) (HEARS(p) && taken[p] < ENTRIES && settled[p] == taken[p])

inline moves_on(p) {
  taken[p] = taken[p] + 1;
  if :: !BOUND(p) -> wish[p] = NONE :: else fi
}

inline bind(p, k) {
  part[p] = k;                                              /* on disk before it is said */
  wish[p] = k;
  for (i : 0 .. SEATS - 1) { assert(part[i] == NONE || part[i] == k) }
  i = 0
}

#ifdef MUTANT_HELD
#define MAY_WISH(p) FREE(p)
#else
#define MAY_WISH(p) (FREE(p) && kept[p] == taken[p])
#endif
#ifdef MUTANT_STALE
#define WISHES(p, k) (promised[p] & BIT(k))
#else
#define WISHES(p, k) (wish[p] == k)
#endif

/* Ready or bound at place k */
#define PLACE_STEPS(k) \
  :: atomic { MAY_WISH(p) && p != ABSENT && taken[p] == k && wish[p] != k -> \
       promised[p] = promised[p] | BIT(k); wish[p] = k } \
  :: atomic { FREE(p) && wish[p] == k && !(ready[k] & BIT(p)) -> ready[k] = ready[k] | BIT(p) } \
  :: atomic { FREE(p) && p != ABSENT && WISHES(p, k) && (ready[k] | parts[k]) == ALL_PRESENT -> \
       bind(p, k) } \
  DRAWN(k) \
  :: atomic { up[p] && part[p] == k && !(parts[k] & BIT(p)) -> \
       parts[k] = parts[k] | BIT(p); \
       if :: AGREED(k) -> \
            for (i : 0 .. SEATS - 1) { assert(settled[i] <= k) }; i = 0 \
          :: else fi } \
  :: atomic { up[p] && !parted[p] && AGREED(k) && \
              (taken[p] == k || (taken[p] == k + 1 && settled[p] <= k)) -> \
       parted[p] = 1; taken[p] = k; \
       if :: kept[p] > k -> kept[p] = k :: else fi }
#ifdef MUTANT_FREE
#define DRAWN(k)
#else
#define DRAWN(k) \
  :: atomic { FREE(p) && (promised[p] & BIT(k)) && (parts[k] & OTHERS(p)) -> bind(p, k) }
#endif

#define LAST(p) (taken[p] - 1)

proctype Player(byte p) {
  byte i;
end:
  do
  :: atomic { FREE(p) && TAKES(p) && author[taken[p]] == p ->        /* write: to disk first */
       moves_on(p); kept[p] = taken[p] }
  :: atomic { up[p] && kept[p] > 0 && !parted[p] && author[kept[p] - 1] == p &&
              !(entries & BIT(kept[p] - 1)) ->
       entries = entries | BIT(kept[p] - 1);
       receipts[kept[p] - 1] = receipts[kept[p] - 1] | BIT(p) }     /* the author's own */
  :: atomic { TAKES(p) && author[taken[p]] != p && (entries & BIT(taken[p])) ->
       moves_on(p) }                                                /* held in memory until … */
  :: atomic { (HEARS(p) || (up[p] && !parted[p] && taken[p] <= part[p])) && kept[p] < taken[p] ->
       kept[p] = taken[p] }                                         /* … written down */
  :: atomic { up[p] && kept[p] > 0 && !parted[p] && author[kept[p] - 1] != p &&
              !(receipts[kept[p] - 1] & BIT(p)) ->
       receipts[kept[p] - 1] = receipts[kept[p] - 1] | BIT(p) }
  :: atomic { HEARS(p) && settled[p] < taken[p] && receipts[LAST(p)] == BIT(SEATS) - 1 ->
       settled[p] = taken[p];
       assert(!CERTIFIED || settled[p] <= PLACE) }
  PLACE_STEPS(0)
  PLACE_STEPS(1)
#if ENTRIES == 2
  PLACE_STEPS(2)
#endif
  :: atomic { up[p] && stops > 0 -> stops--;                         /* stop … */
       up[p] = 0; wish[p] = NONE; taken[p] = kept[p];
       settled[p] = (kept[p] > 0 -> kept[p] - 1 : 0) }
  :: atomic { !up[p] -> up[p] = 1; if :: BOUND(p) -> wish[p] = part[p] :: else fi }
  od
}

proctype Observer() {
  byte n;
end:
  timeout ->                                       /* nothing more can happen: all, or none */
  for (n : 0 .. SEATS - 1) { assert(parted[n] || !(CERTIFIED || BOUND(n))) }
}

init {
  byte n;
  atomic {
    for (n : 0 .. ENTRIES - 1) {
      if :: author[n] = 0 :: author[n] = 1 :: author[n] = 2
#if SEATS == 4
         :: author[n] = 3
#endif
      fi
    }
    for (n : 0 .. SEATS - 1) { up[n] = 1; part[n] = NONE; wish[n] = NONE; run Player(n) }
    n = 0;
    run Observer()
  }
}
