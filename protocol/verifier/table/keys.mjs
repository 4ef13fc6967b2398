// Keys that entries publish: elements (D01), known secrets (D02), freshness (D03), and their shares where hands are
// played out (D12, D15).

import { toHex } from "../bytes.mjs";
import { ZERO, nonZeroElement, scalar } from "../crypto/group.mjs";
import { need } from "../refusal.mjs";
import { keyIsKnown } from "./proofs.mjs";

export function readElement(bytes, what) {
  const e = nonZeroElement(bytes);
  need(e !== null, "D01", `${what} is no element, or the identity`);
  return e;
}

export function checkFresh(hand, key) {
  need(!hand.published.has(toHex(key.bytes)), "D03", "this key was published before");
}

export const publish = (hand, key) => hand.published.add(toHex(key.bytes));

export const checkKnown = (table, entry, key) =>
  need(keyIsKnown(table, entry, "key", key, entry.body.knows), "D02", "its author does not know this key's secret");

// The checks `keys` of a shared key; returns the points of the shares by seat
export function checkShares(table, entry, key) {
  const { points, R } = readShares(table, table.seatOf[entry.author], entry.body, key);
  if (R !== null) need(keyIsKnown(table, entry, "ephemeral", R, entry.body.ephemeral_knows), "D15", "its author does not know the ephemeral key's secret");
  return points;
}

// All of these checks but the proof of D15: {points, R}, R null where keys are not shared
export function readShares(table, author, { shares, ephemeral, ephemeral_knows: knows }, key) {
  const shared = table.options.away === "playout";
  need(shares.length === (shared ? table.n - 1 : 0), "D12", "another number of shares than is due");
  need((ephemeral !== null) === shared, "D12", "an ephemeral key that is not due, or none that is");
  if (!shared) {
    need(knows === null, "D12", "a proof about no ephemeral key");
    return { points: new Map(), R: null };
  }
  const R = readElement(ephemeral, "the ephemeral key");
  const points = new Map();
  let sum = ZERO;
  shares.forEach((share, i) => {
    const S = readElement(share.subarray(0, 32), "the point of a share");
    need(scalar(share.subarray(32)) !== null, "D12", "a box is no scalar");
    points.set((author + i + 1) % table.n, S);
    sum = sum.add(S);
  });
  need(sum.equals(key), "D12", "the shares do not sum to the key");
  need(knows !== null, "D12", "no proof about the ephemeral key");
  return { points, R };
}

export function checkBoxKey(table, entry) {
  const { box, box_knows: knows } = entry.body;
  const due = table.options.away === "playout";
  need((box !== null) === due && (knows !== null) === due, "D12", "a key for sealed shares that is not due, or none that is");
  if (!due) return null;
  const E = readElement(box, "the key for sealed shares");
  need(keyIsKnown(table, entry, "box", E, knows), "D15", "its author does not know the secret of the key for sealed shares");
  return E;
}
