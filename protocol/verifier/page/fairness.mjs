// Where the cards of many tables went, beside what honest deals bring (docs/auditing.md, "Many games together"). It counts what the
// page was told of sound files (story.mjs), and makes no guess about hands that were not shown.

import { SUITS, pack } from "../rules/options.mjs";

const ONE_IN = 4000; // the bands are made for one false alarm in so many: one in 1,000 is said, since few hands stray further than the normal curve
const DEALS = 10; // no bands before each seat has dealt so often
const EXPECTED = 20; // no band for a count of which fewer are expected
const RANKS = ["J", "9"];

// The tables of these files, each once, with the file of which most was dealt; and the files that are left out, with the reason
export function tablesOf(files) {
  const best = new Map(), left = [];
  for (const file of files) {
    const { table, verdict } = file;
    if (verdict?.verdict !== "sound" || !table || table.players.some((p) => p.seat === null)) continue;
    if (table.seats < 4) { left.push({ file, why: "fairness_seats" }); continue; }
    if (table.options.shuffle !== "thorough") { left.push({ file, why: "fairness_minimal" }); continue; }
    const one = { file, options: table.options, hands: file.hands.filter((hand) => hand.dealt).map((hand) => ({ dealer: hand.dealer, cards: shown(hand, pack(table.options)) })) };
    const known = best.get(table.id), isLonger = !known || compare(length(one), length(known)) > 0;
    if (known) left.push({ file: isLonger ? known.file : file, why: "fairness_copy" });
    if (isLonger) best.set(table.id, one);
  }
  return { tables: [...best.values()], left };
}

const length = ({ hands }) => [hands.length, hands.filter((hand) => hand.cards !== null).length];
const compare = (a, b) => a[0] - b[0] || a[1] - b[1];

// The cards of each seat if the hand is over, and every card of the pack was shown; else null
function shown(hand, cards) {
  const held = hand.hands.map((own) => own.map((one) => one.card)), all = held.flat();
  const isWhole = all.length === cards.length && new Set(all).size === cards.length && cards.every((card) => all.includes(card));
  return hand.tokens !== null && isWhole && held.every((own) => own.length === held[0].length) ? held : null;
}

// Tables of one pack and one number of seats together: what was counted, in rows {of, by, holder, count, expected, least, most}.
// Holders are numbers: places from 0, the dealer's right, to the dealer; and seats.
export function collections(tables) {
  const found = new Map();
  for (const { options, hands } of tables) {
    const key = `${options.pack} ${options.seats}`;
    if (!found.has(key)) found.set(key, { seats: options.seats, cards: pack(options), games: new Set(), tables: 0, hands: [] });
    const one = found.get(key);
    one.games.add(options.preset);
    one.tables += 1;
    one.hands.push(...hands);
  }
  const all = [...found.values()].map((one) => ({ ...one, seen: one.hands.filter((hand) => hand.cards !== null).length, rows: rows(one) }));
  const width = widthFor(all.flatMap((one) => one.rows.filter((row) => hasBand(one, row.share))).length);
  for (const one of all) for (const row of one.rows) Object.assign(row, band(one, row.share, width));
  return all;
}

// A share of the pack, `marked` cards of it: how many of them one hand holds, on average and at the ends
export function share(marked, cards, size) {
  const part = marked / cards;
  return { mean: size * part, variance: (size * part * (1 - part) * (cards - size)) / (cards - 1), least: Math.max(0, marked - (cards - size)), most: Math.min(marked, size) };
}

function rows({ seats, cards, hands }) {
  const seen = hands.filter((hand) => hand.cards !== null), size = Math.floor(cards.length / seats);
  const places = { place: (hand, n) => hand.cards[(hand.dealer + 1 + n) % seats], seat: (hand, n) => hand.cards[n] };
  return [...RANKS, ...SUITS].flatMap((of) => {
    const marked = cards.filter((card) => card.includes(of)), figure = share(marked.length, cards.length, size);
    return Object.entries(places).flatMap(([by, held]) => Array.from({ length: seats }, (_, holder) => {
      const count = seen.reduce((n, hand) => n + held(hand, holder).filter((card) => marked.includes(card)).length, 0);
      return { of, by, holder, count, expected: figure.mean * seen.length, share: figure };
    }));
  });
}

const hasBand = ({ seats, hands }, { mean }) => hands.length >= DEALS * seats && hands.length * mean >= EXPECTED;

// Where a count stays that is fair over all hands dealt, whatever the unseen ones held: they may have held the most, or the least
export function band(one, { mean, variance, least, most }, width) {
  if (!hasBand(one, { mean })) return { least: null, most: null };
  const dealt = one.hands.length, unseen = dealt - one.seen, spread = width * Math.sqrt(variance * dealt);
  return {
    least: Math.max(0, Math.ceil(mean * dealt - spread - unseen * most)),
    most: Math.min(one.seen * most, Math.floor(mean * dealt + spread - unseen * least)),
  };
}

export const isOutside = ({ count, least, most }) => least !== null && (count < least || count > most);

// How many standard deviations wide a band is to each side, so that `bands` of them hold together
export function widthFor(bands) {
  const rare = 1 / (2 * ONE_IN * Math.max(1, bands));
  let [low, high] = [2, 12];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (tail(middle) > rare) low = middle;
    else high = middle;
  }
  return low;
}

// The chance that a normal value is above z (z from 2 on), as a continued fraction
function tail(z) {
  let below = z;
  for (let n = 100; n > 0; n--) below = z + n / below;
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI) / below;
}
