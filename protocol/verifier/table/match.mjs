// Joins the table with the match of the rules (rules/match.mjs): the cards of a hand as the log has opened them, and what
// the review at the count found.

import * as rules from "../rules/match.mjs";
import { isVoid } from "../rules/result.mjs";
import { sorted } from "./hand.mjs";
import { review } from "./review.mjs";

export const newMatch = (options, hands, dealer, after) => ({ ...rules.newMatch(options, hands, after), dealer: after ? after.dealer : dealer });

// The cards of a hand as the log has opened them, null where it has not
export function dealOf(hand) {
  const own = (seat) => [...hand.tricks.flat().filter((p) => p.seat === seat), ...sorted(hand.slots[seat]), ...(hand.indicator?.seat === seat ? [hand.indicator] : [])];
  const indicator = hand.indicator?.card ?? hand.tricks.flat().find((p) => p.indicator)?.card ?? hand.rules.indicator?.card ?? null;
  return { dealt: hand.slots.map((_, seat) => own(seat).map((s) => s.card)), tricks: hand.tricks.map((t) => t.map((p) => p.card)), indicator, pile: [], exchanged: null };
}

// A hand that is over; a breach that only the count showed is paid as a violation, but a void hand is not reviewed
export function settle(match, hand) {
  const deal = dealOf(hand);
  hand.isVoid = isVoid(hand.rules, deal);
  hand.breach = hand.isVoid ? null : review(hand);
  return rules.settle(match, hand.rules, deal, hand.breach);
}

// As a violation of this seat's side: `away=replace`
export const settleLost = (match, hand, seat) => rules.settleLost(match, hand.rules, seat);
