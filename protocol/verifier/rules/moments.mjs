// The moments at which a call of Caps is looked at (SPEC.md, Caps as a procedure): the states after each action from the choice
// of open or closed on. Each is kept as the public state it was.

import { active, trickCount } from "./hand.mjs";

const snapshot = (hand) => ({ ...hand, moments: null, log: null });
const lastCardIsPlayed = (hand) => hand.tricks.length === trickCount(hand) && hand.tricks.at(-1).plays.length === active(hand).length;

export const capsArePlayed = (hand) => hand.options.caps !== "off" && hand.won !== null && !hand.allTricks;

export function momentsAfter(before, action, after) {
  if (!capsArePlayed(after) || after.choice === null || action.kind === "inspect") return after.moments;
  if (after.phase !== "play" && after.phase !== "announce") return after.moments;
  if (lastCardIsPlayed(after)) return after.moments;
  return [...before.moments, snapshot(after)];
}

// How many tricks have a card.
export const begun = (moment) => moment.tricks.length;
export const cardsPlayed = (moment) => moment.tricks.reduce((sum, trick) => sum + trick.plays.length, 0);
