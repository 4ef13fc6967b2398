// The rules of a hand as a state machine on public facts (see README.md here). This version knows the course of a hand
// and what public facts forbid; Caps worlds and the review are in other files.

import { need } from "../refusal.mjs";
import { handSize, leftOver, batches, pack, special250, suitOf } from "./options.mjs";
import { beginRound, checkRedeal, partnersOf, speak } from "./bidding.mjs";
import { addPlay, announced, asked, checkAsk, checkDown, checkPlay, marriage } from "./play.mjs";
import { judgeCall, checkBound } from "./caps.mjs";

const must = (condition, rule, sentence) => need(condition, "G01", sentence, rule);

export function newHand(options, dealer) {
  const h = { options, dealer, n: options.seats, phase: options.deal === "all_first" ? "bid8" : "bid4", turn: (dealer + 1) % options.seats,
    maker: null, bid: null, allTricks: false, over250: false, choice: null, trump: null, trumpsOpen: false, indicator: null, idle: [],
    opponents: [], tricks: [], asked: [], caller: null, spoiltBy: null, counted: [], denied: [], partnerCard: null, exchanged: false,
    leader: null, marriages: [], doubled: null, end: null, totalTricks: 0 };
  return beginRound(h, false);
}

export const over = (h, end) => ({ ...h, phase: "over", turn: null, end });

export function apply(h, action, view) {
  const { seat, kind } = action;
  must(h.phase !== "over", "hand.over", "the hand is over");
  if (kind === "caps" || kind === "spoilt") return claim(h, action, view);
  must(h.turn === seat, "turn", "out of turn");
  must(kinds(h).includes(kind), "phase", `${kind} is not due now`);
  return STEPS[kind](h, action, view);
}

const STEPS = {
  say: (h, { seat, word }) => sayWord(h, seat, word),
  redeal: (h, { seat, cards }) => { checkRedeal(h, seat, cards); return over(h, "rejected"); },
  indicator: (h, { seat, card }) => {
    const next = { ...h, indicator: { seat, card, lies: true } };
    if (h.phase === "trump4" && h.options.bid8 === "on" && !h.allTricks) return beginRound({ ...next, phase: "bid8" }, true);
    return prepare(next);
  },
  open: (h, { card }) => {
    const shown = { ...h, trump: suitOf(card), trumpsOpen: true, indicator: { ...h.indicator, card, lies: false } };
    if (h.phase === "show") return { ...shown, phase: "play", turn: h.asked[h.asked.length - 1] };
    must(h.options.open_trump === "on", "open.off", "open trump is not played");
    return toPlay({ ...shown, choice: "open" });
  },
  closed: (h) => toPlay({ ...h, choice: "closed" }),
  exchange: (h) => prepare({ ...h, exchanged: true }),
  play: (h, a, view) => { checkPlay(h, a, view); checkBound(h, a, view); return addPlay(h, { ...a, down: false }); },
  down: (h, a, view) => { checkDown(h, a, view); checkBound(h, a, view); return addPlay(h, { ...a, down: true }); },
  ask: (h, { seat }, view) => { checkAsk(h, seat, view); return asked(h, seat); },
  announce: (h, a) => announced(h, a),
  marriage: (h, { seat, suit }) => marriage(h, seat, suit),
  count: (h, { seat, suits }) => nextCount({ ...h, counted: [...h.counted, seat], denied: suits ? [...h.denied, seat] : h.denied }),
};

function sayWord(h, seat, word) {
  if (h.phase === "partner") {
    const card = /^partner (\S\S)$/.exec(word)?.[1];
    must(card !== undefined && pack(h.options).includes(card), "action.form", "no card of the pack is called");
    return prepare({ ...h, partnerCard: card });
  }
  if (h.phase === "exchange") {
    must(word === "keep", "action.form", "keep is the only word here");
    return prepare({ ...h, exchanged: true });
  }
  if (h.phase === "play") {
    must(word === "double", "action.form", "double is the only word here");
    must(mayDouble(h), "double.when", "double is said before the lead to the third trick from the end");
    return { ...h, doubled: seat };
  }
  const { hand, done } = speak(h, seat, word);
  return done ? endRound(hand) : hand;
}

export function mayDouble(h) {
  const done = h.tricks.filter((t) => t.winner !== null);
  const mine = (s) => s === h.turn || partnersOf(h, h.turn).includes(s);
  return h.options.double === "on" && h.doubled === null && done.length === h.tricks.length && done.length === h.totalTricks - 3 && done.every((t) => mine(t.winner));
}

function endRound(h) {
  const bid = h.round.bid, o = h.options;
  if (bid === null) {
    if (h.round.second) return prepare(h);
    return h.phase === "bid4" && o.bid4 === "courts" ? beginRound({ ...h, phase: "bid8" }, false) : over(h, "passed");
  }
  const allTricks = typeof bid.value !== "number";
  const alone = bid.value === "pcc" || (allTricks && o.partner === "across");
  const side = [bid.seat, ...partnersOf(h, bid.seat)];
  return { ...h, maker: bid.seat, turn: bid.seat, allTricks, over250: allTricks || bid.value >= special250(o),
    idle: alone ? partnersOf(h, bid.seat) : [], opponents: Array.from({ length: h.n }, (_, s) => s).filter((s) => !side.includes(s)),
    indicator: null, phase: h.phase === "bid4" ? "trump4" : "trump8" };
}

