// What a seat must reckon with at a moment (SPEC.md, caps.worlds and *Caps as a procedure*): which cards it knows, where the others
// may be, and what the plays so far say about them. All that a play tells about unseen cards is a suit that a seat does not hold,
// so a world is: for each place a set of suits, and the unseen cards spread over the places.

import { pack, strength, suitOf, SUITS } from "../options.mjs";
import { seatsOf } from "../table.mjs";
import { cardsLeft, from250, ledSuit } from "../hand.mjs";

export const ALL = 15;
export const suitIndex = (card) => SUITS.indexOf(suitOf(card));
export const bit = (options, card) => 1 << strength(options, card);

// The name of a card as far as the seat knows it; nameOf(i, j) names play j of trick i for those who may see it.
function knownName(moment, seat, nameOf, i, j) {
  const trick = moment.tricks[i], play = trick.plays[j];
  if (play.up || !play.down) return play.card;
  if (play.seat === seat || (seat === moment.maker && trick.winner !== null)) return nameOf(i, j);
  return null;
}

// own: {hand, indicator}: the seat's cards in hand, and the indicator's name if the seat laid it.
export function knowledge(moment, seat, own, nameOf) {
  const { options, maker } = moment;
  const tricks = moment.tricks.map((trick, i) => ({ ...trick, plays: trick.plays.map((play, j) => ({ ...play, card: knownName(moment, seat, nameOf, i, j) })) }));
  const lies = moment.indicator.lies;
  const played = tricks.flatMap((trick) => trick.plays.map((play) => play.card)).filter((card) => card !== null);
  // the trump maker's indicator, once it was shown and taken up, is known to be in that hand
  const shown = moment.trumpsOpen && !played.includes(moment.indicator.card) && maker !== seat ? moment.indicator.card : null;
  const known = new Set([...played, ...own.hand, ...(shown ? [shown] : []), ...(seat === maker && own.indicator ? [own.indicator] : [])]);
  const unseen = pack(options).filter((card) => !known.has(card));
  return {
    options, seat, maker, tricks, unseen, shown, lies, trumpsOpen: moment.trumpsOpen, announced: moment.phase !== "announce",
    trump: moment.trump ?? (seat === maker ? suitOf(own.indicator) : null), indicator: seat === maker ? own.indicator : moment.trumpsOpen ? moment.indicator.card : null,
    choice: moment.choice, left: seatsOf(options).map((other) => cardsLeft(moment, other)), turn: moment.turn, own,
    opens250: options.open_after_250 === "on" && from250(moment), lastTrick: moment.tricks.length,
  };
}

// Is the trick still without a winner?
const running = (trick) => trick.winner === null;

// For one trump suit: the places of unseen cards, {kind, seat, size, suits}, or null if no such world had a legal history.
// Hands come first, seat by seat; then each face-down card that the seat does not know.
export function places(known, trump) {
  const { options, maker, seat } = known, t = SUITS.indexOf(trump);
  const may = seatsOf(options).map(() => ALL), downs = [];
  let exhausted = false, first = true;
  const stays = (other, suits) => { may[other] &= suits; };
  for (const [i, trick] of known.tricks.entries()) {
    const led = SUITS.indexOf(ledSuit(trick));
    for (const [j, play] of trick.plays.entries()) {
      const suit = play.card === null ? null : suitIndex(play.card);
      // nobody has played a card that this world denied the hand, nor cut trumps with the indicator, face down
      if (suit !== null && play.card !== known.indicator && !(may[play.seat] & (1 << suit))) return null;
      if (play.indicator && play.down && led === t) return null;
      if (j === 0) {
        if (play.seat === maker && first && known.choice === "closed" && suit === t && !play.indicator) {
          if (options.open_trump === "on") return null;
          stays(maker, 1 << t);
        }
        if (play.seat === maker && exhausted && suit !== t) stays(maker, ALL & ~(1 << t));
        first = false;
      } else if (suit !== led) {
        stays(play.seat, ALL & ~(1 << led));
      }
      if (play.card === null && !play.indicator) {
        // a card face down: not of the suit led; no trump if it is the trump maker's, or if the announcement turned nothing up
        const plain = play.seat === maker || !running(trick);
        downs.push({ kind: "down", seat: play.seat, trick: i, play: j, size: 1, suits: may[play.seat] & ~(1 << led) & (plain ? ALL & ~(1 << t) : ALL) });
      }
      // no trump from the trump maker's hand lies face down, and none where the announcement turned nothing up
      const plainKnown = play.down && !play.indicator && suit === t && (play.seat === maker || (!play.up && !running(trick)));
      if (plainKnown) return null;
    }
    if (options.exhausted === "on" && !running(trick) && trick.leader === maker && led === t
      && trick.plays.slice(1).every((play) => play.down || suitIndex(play.card) !== t)) exhausted = true;
  }
  const hands = seatsOf(options).map((other) => {
    if (other === seat) return { kind: "hand", seat: other, size: 0, suits: 0 };
    const lying = other === maker && known.lies ? 1 : 0, fixed = other === maker && known.shown ? 1 : 0;
    return { kind: "hand", seat: other, size: known.left[other] - lying - fixed, suits: may[other] };
  });
  return { hands, downs, exhausted };
}

// Hall's condition by suits: can `counts` unseen cards of each suit be spread over these places? Sizes and counts sum up alike.
export function canSpread(counts, groups) {
  for (let suits = 1; suits < 15; suits += 1) {
    let need = 0, room = 0;
    for (let s = 0; s < 4; s += 1) if (suits & (1 << s)) need += counts[s];
    if (need === 0) continue;
    for (const group of groups) if (group.suits & suits) room += group.size;
    if (need > room) return false;
  }
  return counts.reduce((a, b) => a + b) === groups.reduce((a, g) => a + g.size, 0);
}
