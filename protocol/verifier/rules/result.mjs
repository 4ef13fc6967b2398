// How a hand ended and what it pays, from its public state and the cards as opened at the end.
// deal: {dealt, tricks, indicator, pile, exchanged}; a name that was never opened is null.

import { batches, packPoints, points, suitOf } from "./options.mjs";
import { makersSide, trickCount } from "./hand.mjs";
import { next, seatsOf, sideOf } from "./table.mjs";
import { lostFor, nothing, transfer, violationAmount, violationTransfer, wonFor } from "./payment.mjs";
import { lastTrickPoints, marriagePoints } from "./extras.mjs";
import { capsArePlayed } from "./moments.mjs";
import { capsVerdict } from "./caps/verdict.mjs";

// Card points of a settled trick.
export const trickPoints = (deal, index) => deal.tricks[index].reduce((total, card) => total + points(card), 0);

// Points in settled tricks by seat; all of them to the caller where a call of Caps ended the hand.
export function pointsBySeat(hand, deal) {
  const by = seatsOf(hand.options).map(() => 0);
  if (hand.caller?.ended) by[hand.caller.seat] = packPoints(hand.options);
  else hand.tricks.forEach((trick, index) => { if (trick.winner !== null) by[trick.winner] += trickPoints(deal, index); });
  return by;
}

// The trump maker's side: with a called partner, who held the called card (the trump maker alone if nobody else did).
export function makersSeats(hand, deal) {
  const { options, maker } = hand;
  if (options.partner !== "called") return sideOf(options, maker);
  const seat = deal.tricks.map((names, i) => ({ at: names.indexOf(hand.called), trick: hand.tricks[i] }))
    .filter(({ at }) => at >= 0).map(({ at, trick }) => trick.plays[at].seat)[0];
  return seat === undefined || seat === maker ? [maker] : [maker, seat];
}

// spoilt.what: no opponent of the trump maker was dealt a trump; drawn cards count as dealt. After half court the second batch, which a
// record names too, is not dealt.
function trumpsSpoilt(hand, deal, makers) {
  const trump = hand.trump ?? suitOf(deal.indicator);
  const dealt = (seat) => (hand.won.value === "halfcourt" ? deal.dealt[seat].slice(0, batches(hand.options)[0]) : deal.dealt[seat]);
  return seatsOf(hand.options).filter((seat) => !makers.includes(seat))
    .every((seat) => hand.end.clean?.includes(seat) || dealt(seat).every((card) => card === null || suitOf(card) !== trump));
}

const ending = (hand, kind, change, more = {}) =>
  ({ kind, change, caps: null, played: kind === "complete", nextDealer: next(hand.options, hand.dealer), cards: null, ...more });
const voided = (hand, why, sameDealer) =>
  ending(hand, "void", nothing(hand.options), { why, nextDealer: sameDealer ? hand.dealer : next(hand.options, hand.dealer) });

export function violation(hand, seat, options = hand.options) {
  const isMakers = hand !== null && hand.bid !== null && makersSideOfBid({ ...hand, maker: hand.bid.seat }, seat);
  return violationTransfer(options, seat, violationAmount(options, hand, seat, isMakers));
}
// A called partner counts to the trump maker's side once the called card lies face up
const makersSideOfBid = (hand, seat) => (makersSide(hand, seat) || (hand.called !== null && hand.tricks.some((trick) => trick.plays.some((play) => play.seat === seat && play.up && play.card === hand.called))));

// Why a hand is void (passed, redeal, spoilt), or null
function voidedBy(hand, deal, makers) {
  const { kind } = hand.end;
  if (kind === "passed" || kind === "redeal") return kind;
  return (kind === "spoilt" || hand.options.spoilt === "auto") && trumpsSpoilt(hand, deal, makers) ? "spoilt" : null;
}
const isPlayed = (hand) => hand.end.kind !== "passed" && hand.end.kind !== "redeal";
export const isVoid = (hand, deal) => voidedBy(hand, deal, isPlayed(hand) ? makersSeats(hand, deal) : []) !== null;

