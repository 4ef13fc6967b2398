// Tricks (SPEC.md part 1, from lead.up to marriage.when): what public facts forbid, who wins, when an announcement is due.

import { need } from "../refusal.mjs";
import { strength, suitOf } from "./options.mjs";
import { firstFrom, fromRight, nextCount } from "./index.mjs";
import { partnersOf } from "./bidding.mjs";

const must = (condition, rule, sentence) => need(condition, "G01", sentence, rule);
const full = (h) => h.n - h.idle.length;
const current = (h) => {
  const t = h.tricks.at(-1);
  return t && t.plays.length < full(h) ? t : null;
};
const lastCard = (h, seat) => h.totalTricks - 1 === h.tricks.filter((t) => t.plays.some((p) => p.seat === seat)).length;

export function checkPlay(h, { seat, card, indicator }) {
  const trick = current(h), led = trick ? suitOf(trick.plays[0].card) : null, o = h.options;
  if (indicator) must(lastCard(h, seat), "indicator.last", "the indicator lies face up as the last card only");
  if (o.hidden === "ask_reveal") return;
  if (led !== null && suitOf(card) !== led) must(h.trumpsOpen, "hidden.down", "while trumps are closed another suit is played face down");
}

export function checkDown(h) {
  must(h.options.hidden === "face_down", "reveal.up", "every card lies face up here");
  must(current(h) !== null, "lead.up", "a lead lies face up");
  must(!h.trumpsOpen, "open.up", "when trumps are open every card lies face up");
}

export function checkAsk(h, seat, view) {
  must(current(h) !== null, "reveal.ask", "the leader of a trick cannot ask");
  must(!h.trumpsOpen, "reveal.ask", "trumps are open");
  must(!(seat === h.maker && lastCard(h, seat)), "reveal.ask", "the indicator is the only card");
}

export const asked = (h, seat) => ({ ...h, phase: "show", turn: h.maker, asked: [...h.asked, seat] });

export function addPlay(h, { seat, card, indicator, down }) {
  let next = h;
  if (indicator) next = { ...next, indicator: { ...h.indicator, lies: false, card: down ? h.indicator.card : card, played: true } };
  if (indicator && !down) next = { ...next, trump: suitOf(card), trumpsOpen: true };
  const cuts = !down && next.trump !== null && suitOf(card) === next.trump;
  const play = { seat, card: card ?? null, down, indicator, up: !down, cuts };
  const trick = current(h);
  const tricks = trick ? [...h.tricks.slice(0, -1), { ...trick, plays: [...trick.plays, play] }]
    : [...h.tricks, { leader: seat, plays: [play], winner: null, announced: false }];
  next = { ...next, tricks };
  const done = tricks.at(-1);
  if (done.plays.length < full(h)) return { ...next, turn: firstFrom(h, (seat + 1) % h.n) };
  if (announcementDue(next, done)) return { ...next, phase: "announce", turn: h.maker };
  return finish(next);
}

function announcementDue(h, trick) {
  const o = h.options;
  if (h.trump !== null || o.hidden !== "face_down") return false;
  return trick.plays.some((p) => p.down && (p.seat !== h.maker || p.indicator)) ||
    (h.tricks.length === 1 && h.over250 && o.open_after_250 === "on");
}

export function announced(h, { shown, own, indicator, inspected }) {
  const trick = h.tricks.at(-1), names = [...shown];
  let plays = trick.plays;
  if (names.length > 0) plays = plays.map((p) => (p.down && p.seat !== h.maker && !p.up ? { ...p, card: names[inspected.indexOf(p.seat)], up: true } : p));
  if (own !== null) plays = plays.map((p) => (p.seat === h.maker && p.down && !p.indicator ? { ...p, card: own, up: true } : p));
  let next = h;
  if (indicator !== null) {
    plays = plays.map((p) => (p.indicator && p.down ? { ...p, card: indicator, up: true } : p));
    next = { ...h, trump: suitOf(indicator), trumpsOpen: true, indicator: { ...h.indicator, card: indicator, lies: false } };
  }
  plays = plays.map((p) => ({ ...p, cuts: p.up && next.trump !== null && suitOf(p.card) === next.trump }));
  return finish({ ...next, tricks: [...h.tricks.slice(0, -1), { ...trick, plays, announced: true }] });
}

export function winnerOf(h, trick) {
  const best = (plays) => plays.reduce((a, b) => (strength(h.options, b.card) < strength(h.options, a.card) ? b : a));
  const cuts = trick.plays.filter((p) => p.up && p.cuts);
  const led = suitOf(trick.plays[0].card);
  return best(cuts.length ? cuts : trick.plays.filter((p) => p.up && suitOf(p.card) === led)).seat;
}

// A trick has its winner: the next one, or the count
function finish(h) {
  const trick = h.tricks.at(-1), winner = winnerOf(h, trick);
  const next = { ...h, phase: "play", turn: winner, asked: [], tricks: [...h.tricks.slice(0, -1), { ...trick, winner }] };
  if (next.tricks.length < h.totalTricks) return next;
  return nextCount({ ...next, due: fromRight(h).filter((s) => !h.idle.includes(s)) });
}

export function marriage(h, seat, suit) {
  must(h.options.marriages === "on", "marriage.off", "marriages do not count");
  must(current(h) === null && h.trumpsOpen && h.tricks.some((t) => t.winner === seat) && !h.marriages.some((m) => m.suit === suit), "marriage.when", "a marriage is shown on lead, trumps open, once");
  return { ...h, marriages: [...h.marriages, { seat, suit }] };
}
