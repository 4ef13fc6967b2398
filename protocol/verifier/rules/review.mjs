// The second check, at the count (C01): the hand is played again with all cards that were opened, each play judged as its
// player saw it. Answers the first breach, {seat, rule}, or null.

import { apply, newHand } from "./apply.mjs";
import { openTrick } from "./hand.mjs";
import { leftOver, suitOf } from "./options.mjs";
import { viewOf } from "./game.mjs";

// deal as for result; `log` of the hand holds its actions.
export function review(hand, deal) {
  const opened = { ...deal, tricks: [] };
  let now = newHand(hand.options, hand.dealer), drawn = 0;
  const seats = hand.options.seats;
  for (const action of hand.log) {
    if (action.kind === "count" || action.kind === "spoilt" || (action.kind === "caps" && hand.caller.ended)) return null;
    if (action.kind === "caps") { now = { ...now, caller: hand.caller }; continue; }
    const visible = { ...opened, dealt: deal.dealt.map((cards, seat) => cards.slice(0, cards.length - stillToDraw(hand, drawn, seats))) };
    const view = viewOf({ hand: now, deal: { ...visible, exchanged: now.exchanged ? deal.exchanged : null, indicator: now.indicator ? deal.indicator : null } });
    if (action.kind === "announce" && !action.cut && hidesTrump(now, deal)) return { seat: hand.maker, rule: "announce.show" };
    const isPlay = action.kind === "play" || action.kind === "down";
    const trick = now.tricks.length - (openTrick(now) ? 1 : 0), place = openTrick(now)?.plays.length ?? 0;
    const named = isPlay ? { ...action, card: action.card ?? deal.tricks[trick]?.[place] ?? null } : action;
    let after;
    try { after = apply(now, named, view); } catch (error) {
      if (!error.rule) throw error;
      return { seat: action.seat, rule: error.rule };
    }
    if (isPlay) opened.tricks = [...opened.tricks.slice(0, trick), [...(opened.tricks[trick] ?? []), named.card]];
    const finished = after.tricks.filter((one) => one.winner !== null).length;
    if (hand.options.stock === "draw") drawn = Math.min(finished, leftOver(hand.options) / seats);
    now = after;
  }
  return null;
}
// Does a trump of another seat than the trump maker's lie face down in the trick that is announced?
function hidesTrump(hand, deal) {
  const names = deal.tricks[hand.tricks.length - 1], trump = deal.indicator && suitOf(deal.indicator);
  return openTrick(hand).plays.some((play, i) => play.down && play.seat !== hand.maker && names[i] !== null && suitOf(names[i]) === trump);
}
// Cards of each seat that it has not drawn yet.
function stillToDraw(hand, drawn, seats) {
  return hand.options.stock === "draw" ? leftOver(hand.options) / seats - drawn : 0;
}
