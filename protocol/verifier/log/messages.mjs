// Reading entries and receipts (SPEC.md part 3): what can be seen of them without the table (W01, W02), and their
// signatures. A refusal here makes a transcript unreadable.

import { decode, encode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { link } from "../hashes.mjs";
import { verify } from "../signatures.mjs";
import { need, Refusal } from "../refusal.mjs";

export const MAX_ENTRY = 65536;
const MAX_SEQ = 2 ** 32 - 1;
export const isAuthor = (v) => isInt(v, 0, 7);
export const isClaim = (v) => v === null || v === "caps" || v === "spoilt";

function canonical(bytes, check, items) {
  try { return decode(bytes, items); } catch (error) { throw new Refusal(check, error.message); }
}

export function readEntry(bytes) {
  need(bytes.length <= MAX_ENTRY, "W01", "an entry is too long");
  const map = canonical(bytes, "W01");
  need(hasFields(map, "author", "body", "kind", "prev", "seq", "sig", "table", "v"), "W01", "an entry with other fields");
  need(isAuthor(map.author) && isMap(map.body) && typeof map.kind === "string" && isBytes(map.prev, 32) && isInt(map.seq, 0, MAX_SEQ) &&
    isBytes(map.sig, 64) && isBytes(map.table, 32) && map.v === 1, "W01", "a field of an entry is malformed");
  return { ...map, bytes, link: link(bytes) };
}

export function readReceipt(bytes) {
  const map = canonical(bytes, "W02", 64);
  need(hasFields(map, "author", "claim", "head", "seq", "sig", "table"), "W02", "a receipt with other fields");
  checkReceipt(map);
  return map;
}

export function checkReceipt(map) {
  need(isAuthor(map.author) && isClaim(map.claim) && isBytes(map.head, 32) && isInt(map.seq, 0, MAX_SEQ) && isBytes(map.sig, 64) &&
    isBytes(map.table, 32), "W02", "a field of a receipt is malformed");
}

const without = (map, ...names) => Object.fromEntries(Object.entries(map).filter(([n]) => !names.includes(n)));

export const entrySigned = (key, entry) => verify(key, "p2p304 entry", encode(without(entry, "sig", "bytes", "link")), entry.sig);
export const receiptSigned = (key, r) =>
  verify(key, "p2p304 receipt", encode({ author: r.author, claim: r.claim, head: r.head, seq: r.seq, table: r.table }), r.sig);
export const partSigned = (key, { absent, head, seq, table }, sig) =>
  verify(key, "p2p304 part", encode({ absent, head, seq, table }), sig);
export const wordSigned = (key, t, { absent, head, round, seq, table }, sig) =>
  verify(key, `p2p304 ${t}`, encode({ absent, head, round, seq, table }), sig);

// A receipt at a table whose log is known, up to L08
export function checkReceiptAtTable(table, r) {
  need(equal(r.table, table.nameAt(r.seq)), "L01", "a receipt of another table");
  need(r.author < table.n, "L02", "its author does not sit at this table");
  need(receiptSigned(table.players[r.author].key, r), "L07", "its author has not signed it");
  const held = table.held[r.seq];
  need(held !== undefined, "L04", "a receipt for a place that is not reached");
  need(r.author !== held.author && (r.author !== table.absent?.player || r.seq < table.namedFrom), "L09", "a receipt of the entry's own author");
  need(equal(r.head, held.link), "L08", "a receipt for another entry");
  need(!held.claims.has(r.author) || held.claims.get(r.author) === r.claim, "L10", "a second receipt for one place");
}
