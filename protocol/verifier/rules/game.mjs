// A hand with all its cards known, as hand records have it: keeps who holds what, and takes the consequences that are no actions
// (showing trumps, the announcement, drawing, the count).

import { batches, suitOf } from "./options.mjs";
import { from250, newHand, openTrick } from "./hand.mjs";
import { apply } from "./apply.mjs";
import { legal } from "./legal.mjs";
import { drawersAfter } from "./tricks.mjs";

// deal: {dealt, tricks, indicator, pile, exchanged}; `dealt` holds drawn cards behind, `tricks` a name for every play.
export function newGame(options, dealer, hands, pile) {
  return { hand: newHand(options, dealer), deal: { dealt: hands, tricks: [], indicator: null, pile, exchanged: null }, drawn: 0 };
}

const oneBatch = (hand) => hand.phase === "bid4" || hand.phase === "trump4" || hand.won?.value === "halfcourt";

export function viewOf({ hand, deal }) {
  const played = new Set(deal.tricks.flat()), lies = hand.indicator?.lies ? deal.indicator : null;
  const hands = deal.dealt.map((cards, seat) => {
    let mine = oneBatch(hand) ? cards.slice(0, batches(hand.options)[0]) : cards;
    if (deal.exchanged && seat === hand.maker) mine = [...mine.filter((card) => !deal.exchanged.includes(card)), ...deal.pile.slice(0, 2)];
    return mine.filter((card) => !played.has(card) && card !== lies);
  });
  return { hands, indicator: hand.indicator ? deal.indicator : null };
}

// The action as the table would have it: the indicator known by its place, the cards that a call of Caps lays open.
export function completed(game, action) {
  const { hand, deal } = game, lies = hand.indicator?.lies && hand.indicator.seat === action.seat;
  if (action.kind === "play" || action.kind === "down") return { ...action, indicator: Boolean(lies && action.card === deal.indicator) };
  if (action.kind !== "caps") return action;
  const names = (wanted) => hand.tricks.flatMap((trick, i) => trick.plays.flatMap((play, j) => (wanted(play, trick) ? [deal.tricks[i][j]] : [])));
  const down = names((play) => play.seat === action.seat && play.down && !play.up);
  const seen = action.seat === hand.maker ? names((play, trick) => play.seat !== hand.maker && play.down && !play.up && trick.winner !== null) : [];
  return { ...action, down, seen };
}

export function step(game, action) {
  const full = completed(game, action), view = viewOf(game);
  const hand = apply(game.hand, full, view), deal = { ...game.deal };
  if (full.kind === "play" || full.kind === "down") {
    const fresh = openTrick(game.hand) === null, last = fresh ? [] : deal.tricks.at(-1);
    deal.tricks = [...(fresh ? deal.tricks : deal.tricks.slice(0, -1)), [...last, full.card]];
  }
  if (full.kind === "indicator") deal.indicator = full.card;
  if (full.kind === "exchange") deal.exchanged = full.cards;
  return consequences({ ...game, hand, deal });
}
function consequences(game) {
  const { hand, deal } = game;
  if (hand.phase === "show") return consequences({ ...game, hand: apply(hand, { seat: hand.maker, kind: "open", card: deal.indicator }, viewOf(game)) });
  if (hand.phase === "announce") return consequences({ ...game, hand: apply(hand, announcement(game), viewOf(game)) });
  if (hand.phase === "count") return consequences({ ...game, hand: apply(hand, { seat: hand.turn, kind: "count", suits: false }, viewOf(game)) });
  const drawers = hand.phase === "play" && openTrick(hand) === null && game.drawn < deal.pile.length ? drawersAfter(hand) : [];
  if (drawers.length === 0 || game.drawn >= hand.tricks.length * hand.options.seats) return game;
  const dealt = deal.dealt.map((cards, seat) => [...cards, deal.pile[game.drawn + drawers.indexOf(seat)]]);
  return { ...game, deal: { ...deal, dealt }, drawn: game.drawn + drawers.length };
}

// What the trump maker must announce.
export function announcement({ hand, deal }) {
  const trick = openTrick(hand), names = deal.tricks.at(-1), trump = suitOf(deal.indicator);
  const down = trick.plays.map((play, i) => ({ ...play, card: names[i] })).filter((play) => play.down);
  const others = down.filter((play) => play.seat !== hand.maker);
  const cut = others.some((play) => suitOf(play.card) === trump) || down.some((play) => play.indicator) ? 1 : 0;
  const own = down.find((play) => play.seat === hand.maker && !play.indicator);
  const first = hand.tricks.length === 1 && hand.options.open_after_250 === "on" && from250(hand);
  return {
    seat: hand.maker, kind: "announce", cut, shown: cut ? others.map((play) => play.card) : [],
    own: cut && own && hand.options.reveal === "all" ? own.card : null,
    indicator: cut || (first) ? deal.indicator : null,
  };
}

export const legalActions = (game) => (game.hand.turn === null ? [] : legal(game.hand, game.hand.turn, viewOf(game)));
