// The gathered pack of shuffle.minimal (SPEC.md part 1): the order in which the tricks fell, and on it what a claim left
// unplayed; null where a card of the hand before is not known to everybody.

export function gatheredPack(hand) {
  const played = hand.tricks.flat().map((p) => p.card);
  const pack = [...hand.opened, ...played];
  return pack.length === hand.cards.length && pack.every((c) => c !== null) ? pack : null;
}
