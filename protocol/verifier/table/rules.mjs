// The one place where the table meets the rules (rules/): the state machine on public facts, and small questions about it.

import { apply as applyRule, newHand } from "../rules/apply.mjs";
import { mayClaim } from "../rules/claims.mjs";
import { legal } from "../rules/legal.mjs";
import { from250, makersSide } from "../rules/hand.mjs";
import { need } from "../refusal.mjs";
import { batches } from "../rules/options.mjs";

export { legal, mayClaim, newHand };

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
  need(/^(pass|ask|pcc|halfcourt|fullcourt|double|keep|partner \S\S)$/.test(text), "G01", `${text} is no word`, "action.form");
  return text;
}

export const over250 = (rules) => rules.won !== null && from250(rules);
export const isOpponent = (rules, seat) => rules.maker !== null && !makersSide(rules, seat);
export const isHalf = (rules) => rules.won?.value === "halfcourt";

// How many batches must be out in this phase
export function batchesDue(rules) {
  const all = batches(rules.options).length;
  return rules.phase === "bid4" || rules.phase === "trump4" || isHalf(rules) ? Math.min(1, all) : all;
}

// The kinds that are due for the seat whose turn it is
export function kinds(rules) {
  const o = rules.options;
  switch (rules.phase) {
    case "bid4": return ["say", "redeal"];
    case "bid8": case "partner": return ["say"];
    case "trump4": case "trump8": return ["indicator"];
    case "exchange": return ["say", "exchange"];
    case "declare": return ["open", "closed"];
    case "show": return ["open"];
    case "announce": return ["announce"];
    case "count": return ["count"];
    case "play": {
      const claims = mayClaim(rules);
      return ["play", "down", ...["caps", "spoilt"].filter((c) => claims[c].includes(rules.turn)), ...(o.hidden === "ask_reveal" ? ["ask"] : []),
        ...(o.double === "on" ? ["say"] : []), ...(o.marriages === "on" ? ["marriage"] : [])];
    }
    default: return [];
  }
}

// Trumps that an opponent was dealt, after a call of spoilt trumps: true if every opponent has proved that there are none
export const spoiltTruly = (rules) => rules.spoiltBy !== null &&
  rules.options && Array.from({ length: rules.options.seats }, (_, s) => s).filter((s) => isOpponent(rules, s)).every((s) => rules.end.clean.includes(s));
