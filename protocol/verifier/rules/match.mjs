// A match of several hands (SPEC.md, Payment): what every account has, who deals next, and when the match is over.

import { accounts, accountOf, next, seatsOf, sideOf } from "./table.mjs";
import { packPoints } from "./options.mjs";
import { result, violation } from "./result.mjs";

export function newMatch(options, hands, after) {
  const all = (value) => accounts(options).map(() => value);
  return {
    options, hands, dealer: after?.dealer ?? null, tokens: after?.tokens ?? all(options.match === "points" ? 0 : options.tokens),
    cards: after?.cards ?? all(0), games: after?.games ?? all(0), played: 0, over: false, winner: null,
  };
}

// A side pays what it has; what it lacks, those who are paid go without, in the order of the seats.
function paid(match, change) {
  const { options } = match, list = accounts(options).map((account) => change[account]);
  if (options.score === "online") return list;
  let short = 0;
  const losses = list.map((value, account) => {
    if (value >= 0) return value;
    const can = Math.min(-value, match.tokens[account]);
    short += -value - can;
    return -can;
  });
  return losses.map((value) => {
    const less = options.match === "bank" ? 0 : Math.max(0, Math.min(short, value));
    short -= less;
    return value - less;
  });
}

// tenths: a side whose tricks reach 25.0 wins a game; then all begin at nothing again.
function countCards(match, bySeat) {
  const { options } = match;
  if (options.tenths === "off" || bySeat === null) return {};
  const cards = match.cards.map((value, account) => value + seatsOf(options).reduce((sum, seat) => sum + (accountOf(options, seat) === account ? bySeat[seat] : 0), 0));
  const reached = cards.map((value) => value >= 250);
  if (!reached.some(Boolean)) return { cards };
  return { cards: cards.map(() => 0), games: match.games.map((games, account) => games + (reached[account] ? 1 : 0)) };
}

function ended(match) {
  const { options, tokens } = match;
  const best = Math.max(...tokens), ahead = tokens.flatMap((value, account) => (value === best ? [account] : []));
  const over = (match.hands > 0 && match.played >= match.hands)
    || (options.match === "points" ? best >= options.tokens : Math.min(...tokens) <= 0);
  return { ...match, over, winner: over && ahead.length === 1 ? ahead[0] : null };
}

function pay(match, change, bySeat, played, dealer) {
  const moved = paid(match, change), tokens = match.tokens.map((value, account) => value + moved[account]);
  return ended({ ...match, tokens, ...countCards(match, bySeat), played: match.played + (played ? 1 : 0), dealer });
}

// After a hand is over. `breach` is what review found: {seat, rule}, paid as a violation instead of the hand's result.
export function settle(match, hand, deal, breach = null) {
  if (breach !== null) return settleLost(match, hand, breach.seat);
  const { change, cards, played, nextDealer } = result(hand, deal);
  return pay(match, change, cards, played, nextDealer);
}

// A violation of `seat`: a player who left (leave.lost), who cheated (cheat.pays), or whose hidden play broke a rule.
export function settleLost(match, hand, seat) {
  const { options } = match;
  if (hand === null) return match;
  const isVoid = options.violation === "void", other = seatsOf(options).find((one) => !sideOf(options, seat).includes(one));
  const cards = isVoid ? null : seatsOf(options).map((one) => (one === other ? packPoints(options) : 0));
  return pay(match, violation(hand, seat, options), cards, true, isVoid ? hand.dealer : next(options, hand.dealer));
}