export function result(hand, deal) {
  const { options, end } = hand, makers = isPlayed(hand) ? makersSeats(hand, deal) : [];
  const why = voidedBy(hand, deal, makers);
  if (why !== null) return voided(hand, why, why !== "passed");
  const others = seatsOf(options).filter((seat) => !makers.includes(seat));
  if (end.kind === "spoilt") {
    const sameDealer = options.violation === "void";
    return ending(hand, "complete", violation(hand, hand.spoiltBy), { why: "spoilt.false", cards: sameDealer ? null : violationCards(options, hand.spoiltBy), nextDealer: sameDealer ? hand.dealer : next(options, hand.dealer) });
  }
  const caps = capsArePlayed(hand) ? capsVerdict(hand, deal) : null;
  return ending(hand, "complete", judged(hand, deal, makers, others, caps), { caps, cards: pointsBySeat(hand, deal) });
}

// Card points that a violation of `seat` gives, by seat: all of the pack to the other side; without fixed sides each other player counts them.
export function violationCards(options, seat) {
  const others = seatsOf(options).filter((one) => !sideOf(options, seat).includes(one));
  const counting = options.partner === "across" ? others.slice(0, 1) : others;
  return seatsOf(options).map((one) => (counting.includes(one) ? packPoints(options) : 0));
}

// What counts for the bid: card points in tricks, marriages and the last trick.
export function makersPoints(hand, deal, makers) {
  const isMakers = (seat) => makers.includes(seat), by = pointsBySeat(hand, deal);
  const inTricks = makers.reduce((total, seat) => total + by[seat], 0);
  return inTricks + marriagePoints(hand, suitOf(deal.indicator), isMakers) + (hand.caller?.ended ? 0 : lastTrickPoints(hand, isMakers));
}

// Whether the trump maker's side has made its bid.
export function bidMade(hand, deal, makers) {
  const isMakers = (seat) => makers.includes(seat);
  if (hand.allTricks) return hand.tricks.length === trickCount(hand) && hand.tricks.every((trick) => isMakers(trick.winner));
  return makersPoints(hand, deal, makers) >= hand.won.value;
}

function judged(hand, deal, makers, others, caps) {
  const { options } = hand, value = hand.won.value, made = bidMade(hand, deal, makers);
  const pay = (losers, winners, amount) => transfer(options, losers, winners, amount);
  const bid = made ? pay(others, makers, wonFor(options, value)) : pay(makers, others, lostFor(options, value));
  if (caps !== null) return judgedCaps(hand, makers, others, caps, made, bid, pay);
  if (hand.doubled === null) return bid;
  const side = makers.includes(hand.doubled) ? [makers, others] : [others, makers];
  const all = hand.tricks.every((trick) => side[0].includes(trick.winner));
  if (!all) return pay(side[0], side[1], lostFor(options, value) + 1);
  return pay(side[1], side[0], (side[0] === makers ? wonFor(options, value) : lostFor(options, value)) + 1);
}

function judgedCaps(hand, makers, others, caps, made, bid, pay) {
  const { options } = hand, value = hand.won.value;
  const sides = (seat) => (makers.includes(seat) ? [makers, others] : [others, makers]);
  if (caps.verdict === "correct") {
    const bonus = hand.caller.begun < trickCount(hand) - 1 ? 1 : 0, [callers, rest] = sides(hand.caller.seat);
    if (callers === makers) return pay(rest, callers, wonFor(options, value) + bonus);
    const external = { plus_one: lostFor(options, value) + bonus, 8: 8, off: lostFor(options, value) };
    return pay(rest, callers, external[options.external_caps]);
  }
  if (caps.verdict === "failed") { const [callers, rest] = sides(hand.caller.seat); return pay(callers, rest, 5); }
  const [offenders, rest] = sides(caps.by);
  const extra = options.wrong_caps === "additive" && offenders === makers && !made ? lostFor(options, value) : 0;
  return pay(offenders, rest, 2 + extra);
}
