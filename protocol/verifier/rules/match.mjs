// A match of several hands (SPEC.md, Payment): what every account has, who deals next, and when the match is over.

import { accounts, accountOf, next, seatsOf } from "./table.mjs";
import { result, violation, violationCards } from "./result.mjs";

export function newMatch(options, hands, after) {
  const all = (value) => accounts(options).map(() => value);
  return {
    options, hands, dealer: after?.dealer ?? null, tokens: after?.tokens ?? all(options.match === "across" || options.match === "bank" ? options.tokens : 0),
    cards: after?.cards ?? all(0), games: after?.games ?? all(0), played: 0, over: false, winner: null,
  };
}

// tokens.short: a side pays what it has. Each winner gets its share of what was paid, rounded down; the first with the largest gain
// gets the rest.
function paid(match, change) {
  const { options, tokens } = match, list = accounts(options).map((account) => change[account]);
  if (options.match === "session" || options.match === "points") return list;
  const moved = list.map((value, account) => (value < 0 ? -Math.min(-value, Math.max(0, tokens[account])) : value));
  const short = moved.reduce((sum, value, account) => sum + value - list[account], 0);
  const gain = list.reduce((sum, value) => sum + Math.max(0, value), 0);
  if (short === 0 || gain === 0) return moved;
  const left = Math.max(0, gain - short);
  const shares = moved.map((value) => (value > 0 ? Math.floor((value * left) / gain) : value));
  const most = Math.max(...list), rest = left - shares.reduce((sum, value) => sum + Math.max(0, value), 0);
  shares[list.indexOf(most)] += rest;
  return shares;
}

// tenths: a side whose tricks reach 25.0 wins a game; then all begin at nothing again.
function countCards(match, bySeat) {
  const { options } = match;
  if (options.tenths === "off" || bySeat === null) return {};
  const cards = match.cards.map((value, account) => value + seatsOf(options).reduce((sum, seat) => sum + (accountOf(options, seat) === account ? bySeat[seat] : 0), 0));
  const most = Math.max(...cards), winners = cards.filter((value) => value === most).length;
  if (most < 250 || winners > 1) return { cards };
  return { cards: cards.map(() => 0), games: match.games.map((games, account) => games + (cards[account] === most ? 1 : 0)) };
}

function isWon({ options, tokens }) {
  const best = Math.max(...tokens), none = Math.min(...tokens) <= 0;
  return { across: none, bank: none, points: best >= options.tokens, session: false }[options.match];
}

// Whether the match is won or all agreed hands are played, also before the first hand of a table that goes on from another
export const isDone = (match) => isWon(match) || (match.hands > 0 && match.played >= match.hands);

function ended(match) {
  return { ...match, over: isDone(match), winner: isWon(match) ? match.tokens.indexOf(Math.max(...match.tokens)) : null };
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
  const isVoid = options.violation === "void", cards = isVoid ? null : violationCards(options, seat);
  return pay(match, violation(hand, seat, options), cards, true, isVoid ? hand.dealer : next(options, hand.dealer));
}
