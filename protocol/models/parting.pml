/* Parting: all but one agree to do without that one before a place of the log, or nobody does.
 *
 * SEATS players sign ENTRIES places of a log; who writes each is free. At any place a player may be
 * *ready* to part from the last one (with -DTWO from the last but one too), answer *stay*, and sign
 * its *part* once all others are ready (SPEC.md, "Leaving for good"). One player, LIAR, may sign
 * anything at any time and say different things to different players: so it has no process, and
 * every word and receipt of it is there for whoever looks. What honest players said may be heard at
 * any time, or not. They may stop between any two steps and start again with what was on disk, STOPS
 * times in all; a stop forgets what the others answered.
 *
 * Checked, whatever the liar does:
 *  - no two endings: never everybody's part for a place together with everybody's signature for that
 *    place or a later one, and never everybody's part for two places or two players;
 *  - nobody honest is convicted: no honest player signs a part and that place or a later one, two
 *    parts, or *ready* and *stay* for one place;
 *  - nobody is left behind unless a liar is convicted: where one honest player is bound and another
 *    has signed that place, the liar has said *ready* to one and *stay* to the other.
 * And without a liar (LIAR is NOBODY), that where nothing more can happen all have parted, or nobody
 * is bound and nobody waits for an answer.
 * With -DSILENT the absent one (the last seat) may have come back and signed an entry, and the liar (the
 * last seat but one, -DLIAR, -DTWO) may fall silent for good at any time: what it has said before is
 * known to those who have used it, and its words are there for nobody from then on. The others may give
 * a wish up: a player who is ready to part from the silent one leaves the earlier wish open, and gives
 * it up once all but those two have left it open. Checked too: where nothing more can happen, all who
 * stay are bound to one wish, or nobody waits for an answer; and nobody gives up a wish to which an
 * honest player is bound.
 * With -DTWO and three seats the liar alone stands in both quorums: then two endings exist, and its
 * two parts convict it; so -DTWO is for four seats.
 * -DMUTANT_STALE binds for a wish that play has gone past, -DMUTANT_FREE signs the place although
 * ready, -DMUTANT_LATE although bound, -DMUTANT_FORGET does not write down that it was ready,
 * -DMUTANT_FEW binds when one player's ready is missing; with -DSILENT, -DMUTANT_HOLD gives nothing up,
 * -DMUTANT_OPEN binds by *ready* a wish that it has left open, -DMUTANT_HASTY gives up without waiting,
 * -DMUTANT_ALONE leaves a wish open and does not follow another's part: each must be found.
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
#define NOBODY 7
#ifndef LIAR
#define LIAR NOBODY
#endif
#define NONE 15
#define BIT(n) (1 << (n))
#define ALL (BIT(SEATS) - 1)
#define LIES (LIAR == NOBODY -> 0 : BIT(LIAR))
#ifdef SILENT
#define TOLD (silent -> 0 : LIES)
#else
#define TOLD LIES
#endif
#ifdef TWO
#define ABSENTEES 2
#else
#define ABSENTEES 1
#endif
/* A wish: absentee 0 is the last seat, 1 the last but one; before place k of ENTRIES + 1. */
#define AT(a, k) ((a) * (ENTRIES + 1) + (k))
#define WISHES (ABSENTEES * (ENTRIES + 1))
#define SEAT(w) (SEATS - 1 - (w) / (ENTRIES + 1))
#define PLACE(w) ((w) % (ENTRIES + 1))
#define PRESENT(w) (ALL - BIT(SEAT(w)))

byte author[ENTRIES];
/* On disk, and said: how many places are signed; by wish who is ready, who said stay; the own part */
byte wrote[SEATS];
byte ready[WISHES];
byte stay[WISHES];
byte part[SEATS];
/* In memory: by wish who has been let go by another's stay */
byte freed[WISHES];
#ifdef SILENT
bool silent;
/* By wish: who has left it open, who has given it up (on disk, and said) */
byte left[WISHES];
byte given_up[WISHES];
#endif
/* What the liar has been heard to say: by wish ready, stay */
byte heard_ready, heard_stay;
byte stops = STOPS;

#define HAS(set, p) (((set) >> (p)) & 1)
#define SIGNED(p, k) ((p) == LIAR || wrote[p] > (k))
#if SEATS == 4
#define SETTLED(k) (SIGNED(0, k) && SIGNED(1, k) && SIGNED(2, k) && SIGNED(3, k))
/* Whose parts there are, the liar's always among them. */
#define PARTS(w) (BIT(0) * (part[0] == (w)) | BIT(1) * (part[1] == (w)) | \
  BIT(2) * (part[2] == (w)) | BIT(3) * (part[3] == (w)) | LIES)
