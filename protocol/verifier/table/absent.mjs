// Parting, and the hand that is played out without its absent player (SPEC.md part 3, Playing out).

import { NotImplemented } from "../refusal.mjs";
import { allShuffled } from "./hand.mjs";
import { settleLost } from "./match.mjs";

export function partFrom(table, player, name) {
  const hand = table.hand;
  const begun = hand !== null && allShuffled(hand);
  if (table.options.away === "playout" && begun && hand.rules.phase !== "over") throw new NotImplemented("playing out");
  if (begun && table.options.away === "replace" && hand.rules.phase !== "over") table.match = settleLost(table.match, hand, table.seatOf[player]);
  table.over = true;
  table.ended = true;
}

export const standInDue = () => null;
export function standIn() { throw new NotImplemented("stand_in"); }
export function actAbsent() { throw new NotImplemented("the absent seat"); }
