// A match: tokens, the next dealer, and when it is over (SPEC.md part 1, Payment). Payment is not implemented yet.

const NOT_PLAYED = ["rejected", "passed", "spoilt"];

export function newMatch(options, hands, dealer, after) {
  const n = options.partner === "across" ? 2 : options.seats;
  return { options, hands, dealer: after ? after.dealer : dealer, tokens: after ? [...after.tokens] : Array(n).fill(options.match === "points" ? 0 : options.tokens),
    cards: after ? [...after.cards] : Array(n).fill(0), games: after ? [...after.games] : Array(n).fill(0), played: 0, over: false };
}

export function settle(match, hand) {
  const r = hand.rules, spoilt = r.spoiltBy !== null && r.opponents.every((s) => r.denied.includes(s));
  const end = spoilt ? "spoilt" : r.end;
  const counts = !NOT_PLAYED.includes(end);
  const played = match.played + (counts ? 1 : 0);
  const again = end === "rejected" || end === "spoilt";
  return { ...match, played, dealer: again ? match.dealer : (match.dealer + 1) % match.options.seats, over: match.hands > 0 && played >= match.hands };
}

export const settleLost = (match) => ({ ...match, over: true });