// The first phase of the preparation that applies
function prepare(h) {
  const o = h.options, next = { ...h, turn: h.maker };
  if (o.partner === "called" && h.partnerCard === null) return { ...next, phase: "partner" };
  if (o.stock === "exchange" && !h.exchanged) return { ...next, phase: "exchange" };
  return o.hidden === "ask_reveal" ? toPlay(next) : { ...next, phase: "declare" };
}

function toPlay(h) {
  const o = h.options;
  const half = h.bid.value === "halfcourt";
  const totalTricks = half ? batches(o)[0] : handSize(o) + (o.stock === "draw" ? leftOver(o) / h.n : 0);
  const leads = h.allTricks || (h.bid.value === 304 && o.bid304 === "on") ? h.maker : firstFrom(h, (h.dealer + 1) % h.n);
  return { ...h, phase: "play", turn: leads, leader: leads, totalTricks };
}

export function firstFrom(h, seat) {
  while (h.idle.includes(seat)) seat = (seat + 1) % h.n;
  return seat;
}

// The kinds that are due for the seat whose turn it is
export function kinds(h) {
  const o = h.options;
  switch (h.phase) {
    case "bid4": return ["say", "redeal"];
    case "bid8": case "partner": return ["say"];
    case "trump4": case "trump8": return ["indicator"];
    case "exchange": return ["say", "exchange"];
    case "declare": return ["open", "closed"];
    case "show": return ["open"];
    case "announce": return ["announce"];
    case "count": return ["count"];
    case "play": {
      const claims = mayClaim(h);
      return ["play", "down", ...["caps", "spoilt"].filter((c) => claims[c].includes(h.turn)), ...(o.hidden === "ask_reveal" ? ["ask"] : []),
        ...(o.double === "on" ? ["say"] : []), ...(o.marriages === "on" ? ["marriage"] : [])];
    }
    default: return [];
  }
}

export const batchesDue = (h) => {
  const all = batches(h.options).length;
  return h.phase === "bid4" || h.phase === "trump4" || h.bid?.value === "halfcourt" ? Math.min(1, all) : all;
};

const cardsLeft = (h, seat) => h.totalTricks - h.tricks.filter((t) => t.plays.some((p) => p.seat === seat)).length;

export function mayClaim(h) {
  const o = h.options, out = { caps: [], spoilt: [] };
  if (h.phase !== "play") return out;
  const seats = Array.from({ length: h.n }, (_, s) => s).filter((s) => !h.idle.includes(s));
  if (o.caps !== "off" && !h.allTricks && h.caller === null) out.caps = seats.filter((s) => cardsLeft(h, s) > 0);
  const late = o["spoilt.until"] === "trick8" && h.tricks.length === h.totalTricks && (h.tricks.at(-1).plays.length > 0);
  if (o.spoilt === "anyone") out.spoilt = late ? [] : seats;
  if (o.spoilt === "opponents") out.spoilt = late ? [] : seats.filter((s) => h.opponents.includes(s));
  return out;
}

function claim(h, action, view) {
  const { seat, kind } = action;
  must(mayClaim(h)[kind].includes(seat), kind === "caps" ? "claims.from" : "spoilt.who", `${kind} cannot be called now`);
  if (kind === "spoilt") {
    const next = { ...h, spoiltBy: seat };
    const first = h.trumpsOpen ? [] : [h.maker];
    return nextCount({ ...next, due: [...first, ...fromRight(h).filter((s) => h.opponents.includes(s))] });
  }
  const ended = judgeCall(h, action, view);
  const next = { ...h, caller: { seat, order: action.order, tricks: h.tricks, ended } };
  return ended ? nextCount({ ...next, due: fromRight(h).filter((s) => !h.idle.includes(s)), calledAt: h }) : next;
}

export const fromRight = (h) => Array.from({ length: h.n }, (_, i) => (h.dealer + 1 + i) % h.n);

// The next seat that owes a count; a seat with no card to open is left out
export function nextCount(h) {
  const seat = h.due.find((s) => !h.counted.includes(s) && owesCount(h, s));
  return seat === undefined ? over(h, "played") : { ...h, phase: "count", turn: seat };
}

export function owesCount(h, seat) {
  if (h.spoiltBy !== null || h.caller?.ended) {
    if (h.spoiltBy !== null) return true;
    return cardsLeft(h, seat) > 0 || liesDown(h, seat);
  }
  return liesDown(h, seat);
}

const liesDown = (h, seat) => h.tricks.some((t) => t.plays.some((p) => p.seat === seat && !p.up));
