// The entries of bidding and play. Each function checks in the order of *Checks of a kind*, then changes the hand.
// The rules judge through `rule(table, entry, action)`, which gives the next state of the rules (G01).

import { G } from "../crypto/group.mjs";
import { need } from "../refusal.mjs";
import { apply, readWord } from "./rules.mjs";
import { statementHolds } from "./proofs.mjs";
import { keep } from "./deal.mjs";
import { checkFresh, checkKnown, checkShares, readElement } from "./keys.mjs";
import { addSlot, hiddenSlots, lastTrick, removeSlot, view } from "./hand.mjs";
import { checkMany, checkOpen, needCard, needSlot } from "./openings.mjs";
import { remember } from "./review.mjs";
import { checkRows, facts, rowsOf } from "./rows.mjs";

export const judge = (table, action) => apply(table.hand.rules, action, view(table.hand));
const seatOf = (table, entry) => table.seatOf[entry.author];

// Puts the rules' next state in place, and what follows from it for the slots
export function commit(table, rules) {
  const hand = table.hand;
  hand.rules = rules;
  if (hand.indicator !== null && rules.indicator === null) takeBack(hand);
}

// A superseded indicator goes back unseen, and its seat re-orders behind the others
function takeBack(hand) {
  const slot = hand.indicator;
  hand.indicator = null;
  addSlot(hand, slot.seat, slot);
  hand.relocks.push(slot.seat);
}

export function say(table, entry) {
  commit(table, judge(table, { seat: seatOf(table, entry), kind: "say", word: readWord(entry.body.word) }));
}

export function redeal(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { cards, proof } = entry.body;
  for (const c of cards) needCard(hand, c);
  checkOpen(table, entry, "redeal", hiddenSlots(hand, seat), cards, proof);
  const rules = judge(table, { seat, kind: "redeal", cards });
  hiddenSlots(hand, seat).forEach((s, i) => { s.card = cards[i]; });
  commit(table, rules);
}

export function indicator(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry);
  const slot = needSlot(hand, seat, entry.body.slot);
  const rules = judge(table, { seat, kind: "indicator", card: slot.card });
  removeSlot(hand, seat, slot);
  hand.rules = rules;
  hand.indicator = Object.assign(slot, { seat });
}

export function open(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { card, proof } = entry.body;
  const slot = needSlot(hand, seat, -1);
  needCard(hand, card);
  checkOpen(table, entry, "open", [slot], [card], proof);
  const rules = judge(table, { seat, kind: "open", card });
  slot.card = card;
  takeUp(hand, slot);
  hand.rules = rules;
}

// An indicator that was shown is taken up
export function takeUp(hand, slot) {
  hand.indicator = null;
  addSlot(hand, slot.seat, slot);
}

export function closed(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry);
  const key = readElement(entry.body.key, "the inspection key");
  checkFresh(hand, key);
  checkKnown(table, entry, key);
  const shares = checkShares(table, entry, key);
  const rules = judge(table, { seat, kind: "closed" });
  checkRows(table, entry, rowsOf(table, entry, facts(table, entry), { leadsFirst: rules.turn === seat }));
  remember(hand, { seat, kind: "closed" }, null);
  keep(hand, key, seat, shares);
  hand.P = key;
  hand.rules = rules;
}

export function play(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { slot: place, card, proof } = entry.body;
  const slot = needSlot(hand, seat, place);
  needCard(hand, card);
  checkOpen(table, entry, "play", [slot], [card], proof);
  const rules = judge(table, { seat, kind: "play", card, indicator: place === -1 });
  const f = facts(table, entry);
  checkRows(table, entry, rowsOf(table, entry, f));
  remember(hand, { seat, kind: "play", card, indicator: place === -1 }, null);
  lay(hand, seat, slot, { card, down: false, up: true, indicator: place === -1 });
  commit(table, rules);
}

export function down(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), place = entry.body.slot;
  const slot = needSlot(hand, seat, place);
  const rules = judge(table, { seat, kind: "down", card: slot.card, indicator: place === -1 });
  const f = facts(table, entry);
  checkRows(table, entry, rowsOf(table, entry, f, { slot }));
  remember(hand, { seat, kind: "down", indicator: place === -1 }, slot);
  lay(hand, seat, slot, { card: slot.card, down: true, up: false, indicator: place === -1 });
  commit(table, rules);
}

// A card goes from hand or table into the trick
export function lay(hand, seat, slot, how) {
  removeSlot(hand, seat, slot);
  const full = hand.n - hand.rules.idle.length;
  if (lastTrick(hand) === null || lastTrick(hand).length === full) hand.tricks.push([]);
  lastTrick(hand).push(Object.assign(slot, { seat, pair: null, shown: null, ...how }));
}

// Seats other than the trump maker's whose cards lie face down in the complete trick and were not inspected yet
export const owesInspection = (hand) =>
  lastTrick(hand).filter((p) => p.down && !p.up && p.seat !== hand.rules.maker && p.pair === null).map((p) => p.seat);

export function inspect(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { e1, e2, proof } = entry.body;
  const E1 = readElement(e1, "E1"), E2 = readElement(e2, "E2");
  const p = lastTrick(hand).find((x) => x.seat === seat);
  const statement = { relations: [
    { image: E1, terms: [["k", G]] },
    { image: E2, terms: [["u", p.C], ["k", hand.P]] },
    { image: p.U, terms: [["u", G]] },
  ] };
  need(statementHolds(table, entry, "inspect", statement, proof), "P03", "another card than the one played");
  p.pair = [E1, E2];
  hand.pairs.push(p);
}

export function ask(table, entry) {
  const rules = judge(table, { seat: seatOf(table, entry), kind: "ask" });
  checkRows(table, entry, rowsOf(table, entry, facts(table, entry)));
  remember(table.hand, { seat: seatOf(table, entry), kind: "ask" }, null);
  commit(table, rules);
}

export function spoilt(table, entry) {
  commit(table, judge(table, { seat: seatOf(table, entry), kind: "spoilt" }));
}

export function marriage(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { suit, slots: places, proofs } = entry.body;
  need("SHDC".includes(suit), "G01", "no such suit", "action.form");
  const slots = places.map((p) => needSlot(hand, seat, p));
  need(places[0] !== places[1] && !places.includes(-1), "P17", "not two different cards of the hand");
  const cards = [`K${suit}`, `Q${suit}`];
  for (const c of cards) needCard(hand, c);
  checkMany(table, entry, "marriage", slots, cards, proofs);
  const rules = judge(table, { seat, kind: "marriage", suit });
  slots.forEach((s, i) => { s.card = cards[i]; });
  commit(table, rules);
}

export function exchange(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), taken = [];
  for (const place of entry.body.slots) {
    const slot = needSlot(hand, seat, place);
    need(place !== -1 && !taken.includes(slot), "P17", "not two different cards of the hand");
    taken.push(slot);
  }
  const rules = judge(table, { seat, kind: "exchange" });
  for (const slot of taken) { removeSlot(hand, seat, slot); hand.laidAway.push({ ...slot, seat }); }
  hand.exchangeDue = seat;
  commit(table, rules);
}
