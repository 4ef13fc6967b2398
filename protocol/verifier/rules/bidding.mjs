// Bidding (SPEC.md, redeal.once to pcc.bid): the first round, the second round, asking, courts, and who speaks next.
// The only round of a deal with all cards, and the round of numbers after courts, go by the rules of the first.

import { packPoints, points, special200, special250 } from "./options.mjs";
import { isCourt, isNamed, must, newRound } from "./hand.mjs";
import { arePartners, next, seatsOf } from "./table.mjs";

const atLeast200 = (options, value) => isNamed(value) || value >= special200(options);
const isSecond = (hand) => hand.round.kind === "second";
const speaker = (hand) => hand.turn;

// The round is closed to those who have spoken: rebid=once always, first200 as soon as 200 is bid.
const closed = (options, round) => options.rebid === "once"
  || (options.rebid === "first200" && round.highest !== null && atLeast200(options, round.highest.value));

function eligible(options, round, seat) {
  if (round.highest?.seat === seat) return false;
  return !(closed(options, round) && round.spoken[seat]);
}

// bid.forced: nobody has bid, and no other seat's turn is left.
function isForced(hand) {
  const { options, round } = hand;
  if (options.all_pass !== "dealer_forced" || round.highest !== null || round.asker !== null || round.kind !== "first") return false;
  if (options.rebid === "once") return round.spoken.every((done, seat) => done || seat === hand.turn);
  return round.turns === options.seats - 1;
}
// The round before that of numbers, where only half court may be bid
const isCourts = (hand) => hand.phase === "bid4" && hand.options.bid4 === "courts";
const mustBidFirst = ({ options, round }) => options["bid.first"] === "must" && round.kind === "first" && round.highest === null && round.turns === 0;
const mustBid = (hand) => !isCourts(hand) && (mustBidFirst(hand) ? "bid.first" : isForced(hand) && "bid.forced");

// A seat or its asker has spoken, so that 200 is needed.
function hasSpoken(round, seat) {
  return round.spoken[seat] || (round.asker !== null && round.spoken[round.asker]);
}

function judgeNumber(hand, value) {
  const { options, round } = hand, seat = speaker(hand);
  must(!isCourts(hand), "bid.court", "only half court is bid with the first batch");
  if (isSecond(hand)) judgeSecondPartner(hand);
  const is304 = value === 304 && options.bid304 === "on";
  const step = value > special200(options) ? options.step_over_200 : 10;
  must(is304 || value % step === 0, "bid.step", `bids go up by ${step}`);
  must(is304 || value <= Math.floor((packPoints(options) - 1) / 10) * 10, "bid.max", "more than all points");
  if (isSecond(hand)) return judgeSecond(hand, value);
  must(value >= options["bid.min"], "bid.min", `the least bid is ${options["bid.min"]}`);
  must(round.highest === null || value > round.highest.value, "bid.higher", "a bid beats the bid before");
  const over = round.highest !== null && arePartners(options, round.highest.seat, seat), spoke = hasSpoken(round, seat);
  const is200 = round.highest !== null && atLeast200(options, round.highest.value);
  must(!over || options.over_partner === 200 || (options.over_partner === "first200" && !is200), "bid.partner", "nobody bids a number over this bid of a partner");
  must(!spoke || !is200 || options.rebid !== "first200", "bid.rebid", "the bid has reached 200");
  must(!over || atLeast200(options, value), "bid.partner", "a bid over the partner's needs 200");
  must(!spoke || atLeast200(options, value), "bid.rebid", "who has spoken needs 200");
}

function judgeSecond(hand, value) {
  const { options, round } = hand, old = hand.won.value, least = special250(options);
  if (round.highest !== null) must(value > round.highest.value, "bid8.min", "a bid beats the bid before");
  const enough = { 250: value >= least && value > old, equal_ok: value >= least && value >= old, over250: value > least && value > old };
  must(enough[options["bid8.min"]], "bid8.min", "too low for the second round");
}
function judgeSecondPartner(hand) {
  const { highest } = hand.round;
  must(highest === null || !arePartners(hand.options, highest.seat, speaker(hand)), "bid8.partner", "the partner's bid is the highest");
}

function judgeNamed(hand, value) {
  const { options, phase } = hand, seat = speaker(hand);
  if (value === "halfcourt") {
    return must(options.half_court === "on" && phase === "bid4", "bid.court", "half court is not bid here");
  }
  if (value === "fullcourt") return must(options.full_court === "on" && phase === "bid8" && !isSecond(hand), "bid.court", "full court is not bid here");
  must(options.pcc === "on" && phase === "bid8", "pcc.bid", "Partner Close Caps is not bid here");
  if (isSecond(hand)) return judgeSecondPartner(hand);
  const { highest } = hand.round;
  must(highest === null || !arePartners(options, highest.seat, seat), "bid.partner", "the partner's bid is the highest");
}

