// Parting, and the hand that is played out without its absent player (SPEC.md part 3, Playing out): what is due of the
// absent seat, the entries `stand_in` that give it in parts, and the steps that the seat takes by itself.

import { toHex } from "../bytes.mjs";
import { G, ZERO } from "../crypto/group.mjs";
import { need } from "../refusal.mjs";
import { dleqHolds } from "./proofs.mjs";
import { readElement } from "./keys.mjs";
import { hiddenSlots, lastTrick, right } from "./hand.mjs";
import { unlocked } from "./deal.mjs";
import { dueAtCount } from "./announcing.mjs";
import { owesInspection } from "./plays.mjs";
import { partFrom as rulesParted } from "../rules/playout.mjs";
import { settleLost } from "./match.mjs";
import { actSeat, announceAlone } from "./absent_seat.mjs";
import { dealDue } from "./course.mjs";

export function partFrom(table, player, name) {
  const hand = table.hand;
  const begun = hand !== null && hand.hasBegun;
  table.partedFrom = player;
  table.name = name;
  table.namedFrom = table.seq;
  if (table.over) return; // by the entry before: its hand stays as it was played
  if (table.options.away === "playout" && begun) {
    table.absent = { player, seat: table.seatOf[player] };
    hand.rules = rulesParted(hand.rules);
    actAbsent(table);
    return;
  }
  if (begun) {
    table.match = settleLost(table.match, hand, table.seatOf[player]);
    table.observer?.hand(table, hand);
  }
  table.over = true;
  table.ended = true;
}

// What is due of the absent seat: null, or {K, elements, done(products)}
export function due(table) {
  const { absent, hand } = table;
  if (absent === null || table.over || hand.rules.phase === "over") return null;
  const seat = absent.seat, r = hand.rules;
  if (hand.batch !== null) {
    if (hand.batch.waiting[0] !== seat) return null;
    const others = hand.batch.cards.filter((c) => c.seat !== seat);
    return { K: hand.U[seat], elements: others.map((c) => c.C), done: (list) => {
      others.forEach((c, i) => { c.C = list[i]; });
      unlocked(hand, seat);
    } };
  }
  const slots = hiddenOfAbsent(hand, seat);
  if (slots.length > 0) {
    const group = slots.filter((s) => s.U.equals(slots[0].U));
    return { K: group[0].U, elements: group.map((s) => s.C), done: (list) => group.forEach((s, i) => { s.card = named(hand, list[i]); }) };
  }
  if (r.maker === seat && r.phase === "announce" && owesInspection(hand).length === 0) {
    const pairs = hand.pairs.filter((p) => lastTrick(hand).includes(p) && p.shown === null && p.card === null);
    if (pairs.length > 0)
      return { K: hand.P, elements: pairs.map((p) => p.pair[0]), done: (list) => pairs.forEach((p, i) => { p.shown = named(hand, p.pair[1].subtract(list[i])); }) };
  }
  return null;
}

function hiddenOfAbsent(hand, seat) {
  const r = hand.rules, out = r.idle.includes(seat) ? [] : [...hiddenSlots(hand, seat)];
  if (hand.indicator?.seat === seat && hand.indicator.card === null) out.push(hand.indicator);
  if (r.phase === "announce" && r.maker !== seat && owesInspection(hand)[0] === seat)
    out.push(...lastTrick(hand).filter((p) => p.seat === seat && p.down && !p.up && p.pair === null && p.card === null));
  if (r.phase === "announce" && r.maker === seat)
    out.push(...lastTrick(hand).filter((p) => p.seat === seat && p.down && !p.up && p.card === null && (p.indicator || hand.options.reveal === "all") && !out.includes(p)));
  if (r.phase === "count" && r.turn === seat) out.push(...dueAtCount(hand, seat).filter((s) => s.card === null && !out.includes(s)));
  return out;
}

function named(hand, M) {
  const card = hand.nameOf.get(toHex(M.bytes));
  need(card !== undefined, "D17", "what is opened in the absent player's place is no card");
  return card;
}

// The seat whose stand_in is next, or null
export function standInDue(table) {
  if (due(table) === null) return null;
  return right(table.hand, table.absent.seat, 1 + (table.absent.parts?.length ?? 0));
}

export function standIn(table, entry) {
  const hand = table.hand, { absent } = table, what = due(table), seat = table.seatOf[entry.author];
  const parts = entry.body.parts.map((p) => readElement(p, "a part"));
  const S = hand.keys.get(toHex(what.K.bytes)).shares.get(seat);
  need(parts.length === what.elements.length && dleqHolds(table, entry, "stand in", G, S, what.elements, parts, entry.body.proof),
    "D14", "not what is due, multiplied by the author's share");
  absent.parts = [...(absent.parts ?? []), parts];
  if (absent.parts.length < hand.n - 1) return;
  const sums = what.elements.map((_, i) => absent.parts.reduce((sum, list) => sum.add(list[i]), ZERO));
  absent.parts = [];
  what.done(sums);
}

// The steps of the absent seat, again and again until none applies
export function actAbsent(table) {
  const { hand, absent } = table, seat = absent.seat;
  for (;;) {
    const r = hand.rules;
    if (dealDue(hand)) continue;
    if (r.phase === "over") return;
    if (hand.relocks.includes(seat)) { hand.relocks = hand.relocks.filter((s) => s !== seat); continue; }
    if (hand.batch !== null || hand.relocks.length > 0 || due(table) !== null) return;
    if (r.phase === "announce") {
      const owes = owesInspection(hand);
      if (owes[0] === seat) {
        const p = lastTrick(hand).find((x) => x.seat === seat);
        p.pair = [G, hand.M.get(p.card).add(hand.P)];
        hand.pairs.push(p);
        continue;
      }
      if (r.maker === seat && owes.length === 0) { announceAlone(table); continue; }
      return;
    }
    if (r.turn !== seat) return;
    actSeat(table, seat);
  }
}
