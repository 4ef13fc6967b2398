// Which card may be played, and how (SPEC.md, lead.up to reveal.up): for the seat whose turn it is, with its own cards as far as
// its view names them. A card that the view does not name breaks no rule here.

import { suitOf } from "./options.mjs";
import { ledSuit, lyingIndicatorOf, must, openTrick, refuse, trumpIn } from "./hand.mjs";

const asksForTrumps = (hand) => hand.options.hidden === "ask_reveal";

// exhausted.when: the trump maker has led a trump to which nobody else followed. A card that follows lies face up.
export function isExhausted(hand, trump) {
  if (trump === null || hand.options.exhausted === "off" || hand.allTricks || asksForTrumps(hand)) return false;
  return hand.tricks.some((trick) => trick.winner !== null && trick.leader === hand.maker && ledSuit(trick) === trump
    && trick.plays.slice(1).every((play) => play.down || suitOf(play.card) !== trump));
}

function judgeLead(hand, seat, action, mine, trump) {
  if (action.indicator) return must(mine.length === 0, "indicator.last", "the indicator is led as the last card only");
  if (seat !== hand.maker) return undefined;
  const isTrump = suitOf(action.card) === trump;
  if (hand.tricks.length === 0 && hand.choice === "closed" && isTrump && hand.options.hidden === "face_down") {
    const onlyTrumps = mine.every((card) => card === null || suitOf(card) === trump);
    must(hand.options.open_trump === "off" && onlyTrumps, hand.allTricks ? "pcc.lead" : "lead.trump", "closed, no trump is led first");
  }
  if (isExhausted(hand, trump) && !isTrump) {
    must(!mine.some((card) => card !== null && suitOf(card) === trump), "exhausted.when", "the trumps in hand come first");
  }
  return undefined;
}

function judgeIndicator(hand, action, mine, led, canFollow) {
  must(!canFollow, "follow.suit", "the suit led must be followed");
  const last = mine.length === 0;
  if (asksForTrumps(hand)) return must(last, "indicator.last", "the indicator is played as the last card only");
  if (action.card === null || suitOf(action.card) !== led) return undefined;
  return must(last && !action.down, "indicator.last", "the indicator follows its own suit face up, as the last card only");
}

function judgeFollow(hand, seat, action, mine, trump) {
  const led = ledSuit(openTrick(hand)), canFollow = mine.some((card) => card !== null && suitOf(card) === led);
  if (action.indicator) return judgeIndicator(hand, action, mine, led, canFollow);
  const follows = action.card !== null && suitOf(action.card) === led;
  must(follows || !canFollow, "follow.suit", "the suit led must be followed");
  if (follows) return must(!action.down, "follow.up", "a card that follows lies face up");
  if (hand.trumpsOpen) {
    const holdsTrump = mine.some((card) => card !== null && suitOf(card) === trump);
    return must(!(hand.asked.includes(seat) && holdsTrump && suitOf(action.card) !== trump), "reveal.cut", "who asked must cut");
  }
  if (asksForTrumps(hand)) return undefined;
  if (seat !== hand.maker || trump === null || action.card === null || suitOf(action.card) !== trump) return undefined;
  const onlyTrumps = mine.every((card) => card !== null && suitOf(card) === trump);
  return refuse(onlyTrumps ? "cut.must" : "down.trump", "the trump maker lays no trump from hand face down");
}

// What everybody can see of a card; comes before what the hand tells (SPEC.md, Which rule a refusal names)
function judgeSeen(hand, { seat, card, down, indicator }, left) {
  const trick = openTrick(hand), lies = lyingIndicatorOf(hand, seat);
  must(!indicator || lies, "indicator.none", "no indicator lies there");
  must(!indicator || left === 0 || down, "indicator.last", "the indicator is led, or follows, as the last card only");
  must(indicator || !lies || left > 0, "indicator.last", "there is nothing else to play");
  if (down) {
    must(trick !== null, "lead.up", "a lead lies face up");
    must(!asksForTrumps(hand), "reveal.up", "nothing lies face down");
    return must(!hand.trumpsOpen, "open.up", "trumps are open");
  }
  must(card !== null, "play.card", "a card face up is named");
  must(!hand.tricks.some(({ plays }) => plays.some((play) => play.up && play.card === card)), "play.again", "this card was played");
  return must(hand.trumpsOpen || asksForTrumps(hand) || trick === null || ledSuit(trick) === suitOf(card), "hidden.down", "trumps are closed");
}

// The rules of the cards alone; caps.bound comes on top of them (judgePlay).
function judgeCard(hand, action, view) {
  const { seat, card } = action, mine = view.hands[seat];
  judgeSeen(hand, action, mine.length);
  if (!action.indicator) must(mine.length > 0 && (card === null || mine.includes(card) || mine.includes(null)), "card.held", "this card is not in hand");
  const trump = trumpIn(hand, view);
  if (openTrick(hand) === null) judgeLead(hand, seat, action, mine, trump);
  else judgeFollow(hand, seat, action, mine, trump);
}

const allowed = (judge) => { try { judge(); return true; } catch (error) { if (error.rule === undefined) throw error; return false; } };

// All plays that the rules of the cards allow to a seat whose cards are known.
export function cardPlays(hand, seat, view) {
  const own = view.hands[seat].map((card) => ({ card, indicator: false }));
  if (lyingIndicatorOf(hand, seat)) own.push({ card: view.indicator, indicator: true });
  return own.flatMap(({ card, indicator }) => [false, true].map((down) => ({ seat, kind: down ? "down" : "play", card, down, indicator })))
    .filter((action) => allowed(() => judgeCard(hand, action, view)));
}

// caps.bound: the first card of the stated order that may be played.
export function boundCard(hand, view) {
  const plays = cardPlays(hand, hand.caller.seat, view);
  return hand.caller.order.find((card) => plays.some((play) => play.card === card));
}

export function judgePlay(hand, action, view) {
  judgeCard(hand, action, view);
  if (hand.caller === null || hand.caller.seat !== action.seat) return;
  if (view.hands[action.seat].includes(null) || action.card === null) return;
  const due = boundCard(hand, view);
  must(action.card === due, "caps.bound", "the stated order is played");
}

export function legalPlays(hand, seat, view) {
  const plays = cardPlays(hand, seat, view);
  if (hand.caller === null || hand.caller.seat !== seat) return plays;
  const due = boundCard(hand, view);
  return plays.filter((play) => play.card === due);
}

// reveal.ask
export function judgeAskForTrumps(hand, seat, view) {
  const trick = openTrick(hand), mine = view.hands[seat];
  must(asksForTrumps(hand) && !hand.trumpsOpen && trick !== null, "reveal.ask", "nobody asks for trumps here");
  must(!mine.some((card) => card !== null && suitOf(card) === ledSuit(trick)), "reveal.ask", "the suit led can be followed");
  must(mine.length > 0, "reveal.ask", "the indicator is the only card");
}
