// The entries that open cards at the end of a trick or of the hand: announce, caps, count.

import { need } from "../refusal.mjs";
import { suitOf } from "../rules/options.mjs";
import { checkInspected, checkMany, checkOpen, needCard, needSlot } from "./openings.mjs";
import { remember } from "./review.mjs";
import { checkRows, facts, rowsOf } from "./rows.mjs";
import { downPlays, lastTrick, sorted, view } from "./hand.mjs";
import { commit, judge, takeUp } from "./plays.mjs";
import { apply, isOpponent } from "./rules.mjs";

const seatOf = (table, entry) => table.seatOf[entry.author];

export function announce(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { body } = entry;
  const trick = lastTrick(hand);
  const pairs = hand.pairs.filter((p) => trick.includes(p));
  const played = trick.find((p) => p.indicator && !p.up) ?? null;
  const lying = hand.indicator?.seat === seat ? hand.indicator : null;
  const own = trick.find((p) => p.seat === seat && p.down && !p.up && !p.indicator) ?? null;

  for (const c of body.shown) needCard(hand, c);
  if (body.shown.length > 0) checkInspected(table, entry, "announce", pairs, body.shown, body.shown_proof, "P04");
  else need(body.shown_proof === null, "P04", "a proof about no cards");
  turnedUp(table, entry, "indicator", played ?? lying);
  const trump = body.indicator === null ? null : suitOf(body.indicator);
  if (body.cut === 1) need(trump !== null && (played !== null || body.shown.some((c) => suitOf(c) === trump)), "P05", "trumps, and none turned up");
  else need(body.shown.length === 0 && played === null, "P05", "no trumps, and cards turned up");
  turnedUp(table, entry, "own", own);

  const f = { ...facts(table, entry), indicatorPlayed: played !== null };
  const rules = judge(table, { seat, kind: "announce", cut: body.cut, shown: body.shown, inspected: pairs.map((p) => p.seat), own: body.own, indicator: body.indicator });
  checkRows(table, entry, rowsOf(table, entry, f, { pairs, indicatorCard: lying?.card ?? null }));

  remember(hand, { seat, kind: "announce", cut: body.cut }, null);
  pairs.forEach((p, i) => { if (body.shown.length) Object.assign(p, { card: body.shown[i], up: true }); });
  if (body.own !== null) Object.assign(own, { card: body.own, up: true });
  if (body.indicator !== null) {
    if (played) Object.assign(played, { card: body.indicator, up: true });
    else { lying.card = body.indicator; takeUp(hand, lying); }
  }
  hand.rules = rules;
}

// P05: a card with its proof, from a place that has a card, or neither; then P06 and P02
function turnedUp(table, entry, word, slot) {
  const card = entry.body[word], proof = entry.body[`${word}_proof`];
  if (card === null) return need(proof === null, "P05", `a proof about no ${word}`);
  need(slot !== null, "P05", `no ${word} lies there`);
  need(proof !== null, "P05", `no proof of the ${word}`);
  needCard(table.hand, card);
  checkOpen(table, entry, word, [slot], [card], proof);
}

// What a seat must open for the count: cards played face down, then after a claim those never played, and the indicator
export function dueAtCount(hand, seat) {
  const r = hand.rules;
  const lying = hand.indicator?.seat === seat ? [hand.indicator] : [];
  if (r.spoiltBy !== null && seat === r.maker) return [...lying, ...downPlays(hand, seat).filter((p) => p.indicator)];
  const claimed = r.spoiltBy !== null || r.caller?.ended;
  return [...downPlays(hand, seat), ...(claimed ? [...sorted(hand.slots[seat]), ...lying] : [])];
}

export function count(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { cards, proofs, owed } = entry.body, r = hand.rules;
  if (cards.length === 0 && proofs.length === 0 && r.spoiltBy !== null && isOpponent(r, seat)) {
    const rules = judge(table, { seat, kind: "count", cards, suits: true });
    checkRows(table, entry, rowsOf(table, entry, facts(table, entry), { spoilt: true }));
    return commit(table, rules);
  }
  for (const c of cards) needCard(hand, c);
  const slots = dueAtCount(hand, seat);
  checkMany(table, entry, "count", slots, cards, proofs);
  const rules = judge(table, { seat, kind: "count", cards, suits: false });
  need(owed.length === 0, "P08", "a proof about unseen cards that is not due");
  slots.forEach((s, i) => {
    if (hand.slots[seat].includes(s) || s === hand.indicator) hand.unplayed[seat].push(cards[i]);
    if (s.card === null) Object.assign(s, { card: cards[i], atCount: true });
  });
  hand.rules = rules;
}

export function caps(table, entry) {
  const hand = table.hand, seat = seatOf(table, entry), { body } = entry;
  for (const c of body.order) needCard(hand, c);
  for (const c of body.down) needCard(hand, c);
  const remaining = [...hand.slots[seat], ...(hand.indicator?.seat === seat ? [hand.indicator] : [])];
  const places = remaining.map((s) => (s === hand.indicator ? -1 : s.place)), lying = downPlays(hand, seat);
  need(body.order.length === places.length && body.slots.length === places.length && places.every((p) => body.slots.includes(p)) && body.down.length === lying.length,
    "P15", "the call does not open all cards of the caller");
  const slots = body.slots.map((p) => needSlot(hand, seat, p));
  const all = [...lying, ...slots];
  checkMany(table, entry, "caps", all, [...body.down, ...body.order], body.proofs);
  for (const c of body.seen) needCard(hand, c);
  const inspected = hand.rules.maker === seat ? hand.tricks.flat().filter((p) => p.pair !== null && !p.up) : [];
  need(body.seen.length === inspected.length && (body.seen_proof !== null) === (inspected.length > 0), "P16", "the call does not open all inspected cards");
  if (inspected.length > 0) checkInspected(table, entry, "viewed", inspected, body.seen, body.seen_proof, "P16");
  const named = new Map(slots.map((s, i) => [s, body.order[i]])), open = view(hand);
  open.hands[seat] = sorted(hand.slots[seat]).map((s) => named.get(s));
  if (named.has(hand.indicator)) open.indicator = named.get(hand.indicator);
  const rules = apply(hand.rules, { seat, kind: "caps", order: body.order, down: body.down, seen: body.seen }, open, true);
  if (rules.caller.ended) hand.unplayed[seat] = [...body.order];
  all.forEach((s, i) => { s.card = [...body.down, ...body.order][i]; });
  hand.rules = rules;
}
