// A hand that is played out without its absent player (SPEC.md part 3, Playing out, the rulings): the seat's own choices, and what
// the parting means for claims.

import { SUITS, pack, points, strength, suitOf } from "./options.mjs";
import { legal } from "./legal.mjs";

// playout.claims: from the parting on nobody calls Caps or spoilt trumps; what was due before is judged at the end.
export const partFrom = (hand) => ({ ...hand, parted: hand.moments.length });

// worth least, of equals the weakest, then the first in the pack
function lowest(options, cards) {
  const place = (card) => pack(options).indexOf(card);
  return [...cards].sort((a, b) => points(a) - points(b) || strength(options, b) - strength(options, a) || place(a) - place(b))[0];
}

// playout.lowest: what the absent seat does at its turn, from all its legal actions.
export function lowestChoice(hand, seat, view) {
  const { options } = hand, actions = legal(hand, seat, view), said = (word) => actions.find((action) => action.word === word);
  switch (hand.phase) {
    case "bid4": case "bid8":
      return said("pass") ?? actions.filter((action) => typeof action.word === "number").sort((a, b) => a.word - b.word)[0];
    case "trump4": case "trump8": {
      const cards = view.hands[seat], count = (suit) => cards.filter((card) => suitOf(card) === suit).length;
      const most = Math.max(...SUITS.map(count));
      return { seat, kind: "indicator", card: lowest(options, cards.filter((card) => count(suitOf(card)) === most)) };
    }
    case "partner": return { seat, kind: "say", word: `partner ${pack(options)[0]}` };
    case "exchange": return said("keep");
    case "declare": return actions.find((action) => action.kind === "open");
    default: {
      const plays = actions.filter((action) => action.kind === "play" || action.kind === "down");
      const card = lowest(options, plays.map((action) => action.card));
      return plays.find((action) => action.card === card);
    }
  }
}
