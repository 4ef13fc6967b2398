// What the absent seat chooses (SPEC.md part 3, playout.lowest): the lowest choice within the rules.

import { pack, points, strength, suitOf, SUITS } from "../rules/options.mjs";
import { apply, legal, over250 } from "./rules.mjs";
import { lastTrick, removeSlot, sorted, view } from "./hand.mjs";
import { commit, lay, takeUp } from "./plays.mjs";
import { dueAtCount } from "./announcing.mjs";

const judge = (hand, action) => apply(hand.rules, action, view(hand), true);

// worth least, of equals the weakest, then the first in the pack
function lowest(hand, cards) {
  const o = hand.options, all = pack(o);
  return [...cards].sort((a, b) => points(a) - points(b) || strength(o, b) - strength(o, a) || all.indexOf(a) - all.indexOf(b))[0];
}

export function actSeat(table, seat) {
  const hand = table.hand, r = hand.rules;
  const held = sorted(hand.slots[seat]);
  switch (r.phase) {
    case "bid4": case "bid8": {
      const words = legal(r, seat, view(hand)).filter((a) => a.kind === "say").map((a) => a.word);
      const numbers = words.filter((w) => typeof w === "number").sort((a, b) => a - b);
      return commit(table, judge(hand, { seat, kind: "say", word: words.includes("pass") ? "pass" : numbers[0] }));
    }
    case "trump4": case "trump8": {
      const of = (suit) => held.filter((s) => suitOf(s.card) === suit);
      const most = Math.max(...SUITS.map((s) => of(s).length));
      const card = lowest(hand, SUITS.filter((s) => of(s).length === most).flatMap(of).map((s) => s.card));
      const slot = held.find((s) => s.card === card), rules = judge(hand, { seat, kind: "indicator", card });
      removeSlot(hand, seat, slot);
      hand.rules = rules;
      hand.indicator = Object.assign(slot, { seat });
      return undefined;
    }
    case "partner": return commit(table, judge(hand, { seat, kind: "say", word: `partner ${pack(hand.options)[0]}` }));
    case "exchange": return commit(table, judge(hand, { seat, kind: "say", word: "keep" }));
    case "declare": case "show": {
      hand.rules = judge(hand, { seat, kind: "open", card: hand.indicator.card });
      return takeUp(hand, hand.indicator);
    }
    case "count": {
      dueAtCount(hand, seat).forEach((s) => { s.atCount = true; });
      hand.rules = judge(hand, { seat, kind: "count", cards: dueAtCount(hand, seat).map((s) => s.card), suits: false });
      return undefined;
    }
    default: return playLowest(table, seat, held);
  }
}

function playLowest(table, seat, held) {
  const hand = table.hand;
  const choices = legal(hand.rules, seat, view(hand)).filter((a) => a.kind === "play" || a.kind === "down");
  const card = lowest(hand, choices.map((a) => a.card)), choice = choices.find((a) => a.card === card);
  const rules = judge(hand, choice), down = choice.kind === "down";
  const slot = choice.indicator ? hand.indicator : held.find((s) => s.card === card);
  lay(hand, seat, slot, { card, down, up: !down, indicator: choice.indicator });
  commit(table, rules);
}

// Announces as the trump maker's program would
export function announceAlone(table) {
  const hand = table.hand, r = hand.rules, trick = lastTrick(hand), o = hand.options, seat = r.maker;
  const played = trick.find((p) => p.indicator && !p.up) ?? null;
  const lying = hand.indicator?.seat === seat ? hand.indicator : null;
  const own = trick.find((p) => p.seat === seat && p.down && !p.up && !p.indicator) ?? null;
  const card = (played ?? lying).card, trump = suitOf(card);
  const pairs = hand.pairs.filter((p) => trick.includes(p));
  const cut = played !== null || pairs.some((p) => suitOf(p.shown) === trump) ? 1 : 0;
  const early = hand.tricks.length === 1 && o.open_after_250 === "on" && over250(r);
  const action = { seat, kind: "announce", cut, shown: cut ? pairs.map((p) => p.shown) : [], own: cut && own && o.reveal === "all" ? own.card : null,
    indicator: cut || early ? card : null };
  hand.rules = judge(hand, action);
  if (cut) pairs.forEach((p) => Object.assign(p, { card: p.shown, up: true }));
  if (action.own !== null) own.up = true;
  if (action.indicator !== null) {
    if (played) played.up = true;
    else takeUp(hand, lying);
  }
}
