// The entries that deal cards: shuffle, cut, unlock, relock (SPEC.md part 2). Checks first, then the change.

import { G } from "../crypto/group.mjs";
import { distinct } from "../crypto/shuffle.mjs";
import { toHex } from "../bytes.mjs";
import { need } from "../refusal.mjs";
import { dleqHolds, shuffleHolds } from "./proofs.mjs";
import { checkFresh, checkKnown, checkShares, publish, readElement } from "./keys.mjs";
import { addSlot, closeUp, hiddenSlots, seatsFrom, sorted } from "./hand.mjs";

const same = (a, b) => toHex(a.bytes) === toHex(b.bytes);

export function keep(hand, key, seat, shares) {
  publish(hand, key);
  hand.keys.set(toHex(key.bytes), { seat, shares });
}

export function shuffle(table, entry) {
  const hand = table.hand, { body } = entry, seat = table.seatOf[entry.author];
  const key = readElement(body.key, "the key");
  const deck = body.deck.map((c) => readElement(c, "a card of the deck"));
  checkFresh(hand, key);
  checkKnown(table, entry, key);
  need(deck.length === hand.cards.length && distinct(deck), "D04", "the deck is not whole");
  const second = hand.shuffles >= hand.n && hand.rounds === 2;
  const base = second ? hand.A[seat] : G;
  need(shuffleHolds(table, entry, "shuffle", base, key, deck, hand.deck, body.proof), "D05", "the proof of the shuffle does not hold");
  const shares = checkShares(table, entry, key);
  keep(hand, key, seat, shares);
  if (hand.rounds === 2 && !second) hand.A[seat] = key;
  else hand.U[seat] = key;
  hand.deck = deck;
  hand.shuffles += 1;
}

export function cut(table, entry) {
  const hand = table.hand, { at } = entry.body;
  need(at < hand.deck.length, "D06", "a cut outside the deck");
  hand.deck = [...hand.deck.slice(at), ...hand.deck.slice(0, at)];
  hand.isCut = true;
}

// Lays out the next `sizes[seat]` cards for each seat of `order`
export function dealOut(hand, order, size) {
  const cards = [];
  for (const seat of order) for (let i = 0; i < size; i++) cards.push({ C: hand.deck[hand.top++], seat });
  const waiting = seatsFrom(hand, (hand.dealer + 1) % hand.n).filter((s) => cards.some((c) => c.seat !== s));
  hand.batch = { cards, waiting, order };
}

export function unlock(table, entry) {
  const hand = table.hand, { body } = entry, seat = table.seatOf[entry.author];
  const opened = body.cards.map((c) => readElement(c, "a card of the batch"));
  const locked = hand.batch.cards.filter((c) => c.seat !== seat);
  need(opened.length === locked.length, "D07", "another number of cards than the batch has for others");
  need(dleqHolds(table, entry, "unlock", G, hand.U[seat], locked.map((c) => c.C), opened, body.proof), "D07", "not unlocked with the author's key");
  locked.forEach((c, i) => { c.C = opened[i]; });
  unlocked(hand, seat);
}

// One seat has unlocked; after the last one the cards lie in their receivers' hands
export function unlocked(hand, seat) {
  hand.hasBegun = true;
  hand.batch.waiting = hand.batch.waiting.filter((s) => s !== seat);
  if (hand.batch.waiting.length > 0) return;
  const { cards, order } = hand.batch;
  hand.batch = null;
  for (const seat of order) {
    const held = hiddenSlots(hand, seat).length > 0;
    closeUp(hand, seat);
    for (const { C } of cards.filter((c) => c.seat === seat)) {
      const slot = { U: hand.U[seat], C, card: null };
      addSlot(hand, seat, slot);
    }
    if (held) hand.relocks.push(seat);
  }
}

export function relock(table, entry) {
  const hand = table.hand, { body } = entry, seat = table.seatOf[entry.author];
  const joined = body.joined.map((c) => readElement(c, "a joined card"));
  const hidden = hiddenSlots(hand, seat), U = hidden[0].U;
  const drawn = hidden.filter((s) => !same(s.U, U));
  need(joined.length === drawn.length && (body.joined_proof !== null) === (drawn.length > 0), "D10", "not the drawn cards");
  if (drawn.length > 0) {
    need(drawn.every((s) => same(s.U, drawn[0].U)) && dleqHolds(table, entry, "join", U, drawn[0].U, drawn.map((s) => s.C), joined, body.joined_proof),
      "D10", "the drawn cards are not the same as before");
  }
  const key = readElement(body.key, "the key");
  const cards = body.cards.map((c) => readElement(c, "a card of the hand"));
  const kept = body.indicator === null ? null : readElement(body.indicator, "the indicator");
  checkFresh(hand, key);
  const old = hidden.map((s) => (drawn.includes(s) ? joined[drawn.indexOf(s)] : s.C));
  need(shuffleHolds(table, entry, "relock", key, U, old, cards, body.proof), "D08", "the hand is not the same as before");
  const lies = hand.indicator?.seat === seat ? hand.indicator : null;
  need((kept !== null) === (lies !== null) && (body.kept !== null) === (lies !== null), "D09", "an indicator where none is, or none where one is");
  if (lies) need(dleqHolds(table, entry, "keep", key, lies.U, [lies.C], [kept], body.kept), "D09", "the indicator is not the same as before");
  const shares = checkShares(table, entry, key);
  keep(hand, key, seat, shares);
  const open = sorted(hand.slots[seat]).filter((s) => s.card !== null);
  hand.slots[seat] = [];
  hand.nextPlace[seat] = 0;
  cards.forEach((C) => addSlot(hand, seat, { U: key, C, card: null }));
  open.forEach((s) => addSlot(hand, seat, s));
  if (lies) { lies.U = key; lies.C = kept; }
  hand.relocks = hand.relocks.filter((s) => s !== seat);
}
