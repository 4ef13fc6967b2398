// Opening slots: the named card is in the pack (P06), its slot the author's (P01), and the slot holds it (P02).

import { toHex } from "../bytes.mjs";
import { G } from "../crypto/group.mjs";
import { need } from "../refusal.mjs";
import { dleqHolds } from "./proofs.mjs";
import { slotAt } from "./hand.mjs";

export function needCard(hand, card) {
  need(hand.M.has(card), "P06", `${card} is not in the pack`);
}

export function needSlot(hand, seat, place) {
  const slot = slotAt(hand, seat, place);
  need(slot !== null, "P01", `there is no card at place ${place}`);
  return slot;
}

// Slots grouped by their keys, in order of first appearance
export function byKey(slots) {
  const groups = new Map();
  for (const s of slots) {
    const name = toHex(s.U.bytes);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(s);
  }
  return [...groups.values()];
}

// These slots, all under one key, hold these cards
export function checkOpen(table, entry, word, slots, cards, proof, check = "P02") {
  const M = cards.map((c) => table.hand.M.get(c));
  need(slots.length === cards.length && dleqHolds(table, entry, word, G, slots[0].U, slots.map((s) => s.C), M, proof),
    check, "another card than lies there");
}

// Several slots with a proof for each key (`count0` …): P07 for the number of cards and proofs and for public cards, then P02.
// `hiddenToo` slots are proved although they are public.
export function checkMany(table, entry, word, slots, cards, proofs) {
  need(slots.length === cards.length, "P07", "another number of cards than is due");
  const named = new Map(slots.map((s, i) => [s, cards[i]]));
  const groups = byKey(slots.filter((s) => s.card === null));
  need(groups.length === proofs.length, "P07", "another number of proofs than there are keys");
  for (const s of slots) if (s.card !== null) need(s.card === named.get(s), "P07", "another name than the card has that all know");
  groups.forEach((group, i) => checkOpen(table, entry, `${word}${i}`, group, group.map((s) => named.get(s)), proofs[i]));
}

// Cards that were inspected are these: log_G P = log_E1 (E2 - M)
export function checkInspected(table, entry, word, pairs, cards, proof, check) {
  const hand = table.hand;
  const D = pairs.map((p, i) => p.pair[1].subtract(hand.M.get(cards[i])));
  need(pairs.length === cards.length && proof !== null &&
    dleqHolds(table, entry, word, G, hand.P, pairs.map((p) => p.pair[0]), D, proof), check, "another card than was inspected");
}
