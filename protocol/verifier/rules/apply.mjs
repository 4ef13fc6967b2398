// One action, and what follows of itself: the phases of a hand (SPEC.md part 2, Phases) and the duties between tricks.

import { batches, pack, suitOf } from "./options.mjs";
import { firstLeader, from250, must, newHand, openTrick } from "./hand.mjs";
import { hasSecondRound, judgeRedeal, judgeWord, secondRound, speak } from "./bidding.mjs";
import { addPlay, announce, countDue, startCount } from "./tricks.mjs";
import { judgeAskForTrumps, judgePlay } from "./plays.mjs";
import { callCaps, callSpoilt } from "./claims.mjs";
import { judgeDouble, judgeMarriage } from "./extras.mjs";
import { momentsAfter } from "./moments.mjs";

export { newHand };

// The first phase of the preparation that applies.
export function prepare(hand) {
  const { options } = hand;
  if (options.partner === "called" && hand.called === null) return { ...hand, phase: "partner", turn: hand.maker };
  if (options.stock === "exchange" && !hand.exchanged) return { ...hand, phase: "exchange", turn: hand.maker };
  if (options.hidden === "ask_reveal") return { ...hand, phase: "play", turn: firstLeader(hand) };
  return { ...hand, phase: "declare", turn: hand.maker };
}
const prepared = (hand) => (hand.phase === "prepare" ? prepare(hand) : hand);

// Cards that a seat may lay: the view's cards in hand; a name that the view lacks is trusted where the view is hidden.
const holds = (view, seat, card) => card === null || view.hands[seat].includes(card) || view.hands[seat].includes(null);

function say(hand, { word }) {
  if (hand.phase === "bid4" || hand.phase === "bid8") {
    must(word !== "keep" && word !== "double" && !String(word).startsWith("partner"), "phase", "not while bidding");
    judgeWord(hand, word);
    return prepared(speak(hand, word));
  }
  if (hand.phase === "partner") {
    must(String(word).startsWith("partner "), "phase", "a partner is to be called");
    const card = word.slice(8);
    must(pack(hand.options).includes(card), "call.card", "no card of this pack");
    return prepare({ ...hand, called: card });
  }
  if (hand.phase === "exchange") {
    must(word === "keep", "phase", "an exchange is due");
    return prepare({ ...hand, exchanged: true });
  }
  must(hand.phase === "play" && word === "double", "phase", "not due in this phase");
  judgeDouble(hand);
  return { ...hand, doubled: hand.turn };
}

function indicator(hand, { seat, card }, view) {
  must(hand.phase === "trump4" || hand.phase === "trump8", "phase", "no indicator is due");
  must(holds(view, seat, card), "card.held", "this card is not in hand");
  const laid = { ...hand, indicator: { seat, card: null, lies: true } };
  return hand.phase === "trump4" && hasSecondRound(laid) ? secondRound(laid) : prepare(laid);
}

function exchange(hand, { seat, cards }, view) {
  must(hand.phase === "exchange", "phase", "no exchange is due");
  if (cards !== undefined) {
    must(cards.length === 2 && (cards[0] !== cards[1] || cards[0] === null), "exchange.two", "two different cards");
    must(cards.every((card) => holds(view, seat, card)), "card.held", "a card that is not in hand");
  }
  return prepare({ ...hand, exchanged: true });
}

// The trump maker leads first and holds nothing but trumps, as far as the view tells.
export function isStuck(hand, view) {
  const mine = view.hands[hand.maker], trump = view.indicator && suitOf(view.indicator);
  return firstLeader(hand) === hand.maker && trump !== null && mine.every((card) => card !== null && suitOf(card) === trump);
}

function choose(hand, action, view) {
  if (action.kind === "open" && hand.phase === "show") {
    return { ...showTrumps(hand, action.card ?? view.indicator), phase: "play", turn: hand.asked.at(-1) };
  }
  must(hand.phase === "declare", "phase", "no choice is due");
  if (action.kind === "open") {
    must(hand.options.open_trump === "on", "open.off", "open trump is not played");
    return { ...showTrumps(hand, action.card ?? view.indicator), choice: "open", phase: "play", turn: firstLeader(hand) };
  }
  must(hand.options.open_trump === "off" || !isStuck(hand, view), "declare.stuck", "there would be nothing to lead");
  return { ...hand, choice: "closed", phase: "play", turn: firstLeader(hand) };
}
const showTrumps = (hand, card) =>
  ({ ...hand, trump: suitOf(card), trumpsOpen: true, indicator: { ...hand.indicator, card, lies: false } });

