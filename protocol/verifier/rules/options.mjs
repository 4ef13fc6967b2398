// The options of a table (SPEC.md part 1, Options): their values, what does not go together, and what follows from them
// for pack, hands and batches.

import { need } from "../refusal.mjs";

const onOff = ["off", "on"];
export const VALUES = {
  seats: [2, 3, 4, 6, 8], partner: ["across", "none", "called"], pack: [24, 32, 36, "36-threes", 40],
  deal: ["4+4", "3+1", "4+2", "all_first"], stock: ["none", "draw", "exchange"], direction: ["ccw", "cw"],
  seating: ["random", "draw", "chosen"], shuffle: ["thorough", "minimal"], redeal15: onOff, "bid.min": [160, 150, 200, 260, 460],
  "bid.first": ["free", "must"], rebid: [200, "once", "first200"], over_partner: [200, "never", "first200"], ask_partner: onOff,
  step_over_200: [10, 5], all_pass: ["next_dealer", "dealer_forced"], half_court: onOff, bid4: ["numbers", "courts"], bid8: onOff,
  "bid8.start": ["winner", "dealer_right"], "bid8.min": [250, "equal_ok", "over250"], pcc: onOff, full_court: onOff, bid304: onOff,
  tenths: onOff, open_trump: onOff, hidden: ["face_down", "ask_reveal"], reveal: ["others", "all"], open_after_250: onOff,
  exhausted: onOff, marriages: onOff, last_trick: [0, 10], double: onOff, spoilt: ["anyone", "opponents", "auto", "off"],
  "spoilt.until": ["last_card", "trick8"], caps: ["grace", "strict", "assist", "off"], wrong_caps: ["instead", "additive"],
  external_caps: ["plus_one", 8, "off", "none"], score: ["tokens", "online"], match: ["across", "bank", "session", "points"],
  tokens: Array.from({ length: 100 }, (_, i) => i + 1), violation: ["pay", "void"], chat: ["between", "open"],
  timer: ["off", ...Array.from({ length: 596 }, (_, i) => i + 5)],
  timeout: ["hint", "random"], memory: onOff, hints: onOff,
  away: ["wait", "replace", "playout"],
};

export const PRESETS = ["pagat", "bank", "fives", "wikipedia", "catsatcards", "half-court", "six-24", "eight-32", "six-36", "maharashtra",
  "doso-viso", "tamil-304", "tamil-504", "tamil-904", "tenths", "online-2", "online-3", "online-4"];

const RANKS = { 24: "J9ATKQ", 32: "J9ATKQ87", 36: "J9ATKQ876", "36-threes": "3J9ATKQ87", 40: "23J9ATKQ87" };
const POINTS = { 2: 100, 3: 50, J: 30, 9: 20, A: 11, T: 10, K: 3, Q: 2, 8: 0, 7: 0, 6: 0 };
export const SUITS = ["S", "H", "D", "C"];

export const ranks = (options) => RANKS[options.pack];
const PACKS = new Map(Object.entries(RANKS).map(([name, all]) => [name, Object.freeze(SUITS.flatMap((s) => [...all].map((r) => r + s)))]));
export const pack = (options) => PACKS.get(String(options.pack));
export const suitOf = (card) => card[1];
export const points = (card) => POINTS[card[0]];
// 0 is the strongest card of its suit
export const strength = (options, card) => ranks(options).indexOf(card[0]);
export const packPoints = (options) => pack(options).reduce((n, c) => n + points(c), 0);
export const handSize = (options) => Math.min(10, Math.floor(pack(options).length / options.seats));
export const leftOver = (options) => pack(options).length - handSize(options) * options.seats;
// the sizes of the batches, in the order in which they are dealt
export const batches = (options) => (options.deal === "all_first" ? [handSize(options)] : options.deal.split("+").map(Number));
// bids that stand for 200 and 250 in a bigger pack
export const special200 = (options) => ({ 304: 200, 504: 330, 904: 590 })[packPoints(options)];
export const special250 = (options) => ({ 304: 250, 504: 410, 904: 740 })[packPoints(options)];

// The first thing that is wrong with a map of options, as a Refusal A02
export function checkOptions(map) {
  const names = [...Object.keys(VALUES), "preset"];
  need(Object.keys(map).length === names.length && names.every((n) => n in map), "A02", "the rules lack an option or have another", "options.value");
  need(PRESETS.includes(map.preset), "A02", "no such preset", "options.value");
  for (const [name, values] of Object.entries(VALUES)) need(values.includes(map[name]), "A02", `no such value of ${name}`, "options.value");
  const together = (refused, name) => need(!refused, "A02", `${name} does not go with the other options`, "options.together");
  const o = map, seats = o.seats, left = leftOver(o), size = handSize(o), all = packPoints(o);
  together(o.partner === "across" && seats <= 3, "partner");
  together(o.partner === "called" && seats !== 4, "partner");
  together(o.partner === "none" && seats >= 4, "partner");
  together(o.deal !== "all_first" && batches(o).reduce((a, b) => a + b) !== size, "deal");
  together(o.stock === "none" && left !== 0, "stock");
  together(o.stock === "draw" && (left === 0 || left % seats !== 0), "stock");
  together(o.stock === "exchange" && left !== 2, "stock");
  together(o.stock !== "none" && o.hidden === "face_down", "stock");
  together(all < 2 * o["bid.min"] - 100 || special200(o) < o["bid.min"], "bid.min");
  together(o.ask_partner === "on" && o.partner !== "across", "ask_partner");
  together(o.pcc === "on" && o.partner !== "across", "pcc");
  together(o.caps !== "off" && (o.partner !== "across" || o.hidden === "ask_reveal"), "caps");
  together(["anyone", "opponents"].includes(o.spoilt) && (o.partner !== "across" || o.hidden === "ask_reveal"), "spoilt");
  together(o.double === "on" && o.partner !== "across", "double");
  together(o.open_trump === "on" && o.hidden === "ask_reveal", "open_trump");
  together(o.bid4 === "courts" && o.half_court === "off", "bid4");
  together(o.half_court === "on" && o.deal === "all_first", "half_court");
  together(o.full_court === "on" && o.deal !== "all_first" && o.bid4 === "numbers", "full_court");
  together(o.bid304 === "on" && all !== 304, "bid304");
  together(o.match === "points" && o.score === "tokens", "match");
  together(o.score === "online" && ["across", "bank"].includes(o.match), "score");
  together(o.shuffle === "minimal" && o.stock === "exchange", "shuffle");
  together(o.away !== "wait" && seats === 2, "away");
  together(o.away === "playout" && (o.hidden === "ask_reveal" || o.open_trump === "off"), "away");
}
