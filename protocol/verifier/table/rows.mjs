// The rows about unseen cards (SPEC.md part 2, Every proof, exactly): which are due with an entry, what each states, and
// the order broken rows - P08 - proofs.

import { need } from "../refusal.mjs";
import { SUITS, suitOf } from "../rules/options.mjs";
import { statementHolds } from "./proofs.mjs";
import { hiddenIndicator, hiddenSlots, downPlays, lastTrick, unseen } from "./hand.mjs";

const AT_ONCE = null;

// none(H; suits): AT_ONCE, or the statement NoneAmong
function none(facts, hidden, suits) {
  const elements = facts.unseen.filter((c) => suits.includes(suitOf(c))).map((c) => facts.hand.M.get(c));
  if (hidden.length === 0 || elements.length === 0) return AT_ONCE;
  const P = facts.hand.P;
  return { none: { elements, hidden: hidden.map((h) => (h.pair
    ? { key: P, times: h.pair[0].negate(), plus: h.pair[1] } : { key: h.U, times: h.C, plus: null })) } };
}

const any = (branches) => (branches.includes(AT_ONCE) ? AT_ONCE : { any: branches });
function all(parts) {
  const left = parts.filter((p) => p !== AT_ONCE);
  return left.length === 0 ? AT_ONCE : { all: left };
}

const asPair = (play) => ({ pair: play.pair });
const asSlot = (slot) => ({ U: slot.U, C: slot.C });

// A suit for each complete trick that the trump maker led and nobody else visibly followed
function drawnSuits(hand, seat) {
  const out = new Set();
  for (const trick of hand.tricks) {
    if (trick.length < playing(hand) || trick[0].seat !== seat || trick[0].card === null) continue;
    const led = suitOf(trick[0].card);
    if (!trick.slice(1).some((p) => p.up && suitOf(p.card) === led)) out.add(led);
  }
  return SUITS.filter((s) => out.has(s));
}

// the trump suit if it is public: after a call of spoilt trumps also from the trump maker's count on
export function publicTrump(hand) {
  if (hand.rules.trump !== null) return hand.rules.trump;
  const shown = [hand.indicator, ...hand.tricks.flat().filter((p) => p.indicator)].find((s) => s?.atCount);
  return shown ? suitOf(shown.card) : null;
}

const playing = (hand) => hand.n - hand.rules.idle.length;

export function facts(table, entry) {
  const hand = table.hand, seat = table.seatOf[entry.author], trick = lastTrick(hand);
  const unfinished = trick !== null && trick.length < playing(hand);
  return {
    hand, seat, unseen: unseen(hand), I: hiddenIndicator(hand, seat), held: hiddenSlots(hand, seat),
    open: hand.slots[seat].filter((s) => s.card !== null).map((s) => s.card),
    led: unfinished ? suitOf(trick[0].card) : null, trick: unfinished ? trick : null,
  };
}

// Rows of an entry: [{word, check, broken, statement}]
export function rowsOf(table, entry, f, more = {}) {
  const { kind, body } = entry, hand = table.hand, rules = hand.rules, o = table.options;
  const { I, held } = f, trump = publicTrump(hand), isMaker = rules.maker === f.seat;
  const rows = [];
  const row = (word, check, statement, broken = false) => rows.push({ word, check, statement, broken });
  const holds = (suit) => f.open.some((c) => suitOf(c) === suit);
  const fromHand = body.slot !== -1;

  if ((kind === "play" || kind === "down") && f.led !== null && !(kind === "play" && suitOf(body.card) === f.led)) {
    const hidden = kind === "down" && !fromHand && I ? [...held, I] : held;
    row("follow", "P09", none(f, hidden.map(asSlot), [f.led]), holds(f.led));
  }
  if (kind === "ask" && f.led !== null) row("follow", "P09", none(f, held.map(asSlot), [f.led]), holds(f.led));
  if (kind === "play" && rules.asked.includes(f.seat) && suitOf(body.card) !== trump && suitOf(body.card) !== f.led)
    row("cut", "P18", none(f, held.map(asSlot), [trump]), holds(trump));
  if (kind === "down" && I && fromHand)
    row("down", "P10", all(SUITS.map((s) => any([none(f, [asSlot(I)], [s]), none(f, hiddenOnly([more.slot]), [s])]))));
  if (kind === "play" && hand.tricks.length === 0 && isMaker && rules.choice === "closed" && fromHand && I && o.hidden === "face_down") {
    const suit = suitOf(body.card), first = none(f, [asSlot(I)], [suit]);
    row("lead", "P11", o.open_trump === "on" ? first : any([first, none(f, held.map(asSlot), SUITS.filter((s) => s !== suit))]));
  }
  if (kind === "play" && f.led === null && isMaker && fromHand && o.exhausted === "on" && o.hidden === "face_down" && !rules.allTricks)
    exhausted(f, body.card, trump, held, I, row, holds);
  if (kind === "closed" && o.open_trump === "on" && more.leadsFirst)
    row("stuck", "P13", all(SUITS.map((s) => any([none(f, I ? [asSlot(I)] : [], [s]), ...held.map((h) => none(f, [asSlot(h)], [s]))]))));
  if (kind === "announce" && body.cut === 0 && more.pairs.length > 0 && !f.indicatorPlayed) {
    const pairs = more.pairs.map(asPair), shown = body.indicator ?? more.indicatorCard;
    row("no trumps", "P14", shown ? none(f, pairs, [suitOf(shown)])
      : all(SUITS.map((s) => any([none(f, I ? [asSlot(I)] : [], [s]), none(f, pairs, [s])]))));
  }
  if (kind === "count" && more.spoilt) {
    const lying = downPlays(hand, f.seat), hidden = [...held, ...lying.filter((p) => p.card === null)];
    const own = [...f.open, ...hand.tricks.flat().filter((p) => p.seat === f.seat && p.card !== null).map((p) => p.card)];
    row("spoilt", "P19", none(f, hidden.map(asSlot), [trump]), own.some((c) => suitOf(c) === trump));
  }
  return rows;
}

const hiddenOnly = (slots) => slots.filter((s) => s.card === null).map(asSlot);

function exhausted(f, card, trump, held, I, row, holds) {
  const drawn = drawnSuits(f.hand, f.seat), suit = suitOf(card);
  if (trump !== null) {
    if (drawn.includes(trump) && suit !== trump) row("exhausted", "P12", none(f, held.map(asSlot), [trump]), holds(trump));
  } else if (I) {
    const left = drawn.filter((s) => s !== suit);
    if (left.length > 0) row("exhausted", "P12", all(left.map((s) => any([none(f, [asSlot(I)], [s]), none(f, held.map(asSlot), [s])]))));
  }
}

export function checkRows(table, entry, rows) {
  const { owed } = entry.body;
  for (const r of rows) need(!r.broken, r.check, `the row ${r.word} is broken by a public card`);
  const due = rows.filter((r) => r.statement !== AT_ONCE);
  need(due.length === owed.length, "P08", `${due.length} proofs about unseen cards are due, not ${owed.length}`);
  due.forEach((r, i) => need(statementHolds(table, entry, r.word, r.statement, owed[i]), r.check, `the proof of the row ${r.word} does not hold`));
}