#else
#define SETTLED(k) (SIGNED(0, k) && SIGNED(1, k) && SIGNED(2, k))
#define PARTS(w) (BIT(0) * (part[0] == (w)) | BIT(1) * (part[1] == (w)) | \
  BIT(2) * (part[2] == (w)) | LIES)
#endif
#define CERTIFIED(w) ((PARTS(w) & PRESENT(w)) == PRESENT(w))
#define HONEST(p) ((p) != LIAR)
#define OPEN(p, w) (HAS(ready[w], p) && !HAS(freed[w], p) && wrote[p] <= PLACE(w) && part[p] == NONE)
#ifdef MUTANT_STALE
#define MAY_BIND(p, w) (HAS(ready[w], p) && part[p] == NONE)
#else
#define MAY_BIND(p, w) OPEN(p, w)
#endif
#ifdef MUTANT_FREE
#define HELD(p, w) 0
#else
#define HELD(p, w) OPEN(p, w)
#endif
#ifdef TWO
#define IS_HELD(p) (HELD(p, AT(0, wrote[p])) || HELD(p, AT(1, wrote[p])))
#else
#define IS_HELD(p) HELD(p, AT(0, wrote[p]))
#endif
#ifdef MUTANT_LATE
#define BOUND(p) 0
#else
#define BOUND(p) (part[p] != NONE)
#endif
#ifdef MUTANT_FEW
#define ALL_READY(w) (((ready[w] | TOLD | BIT(0)) & PRESENT(w)) == PRESENT(w))
#else
#define ALL_READY(w) (((ready[w] | TOLD) & PRESENT(w)) == PRESENT(w))
#endif
#ifdef SILENT
#define LIAR_VOTES(w) (!silent && SEAT(w) != LIAR)
/* The wish to part from the liar at the same place; whoever is there for both */
#define INSTEAD(w) AT(1, PLACE(w))
#define OTHERS(w) (PRESENT(w) - BIT(LIAR))
/* An honest player's part shows everybody's ready. */
#define SHOWN(w) (part[0] == (w) || part[1] == (w) || part[2] == (w) || part[3] == (w))
#ifdef MUTANT_OPEN
#define BINDS(p, w) (ALL_READY(w) || SHOWN(w))
#elif defined(MUTANT_ALONE)
#define BINDS(p, w) (!HAS(left[w], p) && (ALL_READY(w) || SHOWN(w)))
#else
#define BINDS(p, w) (!HAS(given_up[w], p) && (SHOWN(w) || (ALL_READY(w) && !HAS(left[w], p))))
#endif
#ifdef MUTANT_HASTY
#define ALL_LEFT(w) 1
#else
#define ALL_LEFT(w) ((left[w] & OTHERS(w)) == OTHERS(w))
#endif
/* Nobody wants to part from the one who is back after the liar, or says *stay* for the liar unless it
 * has signed the place: the liar is overdue. */
#define MAY_WISH(p, w) (SEAT(w) == LIAR || !HAS(ready[INSTEAD(w)], p))
#define MAY_STAY(w) (SEAT(w) != LIAR)
/* A player leaves the wish to part from the one who is back open before it is ready for the other. */
#define LEAVE(p, w) \
  if :: SEAT(w) == LIAR && OPEN(p, AT(0, PLACE(w))) -> \
          left[AT(0, PLACE(w))] = left[AT(0, PLACE(w))] | BIT(p) \
     :: else fi;
/* Whoever is let go by the liar's *stay* passes it on. */
#define PASSED_ON(w) \
  :: atomic { OPEN(p, w) && SEAT(w) != LIAR && HAS(heard_stay, w) -> freed[w] = freed[w] | BIT(p) }
#ifdef MUTANT_HOLD
#define GIVE_UP(w) PASSED_ON(w)
#else
#define GIVE_UP(w) \
  PASSED_ON(w) \
  :: atomic { SEAT(w) != LIAR && OPEN(p, w) && HAS(left[w], p) && !HAS(given_up[w], p) && \
              ALL_LEFT(w) -> assert(!SHOWN(w)); given_up[w] = given_up[w] | BIT(p) } \
  :: atomic { SEAT(w) != LIAR && OPEN(p, w) && (given_up[w] & OTHERS(w)) == OTHERS(w) -> \
       freed[w] = freed[w] | BIT(p) }
#endif
#else
#define LIAR_VOTES(w) (LIAR != NOBODY && SEAT(w) != LIAR)
#define BINDS(p, w) ALL_READY(w)
#define MAY_WISH(p, w) 1
#define MAY_STAY(w) 1
#define LEAVE(p, w)
#define GIVE_UP(w)
#endif

