// Ed25519 as SPEC.md part 5, Signatures: keys of prime order in their one encoding, S below q, the equation without the
// cofactor, R compared byte for byte.

import { ed25519 } from "@noble/curves/ed25519";
import { sha512 } from "@noble/hashes/sha2";
import { concat, equal, numberLE, utf8 } from "./bytes.mjs";

const Point = ed25519.Point;
const q = Point.Fn ? Point.Fn.ORDER : ed25519.CURVE.n;
const known = new Map();

// The point behind a public key, or null where the 32 bytes are no key
export function keyPoint(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  const name = bytes.join();
  if (known.has(name)) return known.get(name);
  let point = null;
  try {
    point = Point.fromHex(bytes, false);
    if (point.is0() || !point.isTorsionFree() || !equal(point.toBytes(), bytes)) point = null;
  } catch { point = null; }
  known.set(name, point);
  return point;
}

export function verifyBytes(key, message, signature) {
  const A = keyPoint(key);
  if (A === null || !(signature instanceof Uint8Array) || signature.length !== 64) return false;
  const R = signature.subarray(0, 32), s = numberLE(signature.subarray(32));
  if (s >= q) return false;
  const k = numberLE(sha512(concat(R, key, message))) % q;
  const left = s === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(s);
  const right = k === 0n ? Point.ZERO : A.multiplyUnsafe(k);
  return equal(left.subtract(right).toBytes(), R);
}

// A signature over label || 00 || bytes
export const verify = (key, label, bytes, signature) =>
  verifyBytes(key, concat(utf8(label), Uint8Array.of(0), bytes), signature);
