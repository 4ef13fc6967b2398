// The gathered pack of shuffle.minimal (SPEC.md part 1): the order in which the tricks fell, and then what a claim left
// unplayed, seat by seat from the dealer's right; null where a card of the hand before is not known to everybody.

import { right, seatsFrom } from "./hand.mjs";

export function gatheredPack(hand) {
  const played = hand.tricks.flat().map((p) => p.card);
  const left = seatsFrom(hand, right(hand, hand.dealer)).flatMap((seat) => hand.unplayed[seat]);
  const pack = [...played, ...left];
  return pack.length === hand.cards.length && pack.every((c) => c !== null) ? pack : null;
}