/* All that must hold after every step of an honest player. */
inline check() {
  for (i : 0 .. WISHES - 1) {
    assert(!(CERTIFIED(i) && PLACE(i) < ENTRIES && SETTLED(PLACE(i))));    /* no two endings */
    for (j : 0 .. WISHES - 1) {
      assert(i == j || !(CERTIFIED(i) && CERTIFIED(j)))
    }
    j = 0;
    for (j : 0 .. SEATS - 1) {
      if
      :: HONEST(j) && part[j] == i ->
           assert(wrote[j] <= PLACE(i));                      /* nobody honest is convicted … */
           for (q : 0 .. SEATS - 1) {                          /* … or left behind, but by a liar */
             assert(!HONEST(q) || q == SEAT(i) || wrote[q] <= PLACE(i) ||
                    (HAS(heard_ready, i) && HAS(heard_stay, i)))
           }
           q = 0
      :: else
      fi
    }
    j = 0
  }
  i = 0
}

#define WISH(w) \
  :: atomic { part[p] == NONE && SEAT(w) != p && wrote[p] == PLACE(w) && \
              !HAS(ready[w] | stay[w], p) && MAY_WISH(p, w) -> \
       LEAVE(p, w) \
       ready[w] = ready[w] | BIT(p) } \
  :: atomic { part[p] == NONE && SEAT(w) != p && !HAS(ready[w] | stay[w], p) && ready[w] && \
              ((wrote[p] == PLACE(w) && MAY_STAY(w)) || wrote[p] == PLACE(w) + 1) -> \
       stay[w] = stay[w] | BIT(p) } \
  :: atomic { OPEN(p, w) && (stay[w] & PRESENT(w)) && !HAS(freed[w], p) -> \
       freed[w] = freed[w] | BIT(p) } \
  :: atomic { OPEN(p, w) && LIAR_VOTES(w) && !HAS(freed[w], p) -> \
       freed[w] = freed[w] | BIT(p); heard_stay = heard_stay | BIT(w) } \
  :: atomic { MAY_BIND(p, w) && BINDS(p, w) -> \
       part[p] = w; \
       if :: LIAR_VOTES(w) -> heard_ready = heard_ready | BIT(w) :: else fi; \
       check() } \
  GIVE_UP(w)

proctype Player(byte p) {
  byte i, j, q;
end:
  do
  :: atomic { wrote[p] < ENTRIES && !BOUND(p) && !IS_HELD(p) &&
              (wrote[p] == 0 || SETTLED(wrote[p] - 1)) &&
              (author[wrote[p]] == p || SIGNED(author[wrote[p]], wrote[p])) ->
       wrote[p] = wrote[p] + 1;
       check() }
  WISH(0)
#if WISHES > 1
  WISH(1)
#endif
#if WISHES > 2
  WISH(2)
#endif
#if WISHES > 3
  WISH(3)
#endif
#if WISHES > 4
  WISH(4)
  WISH(5)
#endif
  :: atomic { stops > 0 -> stops--;                            /* stop, and start again */
       for (i : 0 .. WISHES - 1) {
         freed[i] = freed[i] & (ALL - BIT(p));
#ifdef MUTANT_FORGET
         if :: HAS(ready[i], p) && part[p] == NONE -> freed[i] = freed[i] | BIT(p) :: else fi
#endif
       }
       i = 0 }
  od
}

#ifdef SILENT
/* The liar falls silent. Where nothing more can happen then, nobody waits: all who stay are bound to
 * one wish, or nobody is bound and nobody is held; or what the liar has said convicts it. */
proctype Observer() {
  byte n, w;
  silent = true;
end:
  timeout ->
  for (w : 0 .. WISHES - 1) {
    for (n : 0 .. SEATS - 1) {
      assert(n == LIAR || n == SEAT(w) || !SHOWN(w) || part[n] == w || (heard_ready & heard_stay));
      assert(n == LIAR || !OPEN(n, w) || BOUND(0) || BOUND(1) || (heard_ready & heard_stay))
    }
  }
}
#else
proctype Observer() {
  byte n, w;
end:
  timeout ->                                       /* nothing more can happen: all, or none */
  for (w : 0 .. WISHES - 1) {
    for (n : 0 .. SEATS - 1) {
      assert(LIAR != NOBODY || n == SEAT(w) || !(PARTS(w)) || part[n] == w);
      assert(LIAR != NOBODY || !OPEN(n, w))
    }
  }
}
#endif

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
    for (n : 0 .. SEATS - 1) {
      part[n] = NONE;
      if :: n != LIAR -> run Player(n) :: else fi
    }
    n = 0;
#if !defined(TWO) || defined(SILENT)
    run Observer()
#endif
  }
}
