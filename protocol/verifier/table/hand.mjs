// One hand at the table as the log shows it: the deck, the slots of every seat, the indicator, the tricks with their
// slots, the keys that were published. What the rules make of it is `hand.rules` (rules/index.mjs).

import { bigEndian, concat, toHex, utf8 } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { G, hashToElement } from "../crypto/group.mjs";
import { batches, pack } from "../rules/options.mjs";
import { newHand as newRulesHand } from "./rules.mjs";

export function newHand(T, options, number, dealer, gathered) {
  const n = options.seats, cards = pack(options);
  const deal = digest("p2p304 cards", T, bigEndian(number, 4));
  const M = new Map(cards.map((c) => [c, hashToElement(concat(deal, utf8(c)), "p2p304/1 card")]));
  return {
    number, dealer, options, n, cards, M,
    nameOf: new Map([...M].map(([c, e]) => [toHex(e.bytes), c])),
    rounds: gathered ? 2 : 1,
    deck: (gathered ?? cards).map((c) => M.get(c)),
    shuffles: 0,
    A: [], U: [],                       // keys of a gathered pack's first round; unlock keys
    isCut: false,
    hasBegun: false,                    // a seat has unlocked cards: nobody can know one before
    top: 0, batchesOut: 0, batchSizes: batches(options),
    batch: null,                        // {cards: [{C, seat}], waiting: [seats], order: [seats]}
    relocks: [],                        // seats that owe a re-ordering, in order
    slots: Array.from({ length: n }, () => []), nextPlace: Array(n).fill(0),
    indicator: null,                    // a slot with its seat, while it lies on the table
    tricks: [],                         // lists of plays {seat, U, C, card, down, indicator, up, pair}
    P: null,                            // the inspection key
    pairs: [],                          // what was inspected: the plays, in order of entries
    keys: new Map(),                    // key -> {seat, shares: Map(seat -> point)}
    published: new Set([toHex(G.bytes)]),
    laidAway: [],
    unplayed: Array.from({ length: n }, () => []), // for the next gathered pack: cards never played, in the order in which they were opened
    drawnTricks: 0,
    judged: [],                         // plays to judge again at the end (review.mjs)
    rules: newRulesHand(options, dealer),
  };
}

export const right = (hand, seat, by = 1) => (seat + by) % hand.n;
// seats are in the order of play, so the left is the next seat where play runs clockwise (cut.left)
export const left = (hand, seat) => (seat + (hand.options.direction === "cw" ? 1 : hand.n - 1)) % hand.n;
export const seatsFrom = (hand, seat) => Array.from({ length: hand.n }, (_, i) => right(hand, seat, i));
export const allShuffled = (hand) => hand.shuffles === hand.n * hand.rounds;

export const slotAt = (hand, seat, place) =>
  place === -1 ? (hand.indicator?.seat === seat ? hand.indicator : null) : hand.slots[seat].find((s) => s.place === place) ?? null;

// the locked cards of a hand, in order of places
export const hiddenSlots = (hand, seat) => sorted(hand.slots[seat]).filter((s) => s.card === null);
export const sorted = (slots) => [...slots].sort((a, b) => a.place - b.place);

// a new card comes behind the cards that are still there, which close up first
export function closeUp(hand, seat) {
  hand.slots[seat] = sorted(hand.slots[seat]);
  hand.slots[seat].forEach((s, i) => { s.place = i; });
  hand.nextPlace[seat] = hand.slots[seat].length;
}

export function addSlot(hand, seat, slot) {
  slot.place = hand.nextPlace[seat]++;
  hand.slots[seat].push(slot);
}

export function removeSlot(hand, seat, slot) {
  if (slot === hand.indicator) hand.indicator = null;
  else hand.slots[seat] = hand.slots[seat].filter((s) => s !== slot);
}

// what the rules may know before an entry
export const view = (hand) => ({
  hands: hand.slots.map((slots) => sorted(slots).map((s) => s.card)),
  indicator: hand.indicator?.card ?? null,
});

// the author's indicator while it lies on the table and is not public (*I* of SPEC.md)
export const hiddenIndicator = (hand, seat) =>
  hand.indicator !== null && hand.indicator.seat === seat && hand.indicator.card === null ? hand.indicator : null;

// *Unseen*: all cards of the pack but those that lie or lay face up in a trick, those played face down and counted, and
// those public in a hand (what else a count opens is not)
export function unseen(hand) {
  const seen = new Set();
  for (const trick of hand.tricks) for (const p of trick) if (p.up || p.atCount) seen.add(p.card);
  for (const slots of hand.slots) for (const s of slots) if (s.card !== null && !s.atCount) seen.add(s.card);
  return hand.cards.filter((c) => !seen.has(c));
}

export const lastTrick = (hand) => hand.tricks[hand.tricks.length - 1] ?? null;
// plays of a seat that lie face down
export const downPlays = (hand, seat) => hand.tricks.flat().filter((p) => p.seat === seat && !p.up);
