// A quick proof that an order wins, where the seat leads and will lead every trick: nobody can hold a card that beats one of it.
// It overestimates what the others can hold, so it only ever proves; what it leaves open is searched.

const countBits = (mask) => { let n = 0; for (let m = mask; m; m &= m - 1) n += 1; return n; };

// All cards of a suit that a seat might hold: {count, best}.
function mightHold(state, seat, maker, suit) {
  const hand = state.hands[seat];
  let mask = hand.size > 0 && hand.suits & (1 << suit) ? state.unseen[suit] : 0;
  if (seat === maker && state.fixed?.s === suit) mask |= 1 << state.fixed.r;
  if (seat === maker && state.lying?.s === suit) mask |= 1 << state.lying.r;
  return mask;
}

export function provenSafe(search, state) {
  const { seat, maker } = search.known, rest = search.order.slice(state.at), led = [0, 0, 0, 0];
  if (seat === maker && !ordersTrumpsFirst(search, state, rest)) return false;
  // what a seat might hold of a suit beyond the cards with which it has followed; a lying indicator follows nothing before the end
  const mayRemain = (p, suit) => {
    const might = mightHold(state, p, maker, suit), lies = p === maker && state.lying?.s === suit ? 1 << state.lying.r : 0;
    return countBits(might & ~lies) > led[suit] ? might : lies;
  };
  for (const card of rest) {
    for (let p = 0; p < search.options.seats; p += 1) {
      if (p === seat) continue;
      if (mayRemain(p, card.s) & ((1 << card.r) - 1)) return false;
      if (card.s !== state.t && mayRemain(p, state.t)) return false;
    }
    led[card.s] += 1;
  }
  return true;
}

// The trump maker's own order can meet no rule against it: trumps come first, the indicator last among all, no trump is led first closed.
function ordersTrumpsFirst(search, state, rest) {
  let held = search.rest(state);
  for (const card of rest) {
    const indicator = state.lying !== null && card.s === state.lying.s && card.r === state.lying.r;
    if (indicator && held.length > 1) return false;
    if (card.s !== state.t && held.some((other) => other.s === state.t)) return false;
    held = held.filter((other) => other.s !== card.s || other.r !== card.r);
  }
  return !(search.isFirstLead(state) && rest[0].s === state.t);
}

// The same in the middle of the trick with which the order ends: the own side heads it, and no other side's seat that is still to play
// can hold a card that beats what lies there.
export function lastTrickSafe(search, state) {
  const { seat, maker } = search.known, { seats } = search.options, trick = state.trick;
  const ownDone = trick.some((play) => play.seat === seat), left = search.order.length - state.at;
  if (left !== (ownDone ? 0 : 1)) return false;
  const best = trick.reduce((a, b) => (search.value(state, b) > search.value(state, a) ? b : a));
  if (!search.side.includes(best.seat)) return false;
  if (!ownDone && search.ownPlay(state, search.order[state.at]) === null) return false;
  for (let by = trick.length; by < seats; by += 1) {
    const p = (trick[0].seat + by) % seats;
    if (search.side.includes(p)) continue;
    const stronger = mightHold(state, p, maker, best.s) & ((1 << best.r) - 1);
    if (stronger || (best.s !== state.t && mightHold(state, p, maker, state.t))) return false;
  }
  return true;
}

// The seat will win the trick that is on, or about to be led by another seat, whatever that seat leads, and leads all the rest safely.
export function surelyWon(search, state) {
  const { seat, maker } = search.known, { seats } = search.options, { trick } = state;
  const played = trick.find((play) => play.seat === seat), card = played ?? search.order[state.at], at = played ? state.at : state.at + 1;
  if (!played && state.turn === seat && trick.length === 0) return false; // provenSafe's own
  const toPlay = [];
  for (let by = 0; by < seats - trick.length; by += 1) { const p = (state.turn + by) % seats; if (p !== seat) toPlay.push(p); }
  for (const suit of trick.length ? [trick[0].s] : [0, 1, 2, 3]) {
    const on = trick.length ? trick : [{ seat: state.turn, s: suit, r: 99, down: false }], now = { t: state.t, trick: on };
    if (trick.length === 0 && !mightHold(state, state.turn, maker, suit)) continue;
    if (!played && search.ownPlay({ ...state, trick: on }, card) === null) return false;
    const value = search.value(now, card);
    if (value === 0 || trick.some((play) => play !== played && search.value(now, play) > value)) return false;
    for (const p of toPlay) {
      if (mightHold(state, p, maker, card.s) & ((1 << card.r) - 1)) return false;
      if (card.s !== state.t && mightHold(state, p, maker, state.t)) return false;
    }
  }
  return at === search.order.length || provenSafe(search, { ...state, at, trick: [], trickNumber: state.trickNumber + 1 });
}
