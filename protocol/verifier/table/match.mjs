// A match as the table sees it: tokens, card points and games by account, the next dealer, and when it is over
// (SPEC.md part 1, Payment). What a hand pays comes from rules/result.mjs.

import { result, violation } from "../rules/result.mjs";
import { accountOf, accounts } from "../rules/table.mjs";
import { next } from "../rules/table.mjs";
import { sorted } from "./hand.mjs";

const GAME = 250; // 25.0 in tenths

export function newMatch(options, hands, dealer, after) {
  const n = options.partner === "across" ? 2 : options.seats, zeros = Array(n).fill(0);
  return { options, hands, dealer: after ? after.dealer : dealer, tokens: after ? [...after.tokens] : zeros.map(() => (options.match === "points" ? 0 : options.tokens)),
    cards: after ? [...after.cards] : zeros, games: after ? [...after.games] : [...zeros], played: 0, over: false, results: [] };
}

// The cards of a hand as the log has opened them, null where it has not
export function dealOf(hand) {
  const own = (seat) => [...hand.tricks.flat().filter((p) => p.seat === seat), ...sorted(hand.slots[seat]), ...(hand.indicator?.seat === seat ? [hand.indicator] : [])];
  const indicator = hand.indicator?.card ?? hand.tricks.flat().find((p) => p.indicator)?.card ?? hand.rules.indicator?.card ?? null;
  return { dealt: hand.slots.map((_, seat) => own(seat).map((s) => s.card)), tricks: hand.tricks.map((t) => t.map((p) => p.card)), indicator, pile: [], exchanged: null };
}

export function settle(match, hand) {
  const r = result(hand.rules, dealOf(hand));
  return pay(match, r.change, r.nextDealer, r.played, r.cards, r);
}

// As a violation of this seat's side: `away=replace`, and proven cheating
export function settleLost(match, hand, seat) {
  const again = match.options.violation === "void";
  return { ...pay(match, violation(hand.rules, seat), again ? hand.dealer : next(match.options, hand.dealer), true, null, null), lost: true };
}

function pay(match, change, dealer, played, cards, how) {
  const o = match.options, order = accounts(o);
  const amounts = order.map((a) => change[a]);
  let tokens = match.tokens.map((t, i) => t + amounts[i]);
  if (o.match !== "points" && o.match !== "session") tokens = short(match.tokens, amounts);
  let points = match.cards, games = match.games;
  if (o.tenths === "on" && cards !== null) {
    points = [...match.cards];
    cards.forEach((n, seat) => { points[order.indexOf(accountOf(o, seat))] += n; });
    const won = points.map((p) => p >= GAME);
    if (won.some(Boolean)) { games = games.map((g, i) => g + (won[i] ? 1 : 0)); points = points.map(() => 0); }
  }
  const count = match.played + (played ? 1 : 0);
  const spent = o.match === "points" ? tokens.some((t) => t >= o.tokens) : o.match !== "session" && tokens.some((t) => t <= 0);
  return { ...match, tokens, cards: points, games, dealer, played: count, over: spent || (match.hands > 0 && count >= match.hands), results: [...match.results, how] };
}

// A side pays what it has, and the other side gets no more than is paid
function short(tokens, amounts) {
  const paid = amounts.map((a, i) => (a < 0 ? Math.max(a, -tokens[i]) : a));
  const lack = paid.reduce((n, p, i) => n + (p - amounts[i]), 0);
  const winners = amounts.filter((a) => a > 0).length;
  return tokens.map((t, i) => t + paid[i] - (amounts[i] > 0 && lack > 0 ? lack / winners : 0));
}