function judgePass(hand) {
  const rule = mustBid(hand);
  must(!rule, rule, "this player must bid");
}

export const askedPartner = (hand) => next(hand.options, hand.turn, 2);

function judgeAsk(hand) {
  const { options, round } = hand;
  must(hand.phase === "bid4", "ask.four", "asking belongs to the first round");
  must(options.ask_partner === "on", "ask.turn", "asking is not played");
  must(round.asker === null, "ask.turn", "the partner may not ask back");
  must(!isCourts(hand) && !mustBid(hand), "ask.turn", "who must bid cannot ask, nor is anybody asked for half court");
  const partner = askedPartner(hand);
  must(round.highest?.seat !== partner, "ask.turn", "the partner holds the highest bid");
  must(!(options.rebid === "once" && round.spoken[partner]), "ask.turn", "the partner has spoken");
}

export function judgeWord(hand, word) {
  if (word === "pass") return judgePass(hand);
  if (word === "ask") return judgeAsk(hand);
  return isNamed(word) ? judgeNamed(hand, word) : judgeNumber(hand, word);
}

// Who speaks next, or null when the round is over. `from` is the seat whose turn it was, not a partner who answered.
function nextSpeaker(options, round, from) {
  if (round.kind === "second") return round.turns === options.seats ? null : next(options, from);
  if (round.highest === null) {
    if (round.turns === options.seats || round.spoken.every(Boolean) && options.rebid === "once") return null;
  } else if (round.passes >= options.seats - 1) return null;
  for (let by = 1; by <= options.seats; by += 1) {
    const seat = next(options, from, by);
    if (eligible(options, round, seat)) return seat;
  }
  return null;
}

// After a word: the next hand. `word` has been judged.
export function speak(hand, word) {
  const { options } = hand, seat = hand.turn;
  if (word === "ask") {
    return { ...hand, spokenAtAll: true, turn: askedPartner(hand), round: { ...hand.round, asker: seat } };
  }
  const round = { ...hand.round, spoken: [...hand.round.spoken], turns: hand.round.turns + 1 };
  const from = round.asker ?? seat;
  round.spoken[seat] = true;
  round.spoken[from] = true;
  round.asker = null;
  if (word === "pass") round.passes += 1;
  else Object.assign(round, { highest: { seat, value: word }, passes: 0 });
  const ends = isNamed(word) && word !== "pass";
  const turn = ends ? null : nextSpeaker(options, round, from);
  const after = { ...hand, spokenAtAll: true, round, turn, bid: round.highest ?? hand.bid };
  return turn === null ? endRound(after) : after;
}

function endRound(hand) {
  const { options, round } = hand;
  if (round.highest !== null) {
    const value = round.highest.value, allTricks = isNamed(value), maker = round.highest.seat;
    const alone = (value === "pcc" || value === "halfcourt") && options.partner === "across";
    const idle = alone ? seatsOf(options).filter((seat) => arePartners(options, seat, maker)) : [];
    const phase = hand.phase === "bid4" ? "trump4" : "trump8";
    return { ...hand, phase, turn: maker, maker, won: round.highest, allTricks, idle, indicator: null };
  }
  if (round.kind === "second") return { ...hand, phase: "prepare", turn: null };
  if (hand.phase === "bid4" && options.bid4 === "courts") {
    const first = next(options, hand.dealer);
    return { ...hand, phase: "bid8", turn: first, round: newRound(options, "first", first) };
  }
  return { ...hand, phase: "over", turn: null, end: { kind: "passed" } };
}

// After the first indicator: the second round, or none.
export function secondRound(hand) {
  const first = hand.options["bid8.start"] === "winner" ? hand.maker : next(hand.options, hand.dealer);
  return { ...hand, phase: "bid8", turn: first, round: newRound(hand.options, "second", first) };
}
export const hasSecondRound = (hand) => hand.options.bid8 === "on" && !isCourt(hand.won.value);

// redeal: `cards` are the first batch of the seat, or null where nothing tells.
export function judgeRedeal(hand, cards) {
  must(hand.phase === "bid4", "phase", "not while more cards are out");
  must(hand.options.redeal15 === "on", "redeal.off", "a redeal is not played");
  must(!hand.spokenAtAll, "redeal.once", "only the first to speak, at once");
  must(cards.every((card) => card !== null) && cards.reduce((sum, card) => sum + points(card), 0) < 15, "redeal.fifteen", "not less than 15 points");
}

// Every word that might be said, to be sifted by judgeWord.
export function wordsToTry(hand) {
  const words = ["pass", "ask", "pcc", "halfcourt", "fullcourt"];
  for (let value = 100; value < packPoints(hand.options); value += 5) words.push(value);
  if (packPoints(hand.options) === 304) words.push(304);
  return words;
}
