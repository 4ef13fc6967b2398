// For tests: plays the hands of protocol/review.json, whose players do what only their own cards forbid, up to the end, and keeps what
// the review at the count judges of them (review.mjs), with the cards that the log would have opened by then.

import { announcement, completed, newGame, viewOf } from "../rules/game.mjs";
import { makersSide, openTrick } from "../rules/hand.mjs";
import { suitOf } from "../rules/options.mjs";
import { apply } from "../rules/apply.mjs";
import { readRecord } from "../rules/record.mjs";
import { readAction } from "../rules/text.mjs";
import { review } from "./review.mjs";
import { isVoid, result, violation } from "../rules/result.mjs";
import { drawersAfter } from "../rules/tricks.mjs";

const JUDGED = ["closed", "ask", "play", "down", "announce"];

// As everybody sees it: no card in hand is known, but those of a caller of Caps
const seen = (game) => ({ hands: viewOf(game).hands.map((cards) => cards.map(() => null)), indicator: null });

function step(state, said) {
  let { game } = state;
  const action = completed(game, said), { deal } = game, view = viewOf(game), judged = [...state.judged];
  if (JUDGED.includes(action.kind)) judged.push({ rules: game.hand, action, held: view.hands[action.seat], trick: game.hand.tricks.length - 1, indicator: deal.indicator });
  const told = action.kind === "down" ? { ...action, card: null } : action;
  const hand = apply(game.hand, told, ["open", "caps", "redeal", "exchange"].includes(action.kind) ? view : seen(game)), after = { ...deal };
  if (action.kind === "play" || action.kind === "down") {
    const fresh = openTrick(game.hand) === null;
    after.tricks = [...(fresh ? deal.tricks : deal.tricks.slice(0, -1)), [...(fresh ? [] : deal.tricks.at(-1)), action.card]];
  }
  if (action.kind === "indicator") after.indicator = action.card;
  if (action.kind === "exchange") after.exchanged = action.cards;
  game = { ...game, hand, deal: after };
  return follow({ ...state, game, judged });
}

function follow(state) {
  const { game, denied } = state, { hand, deal } = game, seat = hand.turn;
  if (hand.phase === "show") return step(state, { seat, kind: "open", card: deal.indicator });
  if (hand.phase === "announce")
    return step(state, denied.includes(hand.tricks.length) ? { seat, kind: "announce", cut: 0, shown: [], own: null, indicator: null } : announcement(game));
  if (hand.phase === "count") {
    const suits = hand.end.kind === "spoilt" && seat !== hand.maker && deal.dealt[seat].every((card) => suitOf(card) !== suitOf(deal.indicator));
    return step(state, { seat, kind: "count", suits });
  }
  const drawers = hand.phase === "play" && openTrick(hand) === null && game.drawn < deal.pile.length ? drawersAfter(hand) : [];
  if (drawers.length === 0 || game.drawn >= hand.tricks.length * hand.options.seats) return state;
  const dealt = deal.dealt.map((cards, s) => [...cards, deal.pile[game.drawn + drawers.indexOf(s)]]);
  return { ...state, game: { ...game, deal: { ...deal, dealt }, drawn: game.drawn + drawers.length } };
}

// Which cards are open at the end: those face up, and those that a count opens. After a call of spoilt trumps a hand without trumps, the
// trump maker's and its partners' stay closed
function opened({ hand, deal }) {
  const open = new Set(hand.tricks.flatMap((trick, i) => trick.plays.flatMap((p, j) => (p.up ? [deal.tricks[i][j]] : []))));
  deal.dealt.forEach((cards, seat) => {
    const stays = hand.end.kind === "spoilt" && (makersSide(hand, seat) || hand.end.clean?.includes(seat));
    if (!stays && !hand.idle.includes(seat)) for (const card of cards) open.add(card);
  });
  return deal.indicator === null ? open : open.add(deal.indicator);
}

// {breach: {seat, rule} or null, tokens by account}
export function reviewed({ record, denied }) {
  const { game: first, actions } = readRecord(record);
  const { game, judged } = actions.reduce((state, text) => step(state, readAction(state.game.hand.options, text)), { game: first, judged: [], denied });
  const { hand, deal } = game, { options } = hand, open = opened(game), slots = new Map(deal.dealt.flat().map((card) => [card, { card: open.has(card) ? card : null }]));
  for (const card of deal.pile) slots.set(card, { card });
  const inTrick = (n) => hand.tricks[n].plays.flatMap((p, j) => (p.down && p.seat !== hand.maker ? [slots.get(deal.tricks[n][j])] : []));
  const all = judged.map(({ rules, action, held, trick, indicator }) => ({
    rules, action, held: held.map((card) => slots.get(card)), slot: action.kind === "play" || action.kind === "down" ? slots.get(action.card) : null,
    indicator: rules.indicator?.lies ? { seat: rules.indicator.seat, ...slots.get(indicator) } : null, pairs: action.kind === "announce" ? inTrick(trick) : [],
  }));
  const table = { options, rules: { ...hand, indicator: { card: deal.indicator } }, tricks: [], indicator: null, slots: deal.dealt.map(() => []), judged: all };
  const breach = isVoid(hand, deal) ? null : review(table);
  return { breach, tokens: breach ? violation(hand, breach.seat) : result(hand, deal).change };
}
