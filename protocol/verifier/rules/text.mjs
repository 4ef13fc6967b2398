// The texts of hand records (SPEC.md, Hand records): an action to and from "seat word".

import { seatName, seatNamed } from "./table.mjs";

const CARD = /^(10|[23J9ATKQ876])([SHDC])$/;
export const readCard = (text) => { const m = CARD.exec(text); return m && (m[1] === "10" ? "T" : m[1]) + m[2]; };

// A number of card points, also where bids are said in tenths (1.6 is 160); null if it is no bid.
function readBid(options, text) {
  if (options.tenths === "on") {
    const m = /^([1-9][0-9]?)\.([0-9]{1,2})$/.exec(text);
    if (!m || text.length > 4 || (m[2].length === 2 && m[2].endsWith("0"))) return null;
    return Number(m[1]) * 100 + Number(m[2].padEnd(2, "0"));
  }
  return /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : null;
}
export function bidText(options, value) {
  if (options.tenths === "off" || typeof value === "string") return value;
  return (value / 100).toFixed(2).replace(/0$/, "");
}

const PLAIN = { pcc: "say", halfcourt: "say", fullcourt: "say", pass: "say", ask: "say", keep: "say", double: "say",
  redeal: "redeal", open: "open", closed: "closed", reveal: "ask", spoilt: "spoilt" };

// The action as {seat, kind, …}, or null if the text is none.
export function readAction(options, text) {
  const parts = text.split(" "), seat = seatNamed(options, parts[0]), word = parts[1], rest = parts.slice(2);
  if (seat < 0 || word === undefined) return null;
  const cards = rest.map(readCard), allCards = cards.every((card) => card !== null);
  if (word === "trump" && rest.length === 1 && allCards) return { seat, kind: "indicator", card: cards[0] };
  if (word === "partner" && rest.length === 1 && allCards) return { seat, kind: "say", word: `partner ${cards[0]}` };
  if (word === "exchange" && rest.length === 2 && allCards) return { seat, kind: "exchange", cards };
  if (word === "caps" && allCards) return { seat, kind: "caps", order: cards };
  if (word === "marriage" && rest.length === 1 && /^[SHDC]$/.test(rest[0])) return { seat, kind: "marriage", suit: rest[0] };
  if (rest.length > 0) return null;
  if (Object.hasOwn(PLAIN, word)) return PLAIN[word] === "say" ? { seat, kind: "say", word } : { seat, kind: PLAIN[word] };
  const value = readBid(options, word);
  if (value !== null) return { seat, kind: "say", word: value };
  const down = word.startsWith("~"), card = readCard(down ? word.slice(1) : word);
  return card === null ? null : { seat, kind: down ? "down" : "play", card };
}

export function actionText(options, action) {
  const seat = seatName(options, action.seat);
  const words = {
    say: () => bidText(options, action.word), indicator: () => `trump ${action.card}`, exchange: () => `exchange ${action.cards.join(" ")}`,
    caps: () => `caps ${action.order.join(" ")}`, marriage: () => `marriage ${action.suit}`, ask: () => "reveal",
    play: () => action.card, down: () => `~${action.card}`,
  };
  return `${seat} ${words[action.kind] ? words[action.kind]() : action.kind}`;
}
