// At the call: does the stated order win? Decided from the caller's cards, which it lays open.

import { wins } from "./orders.mjs";

// action: {seat, order, down: the caller's own cards that lie face down, seen: cards that it inspected and that stayed down},
// both in order of play.
export function callWins(hand, { seat, order, down = [], seen = [] }, view) {
  const names = new Map(), own = [...down], inspected = [...seen];
  hand.tricks.forEach((trick, i) => trick.plays.forEach((play, j) => {
    if (!play.down || play.up) return;
    if (play.seat === seat) names.set(`${i}.${j}`, own.shift() ?? null);
    else if (seat === hand.maker && trick.winner !== null) names.set(`${i}.${j}`, inspected.shift() ?? null);
  }));
  const indicator = seat === hand.maker ? view.indicator : null;
  const cards = view.hands[seat].includes(null) ? order.filter((card) => card !== indicator) : view.hands[seat];
  return wins(hand, seat, { hand: cards, indicator }, (i, j) => names.get(`${i}.${j}`) ?? null, order);
}
