// What the absent seat chooses (SPEC.md part 3, playout.lowest): the lowest choice within the rules.

import { suitOf } from "../rules/options.mjs";
import { lowestChoice } from "../rules/playout.mjs";
import { apply, over250 } from "./rules.mjs";
import { lastTrick, removeSlot, sorted, view } from "./hand.mjs";
import { commit, lay, takeUp } from "./plays.mjs";
import { dueAtCount } from "./announcing.mjs";

const judge = (hand, action) => apply(hand.rules, action, view(hand), true);

export function actSeat(table, seat) {
  const hand = table.hand, r = hand.rules, held = sorted(hand.slots[seat]);
  if (r.phase === "count") {
    const due = dueAtCount(hand, seat);
    // its hand stays open, and seen
    due.filter((s) => !held.includes(s)).forEach((s) => { s.atCount = true; });
    hand.rules = judge(hand, { seat, kind: "count", cards: due.map((s) => s.card), suits: false });
    return;
  }
  const choice = r.phase === "show" ? { seat, kind: "open", card: hand.indicator.card } : lowestChoice(r, seat, view(hand));
  const rules = judge(hand, choice), slot = choice.indicator ? hand.indicator : held.find((s) => s.card === choice.card);
  if (choice.kind === "indicator") {
    removeSlot(hand, seat, slot);
    hand.indicator = Object.assign(slot, { seat });
  } else if (choice.kind === "open") takeUp(hand, hand.indicator);
  else if (choice.kind !== "say") {
    const down = choice.kind === "down";
    lay(hand, seat, slot, { card: choice.card, down, up: !down, indicator: Boolean(choice.indicator) });
  }
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
