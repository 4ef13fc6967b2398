// Counts of legal sequences (protocol/perft): how many ways to go on with exactly 1, 2, 3 … legal actions. Claims are no actions.

import { legalActions, step } from "./game.mjs";
import { act, readRecord } from "./record.mjs";

export function gameOf(record) {
  const { game, actions } = readRecord(record);
  return actions.reduce(act, game);
}

export function count(game, depth) {
  const actions = legalActions(game);
  if (game.hand.phase === "over") return 0; // a hand that is over goes on with none
  if (depth === 1) return actions.length;
  return actions.reduce((total, action) => total + count(step(game, action), depth - 1), 0);
}
