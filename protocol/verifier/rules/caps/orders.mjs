// Is there an order with which Caps could be called? Orders are tried card by card; a beginning that fails is never gone on with.

import { SUITS, strength, suitOf } from "../options.mjs";
import { sideOf } from "../table.mjs";
import { knowledge } from "./knowledge.mjs";
import { Search } from "./search.mjs";

const sideHasLost = (moment, seat) => {
  const side = sideOf(moment.options, seat);
  return moment.tricks.some((trick) => trick.winner !== null && !side.includes(trick.winner));
};
const remaining = (known) => [...known.own.hand, ...(known.seat === known.maker && known.lies ? [known.own.indicator] : [])];

export function wins(moment, seat, own, nameOf, order) {
  const known = knowledge(moment, seat, own, nameOf), rest = remaining(known);
  if (sideHasLost(moment, seat) || order.length === 0 || order.length !== rest.length || !rest.every((card) => order.includes(card))) return false;
  return !new Search(known).refutes(order, true);
}

// Own cards of a suit with no unseen card between them are alike; the strongest goes first. The lying indicator is like no other.
function canonical(known, rest) {
  const between = (a, b) => known.unseen.concat(known.shown ?? [], known.tricks.at(-1)?.winner === null ? known.tricks.at(-1).plays.map((p) => p.card).filter(Boolean) : [])
    .some((card) => suitOf(card) === suitOf(a) && strength(known.options, card) > strength(known.options, a) && strength(known.options, card) < strength(known.options, b));
  const isIndicator = (card) => known.lies && known.seat === known.maker && card === known.own.indicator;
  return (card, left) => !isIndicator(card) && left.some((other) => other !== card && !isIndicator(other) && suitOf(other) === suitOf(card)
    && strength(known.options, other) < strength(known.options, card) && !between(other, card));
}

export function someOrderWins(moment, seat, own, nameOf) {
  const known = knowledge(moment, seat, own, nameOf), rest = remaining(known);
  if (rest.length === 0 || sideHasLost(moment, seat)) return false;
  const search = new Search(known), later = canonical(known, rest);
  const sorted = [...rest].sort((a, b) => (suitOf(b) === known.trump) - (suitOf(a) === known.trump)
    || strength(known.options, a) - strength(known.options, b) || SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b)));
  const extend = (prefix, left) => {
    if (left.length === 0) return !search.refutes(prefix, true);
    return left.some((card) => {
      if (later(card, left)) return false;
      const longer = [...prefix, card];
      return (left.length === 1 || !search.refutes(longer, false)) && extend(longer, left.filter((other) => other !== card));
    });
  };
  return extend([], sorted);
}
