// A trick from its last card on: whether an announcement is due, what it turns up, who wins, and what comes then.

import { leftOver, strength, suitOf } from "./options.mjs";
import { active, from250, ledSuit, nextActive, trickCount } from "./hand.mjs";

// The winner, once all that decides lies open. A trump cuts if trumps were open when it was played, or if an announcement turned it up.
export function winnerOf(hand, trick, trump) {
  const led = ledSuit(trick);
  const rank = (play) => {
    if (play.card === null || (play.down && !play.up)) return -1;
    const suit = suitOf(play.card), value = 20 - strength(hand.options, play.card);
    if (suit === trump && (suit === led || play.cuts)) return 100 + value;
    return suit === led ? value : -1;
  };
  return trick.plays.reduce((best, play) => (rank(play) > rank(best) ? play : best)).seat;
}

export function announcementDue(hand, trick) {
  if (hand.options.hidden !== "face_down" || hand.trumpsOpen) return false;
  return trick.plays.some((play) => play.down && (play.seat !== hand.maker || play.indicator))
    || (hand.tricks.length === 1 && hand.options.open_after_250 === "on" && from250(hand));
}

// The hand after the trick that is on has got its winner.
export function settleTrick(hand) {
  const trick = hand.tricks.at(-1), winner = winnerOf(hand, trick, hand.trump);
  const tricks = [...hand.tricks.slice(0, -1), { ...trick, winner, done: true }];
  const after = { ...hand, tricks, asked: [], phase: "play", turn: winner };
  if (tricks.length < trickCount(hand)) return after;
  return startCount({ ...after, turn: null, end: { kind: "played" } });
}

export const owesCount = (hand, seat) => hand.tricks.some((trick) => trick.plays.some((play) => play.seat === seat && play.down && !play.up));

// The count goes round from the dealer's right; with nothing to open the hand is over.
export function startCount(hand) {
  let seat = hand.dealer;
  for (let by = 0; by < hand.options.seats; by += 1) {
    seat = (seat + 1) % hand.options.seats;
    if (countDue(hand, seat)) return { ...hand, phase: "count", turn: seat };
  }
  return { ...hand, phase: "over", turn: null };
}

// Cards of `count`: after the last trick those never turned up; after a claim also the cards never played.
export function countDue(hand, seat) {
  if (hand.counted.includes(seat) || hand.phase === "over") return false;
  if (hand.end.kind === "spoilt") return hand.end.owing.includes(seat);
  if (hand.end.kind === "caps") return active(hand).includes(seat) && seat !== hand.caller.seat && (owesCount(hand, seat) || hand.end.left[seat] > 0);
  return owesCount(hand, seat);
}

// `play` as it lies in the trick.
export function addPlay(hand, action) {
  const { seat, indicator } = action, down = action.kind === "down", card = down ? null : action.card;
  const on = hand.tricks.at(-1);
  const fresh = on === undefined || on.done;
  // face up it counts as a trump where trumps are open by then, or where it is the indicator itself
  const play = { seat, card, down, indicator, up: !down, cuts: hand.trumpsOpen || indicator };
  const trick = fresh ? { leader: seat, plays: [play], winner: null, announced: false, done: false } : { ...on, plays: [...on.plays, play] };
  let after = { ...hand, tricks: [...(fresh ? hand.tricks : hand.tricks.slice(0, -1)), trick] };
  if (indicator) {
    after.indicator = { ...hand.indicator, lies: false, card };
    if (!down) after = { ...after, trump: suitOf(card), trumpsOpen: true };
  }
  if (trick.plays.length < active(hand).length) return { ...after, turn: nextActive(hand, seat) };
  return announcementDue(after, trick) ? { ...after, phase: "announce", turn: hand.maker } : settleTrick(after);
}

// What the announcement turns up: `names` are the cards of the seats that were inspected, in order of play, if there was a cut.
export function announce(hand, { cut, shown, own, indicator }) {
  const trick = hand.tricks.at(-1), others = [...shown];
  const plays = trick.plays.map((play) => {
    if (!cut || !play.down) return play;
    if (play.indicator) return { ...play, card: indicator, up: true, cuts: true };
    if (play.seat !== hand.maker) return { ...play, card: others.shift() ?? play.card, up: true, cuts: true };
    return hand.options.reveal === "all" ? { ...play, card: own ?? play.card, up: true } : play;
  });
  let after = { ...hand, tricks: [...hand.tricks.slice(0, -1), { ...trick, plays, announced: true }] };
  if (indicator !== null) {
    after = { ...after, trump: suitOf(indicator), trumpsOpen: true, indicator: { ...hand.indicator, card: indicator, lies: false } };
  }
  return settleTrick(after);
}

// draw.after: the seats that draw now, the winner first.
export function drawersAfter(hand) {
  const { options } = hand, last = hand.tricks.at(-1);
  if (options.stock !== "draw" || !last?.done || hand.tricks.length > leftOver(options) / options.seats) return [];
  return active(hand).map((_, by) => (last.winner + by) % options.seats);
}
