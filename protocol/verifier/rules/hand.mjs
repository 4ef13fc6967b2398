// The state of one hand as everybody sees it, and the questions about it that several rules ask. A state is a plain value that
// nothing changes. Public names of cards only: a card that lies face down is null here unless its owner's view named it.

import { Refusal } from "../refusal.mjs";
import { batches, handSize, leftOver, special250, suitOf } from "./options.mjs";
import { arePartners, next, seatsOf } from "./table.mjs";

export const refuse = (rule, sentence) => { throw new Refusal("G01", sentence, rule); };
export const must = (condition, rule, sentence) => { if (!condition) refuse(rule, sentence); };

export const newRound = (options, kind, first) =>
  ({ kind, turn: first, first, highest: null, spoken: seatsOf(options).map(() => false), turns: 0, passes: 0, asker: null });

export function newHand(options, dealer) {
  const first = next(options, dealer), all = options.deal === "all_first";
  return {
    options, dealer, phase: all ? "bid8" : "bid4", turn: first, round: newRound(options, "first", first), spokenAtAll: false,
    maker: null, bid: null, won: null, allTricks: false, choice: null, trump: null, trumpsOpen: false, indicator: null, idle: [],
    called: null, exchanged: false, tricks: [], asked: [], marriages: [], doubled: null, caller: null, spoiltBy: null, counted: [],
    moments: [], log: [], parted: null, end: null,
  };
}

// Partner Close Caps, half court and full court: all tricks must be won, the bidder leads.
export const isNamed = (value) => typeof value === "string";
export const isCourt = (value) => value === "halfcourt" || value === "fullcourt";
// "Partner Close Caps and courts count as more than 250 here" (announce.show).
export const from250 = (hand) => isNamed(hand.won.value) || hand.won.value >= special250(hand.options);

export const active = (hand) => seatsOf(hand.options).filter((seat) => !hand.idle.includes(seat));
export function nextActive(hand, seat) {
  let at = next(hand.options, seat);
  while (hand.idle.includes(at)) at = next(hand.options, at);
  return at;
}
// How many tricks the hand has: a card of each seat for each, drawn ones too.
export function trickCount(hand) {
  const { options } = hand;
  if (hand.won?.value === "halfcourt") return batches(options)[0];
  return handSize(options) + (options.stock === "draw" ? leftOver(options) / options.seats : 0);
}
// Cards a seat still has to play, the lying indicator included.
export const cardsLeft = (hand, seat) =>
  trickCount(hand) - hand.tricks.filter((trick) => trick.plays.some((play) => play.seat === seat)).length;
export const firstLeader = (hand) =>
  hand.allTricks || hand.won.value === 304 ? hand.maker : nextActive(hand, hand.dealer);

export const openTrick = (hand) => {
  const last = hand.tricks.at(-1);
  return last && last.winner === null && !last.done ? last : null;
};
export const ledSuit = (trick) => suitOf(trick.plays[0].card);
export const lyingIndicatorOf = (hand, seat) => hand.indicator !== null && hand.indicator.lies && hand.indicator.seat === seat;

export const makersSide = (hand, seat) => seat === hand.maker || arePartners(hand.options, seat, hand.maker);
// The trump suit as far as a view names it.
export const trumpIn = (hand, view) => hand.trump ?? (view.indicator ? suitOf(view.indicator) : null);
