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
  for (const card of rest) {
    for (let p = 0; p < search.options.seats; p += 1) {
      if (p === seat) continue;
      const own = mightHold(state, p, maker, card.s);
      if (own & ((1 << card.r) - 1) && countBits(own) > led[card.s]) return false;
      if (card.s !== state.t && countBits(mightHold(state, p, maker, state.t)) > led[state.t]) return false;
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
