// The second check, at the count (C01): the play of a hand judged again with every card that has been opened since.

import { Refusal } from "../refusal.mjs";
import { suitOf } from "../rules/options.mjs";
import { apply } from "./rules.mjs";

// Keeps what a play was judged on; the slots are named later, when they are opened
export function remember(hand, action, slot) {
  hand.judged.push({ rules: hand.rules, action, slot, held: action.seat === undefined ? [] : [...hand.slots[action.seat]],
    indicator: hand.indicator, pairs: action.kind === "announce" ? hand.pairs.filter((p) => hand.tricks.at(-1).includes(p)) : [] });
}

// The first breach of a rule in a hand that is over: null, or {seat, rule, sentence}.
// Where cards are drawn, a re-ordering hides which card was held when, and nothing can be judged again.
export function review(hand) {
  if (hand.options.stock === "draw") return null;
  const indicator = hand.rules.indicator?.card ?? hand.tricks.flat().find((p) => p.indicator)?.card ?? hand.indicator?.card ?? null;
  for (const { rules, action, slot, held, indicator: lies, pairs } of hand.judged) {
    const { seat, kind } = action;
    if (kind === "announce") {
      const trump = indicator === null ? null : suitOf(indicator);
      if (action.cut === 0 && pairs.some((p) => p.card !== null && suitOf(p.card) === trump)) return { seat, rule: "announce.false", sentence: "a trump lay among the cards" };
      continue;
    }
    const view = { hands: hand.slots.map((_, s) => (s === seat ? held.map((x) => x.card) : [])), indicator: lies?.seat === seat ? lies.card : null };
    try {
      apply(rules, { ...action, ...(slot ? { card: slot.card } : {}) }, view, true);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { seat, rule: error.rule, sentence: error.sentence };
    }
  }
  return null;
}
