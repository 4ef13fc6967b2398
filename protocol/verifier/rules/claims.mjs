// Claims: calls of Caps and of spoilt trumps (SPEC.md, claims.from to caps.spoilt).

import { active, cardsLeft, lyingIndicatorOf, makersSide, must, trickCount } from "./hand.mjs";
import { next, seatsOf } from "./table.mjs";
import { callWins } from "./caps/call.mjs";
import { owesCount, startCount } from "./tricks.mjs";

// claims.from: from the choice on, in the phase `play`, by every seat that plays. This comes before what the claims themselves ask.
function judgeAny(hand, seat) {
  must(hand.phase === "play" && active(hand).includes(seat), "claims.from", "no claim is open to this seat");
  must(hand.parted === null, "playout.claims", "a hand is played out, so nobody claims");
}

function judgeSpoilt(hand, seat) {
  const { options } = hand;
  judgeAny(hand, seat);
  must(options.spoilt === "anyone" || options.spoilt === "opponents", "spoilt.off", "spoilt trumps are not called");
  must(options.spoilt === "anyone" || !makersSide(hand, seat), "spoilt.who", "only the opponents call");
  const lastBegun = hand.tricks.length === trickCount(hand);
  must(options["spoilt.until"] === "last_card" || !lastBegun, "spoilt.until", "the last trick has begun");
}

function judgeCaps(hand, seat) {
  judgeAny(hand, seat);
  must(hand.options.caps !== "off", "caps.off", "Caps is not played");
  must(!hand.allTricks, "claims.from", "Caps is not called where all tricks are bid");
  must(hand.options.external_caps !== "none" || makersSide(hand, seat), "external", "the opponents call no Caps");
  must(hand.caller === null, "caps.side", "there is one call in a hand");
  must(cardsLeft(hand, seat) > 0, "caps.empty", "no card is left");
}

const may = (judge, hand, seat) => {
  try { judge(hand, seat); return true; } catch (error) { if (error.rule === undefined) throw error; return false; }
};
// Claims open now; a finished trick whose announcement is due, or a hand that is over, opens none.
export const mayClaim = (hand) => ({
  caps: seatsOf(hand.options).filter((seat) => may(judgeCaps, hand, seat)),
  spoilt: seatsOf(hand.options).filter((seat) => may(judgeSpoilt, hand, seat)),
});
// The seats that a result lists: those to which any claim is open
export function claimants(hand) {
  const { caps, spoilt } = mayClaim(hand);
  return seatsOf(hand.options).filter((seat) => caps.includes(seat) || spoilt.includes(seat));
}

export function callCaps(hand, action, view) {
  const { seat, order } = action;
  judgeCaps(hand, seat);
  const rest = [...view.hands[seat]];
  if (lyingIndicatorOf(hand, seat)) rest.push(view.indicator);
  const same = order.length === rest.length && new Set(order).size === order.length;
  must(same && (rest.includes(null) || order.every((card) => rest.includes(card))), "caps.order", "all remaining cards, each once");
  const ended = callWins(hand, action, view);
  const caller = { seat, order, ended, at: hand.moments.length, begun: hand.tricks.length };
  if (!ended) return { ...hand, caller };
  const left = seatsOf(hand.options).map((other) => (active(hand).includes(other) ? cardsLeft(hand, other) : 0));
  return startCount({ ...hand, caller, turn: null, end: { kind: "caps", left } });
}

export function callSpoilt(hand, { seat }) {
  judgeSpoilt(hand, seat);
  const around = seatsOf(hand.options).map((_, by) => next(hand.options, hand.dealer, by + 1));
  // an opponent with no card that is still hidden is left out
  const opens = (other) => !makersSide(hand, other) && (cardsLeft(hand, other) > 0 || owesCount(hand, other));
  const owing = [...(hand.trumpsOpen ? [] : [hand.maker]), ...around.filter(opens)];
  if (owing.length === 0) return { ...hand, spoiltBy: seat, phase: "over", turn: null, end: { kind: "spoilt", owing, clean: [] } };
  return { ...hand, spoiltBy: seat, phase: "count", turn: owing[0], end: { kind: "spoilt", owing, clean: [] } };
}
