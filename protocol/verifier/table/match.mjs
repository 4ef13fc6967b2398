// A match as the table sees it: the next dealer, the hands that count, and when it is over. What a hand pays comes from
// the rules (rules/payment.mjs) once it is joined.

import { spoiltTruly } from "./rules.mjs";

export function newMatch(options, hands, dealer, after) {
  const n = options.partner === "across" ? 2 : options.seats;
  return { options, hands, dealer: after ? after.dealer : dealer, tokens: after ? [...after.tokens] : Array(n).fill(options.match === "points" ? 0 : options.tokens),
    cards: after ? [...after.cards] : Array(n).fill(0), games: after ? [...after.games] : Array(n).fill(0), played: 0, over: false };
}

// How a hand ended: `rejected`, `passed`, `spoilt`, or `played`
export function endOf(rules) {
  if (rules.spoiltBy !== null) return spoiltTruly(rules) ? "spoilt" : "played";
  if (rules.end?.kind === "redeal") return "rejected";
  return rules.maker === null ? "passed" : "played";
}

export function settle(match, hand) {
  const end = endOf(hand.rules), counts = end === "played";
  const played = match.played + (counts ? 1 : 0);
  const again = end === "rejected" || end === "spoilt";
  return { ...match, played, dealer: again ? match.dealer : (match.dealer + 1) % match.options.seats, over: match.hands > 0 && played >= match.hands };
}

export const settleLost = (match) => ({ ...match, over: true });
