// The one place where the table meets the rules (rules/index.mjs): who is known to them, and words of `say`.

import { need } from "../refusal.mjs";
import { apply as applyRule, from250, makersSide } from "../rules/index.mjs";

export { batchesDue, kinds, legal, mayClaim, newHand } from "../rules/index.mjs";

// The rules judge by public facts alone; only the cards of a seat that has called Caps, or is absent, are known to them.
// (A public card in another hand breaks a row, which has its own number.)
export function apply(rules, action, view, known = false) {
  const knows = known || rules.caller?.seat === action.seat || action.kind === "caps" || action.kind === "redeal";
  const hidden = { hands: view.hands.map((cards) => cards.map(() => null)), indicator: null };
  return applyRule(rules, action, knows ? view : hidden);
}

// A word of `say` as the rules take it: a number for a bid in card points
export function readWord(text) {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  need(/^(pass|ask|pcc|halfcourt|fullcourt|double|keep|partner [23J9ATKQ876][SHDC])$/.test(text), "G01", `${text} is no word`, "action.form");
  return text;
}

export const over250 = (rules) => rules.won !== null && from250(rules);
export const isOpponent = (rules, seat) => rules.maker !== null && !makersSide(rules, seat);