function play(hand, action, view) {
  must(hand.phase === "play", "phase", "no card is due");
  judgePlay(hand, { ...action, down: action.kind === "down" }, view);
  return addPlay(hand, action);
}

function ask(hand, { seat }, view) {
  must(hand.phase === "play", "phase", "trumps are not asked for now");
  judgeAskForTrumps(hand, seat, view);
  return { ...hand, asked: [...hand.asked, seat], phase: "show", turn: hand.maker };
}

// announce.show, announce.none, announce.all, in the order of SPEC.md, Checks of a kind; announce.false is the review's.
function sayTrumps(hand, action) {
  must(hand.phase === "announce", "phase", "no announcement is due");
  const { shown = [], own = null, indicator: card = null } = action, trick = openTrick(hand);
  const others = trick.plays.filter((p) => p.down && p.seat !== hand.maker);
  const indicatorCut = trick.plays.some((p) => p.down && p.indicator);
  const ownDown = trick.plays.some((p) => p.down && p.seat === hand.maker && !p.indicator);
  const first = hand.tricks.length === 1 && hand.options.open_after_250 === "on" && from250(hand);
  const turned = own === null ? shown : [...shown, own], opens = turned.length > 0 || indicatorCut;
  must(card !== null || !(opens || first), "announce.show", "the indicator is turned up with a cut, or after trick 1 from 250 on");
  must(card === null || opens || first, "announce.none", "the indicator is turned up, and nobody cut");
  const all = shown.length === others.length && (own !== null) === (ownDown && hand.options.reveal === "all");
  must(!opens || all, "announce.all", "all cards that are due, or none");
  must(card === null || !turned.length || indicatorCut || turned.some((name) => suitOf(name) === suitOf(card)), "announce.none", "no trump among them");
  return announce(hand, { cut: opens, shown, own, indicator: card });
}

function count(hand, { seat, suits }) {
  must(hand.phase === "count", "phase", "no count is due");
  const clean = suits ? [...(hand.end.clean ?? []), seat] : hand.end.clean;
  const after = { ...hand, counted: [...hand.counted, seat], end: { ...hand.end, clean } };
  if (after.end.kind === "spoilt") {
    const due = after.end.owing.find((other) => countDue(after, other));
    return due === undefined ? { ...after, phase: "over", turn: null } : { ...after, turn: due };
  }
  return startCount(after);
}

function redeal(hand, { seat, cards }, view) {
  const batch = cards ?? view.hands[seat].slice(0, batches(hand.options)[0]);
  judgeRedeal(hand, batch);
  return { ...hand, phase: "over", turn: null, end: { kind: "redeal" } };
}

function marriage(hand, action, view) {
  must(hand.phase === "play", "phase", "no marriage is shown now");
  judgeMarriage(hand, action, view);
  return { ...hand, marriages: [...hand.marriages, { seat: action.seat, suit: action.suit }] };
}

const KINDS = {
  say, indicator, exchange, open: choose, closed: choose, play, down: play, ask, announce: sayTrumps, count, redeal, marriage,
  inspect: (hand) => { must(hand.phase === "announce", "phase", "nothing is inspected now"); return hand; },
};

// As everybody saw it: a card laid face down has no name.
const publicAction = (action) => (action.kind === "down" || action.kind === "indicator" ? { ...action, card: null } : action);

export function apply(hand, action, view) {
  must(hand.phase !== "over", "hand.over", "the hand is over");
  if (action.kind === "caps" || action.kind === "spoilt") {
    const claimed = action.kind === "caps" ? callCaps(hand, action, view) : callSpoilt(hand, action);
    return { ...claimed, log: [...hand.log, action] };
  }
  must(action.kind in KINDS, "action.form", "no such action");
  if (action.kind !== "inspect") must(action.seat === hand.turn, "turn", "out of turn");
  const after = KINDS[action.kind](hand, action, view);
  return { ...after, moments: momentsAfter(hand, action, after), log: [...hand.log, publicAction(action)] };
}
