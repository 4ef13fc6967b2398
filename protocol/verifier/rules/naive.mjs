// *Caps as a procedure* word by word, for tests: every world is written out, its history is replayed by the engine, and every way to
// play on is played. Slow; it shares with caps/ only the engine itself.

import { newHand } from "./hand.mjs";
import { cardPlays } from "./plays.mjs";
import { apply } from "./apply.mjs";
import { announcement, viewOf } from "./game.mjs";
import { suitOf } from "./options.mjs";
import { seatsOf, sideOf } from "./table.mjs";

function* choose(cards, n, from = 0) {
  if (n === 0) { yield []; return; }
  for (let i = from; i <= cards.length - n; i += 1) for (const rest of choose(cards, n - 1, i + 1)) yield [cards[i], ...rest];
}
function* spread(cards, sizes) {
  if (sizes.length === 0) { if (cards.length === 0) yield []; return; }
  for (const first of choose(cards, sizes[0])) for (const rest of spread(cards.filter((card) => !first.includes(card)), sizes.slice(1))) yield [first, ...rest];
}

// All worlds of a seat at a moment, as deals; `deal` is the true one.
export function* worlds(moment, seat, deal) {
  const { options, maker } = moment, unknown = [], names = deal.tricks.slice(0, moment.tricks.length).map((row, i) => row.slice(0, moment.tricks[i].plays.length));
  moment.tricks.forEach((trick, i) => trick.plays.forEach((play, j) => {
    const known = play.up || play.seat === seat || (seat === maker && trick.winner !== null);
    if (!known && !play.indicator) unknown.push([i, j]);
  }));
  const played = names.flat(), lies = moment.indicator.lies, hidesIndicator = seat !== maker && !moment.trumpsOpen;
  const hands = deal.dealt.map((cards, s) => cards.filter((card) => !played.includes(card) && !(lies && s === maker && card === deal.indicator)));
  const shown = moment.trumpsOpen && hands[maker].includes(deal.indicator) && seat !== maker ? [deal.indicator] : [];
  const others = seatsOf(options).filter((s) => s !== seat);
  const down = unknown.map(([i, j]) => names[i][j]);
  const pool = [...others.flatMap((s) => hands[s].filter((card) => !shown.includes(card))), ...down, ...(hidesIndicator ? [deal.indicator] : [])];
  const sizes = [...others.map((s) => hands[s].filter((card) => !shown.includes(card)).length), ...unknown.map(() => 1), ...(hidesIndicator ? [1] : [])];
  for (const parts of spread(pool.sort(), sizes)) {
    const tricks = names.map((row) => [...row]), indicator = hidesIndicator ? parts.at(-1)[0] : deal.indicator;
    unknown.forEach(([i, j], n) => { tricks[i][j] = parts[others.length + n][0]; });
    moment.tricks.forEach((trick, i) => trick.plays.forEach((play, j) => { if (play.indicator) tricks[i][j] = indicator; }));
    const now = seatsOf(options).map((s) => (s === seat ? hands[s] : [...parts[others.indexOf(s)], ...(s === maker ? shown : [])]));
    const world = { dealt: now.map((cards, s) => [...cards, ...tricks.flatMap((row, i) => row.filter((_, j) => moment.tricks[i].plays[j].seat === s)), ...(lies && s === maker ? [indicator] : [])]), tricks, indicator, pile: [], exchanged: null };
    world.dealt = world.dealt.map((cards) => [...new Set(cards)]);
    if (historyIsLegal(moment, world)) yield world;
  }
}

// The plays since the choice, judged one by one, and every announcement compared.
function historyIsLegal(moment, world) {
  let game = start(moment, world);
  for (const [i, trick] of moment.tricks.entries()) {
    for (const [j, play] of trick.plays.entries()) {
      const action = { seat: play.seat, kind: play.down ? "down" : "play", card: world.tricks[i][j], indicator: play.indicator };
      game = quiet(game, action);
      if (game === null) return false;
    }
    if (game.hand.phase === "announce") {
      if (trick.winner === null) return i === moment.tricks.length - 1;
      const said = announcement(game);
      if (Boolean(said.cut) !== trick.plays.some((play) => play.down && play.up)) return false;
      game = quiet(game, said);
    }
  }
  return true;
}
function start(moment, world) {
  const hand = { ...newHand(moment.options, moment.dealer), won: moment.won, bid: moment.bid, maker: moment.maker, allTricks: false, indicator: { seat: moment.maker, card: null, lies: true }, phase: "declare", turn: moment.maker };
  const opened = { ...hand, ...(moment.choice === "open" ? { trump: suitOf(world.indicator), trumpsOpen: true, indicator: { seat: moment.maker, card: world.indicator, lies: false } } : {}) };
  const first = moment.tricks[0]?.leader ?? moment.turn;
  return { hand: { ...opened, choice: moment.choice, phase: "play", turn: first }, deal: { ...world, tricks: [] } };
}
function quiet(game, action) {
  let hand;
  try { hand = apply(game.hand, action, viewOf(game)); } catch (error) { if (!error.rule) throw error; return null; }
  const deal = { ...game.deal };
  if (action.kind !== "announce") {
    const fresh = game.hand.tricks.length === 0 || game.hand.tricks.at(-1).winner !== null;
    deal.tricks = fresh ? [...deal.tricks, [action.card]] : [...deal.tricks.slice(0, -1), [...deal.tricks.at(-1), action.card]];
  }
  return { ...game, hand: { ...hand, moments: [], log: [] }, deal };
}

function refuted(game, seat, order, side) {
  if (game.hand.phase === "announce") return refuted(quiet(game, announcement(game)), seat, order, side);
  if (game.hand.tricks.some((trick) => trick.winner !== null && !side.includes(trick.winner))) return true;
  if (game.hand.phase !== "play") return false;
  const { turn } = game.hand, plays = cardPlays(game.hand, turn, viewOf(game));
  if (turn !== seat) return plays.some((play) => refuted(quiet(game, play), seat, order, side));
  const play = plays.find((one) => one.card === order[0]);
  return play === undefined || refuted(quiet(game, play), seat, order.slice(1), side);
}

export function naiveWins(moment, seat, deal, order) {
  const side = sideOf(moment.options, seat);
  if (order.length === 0 || moment.tricks.some((trick) => trick.winner !== null && !side.includes(trick.winner))) return false;
  for (const world of worlds(moment, seat, deal)) {
    let game = start(moment, world);
    for (const [i, trick] of moment.tricks.entries()) {
      for (const [j, play] of trick.plays.entries()) game = quiet(game, { seat: play.seat, kind: play.down ? "down" : "play", card: world.tricks[i][j], indicator: play.indicator });
      if (game.hand.phase === "announce" && trick.winner !== null) game = quiet(game, announcement(game));
    }
    if (refuted(game, seat, order, side)) return false;
  }
  return true;
}
