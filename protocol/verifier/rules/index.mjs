// What the verifier needs from the rules (README.md), in one place.

import { active, cardsLeft, from250, isNamed, makersSide } from "./hand.mjs";
import { batches } from "./options.mjs";
import { mayClaim } from "./claims.mjs";
import { countDue } from "./tricks.mjs";

export { apply, newHand } from "./apply.mjs";
export { legal } from "./legal.mjs";
export { result } from "./result.mjs";
export { newMatch, settle, settleLost } from "./match.mjs";
export { lowestChoice, partFrom } from "./playout.mjs";
export { active, cardsLeft, from250, isNamed, makersSide, mayClaim };

export const owesCount = (hand, seat) => hand.phase === "count" && countDue(hand, seat);

// How many batches must be out in this phase.
export const batchesDue = (hand) =>
  (hand.phase === "bid4" || hand.phase === "trump4" || hand.won?.value === "halfcourt" ? 1 : batches(hand.options).length);

const KINDS = { bid4: ["say", "redeal"], bid8: ["say"], partner: ["say"], trump4: ["indicator"], trump8: ["indicator"],
  exchange: ["say", "exchange"], declare: ["open", "closed"], show: ["open"], announce: ["announce"], count: ["count"], over: [] };

// The kinds that are due for the seat whose turn it is.
export function kinds(hand) {
  if (hand.phase !== "play") return KINDS[hand.phase];
  const { options } = hand, claims = mayClaim(hand);
  return ["play", "down", ...["caps", "spoilt"].filter((claim) => claims[claim].includes(hand.turn)),
    ...(options.hidden === "ask_reveal" ? ["ask"] : []), ...(options.double === "on" ? ["say"] : []), ...(options.marriages === "on" ? ["marriage"] : [])];
}
