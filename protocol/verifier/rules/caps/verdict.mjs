// What a call of Caps was worth, or that none was made though one was due; judged at the end with all cards open.

import { seatsOf, seatName, sideOf } from "../table.mjs";
import { begun, cardsPlayed } from "../moments.mjs";
import { someOrderWins, wins } from "./orders.mjs";

// The cards that a seat held at a moment, from all that was dealt to it.
export function ownAt(moment, deal, seat) {
  const gone = new Set();
  moment.tricks.forEach((trick, i) => trick.plays.forEach((play, j) => { if (play.seat === seat) gone.add(deal.tricks[i][j]); }));
  const lies = moment.indicator.lies && seat === moment.maker;
  const hand = deal.dealt[seat].filter((card) => !gone.has(card) && !(lies && card === deal.indicator));
  return { hand, indicator: seat === moment.maker ? deal.indicator : null };
}
const nameIn = (deal) => (i, j) => deal.tricks[i]?.[j] ?? null;

// The first of these moments at which a call was due for the side, and who could have called: {at, seat} or null.
export function due(moments, deal, side) {
  for (const [at, moment] of moments.entries()) {
    if (moment.tricks.some((trick) => trick.winner !== null && !side.includes(trick.winner))) return null;
    for (const seat of side) if (someOrderWins(moment, seat, ownAt(moment, deal, seat), nameIn(deal))) return { at, seat };
  }
  return null;
}

const sides = (options) => { const a = sideOf(options, 0); return [a, seatsOf(options).filter((seat) => !a.includes(seat))]; };

export function since(hand, deal, found) {
  if (found === null) return null;
  const moment = hand.moments[found.at], trick = moment.tricks.at(-1);
  if (trick === undefined) return "before the first lead";
  const n = begun(moment), play = trick.plays.at(-1), before = hand.moments[found.at - 1];
  // the moment after the last card of the trick came before that after its announcement
  if (before?.tricks.length === n && before.tricks.at(-1).plays.length === trick.plays.length) return `trick ${n}, after its announcement`;
  return `trick ${n}, after ${seatName(hand.options, play.seat)} ${play.down ? "a card face down" : deal.tricks[n - 1][trick.plays.length - 1]}`;
}

export function capsVerdict(hand, deal) {
  const { options, caller, moments } = hand;
  if (caller === null) return missed(hand, deal);
  const side = sideOf(options, caller.seat), until = moments.slice(0, caller.at), last = until.at(-1);
  const won = caller.ended || wins(last, caller.seat, ownAt(last, deal, caller.seat), nameIn(deal), caller.order);
  const verdict = (word, found) => ({ by: caller.seat, verdict: word, since: since(hand, deal, found) });
  if (!won) {
    // a trick without a winner at the call, or a later one
    const lost = hand.tricks.some((trick, i) => trick.winner !== null && !side.includes(trick.winner) && (last.tricks[i]?.winner ?? null) === null);
    return verdict(lost ? "failed" : "early", null);
  }
  const found = due(until, deal, side);
  const first = moments[found.at];
  return verdict(inTime(options, first, last) ? "correct" : "late", found);
}

const inTime = (options, first, last) =>
  (options.caps === "strict" ? cardsPlayed(first) === cardsPlayed(last) : begun(last) <= Math.max(1, begun(first)));

// playout.claims: after the parting nobody calls; a side whose time was not over, and that still had an order then, is not charged.
function couldStillCall(hand, deal, side, found) {
  const rest = hand.moments.slice(Math.max(0, hand.parted - 1)).filter((moment) => inTime(hand.options, hand.moments[found.at], moment));
  return rest.some((moment) => side.some((seat) => someOrderWins(moment, seat, ownAt(moment, deal, seat), nameIn(deal))));
}

// The side for which a call was due has missed; there is one at most (caps.verdict).
function missed(hand, deal) {
  const seen = hand.parted === null ? hand.moments : hand.moments.slice(0, hand.parted);
  const owing = sides(hand.options).filter((side) => hand.options.external_caps !== "none" || side.includes(hand.maker));
  const found = owing.map((side) => ({ side, one: due(seen, deal, side) }))
    .find(({ side, one }) => one !== null && (hand.parted === null || !couldStillCall(hand, deal, side, one)))?.one;
  return found === undefined ? null : { by: found.seat, verdict: "missed", since: since(hand, deal, found) };
}
