// Does a stated order win every remaining trick in every world, however the others play? The search looks for the contrary: it plays
// for all others at once, and fixes where a card lies only when it is played; the cards unseen by then must still fit the places.

import { SUITS, strength, suitOf } from "../options.mjs";
import { sideOf } from "../table.mjs";
import { ALL, canSpread, places } from "./knowledge.mjs";
import { lastTrickSafe, provenSafe, surelyWon } from "./safe.mjs";

const MOST_REMEMBERED = 1_000_000;
const OUT = new Error("out of budget");
const bits = (mask) => { const list = []; for (let m = mask; m; m &= m - 1) list.push(31 - Math.clz32(m & -m)); return list; };
const cardOf = (options, card) => ({ s: SUITS.indexOf(suitOf(card)), r: strength(options, card) });

// The world is searched for each card that may be the indicator. Of those that no known card divides, the strongest and the weakest
// stand for all, as in `choices`: other unseen cards may go over the weakest, and none over the strongest.
function* hypotheses(known) {
  if (known.trump !== null) { yield { trump: known.trump, indicator: null }; return; }
  const last = known.tricks.at(-1), tabled = last?.winner === null ? last.plays.map((play) => play.card).filter((card) => card !== null) : [];
  const fences = [...known.own.hand, ...tabled].map((card) => cardOf(known.options, card)), kinds = new Map();
  for (const card of known.unseen) {
    const { s, r } = cardOf(known.options, card), kind = `${s}.${fences.filter((fence) => fence.s === s && fence.r < r).length}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), { card, r }]);
  }
  for (const kind of kinds.values()) {
    kind.sort((a, b) => a.r - b.r);
    for (const { card } of known.lies && kind.length > 2 ? [kind[0], kind.at(-1)] : kind) yield { trump: suitOf(card), indicator: card };
  }
}

export class Search {
  constructor(known) {
    this.known = known;
    this.options = known.options;
    this.side = sideOf(known.options, known.seat);
    this.order = this.held;
    this.roots = [...hypotheses(known)].flatMap((hypothesis) => this.root(hypothesis));
  }

  // The states to begin with: one for each way in which the face-down cards of the unfinished trick may be.
  root({ trump, indicator }) {
    const { known, options } = this, found = places(known, trump);
    if (found === null) return [];
    const unseen = [0, 0, 0, 0];
    for (const card of known.unseen) if (card !== indicator) { const { s, r } = cardOf(options, card); unseen[s] |= 1 << r; }
    const last = known.tricks.at(-1), on = last && last.winner === null ? last : null;
    const state = {
      t: SUITS.indexOf(trump), unseen, hands: found.hands, downs: found.downs.filter((down) => !on || down.trick !== known.tricks.length - 1),
      fixed: known.shown ? cardOf(options, known.shown) : null, // in the trump maker's hand, known to all
      lying: known.lies ? cardOf(options, indicator ?? known.indicator) : null,
      open: known.trumpsOpen, exhausted: found.exhausted, at: 0, trickNumber: known.tricks.length, trick: [], turn: known.turn,
    };
    if (on === null) { state.trickNumber += 1; return canSpread(counts(state), groups(state)) ? [state] : []; }
    const waiting = found.downs.filter((down) => down.trick === known.tricks.length - 1);
    return this.fill(state, on, waiting, indicator).filter((s) => canSpread(counts(s), groups(s)));
  }

  fill(state, on, waiting, indicator) {
    let states = [state];
    on.plays.forEach((play, j) => {
      const slot = waiting.find((down) => down.play === j);
      states = states.flatMap((s) => {
        if (play.card !== null) return [{ ...s, trick: [...s.trick, { seat: play.seat, ...cardOf(this.options, play.card), down: play.down, indicator: play.indicator }] }];
        if (play.indicator) {
          const card = cardOf(this.options, indicator ?? this.known.indicator);
          if (card.s === s.trick[0].s) return [];
          return [{ ...s, trick: [...s.trick, { seat: play.seat, ...card, down: true, indicator: true }] }];
        }
        return [0, 1, 2, 3].filter((suit) => slot.suits & (1 << suit)).flatMap((suit) => {
          const ranks = suit === s.t ? bits(s.unseen[suit]) : this.representatives(s, suit, []);
          return ranks.map((r) => ({ ...s, unseen: without(s.unseen, suit, r), trick: [...s.trick, { seat: play.seat, s: suit, r, down: true }] }));
        });
      });
      states = [...new Map(states.map((s) => [this.keyOf(s), s])).values()];
    });
    return states;
  }

  // One unseen card for all that nothing tells apart: no card of the order, no known card and no card on the table lies between.
  representatives(state, suit, order) {
    const fences = [];
    for (const card of order.slice(state.at)) if (card.s === suit) fences.push(card.r);
    for (const own of this.known.own.hand) { const c = cardOf(this.options, own); if (order.length === 0 && c.s === suit) fences.push(c.r); }
    if (state.fixed?.s === suit) fences.push(state.fixed.r);
    if (state.lying?.s === suit) fences.push(state.lying.r);
    for (const play of state.trick) if (play.s === suit) fences.push(play.r);
    const list = [];
    let zone = null;
    for (const r of bits(state.unseen[suit])) {
      const here = fences.filter((fence) => fence < r).length;
      if (here !== zone) list.push(r);
      zone = here;
    }
    return list;
  }

  // True if some world and some play of the others refutes the order. A prefix of an order is refuted if it fails by itself.
  refutes(order, whole) {
    this.order = order.map((card) => cardOf(this.options, card));
    this.whole = whole;
    this.memo = new Set();
    // a few plays in every root first, then ever more: a refutation is mostly near
    for (let budget = 100; ; budget *= 8) {
      let open = false;
      for (const root of this.roots) {
        this.budget = budget;
        try { if (this.loses(root)) return true; } catch (error) { if (error !== OUT) throw error; open = true; }
      }
      if (!open) return false;
    }
  }

  loses(state) {
    if (state.trick.length === this.options.seats) return this.ends(state);
    const { seat } = this.known;
    if (state.turn === seat && state.trick.length === 0 && provenSafe(this, state)) return false;
    if (state.trick.length > 0 && lastTrickSafe(this, state)) return false;
    // no trick is over before the seat has played to it
    if (state.at === this.order.length && !state.trick.some((play) => play.seat === seat)) return false;
    if (surelyWon(this, state)) return false;
    const key = this.keyOf(state);
    if (this.memo.has(key)) return false;
    this.budget -= 1;
    if (this.budget < 0) throw OUT;
    if (this.memo.size >= MOST_REMEMBERED) this.memo.clear();
    const lost = state.turn === seat ? this.own(state) : this.others(state);
    if (!lost) this.memo.add(key);
    return lost;
  }

  own(state) {
    const card = this.order[state.at];
    const play = this.ownPlay(state, card);
    if (play === null) return true;
    return this.loses(this.laid(play.state, { seat: this.known.seat, ...card, down: play.down, indicator: play.indicator }, { at: state.at + 1 }));
  }

  // The next card of the order as it must be played, or null if it is illegal. Only the trump maker has more rules than to follow suit.
  ownPlay(state, card) {
    const rest = this.rest(state), { seat, maker } = this.known;
    const lies = seat === maker && state.lying !== null, isIndicator = lies && same(card, state.lying);
    const mine = lies ? rest.filter((own) => !same(own, state.lying)) : rest;
    const plain = (over = {}) => ({ state: { ...state, ...over }, down: false, indicator: isIndicator });
    if (state.trick.length === 0) {
      if (isIndicator) return mine.length === 0 ? plain({ lying: null, open: true }) : null;
      if (seat === maker && this.isFirstLead(state) && card.s === state.t && this.closedLeadForbidden(mine, state)) return null;
      if (seat === maker && state.exhausted && card.s !== state.t && mine.some((own) => own.s === state.t)) return null;
      return plain();
    }
    const led = state.trick[0].s, canFollow = mine.some((own) => own.s === led);
    if (isIndicator) {
      if (canFollow) return null;
      if (card.s === led) return mine.length === 0 ? plain({ lying: null, open: true }) : null;
      return { state: { ...state, lying: null }, down: true, indicator: true };
    }
    if (card.s !== led && canFollow) return null;
    if (card.s === led || state.open) return plain();
    if (seat === maker && card.s === state.t) return null;
    return { state, down: true, indicator: false };
  }
  isFirstLead(state) { return state.trickNumber === 1 && this.known.choice === "closed" && !state.open; }
  closedLeadForbidden(mine, state) { return this.options.open_trump === "on" || mine.some((own) => own.s !== state.t); }
  // all cards that the seat still holds, whatever prefix is looked at
  rest(state) { return this.held.filter((card) => !this.order.slice(0, state.at).some((gone) => same(gone, card))); }
  get held() {
    this.heldCards ??= [...this.known.own.hand, ...(this.known.seat === this.known.maker && this.known.lies ? [this.known.own.indicator] : [])].map((card) => cardOf(this.options, card));
    return this.heldCards;
  }

  laid(state, play, over = {}) {
    const trick = [...state.trick, play];
    return { ...state, ...over, trick, turn: (play.seat + 1) % this.options.seats };
  }

  others(state) {
    const options = this.otherPlays(state);
    // what is most likely to refute comes first: the others' side beats as high as it can, the own side as little
    const sign = this.side.includes(state.turn) ? 1 : -1;
    options.sort((a, b) => sign * (a.beats - b.beats));
    return options.some(({ state: after }) => canSpread(counts(after), groups(after)) && this.loses(after));
  }

  otherPlays(state) {
    const p = state.turn, isMaker = p === this.known.maker, list = [], hand = state.hands[p];
    const led = state.trick.length ? state.trick[0].s : null, closed = !state.open;
    const fixed = isMaker && state.fixed ? state.fixed : null, empty = hand.size === 0 && fixed === null;
    const add = (card, from, suits, over = {}, extra = {}) => {
      const hands = state.hands.map((group, seat) => (seat === p ? { ...group, size: group.size - (from === "unseen" ? 1 : 0), suits } : group));
      const base = { ...state, hands, ...over };
      if (from === "unseen") base.unseen = without(state.unseen, card.s, card.r);
      if (from === "fixed") base.fixed = null;
      const play = { seat: p, ...card, down: false, indicator: false, ...extra };
      list.push({ beats: this.beats(state, play) ? this.value({ t: state.t, trick: [...state.trick, play] }, play) : -play.r / 16, state: this.laid(base, play) });
    };
    const deal = (suit, suits, extra) => {
      if (fixed?.s === suit) add(fixed, "fixed", suits, {}, extra);
      if (hand.size === 0 || !(suits & (1 << suit))) return;
      for (const r of this.choices(state, suit, p)) add({ s: suit, r }, "unseen", suits, {}, extra);
    };
    const suits = hand.suits, t = state.t, noTrump = ALL & ~(1 << t);
    const lies = isMaker && state.lying !== null;
    if (empty) {
      const up = led === null || state.lying.s === led;
      add(state.lying, "lying", suits, { lying: null, open: state.open || up }, { indicator: true, down: !up });
      return list;
    }
    if (led === null) {
      for (const suit of [0, 1, 2, 3]) {
        let may = suits;
        if (isMaker && suit === t && this.isFirstLead(state)) {
          if (this.options.open_trump === "on") continue;
          may = suits & (1 << t);
        }
        if (isMaker && suit !== t && state.exhausted) {
          if (fixed?.s === t) continue;
          may = suits & noTrump;
        }
        if (may & (1 << suit) || fixed?.s === suit) deal(suit, may);
      }
      return list;
    }
    if (suits & (1 << led) || fixed?.s === led) deal(led, suits);
    if (fixed?.s === led) return list;
    const others = suits & ~(1 << led);
    for (const suit of [0, 1, 2, 3]) {
      if (suit === led || (isMaker && closed && suit === t)) continue;
      deal(suit, others, { down: closed });
    }
    if (lies && closed && led !== t) add(state.lying, "lying", others, { lying: null }, { indicator: true, down: true });
    return list;
  }

  // Of each kind of cards one is tried, and if it wins the trick for now the strongest and the weakest: with the weakest a later seat
  // can go over it with any other of the kind, with the strongest with none. A card between would do one of the two.
  choices(state, suit, seat) {
    const few = this.representatives(state, suit, this.order), all = bits(state.unseen[suit]);
    return few.flatMap((r, i) => {
      const weakest = all.filter((other) => other < (few[i + 1] ?? 99)).at(-1);
      return weakest !== r && this.beats(state, { seat, s: suit, r: weakest }) ? [r, weakest] : [r];
    });
  }

  beats(state, play) {
    if (state.trick.length === 0) return true;
    return this.value(state, play) > Math.max(...state.trick.map((other) => this.value(state, other)));
  }
  value(state, play) {
    if (play.s === state.t) return 200 - play.r;
    return play.s === state.trick[0].s ? 100 - play.r : 0;
  }

  // What of a state decides how it goes on. Cards that nothing divides are counted, not named (`representatives`), and of the trick
  // count who heads it, with what, and what its end will look at.
  keyOf(state) {
    const { trick, t } = state, best = trick.length ? trick.reduce((a, b) => (this.value(state, b) > this.value(state, a) ? b : a)) : null;
    const fences = [0, 0, 0, 0], heads = best === null || this.value(state, best) === 0 ? null : best;
    for (let i = state.at; i < this.order.length; i++) fences[this.order[i].s] |= 1 << this.order[i].r;
    for (const card of [state.fixed, state.lying, heads]) if (card) fences[card.s] |= 1 << card.r;
    const zones = state.unseen.map((mask, s) => {
      let text = "", below = 0;
      for (const r of bits(fences[s])) {
        text += `${bits(mask & ((1 << r) - 1) & ~below).length}.`;
        below = (1 << r) - 1;
      }
      return text + bits(mask & ~below).length;
    });
    const place = heads === null ? "" : `${heads.s}.${bits(fences[heads.s] & ((1 << heads.r) - 1)).length}`;
    return [t, zones.join(), state.hands.map((h) => `${h.size}.${h.suits}`).join(), state.downs.map((d) => d.suits).join(),
      state.fixed ? `${state.fixed.s}.${state.fixed.r}` : "", state.lying ? `${state.lying.s}.${state.lying.r}` : "", state.open ? 1 : 0, state.exhausted ? 1 : 0,
      state.at, state.turn, state.trickNumber, trick.length, trick.length ? `${trick[0].s}.${best.seat}.${place}` : "",
      trick.some((play) => play.down && play.s === t) ? 1 : 0, trick.slice(1).every((play) => play.s !== t) ? 1 : 0].join("|");
  }

  ends(state) {
    const { maker } = this.known, trick = state.trick, led = trick[0].s;
    const best = trick.reduce((a, b) => (this.value(state, b) > this.value(state, a) ? b : a));
    if (!this.side.includes(best.seat)) return true;
    if (this.known.left[this.known.seat] === 0) return false;
    const cut = !state.open && trick.some((play) => play.down && play.s === state.t);
    const opens = !state.open && (cut || (state.trickNumber === 1 && this.known.opens250));
    const exhausted = state.exhausted || (this.options.exhausted === "on" && trick[0].seat === maker && led === state.t
      && trick.slice(1).every((play) => play.s !== state.t));
    const after = { ...state, trick: [], turn: best.seat, trickNumber: state.trickNumber + 1, exhausted };
    if (opens) Object.assign(after, { open: true, lying: null, fixed: state.lying !== null && maker !== this.known.seat ? state.lying : state.fixed });
    if (this.order.length === after.at) return false;
    return this.loses(after);
  }
}

const same = (a, b) => a.s === b.s && a.r === b.r;
const without = (unseen, s, r) => unseen.map((mask, suit) => (suit === s ? mask & ~(1 << r) : mask));
const counts = (state) => state.unseen.map((mask) => bits(mask).length);
const groups = (state) => [...state.hands, ...state.downs];
