// What only some games have: marriages and the double (SPEC.md, marriage.off to double.pays).

import { must, openTrick, trickCount } from "./hand.mjs";
import { sideOf } from "./table.mjs";

export function judgeDouble(hand) {
  const { options } = hand, seat = hand.turn;
  must(options.double === "on" && hand.doubled === null && !hand.allTricks, "double.when", "a double is not said here");
  must(openTrick(hand) === null && hand.tricks.length === trickCount(hand) - 3, "double.when", "before the third trick from the end");
  const side = sideOf(options, seat);
  must(hand.tricks.every((trick) => side.includes(trick.winner)), "double.won", "a trick was lost");
}

export function judgeMarriage(hand, { seat, suit }, view) {
  must(hand.options.marriages === "on", "marriage.off", "marriages are not played");
  const wonOne = hand.tricks.some((trick) => trick.winner === seat);
  must(openTrick(hand) === null && wonOne && hand.trumpsOpen, "marriage.when", "on lead, after a trick won, trumps open");
  const mine = view.hands[seat], has = (card) => mine.includes(card) || mine.includes(null);
  must(has(`K${suit}`) && has(`Q${suit}`), "marriage.held", "king and queen are not both in hand");
  must(!hand.marriages.some((shown) => shown.suit === suit), "marriage.held", "each suit is shown once");
}

// What marriages add to the points of the trump maker's side; `isMakers` tells the seats of that side.
export function marriagePoints(hand, trump, isMakers) {
  return hand.marriages.reduce((sum, { seat, suit }) => sum + (suit === trump ? 40 : 20) * (isMakers(seat) ? 1 : -1), 0);
}
export const lastTrickPoints = (hand, isMakers) => {
  const last = hand.tricks.at(-1);
  return last && isMakers(last.winner) ? hand.options.last_trick : 0;
};
